import { openStates, type TransactionState } from '@atrium/contract/funding/states.ts'
import type { Meaning } from '../../../ui/brand/theme.ts'
import type { Transaction } from '../funding.queries.ts'
import { paidWith } from '../paid-with.ts'

type StateLabels = { label: string; meaning: Meaning; isMoving: boolean }

const stateLabels: Record<TransactionState, StateLabels> = {
  pending: { label: 'Pending', meaning: 'amber', isMoving: false },
  crediting: { label: 'Being credited', meaning: 'blue', isMoving: true },
  debiting: { label: 'Being debited', meaning: 'blue', isMoving: true },
  checking: { label: 'Being checked', meaning: 'blue', isMoving: true },
  paying: { label: 'Being paid out', meaning: 'blue', isMoving: true },
  returning: { label: 'Being returned', meaning: 'blue', isMoving: true },
  approved: { label: 'Approved', meaning: 'green', isMoving: false },
  rejected: { label: 'Rejected', meaning: 'red', isMoving: false },
  cancelled: { label: 'Cancelled', meaning: 'grey', isMoving: false },
}

/** A state this build does not know yet is shown as waiting, never as done. */
function wordsOfState(state: string): StateLabels {
  return stateLabels[state as TransactionState] ?? stateLabels.pending
}

type Paid = Pick<Transaction, 'type' | 'state' | 'payment_method' | 'timeline'>
export type Payment = 'awaited' | 'declined' | 'on-its-way'

/** Of these the later says how a payment stands that its provider has not settled. */
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

/** How the payment of a deposit through a provider stands as long as it is pending; null where nobody pays through one. */
export function paymentOf({ type, state, payment_method, timeline }: Paid): Payment | null {
  if (type !== 'deposit' || state !== 'pending' || !payment_method?.startsWith('psp:')) return null
  return payments[timeline.findLast(({ event }) => event in payments)?.event ?? ''] ?? 'awaited'
}

/** Pending is what waits for our team; what waits for its payment says so. */
export function labelsOfTransaction(transaction: Paid): StateLabels {
  const payment = paymentOf(transaction)
  return payment ? paymentLabels[payment] : wordsOfState(transaction.state)
}

export const isUnsettled = ({ state }: Pick<Transaction, 'state'>) => openStates.some((open) => open === state)

export const typeLabel = (type: string) => (type === 'withdrawal' ? 'Withdrawal' : 'Deposit')

const methodLabels: Record<string, string> = {
  manual: 'Manual transfer',
  demo: 'Demo funds',
  ...Object.fromEntries(Object.entries(paidWith).map(([uid, { own, named = own }]) => [uid, named])),
}

/** Providers' beneficiaries carry a prefix that is no word for people. */
const withoutPrefix = (destination: string) => destination.replace(/^psp:/, '')

const beneficiaryLabels: Record<string, string> = {
  bank_account: 'Bank account',
  crypto_transfer: 'Crypto wallet',
  other_transfer: 'Other account',
}

/** Where money goes to, by a word for people where what is kept is a word of the program. */
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

/** What the member paid with, where the provider has told; nothing of a card but its make. */
export const cardLabel = ({ psp_transaction }: Pick<Transaction, 'psp_transaction'>): string | null =>
  cardLabels[psp_transaction?.card_type ?? ''] ?? null

/** The order of the specification; a provider that came later follows. */
const filterOrder = 'coinpayments virtualpay zotapay skrill neteller safecharge nganluong sdsystem'.split(' ')

/** The providers that a list can be filtered by. */
export const filterMethods = [...new Set([...filterOrder, ...Object.keys(paidWith)])].map((value) => ({
  value,
  label: methodLabels[value] ?? value,
}))

export function signedByType({ type, amount }: Pick<Transaction, 'type' | 'amount'>): string {
  return type === 'withdrawal' ? `-${amount}` : amount
}
