import type { PayoutOrderState, PayoutReason } from '@atrium/contract/payments/payouts.ts'
import type { Meaning } from '../../ui/brand/theme.ts'

/** The desk's labels of payouts. English text is the translation key. */
export const payoutStateLabels: Record<PayoutOrderState, { label: string; meaning: Meaning; isMoving?: boolean }> = {
  created: { label: 'About to be sent', meaning: 'blue', isMoving: true },
  sending: { label: 'Being sent', meaning: 'blue', isMoving: true },
  checking: { label: 'Querying the provider', meaning: 'blue', isMoving: true },
  accepted: { label: 'At the provider', meaning: 'blue' },
  paid: { label: 'Paid', meaning: 'green' },
  declined: { label: 'Declined', meaning: 'red' },
  for_staff: { label: 'Waits for a decision', meaning: 'amber' },
  dropped: { label: 'Not sent', meaning: 'grey' },
}

export const payoutReasonLabels: Record<PayoutReason, string> = {
  amount_differs: 'The provider names another amount than was to be paid. Ask it what was sent.',
  currency_differs: 'The provider names another currency than was to be paid. Ask it what was sent.',
  another_reference: 'The provider names another payout under this name. Ask it which one was made.',
  reference_taken: 'The provider names the number of another payout. Ask it which one was made.',
  not_sent: 'The provider reports a payout that was never sent. Ask it what was paid.',
  returned: 'The provider reports that the payout was returned.',
  misconfigured: 'It was not sent: something in the settings, the profile or the destination is missing or wrong.',
  unavailable: 'It was not sent: the provider could not be reached. It can be tried again.',
  not_known:
    'It was sent without an answer, and the provider says that it does not know it. Ask it before trying again.',
  no_answer: 'It was sent without an answer, and the provider has not answered for a day. Ask it whether it was paid.',
  overdue: 'The provider accepted it days ago and has said nothing since. Ask it where the money is.',
  cannot_be_asked:
    'It was sent without an answer, and this provider cannot be queried. Check there whether it was paid.',
  account_differs: 'The provider names another account than was to be paid to. Ask it where the money went.',
  above_limit:
    'It is above the amount up to which this provider’s reports are accepted automatically. Check its status with the provider.',
  unclear_word: 'The provider reports an unknown status. Ask it about the payout.',
  unverified: 'An unverified message mentions it, and this provider cannot be queried. Check its status there.',
  identity_missing:
    'It was not sent: the member\u2019s identity is not approved. Decide on the documents, then try again.',
  restored:
    'The provider declined it, and a backup was restored since. Check whether it was refunded or paid in another way.',
}
