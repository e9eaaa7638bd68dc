import { type TransactionState, transactionStates } from '@atrium/contract/funding/states.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { DocumentsStatus } from '@atrium/contract/members/states.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { readTypedNumber } from '@atrium/contract/money/typed-number.ts'
import type { OrderState } from '@atrium/contract/payments/calls.ts'
import { sql } from 'kysely'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { leavesOut, meetsSearch, searchWords, someWith } from '../foundation/member-labels.ts'
import { type Between, momentsOf } from '../workspaces/today.ts'
import { findByReference } from './by-reference.ts'
import { selectOwnedTransactions } from './owned-transactions.ts'

/** What the desk's queues of deposits and of withdrawals have in common. */
export type TransactionType = 'deposit' | 'withdrawal'

type Narrowing = {
  state?: TransactionState | undefined
  q?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

type Filter = Narrowing & {
  order: 'oldest' | 'newest'
  limit: number
  page: number
}

export const selectTransactions = (tx: Tx, staff: Staff, type: TransactionType) =>
  selectOwnedTransactions(tx, staff)
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'account.workspace_id')
        .onRef('platform.platform_id', '=', 'account.platform_id'),
    )
    .where('movement.type', '=', type)

export const transactionColumns = [
  'movement.type',
  'movement.transaction_id',
  'movement.ticket',
  'movement.state',
  'movement.amount',
  'movement.currency',
  'movement.created_at',
  'movement.payment_method',
  'movement.platform_ticket',
  'member.member_id',
  'member.first_name',
  'member.last_name',
  'member.customer_number',
  'member.documents_status',
  'account.account_id',
  'account.platform_login',
  'account.live_account',
  'platform.type as platform_type',
] as const

/** What a row of a queue is marked with, looked up for the page alone. */
export const transactionMarks = [
  sql<boolean>`exists (select from platform_intents as intent where intent.workspace_id = movement.workspace_id
    and intent.transaction_id = movement.transaction_id and intent.state = 'stuck')`.as('is_stuck'),
  sql<
    string | null
  >`(select ordered.state from deposit_orders as ordered where ordered.workspace_id = movement.workspace_id
    and ordered.transaction_id = movement.transaction_id)`.as('payment_state'),
] as const

type Selected = Awaited<ReturnType<typeof selectSome>>[number]
const selectSome = (tx: Tx, staff: Staff) =>
  selectTransactions(tx, staff, 'deposit').select(transactionColumns).select(transactionMarks).execute()

export function shapeTransaction(row: Selected) {
  return {
    _id: row.transaction_id,
    ticket: row.ticket,
    state: row.state as TransactionState,
    amount: toScale(row.amount, row.currency),
    currency: row.currency,
    created_at: row.created_at.getTime(),
    member: {
      _id: row.member_id,
      name: `${row.first_name} ${row.last_name}`,
      customer_number: row.customer_number,
      documents_status: row.documents_status as DocumentsStatus,
    },
    account: {
      _id: row.account_id,
      platform_login: row.platform_login,
      platform_type: row.platform_type,
      live_account: row.live_account,
    },
    payment_method: row.payment_method,
    platform_ticket: row.platform_ticket,
    is_stuck: row.is_stuck,
    payment_state: row.payment_state as OrderState | null,
  }
}

/** A page of what is filtered and searched for, still to be selected from, with the numbers beside it. */
export async function findPage(tx: Tx, staff: Staff, type: TransactionType, filter: Filter) {
  const wanted = await findWanted(tx, staff, type, { ...filter, state: undefined })
  const ids = inState(wanted.ids, filter.state)
  const hasDays = Boolean(filter.from || filter.to)
  const isNarrowed = hasDays || Boolean(filter.q)
  // What so many members match that they are not counted is as good as everything.
  const isCounted = isNarrowed && (hasDays || !wanted.some)
  const counts = isCounted ? await countWantedByState(tx, wanted) : await countByState(tx, staff, type)
  const everything = filter.state ? counts[filter.state] : Object.values(counts).reduce((sum, count) => sum + count, 0)
  const numbers = isNarrowed
    ? await countWanted(tx, filter, { ...wanted, ids })
    : { total: Math.min(everything, limits.countedMax), total_is_least: false }
  const direction = filter.order === 'oldest' ? 'asc' : 'desc'
  const onPage = ids
    .orderBy('movement.created_at', direction)
    .orderBy('movement.transaction_id', direction)
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
  const page = ofThese(selectTransactions(tx, staff, type), onPage)
    .orderBy('movement.created_at', direction)
    .orderBy('movement.transaction_id', direction)
  return { page, ...numbers, counts }
}

type Transactions = ReturnType<typeof selectTransactions>
type Wanted = Awaited<ReturnType<typeof findWanted>>
type Ids = Wanted['ids']

/** Found first and then put beside whose they are: what is joined before it is cut off is joined for every row there is. */
export const ofThese = (rows: Transactions, ids: Ids): Transactions => rows.where('movement.transaction_id', 'in', ids)

/** The ids of what is filtered and searched for; counted are those of `some` members, where there are too many. */
export async function findWanted(tx: Tx, staff: Staff, type: TransactionType, filter: Narrowing) {
  const { state, q } = filter
  const between = await momentsOf(tx, staff, filter)
  const { since, until } = between
  let rows = tx
    .selectFrom('balance_transactions as movement')
    .select('movement.transaction_id')
    .where('movement.workspace_id', '=', staff.workspaceId)
    .where('movement.type', '=', type)
  if (since) rows = rows.where('movement.created_at', '>=', since)
  if (until) rows = rows.where('movement.created_at', '<', until)
  const ids = state ? rows.where('movement.state', '=', state) : rows
  if (!q) return { ids, some: null, isPart: false }
  const amounts = amountsOf(q)
  const referred = await findByReference(tx, staff, q)
  if (amounts.length > 0 || referred.length > 0) {
    const { found, isPart } = await findByAmount(tx, staff, { type, amounts, ...between })
    return { ids: ids.where(await hasNumber(tx, staff, q, [...referred, ...found])), some: null, isPart }
  }
  const searched = await searchWords(tx, staff, q)
  return { ids: ids.where(meetsSearch(searched, 'movement')), some: someWith(staff, searched), isPart: false }
}

const inState = (ids: Ids, state: TransactionState | undefined): Ids =>
  state ? ids.where('movement.state', '=', state) : ids

/** Every amount that somebody may mean: a comma or a point before three digits has two meanings. */
function amountsOf(q: string): string[] {
  const read = ['en', 'de'].map((language) => readTypedNumber(q, { language, decimals: 8 }))
  return [...new Set(read.flatMap((one) => ('value' in one && !one.value.startsWith('-') ? [one.value] : [])))]
}

/** More of one amount than anybody looks through. */
const sameAmountMax = 1_000
type ByAmount = Between & { type: TransactionType; amounts: string[] }

/**
 * No index serves an amount behind row security, since comparing decimals might leak them: it is looked for among the latest
 * ones of the chosen days, as many as are ever counted.
 */
async function findByAmount(tx: Tx, staff: Staff, { type, amounts, since, until }: ByAmount) {
  if (amounts.length === 0) return { found: [], isPart: false }
  const { rows } = await sql<{ found: string[] | null; looked: number }>`
    select array_agg(transaction_id order by created_at desc) filter (where amount = any(${amounts}::numeric[])) as found,
      count(*)::int as looked
    from (
      select transaction_id, amount, created_at from balance_transactions
      where workspace_id = ${staff.workspaceId}::uuid and type = ${type}
        and created_at >= ${since ?? new Date(0)} and created_at < ${until ?? 'infinity'}
      order by created_at desc limit ${limits.countedMax}) as latest`.execute(tx)
  const found = rows[0]?.found ?? []
  const isPart = (rows[0]?.looked ?? 0) >= limits.countedMax || found.length > sameAmountMax
  return { found: found.slice(0, sameAmountMax), isPart }
}

const isNumber = /^\d{1,18}$/

/** A number is that of a ticket, a member, an account or a payment, or an amount, whole; words are beginnings of a member's. */
async function hasNumber(tx: Tx, staff: Staff, q: string, known: string[]) {
  const isKnown = sql<boolean>`movement.transaction_id = any(${known}::uuid[])`
  if (!isNumber.test(q)) return isKnown
  const members = await tx
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('customer_number', '=', q)
    .execute()
  // By way of the platforms, which are few: the logins' index begins with them.
  const accounts = await tx
    .selectFrom('trading_platforms as platform')
    .innerJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'platform.workspace_id')
        .onRef('account.platform_id', '=', 'platform.platform_id'),
    )
    .select('account.account_id')
    .where('platform.workspace_id', '=', staff.workspaceId)
    .where('account.platform_login', '=', q)
    .execute()
  return sql<boolean>`(${isKnown} or movement.ticket = ${q}::bigint
    or movement.member_id = any(${members.map((row) => row.member_id)}::uuid[])
    or movement.account_id = any(${accounts.map((row) => row.account_id)}::uuid[]))`
}

/** Where not all are counted, no fewer than are seen: whoever turns the pages gets to the last one nevertheless. */
async function countWanted(tx: Tx, { page, limit }: Pick<Filter, 'page' | 'limit'>, { ids, some, isPart }: Wanted) {
  const total = await count(tx, (some ? ids.where('movement.member_id', 'in', some) : ids).limit(limits.countedMax))
  if (!some || total >= limits.countedMax || !(await leavesOut(tx, some))) return { total, total_is_least: isPart }
  const before = (page - 1) * limit
  const seen = await count(tx, ids.limit(limit + 1).offset(before))
  return { total: Math.max(total, seen && before + seen), total_is_least: true }
}

async function count(tx: Tx, counted: Ids): Promise<number> {
  const { total } = await tx
    .selectFrom(counted.as('counted'))
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** By state, of what is searched for: the tabs then say where it is. */
async function countWantedByState(tx: Tx, { ids, some }: Wanted): Promise<Record<TransactionState, number>> {
  const none = Object.fromEntries(transactionStates.map((state) => [state, 0])) as Record<TransactionState, number>
  if (some) {
    const counted = ids.where('movement.member_id', 'in', some)
    for (const state of transactionStates)
      none[state] = await count(tx, counted.where('movement.state', '=', state).limit(limits.countedMax))
    return none
  }
  const rows = await tx
    .selectFrom(ids.select('movement.state').limit(limits.countedMax).as('counted'))
    .select(['state', sql<number>`count(*)::int`.as('total')])
    .groupBy('state')
    .execute()
  return { ...none, ...Object.fromEntries(rows.map(({ state, total }) => [state, total])) }
}

/** By the states' index alone, each no further than anybody needs to know. */
async function countByState(tx: Tx, staff: Staff, type: TransactionType): Promise<Record<TransactionState, number>> {
  const counts = transactionStates.map((state) =>
    sql<number>`(select count(*)::int from (
      select from balance_transactions where workspace_id = ${staff.workspaceId}::uuid and type = ${type} and state = ${state}
      limit ${limits.countedMax}) as counted)`.as(state),
  )
  return (await tx.selectNoFrom(counts).executeTakeFirstOrThrow()) as Record<TransactionState, number>
}
