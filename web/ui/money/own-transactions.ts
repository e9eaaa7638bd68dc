import type { TransactionState } from '@atrium/contract/funding/states.ts'
import { knownOr } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../brand/theme.ts'
import { paidWith } from './paid-with.ts'

/** How members see their own transactions, in every list. */
export type OwnStateLabel = { label: string; meaning: Meaning; isMoving?: boolean }

const waiting: OwnStateLabel = { label: 'Pending', meaning: 'amber' }

/** A state unknown to this build is shown as waiting, never as done. */
const labels: Record<TransactionState, OwnStateLabel> = knownOr(waiting, {
  pending: waiting,
  crediting: { label: 'Being credited', meaning: 'blue', isMoving: true },
  debiting: { label: 'Being debited', meaning: 'blue', isMoving: true },
  checking: { label: 'Verifying', meaning: 'blue', isMoving: true },
  paying: { label: 'Being paid out', meaning: 'blue', isMoving: true },
  returning: { label: 'Being returned', meaning: 'blue', isMoving: true },
  approved: { label: 'Approved', meaning: 'green' },
  rejected: { label: 'Rejected', meaning: 'red' },
  cancelled: { label: 'Cancelled', meaning: 'grey' },
})

export const ownStateLabel = (state: string): OwnStateLabel => labels[state as TransactionState]

type Moved = { type: string; amount: string; state: string }

/** For `Amount`: plus for incoming, minus for outgoing. A refused or cancelled amount moved nothing: no sign, struck through. */
export function movedAmount({ type, amount, state }: Moved) {
  if (state === 'rejected' || state === 'cancelled') return { amount, isVoid: true } as const
  return { amount: type === 'withdrawal' ? `-${amount}` : amount, sign: 'always' } as const
}

export const methodLabels: Record<string, string> = {
  manual: 'Manual transfer',
  demo: 'Demo funds',
  ...Object.fromEntries(Object.entries(paidWith).map(([uid, { own, named = own }]) => [uid, named])),
}

/** Beneficiaries at providers carry a technical prefix. */
export const withoutPrefix = (destination: string) => destination.replace(/^psp:/, '')

const beneficiaryLabels: Record<string, string> = {
  bank_account: 'Bank account',
  crypto_transfer: 'Crypto wallet',
  other_transfer: 'Other account',
}

/** The beneficiary's name for display, in place of a technical code. */
export const beneficiaryLabel = (destination: string): string =>
  beneficiaryLabels[destination] ?? methodLabels[withoutPrefix(destination)] ?? destination
