import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'

type Page = { to: string; params: object; search?: object }

/** The page of a transaction, whatever its state. */
export const pageOfTransaction = ({ _id, type }: { _id: string; type: string }): Page =>
  type === 'withdrawal'
    ? { to: '/withdrawals/{-$withdrawalId}', params: { withdrawalId: _id }, search: { state: 'all' } }
    : { to: '/deposits/{-$depositId}', params: { depositId: _id }, search: { state: 'all' } }

/** The page of what a ticket is about; null for a download, which has none. */
export function pageOfSubject(about: NonNullable<DeskTicket['about']>): Page | null {
  if (about.kind === 'account') return { to: '/trading-accounts/$accountId', params: { accountId: about._id } }
  return about.kind === 'transaction' ? pageOfTransaction(about) : null
}
