import { walkCalls } from './walk.ts'

walkCalls(
  'every call that changes something at the desk, by path up to members',
  ({ call, method }) => method === 'POST' && call.access === 'staff' && call.path < '/desk/api/n',
)
