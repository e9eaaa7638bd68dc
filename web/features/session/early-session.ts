import { graphRequest } from '../../api/address.ts'
import { readPermissions, readSettings } from '../../api/first-calls.ts'
import { prefetchCall } from '../../api/transport.ts'
import { currentMemberQuery } from './session.queries.ts'

/** Starts the requests that `load-session.ts` needs before anything is rendered. */
export function askForSession(): void {
  prefetchCall(readSettings.path)
  prefetchCall(readPermissions.path)
  prefetchCall(graphRequest(currentMemberQuery.toString(), {}).path)
}
