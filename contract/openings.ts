import { z } from 'zod'
import { defineCall } from './call.ts'
import { limits } from './limits.ts'
import { countPasswordChars, type PasswordRule } from './passwords.ts'
import { texts } from './texts.ts'

export const accountKinds = ['live', 'demo'] as const
export type AccountKind = (typeof accountKinds)[number]

/** What every trading password must have, in the order in which a form ticks it off; the platform may want more. */
export const tradingPasswordRules: PasswordRule[] = [
  {
    name: 'length',
    text: texts.passwordTooShort,
    holds: (password) => countPasswordChars(password) >= limits.passwordCharsMin,
  },
  {
    name: 'letters',
    text: texts.openingPasswordLetters,
    holds: (password) => [/[A-Z]/, /[a-z]/, /\d/].every((wanted) => wanted.test(password)),
  },
]

/** Goes to the platform letter by letter, so nothing is trimmed or spelt anew. */
export const tradingPassword = z
  .string({ error: texts.openingIncomplete })
  .max(limits.tradingPasswordCharsMax, texts.passwordTooLong.replace('{{count}}', `${limits.tradingPasswordCharsMax}`))
  .superRefine((password, context) => {
    const broken = tradingPasswordRules.filter((rule) => !rule.holds(password)).map((rule) => rule.text)
    if (!password.isWellFormed() || /\p{Cc}/u.test(password)) broken.push(texts.passwordUnreadable)
    for (const message of broken) context.addIssue({ code: 'custom', message })
  })

const openingInput = z.object({
  initial_deposit: z.union([z.literal(0), z.literal('0')], { error: texts.openingDeposit }).default(0),
  main_password: tradingPassword,
  trading_platform: z.uuid({ error: texts.openingPlatformUnknown }).toLowerCase(),
  group: z
    .string({ error: texts.openingIncomplete })
    .min(1, texts.openingIncomplete)
    .max(limits.groupCharsMax, texts.openingGroupUnknown),
  leverage: z.int({ error: texts.openingIncomplete }),
})
export type OpeningInput = z.output<typeof openingInput>

const platform = z.object({ _id: z.uuid(), type: z.string(), name: z.string() })

const openedAccount = z.object({
  _id: z.uuid(),
  platform_login: z.string(),
  platform_type: z.string(),
  trading_platform: platform,
  group: z.string(),
  leverage: z.int(),
  currency: z.string(),
  /** What it was opened with: a demo account's starting balance arrives as a transaction of its own. */
  balance: z.string(),
  live_account: z.boolean(),
  status: z.string(),
  deleted: z.boolean(),
  created_at: z.int(),
})
export type OpenedAccount = z.output<typeof openedAccount>

/** An opening that has not ended: on its way to the platform, or its outcome being checked. */
const opening = z.object({
  _id: z.uuid(),
  kind: z.enum(accountKinds),
  state: z.enum(['under_way', 'checking']),
  trading_platform: platform,
  group: z.string(),
  leverage: z.int(),
  created_at: z.int(),
})
export type OpeningUnderWay = z.output<typeof opening>

/** With 202 and `checking` nobody knows yet whether the account is there; it is never sent again, only looked for. */
const openingAnswer = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok'), trading_account: openedAccount }),
  z.object({
    status: z.literal('checking'),
    code: z.literal('opening_being_checked'),
    message: z.string(),
    trading_account: z.null(),
  }),
])

export const openLiveAccount = defineCall({
  method: 'POST',
  path: '/members/trading/open-live-account',
  access: 'member',
  input: openingInput,
  answer: openingAnswer,
})

export const openDemoAccount = defineCall({
  method: 'POST',
  path: '/members/trading/open-demo-account',
  access: 'member',
  input: openingInput,
  answer: openingAnswer,
})

export const listOpenings = defineCall({
  method: 'GET',
  path: '/members/trading/openings',
  access: 'member',
  input: z.object({}),
  answer: z.object({ status: z.literal('ok'), openings: z.array(opening) }),
})
