import { readWithdrawalAmount, withdrawalInput, withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import { type Errors, fieldsBy, schemaErrors } from '../../../api/form-errors.ts'

/** The values of the withdrawal form. */
export type WithdrawalDraft = {
  amount: string
  comment: string
  /** The kind of beneficiary, as the specification writes it. */
  destination: string | null
  beneficiaryId: string | null
  coin: string | null
  /** True for a return to source, which has no beneficiary to choose. */
  isToSource: boolean
  /** True when the payout is in a coin, which must be chosen. */
  isInCoins: boolean
}

export const emptyWithdrawal: WithdrawalDraft = {
  amount: '',
  comment: '',
  destination: null,
  beneficiaryId: null,
  coin: null,
  isToSource: false,
  isInCoins: false,
}

/** In page order, so that the first invalid field gets the focus. */
export const withdrawalLabels = {
  account: 'Trading account',
  destination: 'Destination',
  beneficiaryId: 'Destination account',
  coin: 'Coin',
  amount: 'Amount',
  comment: 'Comment',
}
export type WithdrawalField = keyof typeof withdrawalLabels

/** Changing the kind or the beneficiary clears the choices that depend on it. */
export function withChange(before: WithdrawalDraft, next: Partial<WithdrawalDraft>): WithdrawalDraft {
  const isOther = next.destination !== undefined && next.destination !== before.destination
  const isElsewhere = next.beneficiaryId !== undefined && next.beneficiaryId !== before.beneficiaryId
  return {
    ...before,
    ...(isOther && { beneficiaryId: null, isToSource: false, isInCoins: false }),
    // Another wallet may support other coins.
    ...((isOther || isElsewhere) && { coin: null }),
    ...next,
  }
}

export const withoutBeneficiary = (draft: WithdrawalDraft): WithdrawalDraft =>
  withChange(draft, { destination: null, beneficiaryId: null, coin: null })

export type WithdrawalAccount = { id: string; currency: string; isLive: boolean }

export function toWithdrawalBody(draft: WithdrawalDraft, account: WithdrawalAccount | null) {
  const where = {
    destination: draft.destination ?? undefined,
    destination_id: draft.beneficiaryId ?? undefined,
    ...(draft.coin !== null && { coin: draft.coin }),
  }
  return {
    trading_account: account?.id ?? '',
    amount: draft.amount,
    comment: draft.comment,
    ...(account?.isLive && where),
    token_key: 'transaction_withdrawal' as const,
    payment_method: 'manual',
    status: 'pending',
    source: 'client',
    type: 'withdrawal',
  }
}

export const withdrawalFieldFor = fieldsBy(withdrawalLabels, {
  trading_account: 'account',
  destination_id: 'beneficiaryId',
})

/** An error for every invalid field, by the same rules as the server. Only the platform knows the available amount. */
export function checkWithdrawal(draft: WithdrawalDraft, account: WithdrawalAccount | null): Errors<WithdrawalField> {
  const amount = readWithdrawalAmount(draft.amount, account?.currency ?? 'USD')
  const body = { ...toWithdrawalBody(draft, account), nonce_token: 'not yet asked for' }
  const errors = {
    ...schemaErrors(withdrawalInput, body, withdrawalFieldFor),
    ...('sentence' in amount && { amount: [amount.sentence] }),
  }
  // Until an account is chosen, the form shows the beneficiary as for a live account.
  if (account?.isLive === false) return errors
  if (draft.destination === null) errors.destination = [withdrawalTexts.beneficiaryMissing]
  else if (draft.beneficiaryId === null && !draft.isToSource)
    errors.beneficiaryId = [withdrawalTexts.beneficiaryUnknown]
  if (draft.isInCoins && draft.coin === null) errors.coin = [withdrawalTexts.coinMissing]
  return errors
}
