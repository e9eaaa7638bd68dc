import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { type AmountProblem, readAmount } from '../money/money.ts'
import { typedAmount } from '../money/typed-amount.ts'
import { tokenKeys } from '../sessions/calls.ts'
import { texts } from '../texts.ts'

export const amountTexts: Record<AmountProblem, string> = {
  missing: texts.amountMissing,
  malformed: texts.amountInvalid,
  zero: texts.amountZero,
  too_precise: texts.amountInvalid,
  too_large: texts.amountInvalid,
}

/** The error text for a deposit amount, or null when it is valid. The currency is the account's. */
export function depositAmountError(raw: unknown, currency: string): string | null {
  const read = readAmount(raw, currency)
  return 'problem' in read ? amountTexts[read.problem] : null
}

const requiredText = (max: number) =>
  z.string({ error: texts.fieldsMissing }).trim().min(1, texts.fieldsMissing).max(max)
const requiredId = z.uuid({ error: texts.fieldsMissing })
const missingIfEmpty = (value: unknown) => (value === '' || value === null ? undefined : value)

/** Fields that the specification's client sends and the server decides: validated for shape, then ignored. `transaction_id` is not read. */
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

/** Demo funds for a demo account; no bank is involved. */
export const demoDepositInput = z.object(everyDeposit)
export type DemoDepositInput = z.output<typeof demoDepositInput>

export type DepositInput = z.output<typeof depositInput>

export const createDeposit = defineCall({
  method: 'POST',
  path: '/members/deposits/create',
  access: 'member',
  isHarmlessTwice: true,
  // The required fields depend on the account, which only the server knows.
  input: z.object({
    ...everyDeposit,
    ...origins,
    /** If omitted, the brokerage's default destination in the account's currency. */
    destination_id: z.preprocess(missingIfEmpty, requiredId.optional()),
    files: z.array(requiredId).max(5).optional(),
  }),
  answer: z.object({
    status: z.literal('ok'),
    transaction: z.object({ _id: z.uuid(), ticket: z.string(), status: z.literal('pending') }),
  }),
})
