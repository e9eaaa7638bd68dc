import type { CallAnswer } from '@atrium/contract/call.ts'
import type { DeskWithdrawal, DeskWithdrawalRow, listWithdrawals } from '@atrium/contract/desk-withdrawals.ts'
import { type TransactionState, transactionStates } from '@atrium/contract/funding.ts'
import { subtractAmounts, toScale } from '@atrium/contract/money.ts'
import { type WithdrawalReason, withdrawalReasons } from '@atrium/contract/withdrawals.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Staff } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { readTimeline } from './desk-queries.ts'

type Filter = z.output<(typeof listWithdrawals)['input']>
type WithdrawalList = Omit<CallAnswer<typeof listWithdrawals>, 'status'>

function selectRows(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('balance_transactions as withdrawal')
    .innerJoin('members as member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'withdrawal.workspace_id')
        .onRef('member.member_id', '=', 'withdrawal.member_id'),
    )
    .innerJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'withdrawal.workspace_id')
        .onRef('account.account_id', '=', 'withdrawal.account_id'),
    )
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'account.workspace_id')
        .onRef('platform.platform_id', '=', 'account.platform_id'),
    )
    .where('withdrawal.workspace_id', '=', staff.workspaceId)
    .where('withdrawal.type', '=', 'withdrawal')
}

const rowColumns = [
  'withdrawal.transaction_id',
  'withdrawal.ticket',
  'withdrawal.state',
  'withdrawal.amount',
  'withdrawal.fee',
  'withdrawal.currency',
  'withdrawal.created_at',
  'withdrawal.payment_method',
  'withdrawal.platform_ticket',
  'withdrawal.destination',
  'withdrawal.approvals_needed',
  'member.member_id',
  'member.first_name',
  'member.last_name',
  'member.customer_number',
  'account.account_id',
  'account.platform_login',
  'account.live_account',
  'platform.type as platform_type',
] as const

/** Of the round that counts: who had approved before the platform refused is asked anew. */
const approvals = sql<number>`(select count(*)::int from withdrawal_approvals as approval
  where approval.workspace_id = withdrawal.workspace_id and approval.transaction_id = withdrawal.transaction_id
    and approval.round = withdrawal.approval_round)`.as('approvals')

type Selected = Awaited<ReturnType<typeof selectSome>>[number]
const selectSome = (tx: Tx, staff: Staff) => selectRows(tx, staff).select(rowColumns).select(approvals).execute()

function shapeRow(row: Selected): DeskWithdrawalRow {
  const { currency } = row
  return {
    _id: row.transaction_id,
    ticket: row.ticket,
    state: row.state as TransactionState,
    amount: toScale(row.amount, currency),
    fee: toScale(row.fee, currency),
    net: toScale(subtractAmounts(row.amount, row.fee), currency),
    currency,
    created_at: row.created_at.getTime(),
    member: { _id: row.member_id, name: `${row.first_name} ${row.last_name}`, customer_number: row.customer_number },
    account: {
      _id: row.account_id,
      platform_login: row.platform_login,
      platform_type: row.platform_type,
      live_account: row.live_account,
    },
    payment_method: row.payment_method,
    platform_ticket: row.platform_ticket,
    destination: row.destination,
    approvals: row.approvals,
    approvals_needed: row.approvals_needed,
  }
}

/** The desk's queue of withdrawals: filtered, searched, paged, with the number in each state beside it. */
export function listDeskWithdrawals(staff: Staff, filter: Filter): Promise<WithdrawalList> {
  return reading(staff, async (tx) => {
    let rows = selectRows(tx, staff)
    if (filter.state) rows = rows.where('withdrawal.state', '=', filter.state)
    if (filter.q) rows = rows.where(matches(filter.q))
    const { total } = await rows.select(sql<string>`count(*)`.as('total')).executeTakeFirstOrThrow()
    const direction = filter.order === 'oldest' ? 'asc' : 'desc'
    const page = await rows
      .select(rowColumns)
      .select(approvals)
      .orderBy('withdrawal.created_at', direction)
      .orderBy('withdrawal.transaction_id', direction)
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit)
      .execute()
    return { withdrawals: page.map(shapeRow), total: Number(total), counts: await countByState(tx, staff) }
  })
}

/** By ticket, customer number, login, or a part of the name. */
function matches(q: string) {
  const contains = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(withdrawal.ticket::text = ${q} or member.customer_number = ${q} or account.platform_login = ${q}
    or (member.first_name || ' ' || member.last_name) ilike ${contains})`
}

async function countByState(tx: Tx, staff: Staff): Promise<Record<TransactionState, number>> {
  const counted = await tx
    .selectFrom('balance_transactions')
    .select(['state', sql<string>`count(*)`.as('total')])
    .where('workspace_id', '=', staff.workspaceId)
    .where('type', '=', 'withdrawal')
    .groupBy('state')
    .execute()
  const totals = new Map(counted.map((row) => [row.state, Number(row.total)]))
  const entries = transactionStates.map((state) => [state, totals.get(state) ?? 0])
  return Object.fromEntries(entries) as Record<TransactionState, number>
}

/** One withdrawal with everything that a decision needs: where it goes, who approved it, and where its debit stands. */
export function readDeskWithdrawal(staff: Staff, transactionId: string): Promise<DeskWithdrawal> {
  return reading(staff, async (tx) => {
    const row = await selectRows(tx, staff)
      .select([...rowColumns, 'withdrawal.comment', 'withdrawal.destination_text', 'withdrawal.coin'])
      .select(['withdrawal.payout_reference', 'withdrawal.rejection_reason', 'withdrawal.rejection_note'])
      .select('withdrawal.approval_round')
      .select(approvals)
      .where('withdrawal.transaction_id', '=', transactionId)
      .executeTakeFirst()
    if (!row) refuseNotFound()
    const given = row.rejection_reason
    const reason =
      given === null || given in withdrawalReasons ? (given as WithdrawalReason | null) : 'withdrawal_other'
    return {
      ...shapeRow(row),
      comment: row.comment,
      destination_text: row.destination_text,
      coin: row.coin,
      payout_reference: row.payout_reference,
      rejection: reason ? { reason, note: row.rejection_note } : null,
      approved_by: await readApprovals(tx, staff, { transactionId, round: row.approval_round }),
      timeline: await readTimeline(tx, staff, transactionId),
      platform: await readIntent(tx, staff, transactionId),
    }
  })
}

type Round = { transactionId: string; round: number }

async function readApprovals(
  tx: Tx,
  staff: Staff,
  { transactionId, round }: Round,
): Promise<DeskWithdrawal['approved_by']> {
  const rows = await tx
    .selectFrom('withdrawal_approvals as approval')
    .innerJoin('staff_users as colleague', (join) =>
      join
        .onRef('colleague.workspace_id', '=', 'approval.workspace_id')
        .onRef('colleague.staff_id', '=', 'approval.staff_id'),
    )
    .select(['approval.staff_id', 'approval.approved_at', 'colleague.name'])
    .where('approval.workspace_id', '=', staff.workspaceId)
    .where('approval.transaction_id', '=', transactionId)
    .where('approval.round', '=', round)
    .orderBy('approval.approved_at')
    .execute()
  return rows.map((row) => ({
    name: row.name,
    at: row.approved_at.getTime(),
    is_you: row.staff_id === staff.staffId,
  }))
}

async function readIntent(tx: Tx, staff: Staff, transactionId: string): Promise<DeskWithdrawal['platform']> {
  const row = await tx
    .selectFrom('platform_intents')
    .select(['state', 'attempt', 'tag', 'last_problem', 'amount'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('transaction_id', '=', transactionId)
    .orderBy('intent_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const { amount, ...rest } = row
  return { ...rest, kind: amount.startsWith('-') ? 'debit' : 'credit-back' }
}
