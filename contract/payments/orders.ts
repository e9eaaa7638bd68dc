import { knownOr } from '../unknown-values.ts'

/**
 * States of an order at a payment provider. `checking`: outcome unknown; `for_staff`: manual review, since the payment
 * differs from the order or arrived after its end.
 */
export const orderStates = [
  'created',
  'checking',
  'handed_over',
  'paid',
  'declined',
  'cancelled',
  'expired',
  'for_staff',
] as const
export type OrderState = (typeof orderStates)[number]

/** Legal state transitions; a database trigger enforces the same table. `paid` is final. */
export const orderMoves: Record<OrderState, readonly OrderState[]> = knownOr([], {
  created: ['checking', 'handed_over', 'paid', 'declined', 'cancelled', 'for_staff'],
  checking: ['handed_over', 'paid', 'declined', 'cancelled', 'expired', 'for_staff'],
  handed_over: ['paid', 'declined', 'cancelled', 'expired', 'for_staff'],
  paid: [],
  declined: ['paid', 'for_staff'],
  cancelled: ['for_staff'],
  expired: ['for_staff'],
  for_staff: ['paid', 'declined'],
})

/** The prefix of the provider's name in a payment method or beneficiary. */
export const providerPrefix = 'psp:'
export const withoutProviderPrefix = (method: string): string =>
  method.startsWith(providerPrefix) ? method.slice(providerPrefix.length) : method
