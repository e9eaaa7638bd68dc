import type { readDeskUser as DeskUserCall } from '@atrium/contract/sessions/desk-calls.ts'
import { checkedCall, isMade, isNullOr, isOneOf, isText } from '../../api/answer-checks.ts'

/** Checked by hand, like the first calls of the portal: the desk asks for it before it loads the schema library. */
export const readDeskUser = checkedCall<typeof DeskUserCall>(
  { method: 'GET', path: '/desk/api/me' },
  isMade({
    status: isOneOf('ok'),
    user: isMade({ _id: isText, name: isText, email: isText, type: isText, picture: isNullOr(isText) }),
  }),
)
