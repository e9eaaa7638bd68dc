// spec: DK staff
import { walkCalls } from './walk.ts'

walkCalls(
  'every call that changes something at the desk, by path from logout to providers',
  ({ call, method }) =>
    method === 'POST' && call.access === 'staff' && call.path >= '/desk/api/l' && call.path < '/desk/api/r',
)
