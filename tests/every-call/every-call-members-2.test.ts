import { walkCalls } from './walk.ts'

walkCalls(
  'every call that changes something for a member, by path from /members/n on',
  ({ call, method }) => method === 'POST' && call.access !== 'staff' && call.path >= '/members/n',
)
