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
  /** Of `get-unique-token` (`account_opening`): sent again with it, a request finds the account that it opened. */
  nonce_token: z.string().min(1).max(200).optional(),
})
export type OpeningInput = z.output<typeof openingInput>

const platform = z.object({
  _id: z.uuid(),
  type: z.string(),
  name: z.string(),
  /** What its owner chooses as the server in the platform's program. A process of the version before does not tell it. */
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
  /** What it was opened with. */
  balance: z.string(),
  /** What a demo account is given to start with, as a transaction of its own that arrives soon after; null for none. */
  starting_balance: z.string().nullable(),
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

/** How an opening ended that is not long over, so that who watched it being checked learns it on the same screen. */
const endedOpening = z.object({
  _id: z.uuid(),
  kind: z.enum(accountKinds),
  state: z.enum(['opened', 'not_opened']),
  trading_account: openedAccount.nullable(),
  created_at: z.int(),
  ended_at: z.int(),
})
export type EndedOpening = z.output<typeof endedOpening>

/** With 202 and `checking` nobody knows yet whether the account is there; it is never sent again, only looked for. */
const openingAnswer = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok'), trading_account: openedAccount }),
  z.object({
    status: z.literal('checking'),
    code: z.literal('opening_being_checked'),
    message: z.string(),
    /** As the list of openings names it. */
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
  answer: z.object({ status: z.literal('ok'), openings: z.array(opening), ended: z.array(endedOpening) }),
})
