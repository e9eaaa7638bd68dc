/**
 * States of a balance transaction. On the wire `status` has the specification's three values and `state` is finer: a transaction
 * that is crediting, debiting, checking, paying or returning is still pending for the member, and is shown as "being credited",
 * "verifying" and so on.
 */
export const transactionStates = [
  'pending',
  'crediting',
  'debiting',
  'checking',
  'paying',
  'returning',
  'approved',
  'rejected',
  'cancelled',
] as const
export type TransactionState = (typeof transactionStates)[number]
/** Transactions that are not final. */
export const openStates = ['pending', 'crediting', 'debiting', 'checking', 'paying', 'returning'] as const

export const transactionTypes = ['deposit', 'withdrawal'] as const
export type TransactionType = (typeof transactionTypes)[number]
type Moves = Partial<Record<TransactionState, readonly TransactionState[]>>

/**
 * Legal state transitions of a deposit and of a withdrawal; a database trigger enforces the same table. A withdrawal is
 * debited first and then paid out (`paying`), or credited back if the payout fails (`returning`); on a demo account the
 * debit approves it.
 */
export const transactionMoves: Record<TransactionType, Moves> = {
  deposit: {
    pending: ['crediting', 'rejected', 'cancelled'],
    crediting: ['approved', 'checking', 'pending'],
    checking: ['approved', 'crediting', 'pending'],
  },
  withdrawal: {
    pending: ['debiting', 'rejected', 'cancelled'],
    debiting: ['paying', 'approved', 'checking', 'pending'],
    checking: ['paying', 'approved', 'debiting', 'pending'],
    paying: ['approved', 'returning'],
    returning: ['rejected', 'paying'],
  },
}

export function mayMove(type: string, from: string, to: string): boolean {
  const moves: Readonly<Record<string, readonly string[] | undefined>> =
    type === 'withdrawal' ? transactionMoves.withdrawal : transactionMoves.deposit
  return moves[from]?.includes(to) ?? false
}

export type TransactionStatus = 'pending' | 'approved' | 'rejected'

/** The specification's status of a state. Cancelled rows leave the member's lists, so they need no status of their own. */
export function statusOf(state: TransactionState): TransactionStatus {
  if (state === 'approved' || state === 'rejected') return state
  return state === 'cancelled' ? 'rejected' : 'pending'
}

export const rejectionReasons = {
  receipt_unreadable: {
    sentence: 'We could not read the receipt.',
    next: 'Create the deposit again with a clear picture or PDF of the receipt.',
  },
  amount_differs: {
    sentence: 'The receipt shows a different amount.',
    next: 'Create a new deposit with the amount on the receipt.',
  },
  payment_not_received: {
    sentence: 'The payment has not arrived in our account.',
    next: 'Ask your bank where the transfer is, then create the deposit again.',
  },
  name_differs: {
    sentence: 'The payment came from an account in another name.',
    next: 'Send the payment from an account in your own name.',
  },
  payment_declined: {
    sentence: 'The payment was declined.',
    next: 'Try again, or choose another way to pay.',
  },
  payment_expired: {
    sentence: 'No payment arrived in time.',
    next: 'Create the deposit again when you are ready to pay.',
  },
  other: { sentence: 'We could not accept this deposit.', next: 'Please contact support.' },
} as const

export type RejectionReason = keyof typeof rejectionReasons
export const rejectionReasonNames = Object.keys(rejectionReasons) as [RejectionReason, ...RejectionReason[]]

const ofProviders: readonly RejectionReason[] = ['payment_declined', 'payment_expired']
/** Reasons that staff can choose; the others come from a payment provider. */
export const deskReasons = rejectionReasonNames.filter((name) => !ofProviders.includes(name))
