/** Words of the reconciliation that an address carries; apart from its calls, since the first screen does without their schemas. */
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

/** To be looked at, explained by staff, and gone by itself. */
export const mismatchStates = ['open', 'explained', 'vanished'] as const
