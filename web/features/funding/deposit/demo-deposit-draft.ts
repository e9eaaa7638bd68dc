import { demoDepositInput, depositAmountError } from '@atrium/contract/deposits/calls.ts'
import { type Errors, fieldsBy, schemaErrors } from '../../../api/form-errors.ts'

export type DemoDepositDraft = { accountId: string | null; amount: string; comment: string }

/** In page order, so that the first invalid field gets the focus. */
export const demoDepositLabels = { account: 'Trading account', amount: 'Amount', comment: 'Comment' }
export type DemoDepositField = keyof typeof demoDepositLabels

/** Fields that the form does not ask for are sent empty, as the specification says; the server sets them. */
export const toDemoBody = ({ accountId, amount, comment }: DemoDepositDraft) => ({
  trading_account: accountId ?? '',
  amount,
  comment,
  origin: '',
  origin_id: '',
  transaction_id: '',
  token_key: 'transaction_deposit' as const,
  payment_method: 'manual',
  status: 'pending',
  source: 'client',
  type: 'deposit',
})

export const demoFieldFor = fieldsBy(demoDepositLabels, { trading_account: 'account' })

/** An error for every invalid field, by the same rules as the server. */
export function checkDemoDraft(draft: DemoDepositDraft, currency: string | null): Errors<DemoDepositField> {
  const amount = depositAmountError(draft.amount, currency ?? 'USD')
  const body = { ...toDemoBody(draft), nonce_token: 'not yet asked for' }
  return { ...schemaErrors(demoDepositInput, body, demoFieldFor), ...(amount !== null && { amount: [amount] }) }
}
