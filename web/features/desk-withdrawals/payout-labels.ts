import type { PayoutOrderState, PayoutReason } from '@atrium/contract/payments/payouts.ts'
import { knownOr, otherReason, otherState } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../ui/brand/theme.ts'

/** The desk's labels of payouts. English text is the translation key. */
export const payoutStateLabels: Record<PayoutOrderState, { label: string; meaning: Meaning; isMoving?: boolean }> =
  knownOr(otherState, {
    created: { label: 'About to be sent', meaning: 'blue', isMoving: true },
    sending: { label: 'Being sent', meaning: 'blue', isMoving: true },
    checking: { label: 'Querying the provider', meaning: 'blue', isMoving: true },
    accepted: { label: 'At the provider', meaning: 'blue' },
    paid: { label: 'Paid', meaning: 'green' },
    declined: { label: 'Declined', meaning: 'red' },
    for_staff: { label: 'Awaiting a decision', meaning: 'amber' },
    dropped: { label: 'Not sent', meaning: 'grey' },
  })

export const payoutReasonLabels: Record<PayoutReason, string> = knownOr(otherReason, {
  amount_differs: 'The provider reports a different amount from the one requested. Ask what it sent.',
  currency_differs: 'The provider reports a different currency from the one requested. Ask what it sent.',
  another_reference: 'The provider reports a different payout under this reference. Ask which one it made.',
  reference_taken: 'The provider reports the reference of another payout. Ask which one it made.',
  not_sent: 'The provider reports a payout that was never sent. Ask what it paid.',
  returned: 'The provider reports that the payout was returned.',
  misconfigured: 'It was not sent: something in the settings, the profile or the beneficiary is missing or wrong.',
  unavailable: 'It was not sent: the provider could not be reached. It can be tried again.',
  not_known:
    'No answer came after it was sent, and the provider does not know it. Ask the provider before trying again.',
  no_answer:
    'No answer came after it was sent, and the provider has not answered for a day. Ask the provider whether it was paid.',
  member_page:
    'The provider pays once the member has filled in a page of theirs. Send it to the member only if it is named here; otherwise end the payout at the provider.',
  overdue: 'The provider has it, and has not reported its outcome in time. Ask the provider where the money is.',
  cannot_be_asked:
    'No answer came after it was sent, and this provider cannot be queried. Check there whether it was paid.',
  account_differs: 'The provider reports a different account from the one requested. Ask where it sent the money.',
  above_limit:
    'It is above the amount up to which this provider’s reports are accepted automatically. Check its status with the provider.',
  unclear_word: 'The provider reports an unknown status. Ask the provider about the payout.',
  unverified: 'An unverified message mentions it, and this provider cannot be queried. Check its status there.',
  identity_missing:
    'It was not sent: the member\u2019s identity is not approved. Decide on the documents, then try again.',
  beneficiary_changed:
    'It was not sent: the beneficiary was changed after the withdrawal was requested. Pay the approved one by hand, or return the amount.',
  member_locked:
    'It was not sent: the sign-in of the member is locked. Unlock it, then try again, or return the amount.',
  account_restricted:
    'It was not sent: the account is read-only or disabled. Restore its access, then try again, or return the amount.',
  recorded_paid:
    'The provider declined it, and a colleague recorded that it was paid by hand. Check that at the bank, then confirm the record, or report that the payment failed.',
  restored:
    'The provider declined it, and a backup was restored since. Check whether it was refunded or paid in another way.',
})
