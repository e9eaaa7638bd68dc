import { plainIdentifier } from '@atrium/contract/validators/identifier.ts'
import { z } from 'zod'
import type { TransactionFilter } from './queries.ts'

/** The filter arguments of a list of transactions, as received. */
export type ListArgs = {
  _id?: string | null | undefined
  ticket?: string | null | undefined
  account_number?: string | null | undefined
  type?: string | null | undefined
  status?: string | null | undefined
  destination?: string | null | undefined
  created_at_from?: number | null | undefined
  created_at_to?: number | null | undefined
  amount?: string | null | undefined
  subtotal?: string | null | undefined
  trading_account?: string | null | undefined
  live_account?: boolean | null | undefined
  with_cancelled?: boolean | null | undefined
  customer?: string | null | undefined
  limit?: number | null | undefined
  page?: number | null | undefined
  withCount?: boolean | null | undefined
}

const isBigint = (text: string) => /^\d{1,18}$/.test(text)
const isUuid = (text: string) => z.uuid().safeParse(text).success

/** Null when nothing can match: another member's customer id, a non-numeric ticket, or an invalid id. */
export function filterOf(args: ListArgs, memberId: string): TransactionFilter | null {
  const ticket = args.ticket == null ? undefined : plainIdentifier(args.ticket)
  if (args.customer != null && args.customer.toLowerCase() !== memberId) return null
  if (ticket != null && !isBigint(ticket)) return null
  if (args._id != null && !isUuid(args._id)) return null
  if (args.trading_account != null && !isUuid(args.trading_account)) return null
  // Both mean the total of a transaction, and a deposit has a single total.
  if (args.amount != null && args.subtotal != null && args.amount !== args.subtotal) return null
  return {
    transactionId: args._id?.toLowerCase(),
    ticket,
    accountNumber: args.account_number == null ? undefined : plainIdentifier(args.account_number),
    type: args.type ?? undefined,
    status: args.status ?? undefined,
    destination: args.destination ?? undefined,
    createdFrom: args.created_at_from ?? undefined,
    createdTo: args.created_at_to ?? undefined,
    amount: args.amount ?? args.subtotal ?? undefined,
    isLive: args.live_account ?? undefined,
    withCancelled: args.with_cancelled ?? false,
    accountId: args.trading_account?.toLowerCase(),
  }
}
