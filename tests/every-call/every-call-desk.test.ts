import { walkCalls } from './walk.ts'

walkCalls(
  'every call that changes something at the desk',
  ({ call, method }) => method === 'POST' && call.access === 'staff',
)
