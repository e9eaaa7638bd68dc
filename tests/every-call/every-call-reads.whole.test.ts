import { walkCalls } from './walk.ts'

walkCalls('every call that reads, whole', ({ method }) => method === 'GET', { isWhole: true })
