import { type RejectionReason, rejectionReasons, type TransactionState } from '@atrium/contract/funding/states.ts'
import type { OrderState } from '@atrium/contract/payments/orders.ts'
import { knownOr, otherLabel, otherReason } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../ui/brand/theme.ts'

/** The desk's labels of server states. English text is the translation key. */
export const tabLabels = {
  pending: { label: 'Pending' },
  crediting: { label: 'Crediting' },
  checking: { label: 'Verifying' },
  approved: { label: 'Approved' },
  rejected: { label: 'Rejected' },
  all: { label: 'All' },
}

/** For the queues of deposits and of withdrawals. */
export const ageLabels = { oldest: 'Oldest first', newest: 'Newest first' }

type EmptyText = { title: string; text: string }
export const emptyTexts: Partial<Record<TransactionState, EmptyText>> & { all: EmptyText } = {
  pending: { title: 'No pending deposits', text: 'New deposits appear here automatically.' },
  crediting: {
    title: 'Nothing is being credited',
    text: 'Approved deposits are listed here until the platform has answered.',
  },
  checking: { title: 'Nothing is being verified', text: 'Deposits are listed here while their outcome is unknown.' },
  approved: { title: 'No approved deposits yet', text: 'What the platform has credited is listed here.' },
  rejected: { title: 'No rejected deposits', text: 'What you reject is listed here with its reason.' },
  all: { title: 'No deposits yet', text: 'The first one appears here automatically.' },
}

/** What the member reads about a rejection. */
export const rejectionTexts: Record<RejectionReason, { sentence: string; next: string }> = knownOr(
  { sentence: otherReason, next: '' },
  rejectionReasons,
)

export const reasonLabels: Record<RejectionReason, string> = knownOr(otherLabel, {
  receipt_unreadable: 'Receipt cannot be read',
  amount_differs: 'Amount differs from the receipt',
  payment_not_received: 'Payment has not arrived',
  name_differs: 'Payment in another name',
  payment_declined: 'Declined by the payment provider',
  payment_expired: 'Not paid in time',
  other: 'Another reason',
})

const methodLabels = new Map([['manual', 'Manual transfer']])
export const methodName = (method: string): string => methodLabels.get(method) ?? method

type EventLabel = { title: string; meaning: Meaning }
const eventLabels = new Map<string, EventLabel>(
  Object.entries({
    'deposit.requested': { title: 'Deposit created', meaning: 'grey' },
    'deposit.demo-balance': { title: 'Starting balance of a demo account', meaning: 'grey' },
    'deposit.approved-once': { title: 'First approval, a second one is needed', meaning: 'blue' },
    'deposit.approved-by-desk': { title: 'Approved at the desk', meaning: 'blue' },
    'deposit.being-checked': { title: 'Outcome unknown, verifying', meaning: 'blue' },
    'deposit.outcome-decided': { title: 'Outcome on the platform recorded by two people', meaning: 'blue' },
    'deposit.sent-again': { title: 'Confirmed as not credited, sent again', meaning: 'blue' },
    'deposit.refused-by-platform': { title: 'Refused by the platform, back in the queue', meaning: 'red' },
    'deposit.credited': { title: 'Credited on the platform', meaning: 'green' },
    'deposit.handed-over': { title: 'Sent to the payment page', meaning: 'blue' },
    'deposit.paid-at-provider': { title: 'Payment confirmed by the provider', meaning: 'green' },
    'deposit.coins-seen': { title: 'Coins detected, not confirmed yet', meaning: 'blue' },
    'deposit.pending-at-provider': { title: 'Pending at the provider', meaning: 'blue' },
    'deposit.pending-too-long': { title: 'Pending for too long, in manual review', meaning: 'red' },
    'deposit.payment-try-declined': { title: 'A payment attempt was declined', meaning: 'amber' },
    'deposit.declined-by-provider': { title: 'Declined by the provider', meaning: 'red' },
    'deposit.not-paid-in-time': { title: 'Not paid in time', meaning: 'grey' },
    'deposit.payment-differs': { title: 'Payment differs, in manual review', meaning: 'red' },
    'deposit.rejected': { title: 'Rejected at the desk', meaning: 'red' },
    'deposit.cancelled': { title: 'Cancelled by the member', meaning: 'grey' },
  } satisfies Record<string, EventLabel>),
)

/** An event type unknown to this build shows its own name. */
export function labelOfEvent(event: string): EventLabel {
  return eventLabels.get(event) ?? { title: event, meaning: 'grey' }
}

/** The events that take a deposit out of the queue. */
export const isDecision = (event: string): boolean =>
  ['deposit.approved-by-desk', 'deposit.rejected', 'deposit.cancelled'].includes(event)

const actorLabels = new Map(Object.entries({ member: 'Member', staff: 'Desk', system: 'System' }))

/** A colleague's name, or the kind of actor. */
export const actorName = ({ by, staff_name }: { by: string; staff_name: string | null }): string =>
  staff_name ?? actorLabels.get(by) ?? by

/** The provider decides while the member can still pay there. */
export const isWithProvider = (state: OrderState | null | undefined): boolean =>
  state === 'created' || state === 'checking' || state === 'handed_over'

type Decidable = { state: string; payment: { state: OrderState } | null }

/** Whether staff decide now: the buttons and the keys act in the same states. */
export const isDecidedHere = ({ state, payment }: Decidable): boolean =>
  state === 'pending' && !isWithProvider(payment?.state)
