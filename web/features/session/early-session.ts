import { graphRequest } from '../../api/address.ts'
import { readPermissions, readSettings } from '../../api/first-calls.ts'
import { askEarly } from '../../api/transport.ts'
import { currentMemberQuery } from './session.queries.ts'

/** Starts the requests that `load-session.ts` needs before anything is rendered. */
export function askForSession(): void {
  askEarly(readSettings.path)
  askEarly(readPermissions.path)
  askEarly(graphRequest(currentMemberQuery.toString(), {}).path)
}
