import { normalizeIdentifier } from '@atrium/contract/validators/identifier.ts'
import type { InputShapeFromFields } from '@pothos/core'
import { z } from 'zod'
import { givenFilter } from '../foundation/database/paging.ts'
import { builder } from '../graphql/builder.ts'
import { pageArgs } from '../graphql/paging.ts'
import type { TransactionFilter } from './queries.ts'

/** The arguments of a list of deposits. */
export const depositArgs = builder.args((t) => ({
  _id: t.id(),
  ticket: t.string(),
  account_number: t.string(),
  type: t.string(),
  status: t.string(),
  destination: t.string(),
  created_at_from: t.field({ type: 'Millis' }),
  created_at_to: t.field({ type: 'Millis' }),
  amount: t.field({ type: 'Money' }),
  subtotal: t.field({ type: 'Money' }),
  trading_account: t.id(),
  customer: t.id(),
  ...pageArgs,
}))

/** The arguments of a list of transactions. */
export const transactionArgs = builder.args((t) => ({
  ...depositArgs,
  live_account: t.boolean(),
  with_cancelled: t.boolean(),
}))

export type TransactionArgs = InputShapeFromFields<typeof transactionArgs>

const isBigint = (text: string) => /^\d{1,18}$/.test(text)
const isUuid = (text: string) => z.uuid().safeParse(text).success

const identifierOf = (text: string | null | undefined) => givenFilter(text && normalizeIdentifier(text))

/** Null when nothing can match: another member's customer id, a non-numeric ticket, or an invalid id. */
export function filterOf(args: TransactionArgs, memberId: string): TransactionFilter | null {
  const ticket = identifierOf(args.ticket)
  const account = givenFilter(args.trading_account)
  if (args.customer != null && args.customer.toLowerCase() !== memberId) return null
  if (ticket !== undefined && !isBigint(ticket)) return null
  if (args._id != null && !isUuid(args._id)) return null
  if (account !== undefined && !isUuid(account)) return null
  // Both mean the amount of a transaction.
  if (args.amount != null && args.subtotal != null && args.amount !== args.subtotal) return null
  return {
    transactionId: args._id?.toLowerCase(),
    ticket,
    accountNumber: identifierOf(args.account_number),
    type: givenFilter(args.type),
    status: givenFilter(args.status),
    destination: givenFilter(args.destination),
    createdFrom: args.created_at_from ?? undefined,
    createdTo: args.created_at_to ?? undefined,
    amount: args.amount ?? args.subtotal ?? undefined,
    isLive: args.live_account ?? undefined,
    withCancelled: args.with_cancelled ?? false,
    accountId: account?.toLowerCase(),
  }
}
