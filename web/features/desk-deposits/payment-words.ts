import type { DeskPayment } from '@atrium/contract/desk.ts'
import type { TransactionState } from '@atrium/contract/funding.ts'

/** The desk's words for orders with payment providers. English text is the translation key. */
export const orderWords: Record<DeskPayment['state'], string> = {
  created: 'Being started',
  checking: 'Whether it was started is not known yet',
  handed_over: 'The member may pay',
  paid: 'Paid',
  declined: 'Declined',
  cancelled: 'Cancelled',
  expired: 'Not paid in time',
  for_staff: 'Waits for a decision',
}

export const staffReasonWords: Record<string, string> = {
  amount_differs: 'Another amount was paid than agreed.',
  currency_differs: 'It was paid in another currency than agreed.',
  coin_differs: 'It was paid in another coin than agreed.',
  more_than_asked: 'More coins came than were asked for. What was agreed is credited; the rest is the member\u2019s.',
  second_payment: 'The same order was paid a second time.',
  another_reference: 'The provider names another payment than the one that was started.',
  reference_taken: 'This payment belongs to another order already.',
  after_cancel: 'It was paid after the member had cancelled.',
  after_expiry: 'It was paid after the order had ended.',
  after_rejection: 'It was paid after the deposit had been rejected.',
  returned: 'The provider says that the money went back.',
  unverified:
    'What came does not prove which payment it is about. Look in the provider\u2019s list whether it was paid.',
  above_limit: 'It is above what this provider is believed up to by itself. Look in its list whether it was paid.',
  unclear_word: 'The provider says a word that is not known here. Ask it what became of the payment before you decide.',
  pending_too_long:
    'The provider has said that the payment is pending for longer than it may take. Ask it where the money is.',
}

/** Where another payment came than was agreed, what approving would credit; nothing once it is decided. */
export function approvingWords(
  state: TransactionState,
  { why, credited }: Pick<DeskPayment, 'why' | 'credited'>,
): string | null {
  const isUndecided = state === 'pending' && credited.length === 0
  const differs = ['amount_differs', 'currency_differs', 'coin_differs'].includes(why ?? '')
  return isUndecided && differs ? 'Approving credits the amount that was agreed.' : null
}
