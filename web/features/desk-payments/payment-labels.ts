import type { webhookEventKinds } from '@atrium/contract/payments/desk-list.ts'
import type { ExceptionDecision } from '@atrium/contract/payments/exceptions.ts'
import { knownOr, otherLabel, otherReason } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../ui/brand/theme.ts'

/** The desk's labels of payment exceptions. English text is the translation key. */
const reasons: Record<string, string> = {
  amount_differs: 'The paid amount differs from the agreed one.',
  currency_differs: 'The currency paid differs from the agreed one.',
  coin_differs: 'The coin paid differs from the agreed one.',
  more_than_asked: 'More coins arrived than requested. The agreed amount is already credited.',
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
  second_payment: 'A second payment came for the same order.',
  returned: 'The provider reports that the payment was returned.',
  unverified: 'The message does not prove which payment it is about. Check at the provider whether it was paid.',
  above_limit:
    'It is above the amount up to which this provider’s reports are accepted automatically. Check with the provider whether it was paid.',
  unclear_word: 'The provider reports an unknown status. Ask the provider about the payment before you decide.',
  credit_refused: 'The platform refused to credit this paid deposit. Approve the deposit again, or record its refund.',
  payout_returned: 'A payout came back after it was paid. Credit it to the account, or pay it again.',
  payout_returned_again:
    'A colleague reports that a payout came back once more, which the provider\u2019s messages do not show. Two people decide.',
  transfer_returned: 'The bank returned a transfer that was made by hand. Credit it to the account, or pay it again.',
  payout_unproven:
    'A report says that a paid payout came back, and does not prove whose money it is. Check with the provider.',
  pending_too_long: 'The payment has been pending for too long. Ask the provider where the money is.',
}

export const exceptionReasonLabels = knownOr(otherReason, reasons)

/** The reasons of payouts are named with the withdrawal. */
export const webhookReasonLabels = knownOr('The reason is shown with the transaction.', reasons)

export const decisionLabels: Record<ExceptionDecision, string> = knownOr(otherLabel, {
  credit_agreed: 'Credited with what was agreed',
  credit_paid: 'Credited with what was paid',
  given_back: 'Refunded outside of this system',
  explained: 'Closed with a reason',
})

/** The same about a payout that came back. */
export const returnDecisionLabels: Record<ExceptionDecision, string> = knownOr(otherLabel, {
  ...decisionLabels,
  credit_paid: 'Credited back to the account',
  given_back: 'Paid again outside of this system',
})

export const kindLabels: Record<(typeof webhookEventKinds)[number], string> = knownOr(otherLabel, {
  genuine: 'Verified',
  unverified: 'Queried',
  forged: 'Refused',
  unknown_order: 'No such order',
  for_staff: 'Manual review',
  unread: 'Not processed yet',
})

const verdictLabels: Record<string, string> = {
  unread: 'Not processed yet',
  unreadable: 'Cannot be read',
  unsigned: 'No signature',
  wrong_signature: 'Wrong signature',
  another_merchant: 'Other merchant',
  another_sender: 'Other sender address',
}

const outcomeLabels: Record<string, string> = {
  applied: 'Processed',
  repeated: 'Duplicate',
  noted: 'No effect',
  unknown_order: 'No such order',
  for_staff: 'Manual review',
}

/** Label and colour of a webhook event's outcome. */
export function judgement({ verdict, outcome }: { verdict: string; outcome: string | null }): {
  label: string
  meaning: Meaning
} {
  // For an unverified webhook event the outcome comes from the provider's answer to our query.
  if (verdict !== 'genuine' && verdict !== 'unverified')
    return { label: verdictLabels[verdict] ?? verdict, meaning: verdict === 'unread' ? 'blue' : 'red' }
  const label = outcomeLabels[outcome ?? ''] ?? 'Verified'
  if (outcome === 'for_staff' || outcome === 'unknown_order') return { label, meaning: 'amber' }
  return { label, meaning: outcome === 'applied' ? 'green' : 'grey' }
}
