import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { type PasswordRule, passwordRules } from '../sessions/passwords.ts'
import { texts } from '../texts.ts'
import { figureRanges } from './figure-ranges.ts'
import { passwordPolicy } from './trading-passwords.ts'

const accountPlace = z.object({ id: z.uuid().toLowerCase() })

/** What a new password of a trading account must have; its platform may want more. */
export const accountPasswordRules: readonly PasswordRule[] = passwordRules

/** Goes to the platform letter by letter, so nothing is trimmed or spelt anew. */
const newTradingPassword = z
  .string({ error: texts.passwordMissing })
  .max(limits.tradingPasswordCharsMax, texts.passwordTooLong.replace('{{count}}', `${limits.tradingPasswordCharsMax}`))
  .superRefine((password, context) => {
    const broken = accountPasswordRules.filter((rule) => !rule.holds(password)).map((rule) => rule.text)
    if (!password.isWellFormed() || /\p{Cc}/u.test(password)) broken.push(texts.passwordUnreadable)
    for (const message of broken) context.addIssue({ code: 'custom', message })
  })

/** What the account's platform asks of a password beyond that; null while it cannot be asked. */
export const readPasswordPolicy = defineCall({
  method: 'GET',
  path: '/members/trading-accounts/:id/password-policy',
  access: 'member',
  input: accountPlace,
  answer: z.object({ status: z.literal('ok'), policy: passwordPolicy.nullable() }),
})

export const changeTradingPassword = defineCall({
  method: 'POST',
  path: '/members/trading-accounts/:id/change-password',
  access: 'member',
  input: accountPlace.extend({ new_password: newTradingPassword }),
  answer: z.object({ status: z.literal('ok'), msg: z.array(z.string()) }),
})

/** For whoever may look and not trade: sets the account's investor password, whether or not it is known. */
export const changeInvestorPassword = defineCall({
  ...changeTradingPassword,
  path: '/members/trading-accounts/:id/change-investor-password',
})

const figurePoint = z.object({ at: z.int(), balance: z.string(), equity: z.string() })

/** How balance and equity went, in at most a few hundred points however long the range is; rising in time. */
export const readAccountFigures = defineCall({
  method: 'GET',
  path: '/members/trading-accounts/:id/figures',
  access: 'member',
  input: accountPlace.extend({ range: z.enum(figureRanges).default('1m') }),
  answer: z.object({ status: z.literal('ok'), from: z.int(), to: z.int(), points: z.array(figurePoint) }),
})

/** The equity of every account of the member over the last week, for a small line beside each. */
export const readRecentEquity = defineCall({
  method: 'GET',
  path: '/members/trading/recent-equity',
  access: 'member',
  /** Where the member's day began, by the clock of the page. */
  input: z.object({
    day_from: z.coerce
      .number()
      .int()
      .min(0)
      .max(Date.UTC(9999, 11, 31))
      .optional(),
  }),
  answer: z.object({
    status: z.literal('ok'),
    from: z.int(),
    to: z.int(),
    accounts: z.array(
      z.object({
        _id: z.uuid(),
        points: z.array(z.object({ at: z.int(), equity: z.string() })),
        /** What stood when the day began; null where nothing was kept before, and left out where nobody asked. */
        day_equity: z.string().nullable().optional(),
      }),
    ),
  }),
})
