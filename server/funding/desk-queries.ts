import type { CallAnswer } from '@atrium/contract/call.ts'
import type { deskDepositRow, listDeposits, readDeposit } from '@atrium/contract/desk.ts'
import type { RejectionReason, TransactionState } from '@atrium/contract/funding.ts'
import { transactionStates } from '@atrium/contract/funding.ts'
import { toScale } from '@atrium/contract/money.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { mediaUrl } from '../files/media.ts'
import type { Staff } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { readPayment } from '../payment-providers/desk-queries.ts'

type Filter = z.output<(typeof listDeposits)['input']>
type DepositList = Omit<CallAnswer<typeof listDeposits>, 'status'>
type DepositRow = z.output<typeof deskDepositRow>
export type DeskDeposit = CallAnswer<typeof readDeposit>['deposit']

function selectRows(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('balance_transactions as deposit')
    .innerJoin('members as member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'deposit.workspace_id')
        .onRef('member.member_id', '=', 'deposit.member_id'),
    )
    .innerJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'deposit.workspace_id')
        .onRef('account.account_id', '=', 'deposit.account_id'),
    )
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'account.workspace_id')
        .onRef('platform.platform_id', '=', 'account.platform_id'),
    )
    .where('deposit.workspace_id', '=', staff.workspaceId)
    .where('deposit.type', '=', 'deposit')
}

const rowColumns = [
  'deposit.transaction_id',
  'deposit.ticket',
  'deposit.state',
  'deposit.amount',
  'deposit.currency',
  'deposit.created_at',
  'deposit.payment_method',
  'deposit.platform_ticket',
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
const selectSome = (tx: Tx, staff: Staff) => selectRows(tx, staff).select(rowColumns).execute()

function shapeRow(row: Selected): DepositRow {
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

/** The desk's queue of deposits: filtered, searched, paged, with the number in each state beside it. */
export function listDeskDeposits(staff: Staff, filter: Filter): Promise<DepositList> {
  return reading(staff, async (tx) => {
    let rows = selectRows(tx, staff)
    if (filter.state) rows = rows.where('deposit.state', '=', filter.state)
    if (filter.q) rows = rows.where(matches(filter.q))
    const { total } = await rows.select(sql<string>`count(*)`.as('total')).executeTakeFirstOrThrow()
    const direction = filter.order === 'oldest' ? 'asc' : 'desc'
    const page = await rows
      .select(rowColumns)
      .orderBy('deposit.created_at', direction)
      .orderBy('deposit.transaction_id', direction)
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit)
      .execute()
    return { deposits: page.map(shapeRow), total: Number(total), counts: await countByState(tx, staff) }
  })
}

/** By ticket, customer number, login, or a part of the name. */
function matches(q: string) {
  const contains = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(deposit.ticket::text = ${q} or member.customer_number = ${q} or account.platform_login = ${q}
    or (member.first_name || ' ' || member.last_name) ilike ${contains})`
}

async function countByState(tx: Tx, staff: Staff): Promise<Record<TransactionState, number>> {
  const counted = await tx
    .selectFrom('balance_transactions')
    .select(['state', sql<string>`count(*)`.as('total')])
    .where('workspace_id', '=', staff.workspaceId)
    .where('type', '=', 'deposit')
    .groupBy('state')
    .execute()
  const totals = new Map(counted.map((row) => [row.state, Number(row.total)]))
  const entries = transactionStates.map((state) => [state, totals.get(state) ?? 0])
  return Object.fromEntries(entries) as Record<TransactionState, number>
}

/** One deposit with everything that a decision needs: receipts, timeline, and where its crediting stands. */
export function readDeskDeposit(staff: Staff, transactionId: string): Promise<DeskDeposit> {
  return reading(staff, async (tx) => {
    const row = await selectRows(tx, staff)
      .select([...rowColumns, 'deposit.comment', 'deposit.origin', 'deposit.destination'])
      .select(['deposit.rejection_reason', 'deposit.rejection_note'])
      .where('deposit.transaction_id', '=', transactionId)
      .executeTakeFirst()
    if (!row) refuseNotFound()
    const reason = row.rejection_reason as RejectionReason | null
    return {
      ...shapeRow(row),
      comment: row.comment,
      origin: row.origin ?? '',
      destination: row.destination ?? '',
      rejection: reason ? { reason, note: row.rejection_note } : null,
      receipts: await readReceipts(tx, staff, transactionId),
      timeline: await readTimeline(tx, staff, transactionId),
      payment: await readPayment(tx, staff, transactionId),
      crediting: await readCrediting(tx, staff, transactionId),
    }
  })
}

async function readReceipts(tx: Tx, staff: Staff, transactionId: string): Promise<DeskDeposit['receipts']> {
  const rows = await tx
    .selectFrom('transaction_attachments as attachment')
    .innerJoin('media', (join) =>
      join
        .onRef('media.workspace_id', '=', 'attachment.workspace_id')
        .onRef('media.media_id', '=', 'attachment.media_id'),
    )
    .select(['media.media_id', 'media.name', 'media.content_type', 'media.size_bytes'])
    .where('attachment.workspace_id', '=', staff.workspaceId)
    .where('attachment.transaction_id', '=', transactionId)
    .orderBy('media.media_id')
    .execute()
  return rows.map((row) => ({
    _id: row.media_id,
    name: row.name,
    type: row.content_type,
    size_bytes: Number(row.size_bytes),
    url: `/cp${mediaUrl(row)}`,
  }))
}

export async function readTimeline(tx: Tx, staff: Staff, transactionId: string): Promise<DeskDeposit['timeline']> {
  const rows = await tx
    .selectFrom('transaction_events as happened')
    .leftJoin('staff_users as colleague', (join) =>
      join
        .onRef('colleague.workspace_id', '=', 'happened.workspace_id')
        .onRef('colleague.staff_id', '=', 'happened.staff_id'),
    )
    .select(['happened.at', 'happened.event', 'happened.actor_kind', 'happened.note', 'colleague.name as staff_name'])
    .where('happened.workspace_id', '=', staff.workspaceId)
    .where('happened.transaction_id', '=', transactionId)
    .orderBy('happened.event_id')
    .execute()
  return rows.map(({ at, actor_kind, ...row }) => ({ ...row, at: at.getTime(), by: actor_kind }))
}

async function readCrediting(tx: Tx, staff: Staff, transactionId: string): Promise<DeskDeposit['crediting']> {
  const row = await tx
    .selectFrom('platform_intents')
    .select(['state', 'attempt', 'tag', 'last_problem'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('transaction_id', '=', transactionId)
    .orderBy('intent_id', 'desc')
    .executeTakeFirst()
  return row ?? null
}
