export type OwnTransaction = {
  type: string
  state: string
  payment_method?: string | null
  timeline: readonly { event: string }[]
}
type Payment = 'awaited' | 'declined' | 'on-its-way' | 'in-review'
type PaymentLabel = { label: string; meaning: 'amber' | 'red' | 'blue' }

/** The state of an unsettled payment by timeline event; the latest event decides. */
const payments: Record<string, Payment> = {
  'deposit.pending-at-provider': 'on-its-way',
  'deposit.coins-seen': 'on-its-way',
  'deposit.payment-try-declined': 'declined',
  'deposit.payment-differs': 'in-review',
  // It was paid or approved before.
  'deposit.refused-by-platform': 'in-review',
}

/** How members see it, in every list and in the search: "Pending" alone means waiting for our team. */
export const paymentLabels: Record<Payment, PaymentLabel> = {
  awaited: { label: 'Awaiting payment', meaning: 'amber' },
  declined: { label: 'Payment declined', meaning: 'red' },
  'on-its-way': { label: 'Payment on its way', meaning: 'blue' },
  'in-review': { label: 'Payment in review', meaning: 'amber' },
}

/** The state of a pending deposit's payment; null for a deposit without a provider. */
export function paymentOf({ type, state, payment_method, timeline }: OwnTransaction): Payment | null {
  if (type !== 'deposit' || state !== 'pending' || !payment_method?.startsWith('psp:')) return null
  return timeline.map(({ event }) => payments[event]).findLast((payment) => payment) ?? 'awaited'
}
