import { graphRequest } from '../../api/address.ts'
import { askEarly } from '../../api/transport.ts'
import { permissionsPath } from './first-calls.ts'
import { currentMemberQuery } from './session.queries.ts'

/** What `load-session.ts` will ask for, while it is on its way with the library that it reads the answers with. */
export function askForSession(): void {
  askEarly(permissionsPath)
  askEarly(graphRequest(currentMemberQuery.toString(), {}).path)
}
