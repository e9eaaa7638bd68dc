import { createEntryKeeper } from '../../features/session/entry-keeper.ts'
import { portalSession } from '../../features/session/portal-session.ts'

export const entryKeeper = createEntryKeeper(portalSession)
