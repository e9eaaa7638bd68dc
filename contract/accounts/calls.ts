import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { type PasswordRule, passwordRules } from '../sessions/passwords.ts'
import { texts } from '../texts.ts'
import { metricsRanges } from './metrics-ranges.ts'
import { passwordPolicy } from './trading-passwords.ts'

const accountPlace = z.object({ id: z.uuid().toLowerCase() })

/** Rules for a new trading account password; the platform may add more. */
export const accountPasswordRules: readonly PasswordRule[] = passwordRules

/** The platform receives the password verbatim, so it is neither trimmed nor normalized. */
const newTradingPassword = z
  .string({ error: texts.passwordMissing })
  .max(limits.tradingPasswordCharsMax, texts.passwordTooLong.replace('{{count}}', `${limits.tradingPasswordCharsMax}`))
  .superRefine((password, context) => {
    const broken = accountPasswordRules.filter((rule) => !rule.holds(password)).map((rule) => rule.text)
    if (!password.isWellFormed() || /\p{Cc}/u.test(password)) broken.push(texts.passwordUnreadable)
    for (const message of broken) context.addIssue({ code: 'custom', message })
  })

/** The platform's additional password rules; null while the platform is unreachable. */
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

/** Sets the account's investor (read-only) password, without asking for the old one. */
export const changeInvestorPassword = defineCall({
  ...changeTradingPassword,
  path: '/members/trading-accounts/:id/change-investor-password',
})

const metricsPoint = z.object({ at: z.int(), balance: z.string(), equity: z.string() })

/** Balance and equity over time, in at most a few hundred points for any range; ascending in time. */
export const readAccountMetrics = defineCall({
  method: 'GET',
  path: '/members/trading-accounts/:id/figures',
  access: 'member',
  input: accountPlace.extend({ range: z.enum(metricsRanges).default('1m') }),
  answer: z.object({ status: z.literal('ok'), from: z.int(), to: z.int(), points: z.array(metricsPoint) }),
})

/** The equity of each of the member's accounts over the last week, for a sparkline. */
export const readRecentEquity = defineCall({
  method: 'GET',
  path: '/members/trading/recent-equity',
  access: 'member',
  /** Start of the member's day, by the browser's clock. */
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
        /** The equity when the day began; null without an earlier record, absent if not requested. */
        day_equity: z.string().nullable().optional(),
      }),
    ),
  }),
})
