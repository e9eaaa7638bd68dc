import { walkCalls } from './walk.ts'

walkCalls(
  'every call that changes something for a member',
  ({ call, method }) => method === 'POST' && call.access !== 'staff',
)
