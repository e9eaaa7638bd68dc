import { type TransactionState, transactionStates } from '@atrium/contract/funding.ts'
import { toScale } from '@atrium/contract/money.ts'
import { sql } from 'kysely'
import type { Staff } from '../foundation/actor.ts'
import { containing } from '../foundation/containing.ts'
import type { Tx } from '../foundation/database.ts'
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
  const rows = whereWanted(selectMovements(tx, staff, type), filter)
  const { total } = await rows.select(sql<string>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const direction = filter.order === 'oldest' ? 'asc' : 'desc'
  const page = rows
    .orderBy('movement.created_at', direction)
    .orderBy('movement.transaction_id', direction)
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
  return { page, total: Number(total), counts: await countByState(tx, staff, type) }
}

type Movements = ReturnType<typeof selectMovements>

export function whereWanted(rows: Movements, { state, q }: Pick<Filter, 'state' | 'q'>): Movements {
  const inState = state ? rows.where('movement.state', '=', state) : rows
  return q ? inState.where(matches(q)) : inState
}

/** By ticket, customer number, login, or a part of the name. */
function matches(q: string) {
  const contains = containing(q)
  return sql<boolean>`(movement.ticket::text = ${q} or member.customer_number = ${q} or account.platform_login = ${q}
    or (member.first_name || ' ' || member.last_name) ilike ${contains})`
}

async function countByState(tx: Tx, staff: Staff, type: MovementType): Promise<Record<TransactionState, number>> {
  const counted = await tx
    .selectFrom('balance_transactions')
    .select(['state', sql<string>`count(*)`.as('total')])
    .where('workspace_id', '=', staff.workspaceId)
    .where('type', '=', type)
    .groupBy('state')
    .execute()
  const totals = new Map(counted.map((row) => [row.state, Number(row.total)]))
  const entries = transactionStates.map((state) => [state, totals.get(state) ?? 0])
  return Object.fromEntries(entries) as Record<TransactionState, number>
}
