import { z } from 'zod'
import { limits } from '../limits.ts'
import { texts } from '../texts.ts'
import { emailInput } from '../validators/reach.ts'

/** What a member is called and how they sign in: theirs to ask for, and the desk's to change. */

const withCount = (count: number) => texts.textTooLong.replace('{{count}}', String(count))

export const memberName = z
  .string({ error: texts.nameMissing })
  .trim()
  .min(1, texts.nameMissing)
  .max(limits.memberNameCharsMax, withCount(limits.memberNameCharsMax))
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), texts.nameUnreadable)

/** No longer than the sign-in form takes: with another address nobody could come in. */
export const signInEmail = emailInput(limits.loginEmailCharsMax)

/** What approving a request of such a type changes. */
export const detailChanges = ['legal_name', 'email'] as const
export type DetailChange = (typeof detailChanges)[number]

/** The fields that a form of such a type has to have, and the one of the member that each is for. */
export const changeFields = {
  legal_name: { new_first_name: 'first_name', new_last_name: 'last_name' },
  email: { new_email: 'email' },
} as const satisfies Record<DetailChange, Record<string, string>>

export const memberDetails = z.object({ first_name: memberName, last_name: memberName, email: signInEmail })
export type MemberDetails = z.output<typeof memberDetails>
export const wantedDetails = memberDetails.partial()
export type WantedDetails = z.output<typeof wantedDetails>
