import { graphRequest } from '../../api/address.ts'
import { readPermissions } from '../../api/first-calls.ts'
import { askEarly } from '../../api/transport.ts'
import { currentMemberQuery } from './session.queries.ts'

/** What `load-session.ts` will ask for, while it is on its way. */
export function askForSession(): void {
  askEarly(readPermissions.path)
  askEarly(graphRequest(currentMemberQuery.toString(), {}).path)
}
