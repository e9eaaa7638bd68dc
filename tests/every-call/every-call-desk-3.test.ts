import { walkCalls } from './walk.ts'

walkCalls(
  'every call that changes something at the desk, by path from reconciliation on',
  ({ call, method }) => method === 'POST' && call.access === 'staff' && call.path >= '/desk/api/r',
)
