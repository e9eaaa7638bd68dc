import { z } from 'zod'
import { tradingPassword } from '../accounts/trading-passwords.ts'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { accountKinds } from './states.ts'
import { openingTexts } from './texts.ts'

const openingInput = z.object({
  initial_deposit: z.union([z.literal(0), z.literal('0')], { error: openingTexts.openingDeposit }).default(0),
  main_password: tradingPassword,
  trading_platform: z.uuid({ error: openingTexts.openingPlatformUnknown }).toLowerCase(),
  group: z
    .string({ error: openingTexts.openingIncomplete })
    .min(1, openingTexts.openingIncomplete)
    .max(limits.groupCharsMax, openingTexts.openingGroupUnknown),
  leverage: z.int({ error: openingTexts.openingIncomplete }),
  /** The idempotency key from `get-unique-token` (`account_opening`): a repeat returns the account it opened. */
  nonce_token: z.string().min(1).max(200).optional(),
})
export type OpeningInput = z.output<typeof openingInput>

const platform = z.object({
  _id: z.uuid(),
  type: z.string(),
  name: z.string(),
  /** The server name that the owner selects in the platform's client program. The previous version omits it. */
  server: z.string().nullable().optional(),
})

const openedAccount = z.object({
  _id: z.uuid(),
  platform_login: z.string(),
  platform_type: z.string(),
  trading_platform: platform,
  group: z.string(),
  leverage: z.int(),
  currency: z.string(),
  /** The balance when it was opened. */
  balance: z.string(),
  /** The initial balance of a demo account, credited shortly afterwards as a separate transaction; null without one. */
  starting_balance: z.string().nullable(),
  live_account: z.boolean(),
  status: z.string(),
  deleted: z.boolean(),
  created_at: z.int(),
})
export type OpenedAccount = z.output<typeof openedAccount>

/** An opening in progress: being sent to the platform, or its outcome being verified. */
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

/** A recently ended opening, so that a member who watched its verification sees the outcome on the same screen. */
const endedOpening = z.object({
  _id: z.uuid(),
  kind: z.enum(accountKinds),
  state: z.enum(['opened', 'not_opened']),
  trading_account: openedAccount.nullable(),
  created_at: z.int(),
  ended_at: z.int(),
})
export type EndedOpening = z.output<typeof endedOpening>

/** With 202 and `checking` it is unknown whether the account exists; it is never sent again, only looked up. */
const openingAnswer = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok'), trading_account: openedAccount }),
  z.object({
    status: z.literal('checking'),
    code: z.literal('opening_being_checked'),
    message: z.string(),
    /** The id in the list of openings. */
    opening_id: z.uuid(),
    trading_account: z.null(),
  }),
])

export const openLiveAccount = defineCall({
  method: 'POST',
  path: '/members/trading/open-live-account',
  access: 'member',
  isHarmlessTwice: true,
  input: openingInput,
  answer: openingAnswer,
})

export const openDemoAccount = defineCall({
  method: 'POST',
  path: '/members/trading/open-demo-account',
  access: 'member',
  isHarmlessTwice: true,
  input: openingInput,
  answer: openingAnswer,
})

export const listOpenings = defineCall({
  method: 'GET',
  path: '/members/trading/openings',
  access: 'member',
  input: z.object({}),
  answer: z.object({
    status: z.literal('ok'),
    openings: z.array(opening),
    ended: z.array(endedOpening),
    /** The accounts that count towards the limit of each kind. The previous version omits it. */
    counted: z.object({ live: z.int(), demo: z.int() }).optional(),
  }),
})
