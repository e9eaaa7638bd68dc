import { depositAmountError } from '@atrium/contract/deposits/calls.ts'
import { startDeposit, startDepositInput } from '@atrium/contract/payments/start-deposit.ts'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { type Errors, schemaErrors } from '../../api/form-errors.ts'
import type { Offer } from './deposit/use-ways-to-pay.ts'
import { isOutside } from './deposit/ways-to-pay.ts'
import {
  type Chosen,
  limitsText,
  type PaymentDraft,
  type PaymentField,
  paymentFieldFor,
  toPaymentBody,
} from './payment-draft.ts'

/** An error for every invalid field, by the same rules as the server. */
function checkPayment(
  draft: PaymentDraft,
  { offer, ...chosen }: Chosen & { offer: Offer | null },
): Errors<PaymentField> {
  const amount =
    depositAmountError(draft.amount, offer?.currency ?? 'USD') ??
    (offer && isOutside(draft.amount, offer) ? limitsText(offer) : null)
  const body = { ...toPaymentBody(draft, chosen), nonce_token: 'not yet asked for' }
  return {
    ...schemaErrors(startDepositInput, body, paymentFieldFor),
    ...(chosen.takesCoins && draft.coin === '' && { coin: [paymentTexts.coinMissing] }),
    ...(amount !== null && { amount: [amount] }),
  }
}

/** What only a deposit through a provider needs to be sent. */
export const rules = { startDeposit, checkPayment }
export type PaymentRules = typeof rules
