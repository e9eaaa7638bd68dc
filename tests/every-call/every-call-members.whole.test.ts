import type { CallRoute } from './fixture.ts'
import { walkCalls } from './walk.ts'

const isOfMembers = ({ call, method }: CallRoute): boolean => method === 'POST' && call.access !== 'staff'

walkCalls('every call that changes something for a member, whole', isOfMembers, { isWhole: true })
