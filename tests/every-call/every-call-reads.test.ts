// spec: MP 2.2
import { walkCalls } from './walk.ts'

walkCalls('every call that reads', ({ method }) => method === 'GET')
