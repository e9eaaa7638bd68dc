import { knownOr, otherLabel, otherReason, otherState } from '@atrium/contract/unknown-values.ts'
import { type WithdrawalReason, withdrawalReasons } from '@atrium/contract/withdrawals/calls.ts'
import { type WithdrawalClosure, withdrawalClosures } from '@atrium/contract/withdrawals/desk-calls.ts'
import type { Meaning } from '../../ui/brand/theme.ts'
import { transactionStateLabels } from '../../ui/money/transaction-states.ts'
import { deletedAccountLabels } from '../desk-deposits/stuck-outcome-labels.ts'

/** The desk's labels of server states. English text is the translation key. */
export const stateLabels: typeof transactionStateLabels = knownOr(otherState, {
  ...transactionStateLabels,
  approved: { label: 'Paid out', meaning: 'green' },
})

export const tabLabels = {
  pending: { label: 'Pending' },
  paying: { label: 'Awaiting payout' },
  debiting: { label: 'Debiting' },
  checking: { label: 'Verifying' },
  returning: { label: 'Refunding' },
  approved: { label: 'Paid out' },
  rejected: { label: 'Rejected' },
  all: { label: 'All' },
}

export const reasonLabels: Record<WithdrawalReason, string> = knownOr(otherLabel, {
  destination_not_own: 'Beneficiary in another name',
  documents_missing: 'A document is missing',
  open_positions: 'Open positions need the money',
  payout_failed: 'The payment failed',
  withdrawal_other: 'Another reason',
})

/** What the member reads about a rejection. */
export const rejectionTexts: Record<WithdrawalReason, { sentence: string; next: string }> = knownOr(
  { sentence: otherReason, next: '' },
  withdrawalReasons,
)

export const closureTexts: Record<WithdrawalClosure, string> = knownOr(otherReason, withdrawalClosures)

export const closureTitles: Record<WithdrawalClosure, string> = knownOr(otherLabel, {
  member_locked: 'The member is locked',
  account_restricted: 'The account is restricted',
  account_closed: 'The account is closed',
  account_in_demo_group: 'The account is in a demo group',
})

const beneficiaryLabels = new Map([
  ['bank_account', 'Bank account'],
  ['other_transfer', 'Other transfer'],
  ['crypto_transfer', 'Crypto transfer'],
])
export const beneficiaryName = (destination: string): string =>
  beneficiaryLabels.get(destination) ?? destination.replace(/^psp:/, '')

type EventLabel = { title: string; meaning: Meaning }
const eventLabels = new Map<string, EventLabel>(
  Object.entries({
    'withdrawal.requested': { title: 'Withdrawal requested, amount reserved', meaning: 'grey' },
    'withdrawal.approved-once': { title: 'First approval', meaning: 'blue' },
    'withdrawal.approved-by-desk': { title: 'Approved at the desk', meaning: 'blue' },
    'withdrawal.demo-balance': { title: 'Demo funds, debited without a decision', meaning: 'grey' },
    'withdrawal.rejected': { title: 'Rejected at the desk', meaning: 'red' },
    'withdrawal.cancelled': { title: 'Cancelled by the member', meaning: 'grey' },
    'withdrawal.being-checked': { title: 'Outcome unknown, verifying', meaning: 'blue' },
    'withdrawal.outcome-decided': { title: 'Outcome on the platform recorded by two people', meaning: 'blue' },
    'withdrawal.sent-again': { title: 'Confirmed as not executed, sent again', meaning: 'blue' },
    'withdrawal.refused-by-platform': { title: 'Refused by the platform, back in the queue', meaning: 'red' },
    'withdrawal.debited': { title: 'Debited on the platform', meaning: 'green' },
    'withdrawal.payout-started': { title: 'Payout requested from the provider', meaning: 'blue' },
    'withdrawal.sent-to-provider': { title: 'With the provider', meaning: 'blue' },
    'withdrawal.payout-for-staff': { title: 'The payout is in manual review', meaning: 'amber' },
    'withdrawal.report-after-end': { title: 'After the end of the payout', meaning: 'amber' },
    'withdrawal.paid-out': { title: 'Paid out', meaning: 'green' },
    'withdrawal.payout-failed': { title: 'Payment failed, to be refunded', meaning: 'amber' },
    'withdrawal.return-being-checked': { title: 'Refund: outcome unknown, verifying', meaning: 'blue' },
    'withdrawal.return-refused': { title: 'Refund refused by the platform', meaning: 'red' },
    'withdrawal.returned': { title: 'Refunded on the platform', meaning: 'green' },
  } satisfies Record<string, EventLabel>),
)

/** An event type unknown to this build shows its own name. */
export const labelOfEvent = (event: string): EventLabel => eventLabels.get(event) ?? { title: event, meaning: 'grey' }

const actorLabels = new Map(Object.entries({ member: 'Member', staff: 'Desk', system: 'System' }))

export const actorName = ({ by, staff_name }: { by: string; staff_name: string | null }): string =>
  staff_name ?? actorLabels.get(by) ?? by

type PlatformLabels = { title: string; text: string; meaning: Meaning; needsPerson?: boolean }

const platformLabels: Record<string, PlatformLabels> = {
  ready: { title: 'About to be sent to the platform', text: 'This takes a moment.', meaning: 'blue' },
  sending: { title: 'Sending to the platform', text: 'This takes a moment.', meaning: 'blue' },
  unknown: {
    title: 'Outcome unknown: checking the account\u2019s history',
    text: 'Please do not book manually. Nothing is sent again until the history shows that nothing arrived.',
    meaning: 'blue',
  },
  stuck: {
    title: 'Stuck: manual review',
    text: 'Look up the tag in the account\u2019s balance operations on the platform, correct it, and check again.',
    meaning: 'red',
    needsPerson: true,
  },
  rejected: {
    title: 'The platform refused it',
    text: 'Nothing was booked. It can be decided again once this is fixed.',
    meaning: 'red',
  },
}

/** The state of the platform operation; null once it is done. */
export const labelsOfPlatform = ({
  state,
  account_gone,
}: {
  state: string
  account_gone: boolean
}): PlatformLabels | null =>
  account_gone ? { ...deletedAccountLabels, meaning: 'red', needsPerson: true } : (platformLabels[state] ?? null)

const ledgerLabels: Record<string, string> = knownOr('The ledger and the platform differ', {
  'unknown-on-platform': 'The platform has an operation that our ledger does not have',
  'twice-on-platform': 'The platform carried out one operation twice',
  'refused-on-platform': 'The platform carried out an operation that it had refused',
  'other-amount-on-platform': 'The platform moved another amount',
  'missing-on-platform': 'The platform does not have an operation that our ledger counts as done',
})

/** What differs between our ledger and a platform, by the kind of finding (server/funding/ledger.ts). */
export const ledgerLabel = (kind: string): string => ledgerLabels[kind] ?? ''
