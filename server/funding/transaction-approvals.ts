import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readDeposit } from '@atrium/contract/deposits/desk-calls.ts'
import type { TransactionType } from '@atrium/contract/funding/states.ts'
import { holdsRight, staffRoles } from '@atrium/contract/staff/rights.ts'
import { sql } from 'kysely'
import type { Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { Tx } from '../foundation/database/database.ts'
import { type Round, readApprovals, readApprovers } from '../money-decisions/approvals.ts'
import {
  type ApprovalSubject,
  peopleFor,
  readEntitled,
  type SecondApproval,
} from '../money-decisions/second-approval.ts'
import { recordEvent, type TransactionRow } from './transaction.ts'

type Described = Pick<
  TransactionRow,
  'account_id' | 'member_id' | 'transaction_id' | 'approval_round' | 'type' | 'amount' | 'currency' | 'approvals_needed'
>

/** A transaction as the approval policy sees it: member, amount, and the approvers of this round. */
export async function describeApprovalSubject(tx: Tx, staff: Staff, row: Described): Promise<ApprovalSubject> {
  const account = await tx
    .selectFrom('trading_accounts')
    .select('live_account')
    .where('workspace_id', '=', staff.workspaceId)
    .where('account_id', '=', row.account_id)
    .executeTakeFirstOrThrow()
  const { member_id: memberId, amount, currency } = row
  return {
    ...{ memberId, amount, currency },
    type: row.type as TransactionType,
    isLive: account.live_account,
    approvedBy: await readApprovers(tx, staff, row),
    neededAtRequest: row.approvals_needed,
  }
}

/** Records the first of two approvals: no money moves, and the queue shows that a second one is needed. */
export async function recordFirstApproval(tx: Tx, staff: Staff, row: TransactionRow): Promise<void> {
  const action = row.type === 'deposit' ? 'deposit.approved-once' : 'withdrawal.approved-once'
  await recordEvent(tx, staff, row, action)
  await audit(tx, staff, {
    action,
    subject: { kind: 'balance_transaction', id: row.transaction_id },
    memberId: row.member_id,
    after: { round: row.approval_round, needed: 2 },
  })
}

const deciders = staffRoles.filter((role) => holdsRight(role, 'money.decide'))

/** Counts the current round as the decision does: approvals of staff who have lost the right or were locked are none. */
export const countApprovals = sql<number>`(select count(*)::int from withdrawal_approvals as approval
  join staff_users as colleague on colleague.workspace_id = approval.workspace_id and colleague.staff_id = approval.staff_id
  where approval.workspace_id = transaction.workspace_id and approval.transaction_id = transaction.transaction_id
    and approval.round = transaction.approval_round
    and (transaction.state <> 'pending' or (colleague.status = 'active' and colleague.role = any(${deciders}))))`.as(
  'approvals',
)

/** The approvals of the current round, and how many of them count. */
export async function readRound(tx: Tx, staff: Staff, row: Round & { state: string }) {
  const approved = await readApprovals(tx, staff, row)
  const ids = approved.map(({ staffId }) => staffId)
  const counted = row.state === 'pending' ? await readEntitled(tx, staff, 'money.decide', ids) : ids
  return { approved, approvals: counted.length }
}

type Listed = Pick<TransactionRow, 'state' | 'type' | 'amount' | 'currency' | 'approvals_needed'> & {
  live_account: boolean
  approvals: number
}

/** The approvals as a queue shows them to all staff. The per-person daily limit is checked at the decision only. */
export function shapeApprovals(row: Listed, settings: SecondApproval) {
  const { approvals, approvals_needed: needed, amount, currency } = row
  const type = row.type as TransactionType
  if (row.state !== 'pending' || !row.live_account) return { approvals, approvals_needed: needed }
  const now = approvals > 0 ? 2 : peopleFor(settings, { type, amount, currency })
  return { approvals, approvals_needed: Math.max(needed, now) }
}

type Approved = Awaited<ReturnType<typeof readApprovals>>

export const describeApprovals = (
  staff: Staff,
  approved: Approved,
): CallAnswer<typeof readDeposit>['deposit']['approved_by'] =>
  approved.map(({ staffId, at, name }) => ({ name, at: at.getTime(), is_you: staffId === staff.staffId }))
