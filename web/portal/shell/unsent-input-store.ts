import { portalSession } from '../../features/session/portal-session.ts'
import { createUnsentInputStore } from '../../features/session/unsent-input-store.ts'

export const unsentInputStore = createUnsentInputStore(portalSession)
