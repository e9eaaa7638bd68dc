import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { type AmountProblem, readAmount } from '../money/money.ts'
import { typedAmount } from '../money/typed-amount.ts'
import { tokenKeys } from '../sessions/calls.ts'
import { texts } from '../texts.ts'

/**
 * Where a balance transaction can stand. On the wire `status` speaks the specification's three words; `state` tells more:
 * what is crediting, debiting, checking, paying or returning is still pending for the member's money, and is shown as
 * "being credited", "being checked" and so on.
 */
export const transactionStates = [
  'pending',
  'crediting',
  'debiting',
  'checking',
  'paying',
  'returning',
  'approved',
  'rejected',
  'cancelled',
] as const
export type TransactionState = (typeof transactionStates)[number]
/** Somebody still has something to do about these. */
export const openStates = ['pending', 'crediting', 'debiting', 'checking', 'paying', 'returning'] as const

export const transactionTypes = ['deposit', 'withdrawal'] as const
export type TransactionType = (typeof transactionTypes)[number]
type Moves = Partial<Record<TransactionState, readonly TransactionState[]>>

/**
 * Legal moves of a deposit and of a withdrawal; nothing else sets a state, and a trigger in the database holds the same
 * table. A withdrawal is debited first and paid out then (`paying`); what could not be paid out is given back to the account
 * (`returning`). A demo account's is approved with its debit: there is nothing to pay out.
 */
export const transactionMoves: Record<TransactionType, Moves> = {
  deposit: {
    pending: ['crediting', 'rejected', 'cancelled'],
    crediting: ['approved', 'checking', 'pending'],
    checking: ['approved', 'crediting', 'pending'],
  },
  withdrawal: {
    pending: ['debiting', 'rejected', 'cancelled'],
    debiting: ['paying', 'approved', 'checking', 'pending'],
    checking: ['paying', 'approved', 'debiting', 'pending'],
    paying: ['approved', 'returning'],
    returning: ['rejected', 'paying'],
  },
}

export function mayMove(type: string, from: string, to: string): boolean {
  const moves: Readonly<Record<string, readonly string[] | undefined>> =
    type === 'withdrawal' ? transactionMoves.withdrawal : transactionMoves.deposit
  return moves[from]?.includes(to) ?? false
}

export type TransactionStatus = 'pending' | 'approved' | 'rejected'

/** The specification's word for a state. Cancelled rows leave the member's lists, so they need none of their own. */
export function statusOf(state: TransactionState): TransactionStatus {
  if (state === 'approved' || state === 'rejected') return state
  return state === 'cancelled' ? 'rejected' : 'pending'
}

export const rejectionReasons = {
  receipt_unreadable: {
    sentence: 'We could not read the receipt.',
    next: 'Create the deposit again with a clear picture or PDF of the receipt.',
  },
  amount_differs: {
    sentence: 'The receipt shows another amount.',
    next: 'Create a new deposit with the amount that stands on the receipt.',
  },
  payment_not_received: {
    sentence: 'The payment has not arrived on our account.',
    next: 'Ask your bank where the transfer is, then create the deposit again.',
  },
  name_differs: {
    sentence: 'The payment came from an account in another name.',
    next: 'Send the payment from an account in your own name.',
  },
  payment_declined: {
    sentence: 'The payment was declined.',
    next: 'Try again, or choose another way to pay.',
  },
  payment_expired: {
    sentence: 'No payment arrived in time.',
    next: 'Create the deposit again when you are ready to pay.',
  },
  other: { sentence: 'We could not accept this deposit.', next: 'Please contact support.' },
} as const

export type RejectionReason = keyof typeof rejectionReasons
export const rejectionReasonNames = Object.keys(rejectionReasons) as [RejectionReason, ...RejectionReason[]]

const ofProviders: readonly RejectionReason[] = ['payment_declined', 'payment_expired']
/** What staff choose from; the others are a payment provider's word. */
export const deskReasons = rejectionReasonNames.filter((name) => !ofProviders.includes(name))

export const amountTexts: Record<AmountProblem, string> = {
  missing: texts.amountMissing,
  malformed: texts.amountInvalid,
  zero: texts.amountZero,
  too_precise: texts.amountInvalid,
  too_large: texts.amountInvalid,
}

/** The sentence for a deposit's amount, or null when it is fine. The currency is the account's. */
export function depositAmountError(raw: unknown, currency: string): string | null {
  const read = readAmount(raw, currency)
  return 'problem' in read ? amountTexts[read.problem] : null
}

const requiredText = (max: number) =>
  z.string({ error: texts.fieldsMissing }).trim().min(1, texts.fieldsMissing).max(max)
const requiredId = z.uuid({ error: texts.fieldsMissing })
const missingIfEmpty = (value: unknown) => (value === '' || value === null ? undefined : value)

/** Fields that the specification's client sends and the server decides itself: read for shape and never believed. `transaction_id` is not even read. */
const unbelieved = {
  destination: z.string().max(100).optional(),
  payment_method: z.string().max(100).optional(),
  status: z.string().max(100).optional(),
  source: z.string().max(100).optional(),
  type: z.string().max(100).optional(),
}

const everyDeposit = {
  trading_account: requiredId,
  amount: typedAmount({ error: texts.amountMissing }),
  comment: requiredText(limits.commentCharsMax),
  token_key: z.enum(tokenKeys),
  nonce_token: z.string().min(1).max(100),
  ...unbelieved,
}

const origins = {
  origin_id: z.preprocess(missingIfEmpty, requiredId.optional()),
  origin: z.preprocess(missingIfEmpty, z.string().trim().max(limits.originCharsMax).optional()),
}

/** A deposit by manual transfer to a live account. */
export const depositInput = z
  .object({
    ...everyDeposit,
    ...origins,
    destination_id: requiredId,
    files: z.array(requiredId, { error: texts.receiptMissing }).min(1, texts.receiptMissing).max(5),
  })
  .refine((input) => input.origin_id !== undefined || (input.origin ?? '') !== '', {
    path: ['origin'],
    error: texts.fieldsMissing,
  })

/** Practice money for a demo account: no bank has a part in it. */
export const demoDepositInput = z.object(everyDeposit)
export type DemoDepositInput = z.output<typeof demoDepositInput>

export type DepositInput = z.output<typeof depositInput>

export const createDeposit = defineCall({
  method: 'POST',
  path: '/members/deposits/create',
  access: 'member',
  isHarmlessTwice: true,
  // Which account it is decides what else must be there, and only the server knows that for certain.
  input: z.object({
    ...everyDeposit,
    ...origins,
    /** Without one, what the brokerage shows to members by default in the account's currency. */
    destination_id: z.preprocess(missingIfEmpty, requiredId.optional()),
    files: z.array(requiredId).max(5).optional(),
  }),
  answer: z.object({
    status: z.literal('ok'),
    transaction: z.object({ _id: z.uuid(), ticket: z.string(), status: z.literal('pending') }),
  }),
})
