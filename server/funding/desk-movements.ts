import { type TransactionState, transactionStates } from '@atrium/contract/funding.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { DocumentsStatus } from '@atrium/contract/member-states.ts'
import { toScale } from '@atrium/contract/money.ts'
import { sql } from 'kysely'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'
import { leavesOut, meetsSearch, searchWords, someWith } from '../members/word-search.ts'
import { selectOwnedMovements } from './owned-movements.ts'

/** What the desk's queues of deposits and of withdrawals have in common. */
export type MovementType = 'deposit' | 'withdrawal'

type Filter = { state?: TransactionState | undefined; q?: string | undefined } & {
  order: 'oldest' | 'newest'
  limit: number
  page: number
}

export const selectMovements = (tx: Tx, staff: Staff, type: MovementType) =>
  selectOwnedMovements(tx, staff)
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'account.workspace_id')
        .onRef('platform.platform_id', '=', 'account.platform_id'),
    )
    .where('movement.type', '=', type)

export const movementColumns = [
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

type Selected = Awaited<ReturnType<typeof selectSome>>[number]
const selectSome = (tx: Tx, staff: Staff) => selectMovements(tx, staff, 'deposit').select(movementColumns).execute()

export function shapeMovement(row: Selected) {
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
  }
}

/** A page of what is filtered and searched for, still to be selected from, with the numbers beside it. */
export async function findPage(tx: Tx, staff: Staff, type: MovementType, filter: Filter) {
  const { ids, some } = await findWanted(tx, staff, type, filter)
  const counts = await countByState(tx, staff, type)
  const everything = filter.state ? counts[filter.state] : Object.values(counts).reduce((sum, count) => sum + count, 0)
  const numbers = filter.q
    ? await countWanted(tx, filter, { ids, some })
    : { total: Math.min(everything, limits.countedMax), total_is_least: false }
  const direction = filter.order === 'oldest' ? 'asc' : 'desc'
  const onPage = ids
    .orderBy('movement.created_at', direction)
    .orderBy('movement.transaction_id', direction)
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
  const page = ofThese(selectMovements(tx, staff, type), onPage)
    .orderBy('movement.created_at', direction)
    .orderBy('movement.transaction_id', direction)
  return { page, ...numbers, counts }
}

type Movements = ReturnType<typeof selectMovements>
type Wanted = Awaited<ReturnType<typeof findWanted>>
type Ids = Wanted['ids']

/** Found first and then put beside whose they are: what is joined before it is cut off is joined for every row there is. */
export const ofThese = (rows: Movements, ids: Ids): Movements => rows.where('movement.transaction_id', 'in', ids)

/** The ids of what is filtered and searched for; counted are those of `some` members, where there are too many. */
export async function findWanted(tx: Tx, staff: Staff, type: MovementType, { state, q }: Pick<Filter, 'state' | 'q'>) {
  const rows = tx
    .selectFrom('balance_transactions as movement')
    .select('movement.transaction_id')
    .where('movement.workspace_id', '=', staff.workspaceId)
    .where('movement.type', '=', type)
  const inState = state ? rows.where('movement.state', '=', state) : rows
  if (!q) return { ids: inState, some: null }
  if (isNumber.test(q)) {
    return { ids: inState.where(await hasNumber(tx, staff, q)), some: null }
  }
  const searched = await searchWords(tx, staff, q)
  return { ids: inState.where(meetsSearch(searched, 'movement')), some: someWith(staff, searched) }
}

/** A number is that of a ticket, of a member or of an account, whole; other words are beginnings of a member's. */
const isNumber = /^\d{1,18}$/

async function hasNumber(tx: Tx, staff: Staff, q: string) {
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
  return sql<boolean>`(movement.ticket = ${q}::bigint
    or movement.member_id = any(${members.map((row) => row.member_id)}::uuid[])
    or movement.account_id = any(${accounts.map((row) => row.account_id)}::uuid[]))`
}

/** Where not all are counted, no fewer than are seen: whoever turns the pages gets to the last one nevertheless. */
async function countWanted(tx: Tx, { page, limit }: Pick<Filter, 'page' | 'limit'>, { ids, some }: Wanted) {
  const total = await count(tx, (some ? ids.where('movement.member_id', 'in', some) : ids).limit(limits.countedMax))
  if (!some || total >= limits.countedMax || !(await leavesOut(tx, some))) return { total, total_is_least: false }
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

/** By the states' index alone, each no further than anybody needs to know. */
async function countByState(tx: Tx, staff: Staff, type: MovementType): Promise<Record<TransactionState, number>> {
  const counts = transactionStates.map((state) =>
    sql<number>`(select count(*)::int from (
      select from balance_transactions where workspace_id = ${staff.workspaceId}::uuid and type = ${type} and state = ${state}
      limit ${limits.countedMax}) as counted)`.as(state),
  )
  return (await tx.selectNoFrom(counts).executeTakeFirstOrThrow()) as Record<TransactionState, number>
}
