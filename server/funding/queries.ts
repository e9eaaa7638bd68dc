import { openStates, type TransactionState, transactionStates } from '@atrium/contract/funding/states.ts'
import { type AliasedSelectQueryBuilder, type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { AccountShape } from '../accounts/queries.ts'
import type { Member } from '../foundation/actor.ts'
import type { BalanceTransactions, DB } from '../foundation/database/database.generated.ts'
import type { Tx } from '../foundation/database/database.ts'
import { type Page, reachableRowsMax } from '../foundation/database/paging.ts'
import { prepareStatement, variantOf } from '../foundation/database/prepared-statement.ts'
import { deskEvents } from './transaction.ts'

/** A member's filters. Absent means any; an impossible value matches nothing. */
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
  /** Includes cancelled transactions, which the specification's list omits. */
  withCancelled?: boolean
}

/** `account`: set where it was loaded with the list. */
export type TransactionShape = Awaited<ReturnType<ReturnType<typeof named>['execute']>>[number] & {
  account?: AccountShape | undefined
}

/** The specification's three statuses and `cancelled`, mapped to our states. */
export const statesOf: ReadonlyMap<string, TransactionState[]> = new Map<string, TransactionState[]>([
  ['pending', [...openStates]],
  ['approved', ['approved']],
  ['rejected', ['rejected']],
  ['cancelled', ['cancelled']],
])
const shownStates = transactionStates.filter((state) => state !== 'cancelled')

/** The last date that the database can hold; no row is later. */
const momentMax = Date.UTC(9999, 11, 31)

function momentOf(millis: number): Date {
  return new Date(Math.min(Math.max(millis, 0), momentMax))
}

/** A filter as statement values: undefined means no condition. */
type Narrowed = {
  workspaceId: string
  memberId: string
  states: readonly string[]
  transactionId: string | undefined
  ticket: string | undefined
  accountNumber: string | undefined
  type: string | undefined
  beneficiaries: readonly string[] | undefined
  createdFrom: Date | undefined
  createdTo: Date | undefined
  amount: string | undefined
  accountId: string | undefined
  isLive: boolean | undefined
}

function narrowed({ workspaceId, memberId }: Member, filter: TransactionFilter): Narrowed {
  const { transactionId, ticket, accountNumber, type, amount, accountId, isLive } = filter
  const { status, destination, createdFrom, createdTo, withCancelled } = filter
  const every = withCancelled ? transactionStates : shownStates
  const states = status === undefined ? every : (statesOf.get(status) ?? [])
  const beneficiaries = destination === undefined ? undefined : [destination, `psp:${destination}`]
  const from = createdFrom === undefined ? undefined : momentOf(createdFrom)
  const to = createdTo === undefined ? undefined : momentOf(createdTo)
  const unchanged = { transactionId, ticket, accountNumber, type, amount, accountId, isLive }
  return { workspaceId, memberId, states, beneficiaries, createdFrom: from, createdTo: to, ...unchanged }
}

type Where = ExpressionBuilder<DB & { transaction: DB['balance_transactions'] }, 'transaction'>

function conditionsOf(where: Where, by: Narrowed) {
  const { workspaceId, memberId, states, transactionId, ticket, type, beneficiaries, createdFrom, createdTo } = by
  const { amount, accountId, accountNumber, isLive } = by
  const conditions = [
    where('transaction.workspace_id', '=', workspaceId),
    where('transaction.member_id', '=', memberId),
    where('transaction.state', '=', sql<string>`any(${states}::text[])`),
  ]
  if (transactionId !== undefined) conditions.push(where('transaction.transaction_id', '=', transactionId))
  if (ticket !== undefined) conditions.push(where('transaction.ticket', '=', sql<string>`${ticket}::bigint`))
  if (type !== undefined) conditions.push(where('transaction.type', '=', type))
  if (beneficiaries !== undefined) {
    conditions.push(where('transaction.destination', '=', sql<string>`any(${beneficiaries}::text[])`))
  }
  if (createdFrom !== undefined) conditions.push(where('transaction.created_at', '>=', createdFrom))
  if (createdTo !== undefined) conditions.push(where('transaction.created_at', '<=', createdTo))
  if (amount !== undefined) conditions.push(where('transaction.amount', '=', amount))
  if (accountId !== undefined) conditions.push(where('transaction.account_id', '=', accountId))
  if (accountNumber !== undefined || isLive !== undefined) {
    const named = where
      .selectFrom('trading_accounts')
      .select('account_id')
      .where('workspace_id', '=', workspaceId)
      .where('member_id', '=', memberId)
      .$if(accountNumber !== undefined, (found) => found.where('platform_login', '=', accountNumber ?? ''))
      .$if(isLive !== undefined, (found) => found.where('live_account', '=', isLive ?? false))
    conditions.push(where('transaction.account_id', 'in', named))
  }
  return where.and(conditions)
}

function selectNarrowed(tx: Tx, by: Narrowed) {
  return tx
    .selectFrom('balance_transactions as transaction')
    .where((where) => conditionsOf(where, by))
    .orderBy('transaction.created_at', 'desc')
    .orderBy('transaction.transaction_id', 'desc')
}

/** The transactions that match a filter, newest first. */
export function selectFound(tx: Tx, member: Member, filter: TransactionFilter) {
  return selectNarrowed(tx, narrowed(member, filter)).selectAll('transaction')
}

type Column = keyof BalanceTransactions
/** Joined tables, by the field that needs them. */
type Joined = 'account' | 'bank'

/** The columns behind each field of the answer (graph.ts), so that a list reads no others. */
export const columnsOfFields: Readonly<Record<string, readonly (Column | Joined)[]>> = {
  __typename: [],
  _id: ['transaction_id'],
  ticket: ['ticket'],
  comment: ['comment'],
  type: ['type'],
  amount: ['amount', 'currency'],
  currency: ['currency'],
  status: ['state'],
  state: ['state'],
  source: ['source'],
  payment_method: ['payment_method'],
  psp_transaction: ['payment_method'],
  transaction_id: [],
  origin: ['origin'],
  destination: ['destination'],
  destination_id: ['destination_id'],
  coin: ['coin'],
  coin_network: ['coin'],
  destination_text: ['destination_text'],
  fee: ['fee', 'currency'],
  destination_bank_account: ['bank'],
  platform_ticket: ['platform_ticket'],
  account_id: ['account_id'],
  created_at: ['created_at'],
  trading_account: ['account_id'],
  trade_record: ['platform_ticket', 'account_id', 'account'],
  attachments: [],
  rejection: ['state', 'type', 'rejection_reason', 'rejection_note'],
  timeline: [],
}

/** Every list is ordered by these. */
const columnsOfOrder: readonly Column[] = ['transaction_id', 'created_at']
const isJoined = (name: Column | Joined): name is Joined => name === 'account' || name === 'bank'

const pageOfFields = prepareStatement(
  'transactions',
  (tx: Tx, { offset, ...by }: Narrowed & { offset: number | undefined }, variant: string) => {
    const [limit, ...fields] = variant.split(' ')
    const needed = new Set([...columnsOfOrder, ...fields.flatMap((field) => columnsOfFields[field] ?? [])])
    const columns = [...needed].filter((name) => !isJoined(name)) as Column[]
    const isNamed = needed.has('bank') || needed.has('account')
    // The joins need these columns.
    if (isNamed) columns.push('account_id', 'destination_id', 'member_id')
    const page = selectNarrowed(tx, by)
      .select([...new Set<Column>([...columns, 'workspace_id'])].map((name) => `transaction.${name}` as const))
      .limit(sql.lit(Number(limit)))
      .$if(offset !== undefined, (found) => found.offset(sql<number>`${offset}`))
    return isNamed ? named(tx, page as never) : page
  },
)

/**
 * One page of the member's transactions, newest first: only the columns behind the requested fields, or all of them
 * with the names of bank and account.
 */
export async function listTransactions(
  tx: Tx,
  member: Member,
  filter: TransactionFilter,
  { limit, offset, fields = Object.keys(columnsOfFields) }: Page & { fields?: readonly string[] },
): Promise<TransactionShape[]> {
  const values = { ...narrowed(member, filter), offset: offset === 0 ? undefined : offset }
  return (await pageOfFields(tx, values, `${limit} ${variantOf(fields)}`)).rows as TransactionShape[]
}

/** The member's own transactions with these ids. */
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

/** The next rows of the export, newest first. */
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
 * The chosen rows with joined names. They are a subquery and not a list of ids, because the planner would otherwise
 * scan all rows of the member.
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

const countNarrowed = prepareStatement('transactions_count', (tx: Tx, by: Narrowed) =>
  tx
    .selectFrom((db) =>
      db
        .selectFrom('balance_transactions as transaction')
        .select(sql`1`.as('one'))
        .where((where) => conditionsOf(where, by))
        .limit(sql.lit(reachableRowsMax))
        .as('matching'),
    )
    .select(sql<number>`count(*)::int`.as('count')),
)

/** Exact up to the last reachable page. */
export async function countTransactions(tx: Tx, member: Member, filter: TransactionFilter): Promise<number> {
  return (await countNarrowed(tx, narrowed(member, filter))).rows[0]?.count ?? 0
}

export type EventShape = Awaited<ReturnType<typeof listEvents>>[number]

type OfTransactions = { workspaceId: string; memberId: string; ids: readonly string[] }

const eventsOf = prepareStatement('transaction_events', (tx: Tx, { workspaceId, memberId, ids }: OfTransactions) =>
  tx
    .selectFrom('transaction_events')
    .select(['transaction_id', 'at', 'event', 'actor_kind', 'note'])
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', memberId)
    .where('transaction_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where(
      'event',
      'not in',
      deskEvents.map((event) => sql.lit(event)),
    )
    .orderBy('event_id'),
)

/** The member's timeline of each transaction, oldest first. */
export async function listEvents(tx: Tx, { workspaceId, memberId }: Member, ids: readonly string[]) {
  return (await eventsOf(tx, { workspaceId, memberId, ids })).rows
}

export type AttachmentShape = Awaited<ReturnType<typeof listAttachments>>[number]

const attachmentsOf = prepareStatement(
  'transaction_attachments',
  (tx: Tx, { workspaceId, memberId, ids }: OfTransactions) =>
    tx
      .selectFrom('transaction_attachments as attachment')
      .innerJoin('media', (join) =>
        join
          .onRef('media.workspace_id', '=', 'attachment.workspace_id')
          .onRef('media.media_id', '=', 'attachment.media_id'),
      )
      .select(['attachment.transaction_id', 'attachment.created_at', 'media.media_id', 'media.name', 'media.kind'])
      .select(['media.purpose', 'media.scan', 'media.created_at as uploaded_at'])
      .where('attachment.workspace_id', '=', workspaceId)
      .where('attachment.member_id', '=', memberId)
      .where('attachment.transaction_id', '=', sql<string>`any(${ids}::uuid[])`)
      .orderBy('media.media_id'),
)

export async function listAttachments(tx: Tx, { workspaceId, memberId }: Member, ids: readonly string[]) {
  return (await attachmentsOf(tx, { workspaceId, memberId, ids })).rows
}
