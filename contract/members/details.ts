/** A member's name and sign-in email: the member requests a change, staff make it. */

import { z } from 'zod'
import { limits } from '../limits.ts'
import { personName } from '../validators/person-name.ts'
import { emailInput } from '../validators/reach.ts'

export const memberName = personName(limits.memberNameCharsMax)

/** No longer than the sign-in form accepts, so that the member can sign in. */
export const signInEmail = emailInput(limits.loginEmailCharsMax)

/** The changes that approving such a request makes. */
export const detailChanges = ['legal_name', 'email'] as const
export type DetailChange = (typeof detailChanges)[number]

/** The fields that a form for such a change must have, with the member's column for each. */
export const changeFields = {
  legal_name: { new_first_name: 'first_name', new_last_name: 'last_name' },
  email: { new_email: 'email' },
} as const satisfies Record<DetailChange, Record<string, string>>

export const memberDetails = z.object({ first_name: memberName, last_name: memberName, email: signInEmail })
export type MemberDetails = z.output<typeof memberDetails>
export const requestedDetails = memberDetails.partial()
export type RequestedDetails = z.output<typeof requestedDetails>
