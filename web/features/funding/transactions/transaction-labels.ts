import { openStates, type TransactionState } from '@atrium/contract/funding/states.ts'
import { knownOr } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../../ui/brand/theme.ts'
import type { Transaction } from '../funding.queries.ts'
import { paidWith } from '../paid-with.ts'

type StateLabels = { label: string; meaning: Meaning; isMoving: boolean }

const waiting: StateLabels = { label: 'Pending', meaning: 'amber', isMoving: false }

/** A state unknown to this build is shown as waiting, never as done. */
const stateLabels: Record<TransactionState, StateLabels> = knownOr(waiting, {
  pending: waiting,
  crediting: { label: 'Being credited', meaning: 'blue', isMoving: true },
  debiting: { label: 'Being debited', meaning: 'blue', isMoving: true },
  checking: { label: 'Verifying', meaning: 'blue', isMoving: true },
  paying: { label: 'Being paid out', meaning: 'blue', isMoving: true },
  returning: { label: 'Being returned', meaning: 'blue', isMoving: true },
  approved: { label: 'Approved', meaning: 'green', isMoving: false },
  rejected: { label: 'Rejected', meaning: 'red', isMoving: false },
  cancelled: { label: 'Cancelled', meaning: 'grey', isMoving: false },
})

type Paid = Pick<Transaction, 'type' | 'state' | 'payment_method' | 'timeline'>
export type Payment = 'awaited' | 'declined' | 'on-its-way'

/** The state of an unsettled payment by timeline event; the latest event decides. */
const payments: Record<string, Payment> = {
  'deposit.pending-at-provider': 'on-its-way',
  'deposit.coins-seen': 'on-its-way',
  'deposit.payment-try-declined': 'declined',
}

const paymentLabels: Record<Payment, StateLabels> = {
  awaited: { label: 'Awaiting payment', meaning: 'amber', isMoving: false },
  declined: { label: 'Payment declined', meaning: 'red', isMoving: false },
  'on-its-way': { label: 'Payment on its way', meaning: 'blue', isMoving: false },
}

/** The state of a pending deposit's payment; null for a deposit without a provider. */
export function paymentOf({ type, state, payment_method, timeline }: Paid): Payment | null {
  if (type !== 'deposit' || state !== 'pending' || !payment_method?.startsWith('psp:')) return null
  return payments[timeline.findLast(({ event }) => event in payments)?.event ?? ''] ?? 'awaited'
}

/** "Pending" means waiting for our team; a transaction that waits for its payment has its own label. */
export function labelsOfTransaction(transaction: Paid): StateLabels {
  const payment = paymentOf(transaction)
  return payment ? paymentLabels[payment] : stateLabels[transaction.state as TransactionState]
}

export const isUnsettled = ({ state }: Pick<Transaction, 'state'>) => openStates.some((open) => open === state)

export const typeLabel = (type: string) => (type === 'withdrawal' ? 'Withdrawal' : 'Deposit')

const methodLabels: Record<string, string> = {
  manual: 'Manual transfer',
  demo: 'Demo funds',
  ...Object.fromEntries(Object.entries(paidWith).map(([uid, { own, named = own }]) => [uid, named])),
}

/** Beneficiaries at providers carry a technical prefix. */
const withoutPrefix = (destination: string) => destination.replace(/^psp:/, '')

const beneficiaryLabels: Record<string, string> = {
  bank_account: 'Bank account',
  crypto_transfer: 'Crypto wallet',
  other_transfer: 'Other account',
}

/** The beneficiary's name for display, in place of a technical code. */
export const beneficiaryLabel = (destination: string): string =>
  beneficiaryLabels[destination] ?? methodLabels[withoutPrefix(destination)] ?? destination

export function methodLabel({
  payment_method,
  psp_transaction,
}: Pick<Transaction, 'payment_method' | 'psp_transaction'>): string {
  const name = withoutPrefix(psp_transaction?.psp ?? payment_method ?? 'manual')
  return methodLabels[name] ?? name
}

const cardLabels: Record<string, string> = {
  amex: 'American Express',
  visa: 'Visa',
  discover: 'Discover',
  mastercard: 'Mastercard',
  jcb: 'JCB',
  maestro: 'Maestro',
  diners: 'Diners Club',
}

/** The means of payment, if the provider reported it; of a card, only its brand. */
export const cardLabel = ({ psp_transaction }: Pick<Transaction, 'psp_transaction'>): string | null =>
  cardLabels[psp_transaction?.card_type ?? ''] ?? null

/** The order of the specification; later providers follow. */
const filterOrder = 'coinpayments virtualpay zotapay skrill neteller safecharge nganluong sdsystem'.split(' ')

/** The providers in the list's filter. */
export const filterMethods = [...new Set([...filterOrder, ...Object.keys(paidWith)])].map((value) => ({
  value,
  label: methodLabels[value] ?? value,
}))

export function signedByType({ type, amount }: Pick<Transaction, 'type' | 'amount'>): string {
  return type === 'withdrawal' ? `-${amount}` : amount
}
