import { graphRequest } from '../../api/address.ts'
import { readPermissions } from '../../api/first-calls.ts'
import { askEarly } from '../../api/transport.ts'
import { currentMemberQuery } from './session.queries.ts'

/** Starts the requests that `load-session.ts` needs while its code is still loading. */
export function askForSession(): void {
  askEarly(readPermissions.path)
  askEarly(graphRequest(currentMemberQuery.toString(), {}).path)
}
