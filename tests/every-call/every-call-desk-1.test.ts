import { walkCalls } from './walk.ts'

walkCalls(
  'every call that changes something at the desk, by path up to kyc-categories',
  ({ call, method }) => method === 'POST' && call.access === 'staff' && call.path < '/desk/api/l',
)
