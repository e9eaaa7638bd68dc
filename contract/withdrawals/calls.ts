import { z } from 'zod'
import { defineCall } from '../call.ts'
import { amountTexts } from '../deposits/calls.ts'
import { limits } from '../limits.ts'
import { cryptoCodes, fiatCodes } from '../money/currencies.ts'
import { addAmounts, type Decimal, isMore, percentOf, readAmount, subtractAmounts, toScale } from '../money/money.ts'
import { typedAmount } from '../money/typed-amount.ts'
import { tokenKeys } from '../sessions/calls.ts'
import { texts } from '../texts.ts'

/** Texts about withdrawals, separate from the shared texts, which load with the first page. */
export const withdrawalTexts = {
  balanceTooLow: 'Sorry, the account balance is not enough to process this withdrawal.',
  inDemoGroup: 'Nothing can be withdrawn from this account at the moment. Please contact support.',
  beneficiaryMissing: 'Destination is required.',
  stateChanged: 'Trading Transaction updated successfully.',
  stateNotChanged: 'Trading Transaction not updated',
  beneficiaryUnknown: 'Please choose one of your saved destinations.',
  beneficiaryCoolingOff: 'This destination is new or was changed. Its cooling-off period lasts until {{until}}.',
  beneficiaryLacks:
    'This destination lacks details that the payment provider needs. Complete it, or choose another one.',
  addressInvalid:
    "This wallet's address isn't valid for its coin: one character may be wrong. Please save the wallet again with the correct address, or choose another destination.",
  profileLacks:
    'This payment provider needs your telephone number and your address. Please complete your profile first.',
  nothingToReturn: 'You have not deposited through this provider yet, so it cannot pay out to you.',
  returnFirst:
    'Deposits are returned to their source first: {{amount}} to {{source}}. Withdraw that amount there first, then the rest here.',
  returnLater:
    'Deposits are returned to their source first: {{amount}} to {{source}}, which cannot be reached at the moment. Please try again later.',
  returnBlocked:
    'Deposits are returned to their source first: {{amount}} to {{source}}, which makes no payments at the moment. Please contact support.',
  returnsNoMore: 'At most {{amount}} can be returned to {{source}}. Withdraw the rest to another destination.',
  returnsFirst: 'Deposits made this way are returned this way first.',
  returnsLater:
    'Deposits made this way are returned this way first. This payment provider cannot be reached at the moment; please try again later.',
  returnsBlocked:
    'Deposits made this way are returned this way first. It makes no payments at the moment; please contact support.',
  cannotReturn: 'Deposits made this way cannot be returned this way. Choose any destination.',
  methodClosed: 'Withdrawals to this kind of destination are not offered for this account.',
  methodUnavailable: 'This payment provider cannot be reached at the moment. Please try again later.',
  methodBlocked: 'This payment provider makes no payments at the moment. Please contact support.',
  coinMissing: 'Please choose a coin.',
  coinUnknown: 'This coin is not offered.',
  belowMinimum: 'The minimum withdrawal is {{amount}}.',
  aboveMaximum: 'The maximum withdrawal is {{amount}}.',
  nothingLeft: 'The fee of {{amount}} would leave nothing to pay out.',
  platformSilent:
    'The trading platform does not answer, so the available amount is unknown. Please try again in a moment.',
  held: 'Withdrawals are paused until {{until}}, because your password, second factor, name, email or phone was changed. Nothing else is affected.',
  cannotCancel: 'This transaction cannot be cancelled any more.',
} as const

/** The kinds of beneficiary. A payment provider is written as `psp:` and its name. */
export const beneficiaryTypes = ['bank_account', 'other_transfer', 'crypto_transfer'] as const
const provider = /^psp:[a-z0-9_-]{1,60}$/

export const isProvider = (destination: string) => provider.test(destination)

const typed = (value: unknown) => (value === '' || value === null ? undefined : value)
const requiredText = (max: number) =>
  z.string({ error: texts.fieldsMissing }).trim().min(1, texts.fieldsMissing).max(max)
const shapeOnly = z.string().max(100).optional()

/** Fields that the server decides (status, source, type, payment_method, origin) are only checked for shape. */
export const withdrawalInput = z.object({
  trading_account: z.uuid({ error: texts.fieldsMissing }),
  amount: typedAmount({ error: texts.amountInvalid }),
  comment: requiredText(limits.commentCharsMax),
  /** Absent for a demo account, which has no payout. */
  destination: z.preprocess(
    typed,
    z
      .union([z.enum(beneficiaryTypes), z.string().max(100).regex(provider)], {
        error: withdrawalTexts.beneficiaryUnknown,
      })
      .optional(),
  ),
  destination_id: z.preprocess(typed, z.uuid({ error: withdrawalTexts.beneficiaryUnknown }).optional()),
  /** Default: the beneficiary's own coin, or the first that it can receive. */
  coin: z.preprocess(typed, z.string().trim().max(20).optional()),
  token_key: z.enum(tokenKeys),
  nonce_token: z.string().min(1).max(100),
  payment_method: shapeOnly,
  status: shapeOnly,
  source: shapeOnly,
  type: shapeOnly,
  origin: shapeOnly.nullable(),
  origin_id: shapeOnly.nullable(),
  transaction_id: shapeOnly.nullable(),
})
export type WithdrawalInput = z.output<typeof withdrawalInput>

const ok = z.object({ status: z.literal('ok') })

export const createWithdrawal = defineCall({
  method: 'POST',
  path: '/members/withdrawals/create',
  access: 'member',
  isHarmlessTwice: true,
  input: withdrawalInput,
  answer: ok.extend({
    transaction: z.object({
      _id: z.uuid(),
      ticket: z.string(),
      status: z.literal('pending'),
      /** The coin of the payout; the server chooses one if the client named none. */
      coin: z.string().optional(),
    }),
  }),
})

/** Why the server would refuse this withdrawal now, and how to resolve it. */
const block = z.object({
  code: z.string(),
  field: z.string(),
  sentence: z.string(),
  next: z.string(),
  until: z.int().nullable(),
})
export type WithdrawalBlock = z.output<typeof block>

/** Money that came from one source and has not been returned to it yet. */
const returnShare = z.object({
  source: z.string(),
  amount: z.string(),
  is_returnable: z.boolean(),
  why: z.string(),
})
export type ReturnShare = z.output<typeof returnShare>

const withdrawalQuote = z.object({
  currency: z.string(),
  /** Null while the platform does not answer: an estimate would be worse. */
  balance: z.string().nullable(),
  free_margin: z.string().nullable(),
  reserved: z.string(),
  available: z.string().nullable(),
  read_at: z.int().nullable(),
  minimum: z.string(),
  maximum: z.string().nullable(),
  fee_fixed: z.string(),
  fee_percent: z.string(),
  /** The fee for the typed amount; null without an amount. */
  fee: z.string().nullable(),
  net: z.string().nullable(),
  /** Withdrawals requested before this time are processed on the same day. */
  cut_off: z.int(),
  expected_from: z.int(),
  expected_until: z.int(),
  /** Amounts that the workspace requires to be returned, by source; empty without such a rule. */
  return_to_source: z.array(returnShare),
  /** The providers that can pay out in this account's currency, with the member's beneficiaries that each can pay. */
  providers: z.array(
    z.object({
      destination: z.string(),
      name: z.string(),
      to: z.enum(['bank_account', 'other', 'crypto', 'source']),
    }),
  ),
  held_until: z.int().nullable(),
  needs_proof: z.boolean(),
  people_needed: z.int(),
  blocks: z.array(block),
})
export type WithdrawalQuote = z.output<typeof withdrawalQuote>

export const readWithdrawalQuote = defineCall({
  method: 'GET',
  path: '/members/withdrawals/preflight',
  access: 'member',
  input: z.object({
    trading_account: z.uuid(),
    amount: z.string().max(60).optional(),
    destination: z.string().max(100).optional(),
    destination_id: z.string().max(100).optional(),
    coin: z.string().max(20).optional(),
  }),
  answer: ok.extend({ preflight: withdrawalQuote }),
})

export const readEnabledCoins = defineCall({
  method: 'GET',
  path: '/coinpayments/get-enabled-coins',
  access: 'member',
  /** With a provider, the coins it can send now; with a member's wallet, the coins that wallet can receive. */
  input: z.object({ destination_id: z.string().max(100).optional(), destination: z.string().max(100).optional() }),
  answer: ok.extend({ enabled_coins: z.array(z.object({ name: z.string(), image_url: z.string() })) }),
})

const changed = ok.extend({
  msg: z.array(z.string()),
  trading_transaction: z.object({ _id: z.uuid(), ticket: z.string(), status: z.string() }),
  balance: z.string().nullable(),
})

/** A member can cancel only their own pending transactions; any other status is refused. */
export const changeTransactionState = defineCall({
  method: 'POST',
  path: '/customers/trading-accounts/change-transaction-state',
  access: 'member',
  input: z.object({ id: z.uuid(), status: z.string().max(100) }),
  answer: changed,
})

export const deleteTransaction = defineCall({
  method: 'POST',
  path: '/members/deposits/:id/delete',
  access: 'member',
  input: z.object({ id: z.uuid() }),
  answer: ok,
})

export const withdrawalReasons = {
  destination_not_own: {
    sentence: 'The destination is not in your own name.',
    next: 'Add a destination in your own name, then request it again.',
  },
  documents_missing: {
    sentence: 'We need a document from you first.',
    next: 'Upload the documents listed on your documents page, then request it again.',
  },
  open_positions: {
    sentence: 'Your open positions need this money.',
    next: 'Close or reduce positions, or request a smaller amount.',
  },
  payout_failed: {
    sentence: 'The payment could not be made, and the amount is back on your account.',
    next: 'Check the destination and request it again, or choose another one.',
  },
  withdrawal_other: { sentence: 'We could not accept this withdrawal.', next: 'Please contact support.' },
} as const
export type WithdrawalReason = keyof typeof withdrawalReasons
/** Reasons that staff can choose; a failed payout has its own. */
export const givenReasons = ['destination_not_own', 'documents_missing', 'open_positions', 'withdrawal_other'] as const

const decimal = (error: string) => z.string({ error }).regex(/^\d{1,12}(\.\d{1,8})?$/, error)
export const withdrawalRuleTexts = {
  amount: 'Please enter an amount of zero or more.',
  percent: 'Please enter a percentage between 0 and 50.',
}

/** Fees and limits of one method. The first rule for the account's currency applies, else the first for any (`*`). */
export const withdrawalRule = z.object({
  method: z
    .string()
    .max(100)
    .refine((text) => isProvider(text) || beneficiaryTypes.some((type) => type === text)),
  currency: z.string().refine((code) => code === '*' || fiatCodes.includes(code) || cryptoCodes.includes(code)),
  enabled: z.boolean(),
  fee_fixed: decimal(withdrawalRuleTexts.amount),
  fee_percent: decimal(withdrawalRuleTexts.percent).refine((text) => !isMore(text, '50'), withdrawalRuleTexts.percent),
  minimum: decimal(withdrawalRuleTexts.amount),
  maximum: decimal(withdrawalRuleTexts.amount).nullable(),
  /** Provider methods only: after the debit, the payout waits until staff start it. */
  started_by_staff: z.boolean().optional(),
})
export type WithdrawalRule = z.output<typeof withdrawalRule>

/** A currency that is not listed requires two people at any amount: no limit is defined for it. */
export const secondApprovalLimit = z.object({
  currency: z.string().refine((code) => fiatCodes.includes(code) || cryptoCodes.includes(code)),
  above: decimal(withdrawalRuleTexts.amount),
})

export const cutOffRule = z
  .object({
    time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time, such as 15:00.'),
    zone: z.string().max(60).refine(isZone, 'Please enter a time zone, such as Europe/London.'),
    days_min: z.int().min(0).max(30),
    days_max: z.int().min(0).max(60),
  })
  .refine((rule) => rule.days_min <= rule.days_max, 'The maximum number of days cannot be below the minimum.')

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const proofRules = ['new-destination', 'always'] as const

/** Withdrawal settings of the desk. The names are the stored ones. */
export const withdrawalSettings = z.object({
  withdrawal_four_eyes: z.boolean(),
  withdrawal_four_eyes_above: z.array(secondApprovalLimit).max(50),
  withdrawal_hold_hours: z.int().min(1).max(720),
  withdrawal_proof: z.enum(proofRules),
  withdrawal_return_to_source: z.boolean(),
  /** No withdrawal from a live account before the member's identity is approved. */
  withdrawal_needs_identity: z.boolean(),
  withdrawal_cut_off: cutOffRule,
  withdrawal_rules: z.array(withdrawalRule).max(100),
  withdrawal_coins: z.array(z.string().refine((code) => cryptoCodes.includes(code))).max(60),
})
export type WithdrawalSettings = z.output<typeof withdrawalSettings>

export const defaultWithdrawalSettings: WithdrawalSettings = {
  withdrawal_four_eyes: true,
  withdrawal_four_eyes_above: ['USD', 'EUR', 'GBP'].map((currency) => ({ currency, above: '10000' })),
  withdrawal_hold_hours: limits.withdrawalHoldHours,
  withdrawal_proof: 'new-destination',
  withdrawal_return_to_source: false,
  withdrawal_needs_identity: true,
  withdrawal_cut_off: { time: '15:00', zone: 'UTC', days_min: 1, days_max: 3 },
  withdrawal_rules: [],
  withdrawal_coins: ['BTC', 'ETH', 'LTC', 'USDC', 'USDT'],
}

const free: Omit<WithdrawalRule, 'method' | 'currency'> = {
  enabled: true,
  fee_fixed: '0',
  fee_percent: '0',
  minimum: '0',
  maximum: null,
}

/** The rule of a method in a currency. Without one: no fee and no limits, but a provider is not offered. */
export function ruleFor(rules: readonly WithdrawalRule[], method: string, currency: string): WithdrawalRule {
  const own = rules.filter((rule) => rule.method === method)
  const found = own.find((rule) => rule.currency === currency) ?? own.find((rule) => rule.currency === '*')
  return found ?? { ...free, method, currency: '*', enabled: !isProvider(method) }
}

export function feeOf(rule: Pick<WithdrawalRule, 'fee_fixed' | 'fee_percent'>, amount: Decimal, currency: string) {
  const share = percentOf(amount, rule.fee_percent, currency)
  const fee = toScale(addAmounts(percentOf(rule.fee_fixed, '100', currency), share), currency)
  return { fee, net: toScale(subtractAmounts(amount, fee), currency) }
}

/** Parses a typed amount, or returns an error message. The available balance is checked elsewhere. */
export function readWithdrawalAmount(raw: unknown, currency: string): { amount: Decimal } | { sentence: string } {
  const read = readAmount(raw, currency)
  if ('amount' in read) return read
  return { sentence: read.problem === 'missing' ? texts.amountInvalid : amountTexts[read.problem] }
}
