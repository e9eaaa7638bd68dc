import { type TransactionState, transactionStates } from '@atrium/contract/funding.ts'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import type { DB } from '../foundation/database.generated.ts'
import type { Tx } from '../foundation/database.ts'
import { type Page, reachableRowsMax } from '../graph/paging.ts'

/** What a member may narrow their transactions by. Absent means any; what cannot match anything matches nothing. */
export type TransactionFilter = {
  transactionId?: string | undefined
  ticket?: string | undefined
  accountNumber?: string | undefined
  type?: string | undefined
  status?: string | undefined
  destination?: string | undefined
  createdFrom?: number | undefined
  createdTo?: number | undefined
  amount?: string | undefined
  accountId?: string | undefined
}

export type TransactionShape = Awaited<ReturnType<typeof listTransactions>>[number]

/** The specification's three words over our six states. A cancelled transaction has left the member's list. */
export const statesOf: ReadonlyMap<string, TransactionState[]> = new Map<string, TransactionState[]>([
  ['pending', ['pending', 'crediting', 'checking']],
  ['approved', ['approved']],
  ['rejected', ['rejected']],
])
const shownStates = transactionStates.filter((state) => state !== 'cancelled')

/** Years that the database can hold; no row is older or younger. */
const momentMax = Date.UTC(9999, 11, 31)

function momentOf(millis: number): Date {
  return new Date(Math.min(Math.max(millis, 0), momentMax))
}

type Where = ExpressionBuilder<DB & { transaction: DB['balance_transactions'] }, 'transaction'>

function conditionsOf(where: Where, member: Member, filter: TransactionFilter) {
  const { transactionId, ticket, accountNumber, type, status, destination, createdFrom, createdTo } = filter
  const { amount, accountId } = filter
  const states = status === undefined ? shownStates : (statesOf.get(status) ?? [])
  const conditions = [
    where('transaction.workspace_id', '=', member.workspaceId),
    where('transaction.member_id', '=', member.memberId),
    where('transaction.state', '=', sql<string>`any(${states}::text[])`),
  ]
  if (transactionId !== undefined) conditions.push(where('transaction.transaction_id', '=', transactionId))
  if (ticket !== undefined) conditions.push(where('transaction.ticket', '=', sql<string>`${ticket}::bigint`))
  if (type !== undefined) conditions.push(where('transaction.type', '=', type))
  if (destination !== undefined) {
    conditions.push(where('transaction.destination', 'in', [destination, `psp:${destination}`]))
  }
  if (createdFrom !== undefined) conditions.push(where('transaction.created_at', '>=', momentOf(createdFrom)))
  if (createdTo !== undefined) conditions.push(where('transaction.created_at', '<=', momentOf(createdTo)))
  if (amount !== undefined) conditions.push(where('transaction.amount', '=', amount))
  if (accountId !== undefined) conditions.push(where('transaction.account_id', '=', accountId))
  if (accountNumber !== undefined) {
    const named = where
      .selectFrom('trading_accounts')
      .select('account_id')
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('platform_login', '=', accountNumber)
    conditions.push(where('transaction.account_id', 'in', named))
  }
  return where.and(conditions)
}

/** One page of the member's transactions, newest first, each with what its bank and account are called. */
export function listTransactions(tx: Tx, member: Member, filter: TransactionFilter, page: Page) {
  const chosen = tx
    .selectFrom('balance_transactions as transaction')
    .select('transaction.transaction_id')
    .where((where) => conditionsOf(where, member, filter))
    .orderBy('transaction.created_at', 'desc')
    .orderBy('transaction.transaction_id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
  return selectWhole(tx, member).where('transaction.transaction_id', 'in', chosen).execute()
}

/** The newest transactions of each of several accounts, in one statement. */
export function listTransactionsOfAccounts(
  tx: Tx,
  member: Member,
  accountIds: readonly string[],
  perAccount: number,
): Promise<TransactionShape[]> {
  const chosen = sql<string>`(
    select newest.transaction_id from unnest(${[...accountIds]}::uuid[]) as wanted (account_id)
    cross join lateral (
      select transaction_id from balance_transactions
      where workspace_id = ${member.workspaceId} and member_id = ${member.memberId}
        and account_id = wanted.account_id and state <> 'cancelled'
      order by created_at desc, transaction_id desc limit ${perAccount}) as newest)`
  return selectWhole(tx, member).where('transaction.transaction_id', 'in', chosen).execute()
}

function selectWhole(tx: Tx, member: Member) {
  return tx
    .selectFrom('balance_transactions as transaction')
    .innerJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'transaction.workspace_id')
        .onRef('account.account_id', '=', 'transaction.account_id'),
    )
    .leftJoin('company_bank_accounts as bank', (join) =>
      join
        .onRef('bank.workspace_id', '=', 'transaction.workspace_id')
        .onRef('bank.company_bank_account_id', '=', 'transaction.destination_id'),
    )
    .selectAll('transaction')
    .select(['account.platform_login', 'bank.bank_name', 'bank.currency as bank_currency'])
    .select(sql<string | null>`coalesce(bank.bank_account, bank.iban_number)`.as('bank_account'))
    .where('transaction.workspace_id', '=', member.workspaceId)
    .where('transaction.member_id', '=', member.memberId)
    .orderBy('transaction.created_at', 'desc')
    .orderBy('transaction.transaction_id', 'desc')
}

/** Exact as far as pages reach. */
export async function countTransactions(tx: Tx, member: Member, filter: TransactionFilter): Promise<number> {
  const counted = await tx
    .selectFrom((db) =>
      db
        .selectFrom('balance_transactions as transaction')
        .select(sql`1`.as('one'))
        .where((where) => conditionsOf(where, member, filter))
        .limit(reachableRowsMax)
        .as('matching'),
    )
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return counted.count
}

export type EventShape = Awaited<ReturnType<typeof listEvents>>[number]

/** What happened to each transaction, oldest first. */
export function listEvents(tx: Tx, member: Member, transactionIds: readonly string[]) {
  return tx
    .selectFrom('transaction_events')
    .select(['transaction_id', 'at', 'event', 'actor_kind', 'note'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('transaction_id', 'in', transactionIds)
    .orderBy('event_id')
    .execute()
}

export type AttachmentShape = Awaited<ReturnType<typeof listAttachments>>[number]

export function listAttachments(tx: Tx, member: Member, transactionIds: readonly string[]) {
  return tx
    .selectFrom('transaction_attachments as attachment')
    .innerJoin('media', (join) =>
      join
        .onRef('media.workspace_id', '=', 'attachment.workspace_id')
        .onRef('media.media_id', '=', 'attachment.media_id'),
    )
    .select(['attachment.transaction_id', 'attachment.created_at', 'media.media_id', 'media.name', 'media.kind'])
    .select(['media.purpose', 'media.created_at as uploaded_at'])
    .where('attachment.workspace_id', '=', member.workspaceId)
    .where('attachment.member_id', '=', member.memberId)
    .where('attachment.transaction_id', 'in', transactionIds)
    .orderBy('media.media_id')
    .execute()
}
