/**
 * Where a payout by a provider can stand. `sending`: the call is under way. `checking`: whether the provider has it is not
 * known. `dropped`: nothing was sent, or a person has made sure of it, and another way was chosen.
 */
export const payoutStates = [
  'created',
  'sending',
  'checking',
  'accepted',
  'paid',
  'declined',
  'for_staff',
  'dropped',
] as const
export type PayoutOrderState = (typeof payoutStates)[number]

/** Legal moves; a trigger in the database holds the same table. What was sent is never sent again: another try is another payout. */
export const payoutMoves: Record<PayoutOrderState, readonly PayoutOrderState[]> = {
  created: ['sending', 'for_staff', 'dropped'],
  sending: ['created', 'checking', 'accepted', 'paid', 'declined', 'for_staff'],
  checking: ['accepted', 'paid', 'declined', 'for_staff'],
  accepted: ['paid', 'declined', 'for_staff'],
  paid: [],
  declined: [],
  for_staff: ['paid', 'declined', 'dropped'],
  dropped: [],
}

/** Why a person has to look at a payout. */
export const payoutReasons = [
  'amount_differs',
  'currency_differs',
  'another_reference',
  'reference_taken',
  'not_sent',
  'returned',
  'misconfigured',
  'unavailable',
  'not_known',
  'no_answer',
  'overdue',
  'cannot_be_asked',
  'account_differs',
  'above_limit',
  'unclear_word',
  'unverified',
  'restored',
  'identity_missing',
] as const
export type PayoutReason = (typeof payoutReasons)[number]

/** With these nothing is at the provider, as far as it says itself: another try is a person's decision. */
export const retryReasons: readonly PayoutReason[] = ['misconfigured', 'unavailable', 'not_known', 'identity_missing']
/** With these the provider's word was missing and still counts when it comes. */
export const waitingReasons: readonly PayoutReason[] = ['not_known', 'no_answer', 'overdue', 'cannot_be_asked']

/** The providers that have a way to pay out, by name; a test holds the adapters to it. */
export const payingProviders = [
  'coinpayments',
  'neteller',
  'rpnpay',
  'safecharge',
  'sdsystem',
  'skrill',
  'zotapay',
] as const
