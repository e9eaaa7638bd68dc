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

/** States what approval would credit when the received payment differs from the agreed one; null once decided. */
export function approvingLabels(
  state: TransactionState,
  { why, credited }: Pick<DeskPayment, 'why' | 'credited'>,
): string | null {
  const isUndecided = state === 'pending' && credited.length === 0
  const differs = ['amount_differs', 'currency_differs', 'coin_differs'].includes(why ?? '')
  return isUndecided && differs ? 'Approving credits the amount that was agreed.' : null
}
