import type { CallRoute } from './fixture.ts'
import { walkCalls } from './walk.ts'

const isOfDesk = ({ call, method }: CallRoute): boolean => method === 'POST' && call.access === 'staff'

walkCalls('every call that changes something at the desk, whole', isOfDesk, { isWhole: true })
