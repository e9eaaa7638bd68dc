import type { CallAnswer } from '@atrium/contract/call.ts'
import { readOpenPayment } from '@atrium/contract/payments/calls.ts'
import { type CoinPayment, coinPaymentOf } from '@atrium/contract/payments/coin-payment.ts'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/transport.ts'

export type OpenPayment = CallAnswer<typeof readOpenPayment>

export const openPaymentTexts = {
  expired:
    'The time for this payment is over, so its link no longer works. If you have paid, we are notified and credit it.',
  accountClosed: 'Nothing can be credited to this account any more. Please do not pay, and choose another account.',
} as const

/** The payment page of an own deposit. It may be paid, declined or cancelled elsewhere, so each view reads it again. */
export function useOpenPayment(deposit: string) {
  return useQuery({
    queryKey: ['open-payment', deposit],
    queryFn: () => call(readOpenPayment, { _id: deposit }, { isQuiet: true }),
    gcTime: 0,
  })
}

/** What a member can do about an unpaid deposit: open its page, send its coins, or read why neither is possible. */
type PaymentStep =
  | { kind: 'page' }
  | { kind: 'coins'; coins: CoinPayment }
  | { kind: 'over'; text: string; isNewOffered: boolean }
  | { kind: 'none' }

export function paymentStepOf(payment: OpenPayment, secondsLeft: number): PaymentStep {
  const { state, redirectURL, form_data, pending_deposit } = payment
  if (state === 'unanswered') return { kind: 'over', text: paymentTexts.outcomeUnknown, isNewOffered: false }
  if (state === 'unpayable') return { kind: 'over', text: openPaymentTexts.accountClosed, isNewOffered: true }
  if (state === 'settled') return { kind: 'none' }
  if (state === 'expired' || secondsLeft <= 0)
    return { kind: 'over', text: openPaymentTexts.expired, isNewOffered: true }
  const coins = coinPaymentOf(pending_deposit?.data)
  if (coins) return { kind: 'coins', coins }
  return redirectURL || form_data ? { kind: 'page' } : { kind: 'none' }
}
