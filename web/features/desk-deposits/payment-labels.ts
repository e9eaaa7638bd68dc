import type { TransactionState } from '@atrium/contract/funding/states.ts'
import type { DeskPayment } from '@atrium/contract/payments/desk-payment.ts'
import { knownOr, otherLabel } from '@atrium/contract/unknown-values.ts'

/** The desk's labels of provider orders. English text is the translation key. */
export const orderLabels: Record<DeskPayment['state'], string> = knownOr(otherLabel, {
  created: 'Starting',
  checking: 'Outcome unknown, verifying',
  handed_over: 'Awaiting payment',
  paid: 'Paid',
  declined: 'Declined',
  cancelled: 'Cancelled',
  expired: 'Not paid in time',
  for_staff: 'Awaiting a decision',
})

export const staffReasonLabels: Record<string, string> = {
  amount_differs: 'The paid amount differs from the agreed one.',
  currency_differs: 'The currency paid differs from the agreed one.',
  coin_differs: 'The coin paid differs from the agreed one.',
  more_than_asked: 'More coins arrived than requested. The agreed amount is credited; the rest belongs to the member.',
  second_payment: 'The same order was paid a second time.',
  another_reference: 'The provider reports a different payment from the one that was started.',
  reference_taken: 'This payment already belongs to another order.',
  after_cancel: 'It was paid after the member had cancelled.',
  after_expiry: 'It was paid after the order had ended.',
  after_rejection: 'It was paid after the deposit had been rejected.',
  member_erased: 'It was paid after the member had been erased. Refund it.',
  account_closed: 'The account is archived or deleted, so nothing can be credited to it. Refund the payment.',
  account_in_demo_group:
    'The platform moved this live account to a demo group. Check the account on the platform, or refund the payment.',
  identity_missing:
    'The member’s identity is no longer approved. Decide on the documents first, or refund the payment.',
  returned: 'The provider reports that the payment was returned.',
  unverified: 'The message does not prove which payment it is about. Check at the provider whether it was paid.',
  above_limit:
    'It is above the amount up to which this provider’s reports are accepted automatically. Check with the provider whether it was paid.',
  unclear_word: 'The provider reports an unknown status. Ask the provider about the payment before you decide.',
  pending_too_long: 'The payment has been pending for too long. Ask the provider where the money is.',
}

/** States what approval would credit when the received payment differs from the agreed one; null once decided. */
export function approvingLabels(
  state: TransactionState,
  { why, credited }: Pick<DeskPayment, 'why' | 'credited'>,
): string | null {
  const isUndecided = state === 'pending' && credited.length === 0
  const differs = ['amount_differs', 'currency_differs', 'coin_differs'].includes(why ?? '')
  return isUndecided && differs ? 'Approving credits the amount that was agreed.' : null
}
