import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readDeposit } from '@atrium/contract/deposits/desk-calls.ts'
import type { Scan } from '@atrium/contract/files/calls.ts'
import type { RejectionReason } from '@atrium/contract/funding/states.ts'
import { mediaUrl } from '../files/media.ts'
import { closureOf } from '../files/scanning.ts'
import type { Staff } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { shapeStuckOutcome } from '../funding/crediting/stuck-outcome.ts'
import {
  selectTransactions,
  shapeTransaction,
  transactionColumns,
  transactionMarks,
} from '../funding/desk-transactions.ts'
import { readRiskFacts } from '../funding/risk-facts.ts'
import { describeApprovalSubject, describeApprovals, readRound } from '../funding/transaction-approvals.ts'
import { countApprovalsNeeded } from '../money-decisions/second-approval.ts'
import { isSelfApproval } from '../money-decisions/self-approval.ts'
import { readPayment } from '../payments/desk-queries.ts'

export type DeskDeposit = CallAnswer<typeof readDeposit>['deposit']

/** One deposit with the data for a decision: receipts, timeline and the state of its credit. */
export function readDeskDeposit(staff: Staff, transactionId: string): Promise<DeskDeposit> {
  return reading(staff, async (tx) => {
    const row = await selectTransactions(tx, staff, 'deposit')
      .select([...transactionColumns, 'transaction.comment', 'transaction.origin', 'transaction.destination'])
      .select('transaction.destination_id')
      .select(transactionMarks)
      .select(['transaction.rejection_reason', 'transaction.rejection_note'])
      .select(['transaction.approvals_needed', 'transaction.approval_round'])
      .where('transaction.transaction_id', '=', transactionId)
      .executeTakeFirst()
    if (!row) refuseNotFound()
    const reason = row.rejection_reason as RejectionReason | null
    const { approved, approvals } = await readRound(tx, staff, row)
    return {
      ...shapeTransaction(row),
      approvals,
      approvals_needed:
        row.state === 'pending'
          ? await countApprovalsNeeded(tx, staff, await describeApprovalSubject(tx, staff, row))
          : row.approvals_needed,
      approved_by: describeApprovals(staff, approved),
      is_own: await isSelfApproval(tx, staff, row.member_id),
      risk: await readRiskFacts(tx, staff, row),
      comment: row.comment,
      origin: row.origin ?? '',
      destination: row.destination ?? '',
      rejection: reason ? { reason, note: row.rejection_note } : null,
      receipts: await readReceipts(tx, staff, transactionId),
      timeline: await readTimeline(tx, staff, transactionId),
      payment: await readPayment(tx, staff, transactionId),
      crediting: await readCrediting(tx, staff, row),
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
    .select(['media.media_id', 'media.name', 'media.content_type', 'media.size_bytes', 'media.scan'])
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
    scan: row.scan as Scan,
    ...closureOf(staff, row.scan),
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

type Credited = Parameters<typeof shapeStuckOutcome>[2]

async function readCrediting(tx: Tx, staff: Staff, deposit: Credited): Promise<DeskDeposit['crediting']> {
  const row = await tx
    .selectFrom('platform_intents')
    .select(['state', 'attempt', 'tag', 'last_problem', 'account_gone_at', 'decided_outcome'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('transaction_id', '=', deposit.transaction_id)
    .orderBy('intent_id', 'desc')
    .executeTakeFirst()
  if (!row) return null
  const { state, attempt, tag, last_problem } = row
  return { state, attempt, tag, last_problem, ...(await shapeStuckOutcome(tx, staff, deposit, row)) }
}
