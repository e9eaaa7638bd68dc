import type { TransactionState } from '@atrium/contract/funding/states.ts'
import { knownOr, otherState } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../brand/theme.ts'

export type StateLabel = { label: string; meaning: Meaning; isMoving?: boolean }

/** The desk's labels of the states of transactions. English text is the translation key. */
export const transactionStateLabels: Record<TransactionState, StateLabel> = knownOr(otherState, {
  pending: { label: 'Pending', meaning: 'amber' },
  crediting: { label: 'Crediting', meaning: 'blue', isMoving: true },
  debiting: { label: 'Debiting', meaning: 'blue', isMoving: true },
  checking: { label: 'Verifying', meaning: 'blue', isMoving: true },
  paying: { label: 'Awaiting payout', meaning: 'amber' },
  returning: { label: 'Refunding', meaning: 'blue', isMoving: true },
  approved: { label: 'Approved', meaning: 'green' },
  rejected: { label: 'Rejected', meaning: 'red' },
  cancelled: { label: 'Cancelled', meaning: 'grey' },
})

/** The label of a state that an answer sends as a plain text. */
export const transactionStateLabel = (state: string): string => transactionStateLabels[state as TransactionState].label
