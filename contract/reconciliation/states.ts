/** Reconciliation values that appear in URLs; separate from the calls, since the first screen does not need their schemas. */
export const mismatchKinds = [
  'missing_at_platform',
  'missing_at_portal',
  'other_amount',
  'twice_at_platform',
  'paid_not_credited',
  'not_paid_at_provider',
  'other_amount_at_provider',
  'paid_twice',
  'unknown_payment',
  'returned',
  'paid_out_twice',
] as const
export type MismatchKind = (typeof mismatchKinds)[number]

/** To be decided, explained by staff, and resolved without a decision. */
export const mismatchStates = ['open', 'explained', 'vanished'] as const
