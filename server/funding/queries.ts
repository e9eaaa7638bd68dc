import { openStates, type TransactionState, transactionStates } from '@atrium/contract/funding.ts'
import { type AliasedSelectQueryBuilder, type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import type { BalanceTransactions, DB } from '../foundation/database.generated.ts'
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
  isLive?: boolean | undefined
  /** With what its owner took back, which the specification's list leaves out. */
  withCancelled?: boolean
}

export type TransactionShape = Awaited<ReturnType<typeof listTransactions>>[number]

/** The specification's three words over our own, and what its owner took back. */
export const statesOf: ReadonlyMap<string, TransactionState[]> = new Map<string, TransactionState[]>([
  ['pending', [...openStates]],
  ['approved', ['approved']],
  ['rejected', ['rejected']],
  ['cancelled', ['cancelled']],
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
  const { amount, accountId, isLive, withCancelled } = filter
  const every = withCancelled ? transactionStates : shownStates
  const states = status === undefined ? every : (statesOf.get(status) ?? [])
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
  if (accountNumber !== undefined || isLive !== undefined) {
    const named = where
      .selectFrom('trading_accounts')
      .select('account_id')
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .$if(accountNumber !== undefined, (found) => found.where('platform_login', '=', accountNumber ?? ''))
      .$if(isLive !== undefined, (found) => found.where('live_account', '=', isLive ?? false))
    conditions.push(where('transaction.account_id', 'in', named))
  }
  return where.and(conditions)
}

/** What a filter finds, newest first. */
export function selectFound(tx: Tx, member: Member, filter: TransactionFilter) {
  return tx
    .selectFrom('balance_transactions as transaction')
    .selectAll('transaction')
    .where((where) => conditionsOf(where, member, filter))
    .orderBy('transaction.created_at', 'desc')
    .orderBy('transaction.transaction_id', 'desc')
}

/** One page of the member's transactions, newest first, each with what its bank and account are called. */
export function listTransactions(tx: Tx, member: Member, filter: TransactionFilter, page: Page) {
  return named(tx, selectFound(tx, member, filter).limit(page.limit).offset(page.offset)).execute()
}

/** Own transactions that something names. */
export function readTransactions(tx: Tx, member: Member, ids: readonly string[]): Promise<TransactionShape[]> {
  const wanted = tx
    .selectFrom('balance_transactions as transaction')
    .selectAll('transaction')
    .where('transaction.workspace_id', '=', member.workspaceId)
    .where('transaction.member_id', '=', member.memberId)
    .where('transaction.transaction_id', 'in', ids)
  return named(tx, wanted).execute()
}

type Place = { created_at: Date; transaction_id: string }

/** The next transactions of a table that is written out newest first. */
export function listTransactionsBefore(
  tx: Tx,
  member: Member,
  filter: TransactionFilter,
  { before, count }: { before: Place | null; count: number },
): Promise<TransactionShape[]> {
  const rest = selectFound(tx, member, filter)
    .$if(before !== null, (found) =>
      found.where(
        sql<boolean>`(transaction.created_at, transaction.transaction_id)
          < (${before?.created_at}, ${before?.transaction_id}::uuid)`,
      ),
    )
    .limit(count)
  return named(tx, rest).execute()
}

/** The newest transactions of each of several accounts, in one statement. */
export function listTransactionsOfAccounts(
  tx: Tx,
  member: Member,
  accountIds: readonly string[],
  perAccount: number,
): Promise<TransactionShape[]> {
  const newest = tx
    .selectFrom(sql<{ account_id: string }>`unnest(${[...accountIds]}::uuid[])`.as<'wanted'>(sql`wanted (account_id)`))
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('balance_transactions as transaction')
          .selectAll('transaction')
          .where('transaction.workspace_id', '=', member.workspaceId)
          .where('transaction.member_id', '=', member.memberId)
          .whereRef('transaction.account_id', '=', 'wanted.account_id')
          .where('transaction.state', '<>', 'cancelled')
          .orderBy('transaction.created_at', 'desc')
          .orderBy('transaction.transaction_id', 'desc')
          .limit(perAccount)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .selectAll('newest')
  return named(tx, newest).execute()
}

type Row = Selectable<BalanceTransactions>
type Rows = { as(alias: 'transaction'): AliasedSelectQueryBuilder<Row, 'transaction'> }

/**
 * The chosen rows with the names that stand elsewhere. They are the statement's own start, not a list of ids to look for:
 * the planner would otherwise go through everything that a member has.
 */
function named(tx: Tx, chosen: Rows) {
  return tx
    .selectFrom(chosen.as('transaction'))
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
    .leftJoin('bank_accounts as own', (join) =>
      join
        .onRef('own.workspace_id', '=', 'transaction.workspace_id')
        .onRef('own.member_id', '=', 'transaction.member_id')
        .onRef('own.bank_account_id', '=', 'transaction.destination_id'),
    )
    .selectAll('transaction')
    .select('account.platform_login')
    .select(sql<string | null>`coalesce(bank.bank_name, own.bank_name)`.as('bank_name'))
    .select(sql<string | null>`coalesce(bank.currency, own.currency)`.as('bank_currency'))
    .select(
      sql<string | null>`coalesce(bank.bank_account, bank.iban_number, own.bank_account, own.iban_number)`.as(
        'bank_account',
      ),
    )
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
    .select(['media.purpose', 'media.scan', 'media.created_at as uploaded_at'])
    .where('attachment.workspace_id', '=', member.workspaceId)
    .where('attachment.member_id', '=', member.memberId)
    .where('attachment.transaction_id', 'in', transactionIds)
    .orderBy('media.media_id')
    .execute()
}
