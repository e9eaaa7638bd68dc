import { depositAmountError, depositInput } from '@atrium/contract/deposits/calls.ts'
import { type Errors, fieldsBy, schemaErrors } from '../../../api/form-errors.ts'

/** The values of the deposit form. */
export type DepositDraft = {
  accountId: string | null
  amount: string
  comment: string
  /** A bank account of the member, `other` for a typed one, null while nothing is chosen. */
  originChoice: string | null
  origin: string
  beneficiaryId: string | null
  fileId: string | null
}

export const emptyDraft: Omit<DepositDraft, 'accountId'> = {
  amount: '',
  comment: '',
  originChoice: null,
  origin: '',
  beneficiaryId: null,
  fileId: null,
}

export const otherOrigin = 'other'

/** In page order, so that the first invalid field gets the focus. */
export const depositLabels = {
  account: 'Trading account',
  amount: 'Amount',
  originChoice: 'Origin account',
  origin: 'Account number or IBAN',
  beneficiaryId: 'Destination account',
  comment: 'Comment',
  receipt: 'Receipt',
}
export type DepositField = keyof typeof depositLabels

export function toBody(draft: DepositDraft) {
  const isTyped = draft.originChoice === otherOrigin
  return {
    trading_account: draft.accountId ?? '',
    amount: draft.amount,
    comment: draft.comment,
    ...(isTyped ? { origin: draft.origin.trim() } : { origin_id: draft.originChoice ?? '' }),
    destination_id: draft.beneficiaryId ?? '',
    files: draft.fileId ? [draft.fileId] : [],
    token_key: 'transaction_deposit' as const,
    payment_method: 'manual',
    status: 'pending',
    source: 'client',
    type: 'deposit',
  }
}

const fieldFor = fieldsBy(depositLabels, {
  trading_account: 'account',
  destination_id: 'beneficiaryId',
  files: 'receipt',
  origin_id: 'originChoice',
})

/** Maps a server error about the origin of the money to the field that is shown. */
export function depositFieldFor(name: string, { originChoice }: Pick<DepositDraft, 'originChoice'>) {
  const field = fieldFor(name)
  if (field !== 'origin' && field !== 'originChoice') return field
  return originChoice === otherOrigin ? 'origin' : 'originChoice'
}

/** An error for every invalid field, by the same rules as the server. */
export function checkDraft(draft: DepositDraft, currency: string | null): Errors<DepositField> {
  const amount = depositAmountError(draft.amount, currency ?? 'USD')
  const body = { ...toBody(draft), nonce_token: 'not yet asked for' }
  const errors = schemaErrors(depositInput, body, (name) => depositFieldFor(name, draft))
  return { ...errors, ...(amount !== null && { amount: [amount] }) }
}
