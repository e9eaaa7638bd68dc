// spec: MP 6, MP 7, AO 4, AO 7, OP notifications
import { walkCalls } from './walk.ts'

walkCalls(
  'every call that changes something for a member, by path up to those that begin with /members/n',
  ({ call, method }) => method === 'POST' && call.access !== 'staff' && call.path < '/members/n',
)
