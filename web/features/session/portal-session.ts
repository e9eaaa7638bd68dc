import { createSessionStore } from '../../api/session-store.ts'

export const portalSession = createSessionStore('portal')
