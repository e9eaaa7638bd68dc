import { knownOr, otherReason } from '@atrium/contract/unknown-values.ts'

/** Why a payment needs a decision by staff. English text is the translation key. */
const reasons: Record<string, string> = {
  amount_differs: 'The paid amount differs from the agreed one.',
  currency_differs: 'The currency paid differs from the agreed one.',
  coin_differs: 'The coin paid differs from the agreed one.',
  more_than_asked: 'More coins arrived than requested. The agreed amount is credited; the rest belongs to the member.',
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
  second_payment: 'The same order was paid a second time.',
  returned: 'The provider reports that the payment was returned.',
  unverified: 'The message does not prove which payment it is about. Check at the provider whether it was paid.',
  above_limit:
    'It is above the amount up to which this provider’s reports are accepted automatically. Check with the provider whether it was paid.',
  unclear_word: 'The provider reports an unknown status. Ask the provider about the payment before you decide.',
  credit_refused: 'The platform refused to credit this paid deposit. Approve the deposit again, or record its refund.',
  payout_returned: 'A payout came back after it was paid. Credit it to the account, or pay it again.',
  payout_returned_again:
    'A colleague reports that a payout came back once more, which the provider’s messages do not show. Two people decide.',
  transfer_returned: 'The bank returned a transfer that was made by hand. Credit it to the account, or pay it again.',
  payout_unproven:
    'A report says that a paid payout came back, and does not prove whose money it is. Check with the provider.',
  pending_too_long: 'The payment has been pending for too long. Ask the provider where the money is.',
}

export const paymentReasonLabels = knownOr(otherReason, reasons)

/** The reasons of payouts are named with the withdrawal. */
export const webhookReasonLabels = knownOr('The reason is shown with the transaction.', reasons)
