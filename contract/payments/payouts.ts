import { knownOr } from '../unknown-values.ts'

/**
 * States of a payout at a provider. `sending`: the call is in progress; `checking`: outcome unknown; `dropped`: nothing
 * was sent, or staff verified that, and another way was chosen.
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

/** Legal state transitions; a database trigger enforces the same table. A sent payout is never sent again: a retry is another payout. */
export const payoutMoves: Record<PayoutOrderState, readonly PayoutOrderState[]> = knownOr([], {
  created: ['sending', 'for_staff', 'dropped'],
  sending: ['created', 'checking', 'accepted', 'paid', 'declined', 'for_staff'],
  checking: ['accepted', 'paid', 'declined', 'for_staff'],
  accepted: ['paid', 'declined', 'for_staff'],
  paid: [],
  declined: [],
  for_staff: ['paid', 'declined', 'dropped'],
  dropped: [],
})

/** Reasons for a manual review of a payout. */
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
  'member_page',
  'cannot_be_asked',
  'account_differs',
  'above_limit',
  'unclear_word',
  'unverified',
  'restored',
  'identity_missing',
  'beneficiary_changed',
  'member_locked',
  'account_restricted',
  'recorded_paid',
] as const
export type PayoutReason = (typeof payoutReasons)[number]

/** As far as known, the provider has no payout for these, so staff may decide to retry. */
export const retryReasons: readonly PayoutReason[] = [
  ...(['misconfigured', 'unavailable', 'not_known', 'identity_missing'] as const),
  ...(['member_locked', 'account_restricted'] as const),
]
/**
 * As far as known, the provider sent nothing; the last two cannot be retried, because the provider would pay the
 * changed beneficiary, or a payment that a colleague recorded as made by hand.
 */
export const unsentReasons: readonly PayoutReason[] = [...retryReasons, 'beneficiary_changed', 'recorded_paid']
/** The provider's answer is missing and still counts when it arrives. */
export const waitingReasons: readonly PayoutReason[] = [
  ...(['not_known', 'no_answer', 'overdue', 'member_page', 'cannot_be_asked'] as const),
]

/** The providers with payouts, by name; a test compares this list with the adapters. */
export const payingProviders = [
  'coinpayments',
  'neteller',
  'rpnpay',
  'safecharge',
  'sdsystem',
  'skrill',
  'zotapay',
] as const
