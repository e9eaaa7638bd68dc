import {
  mayMove,
  type RejectionReason,
  rejectionReasons,
  type TransactionState,
} from '@atrium/contract/funding/states.ts'
import { providerPrefix } from '@atrium/contract/payments/orders.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { type WithdrawalReason, withdrawalReasons } from '@atrium/contract/withdrawals/calls.ts'
import type { Selectable } from 'kysely'
import type { Actor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { BalanceTransactions } from '../foundation/database/database.generated.ts'
import type { Tx } from '../foundation/database/database.ts'
import { assertState, refuse, refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { type Mover, requirePermit } from '../money-decisions/policy.ts'

export type TransactionRow = Selectable<BalanceTransactions>

/** The provider's report about an ended payout, in the desk's timeline only: the member's withdrawal is over. */
export const reportAfterEnd = 'withdrawal.report-after-end'

/** Events that members do not see. */
export const deskEvents = [reportAfterEnd, 'deposit.outcome-decided', 'withdrawal.outcome-decided'] as const

/** The events of a transaction's timeline. */
export type TransactionEvent =
  | 'deposit.requested'
  | 'deposit.demo-requested'
  | 'deposit.demo-balance'
  | 'deposit.approved-once'
  | 'deposit.approved-by-desk'
  | 'deposit.rejected'
  | 'deposit.being-checked'
  | 'deposit.sent-again'
  | 'deposit.outcome-decided'
  | 'deposit.refused-by-platform'
  | 'deposit.credited'
  | 'deposit.handed-over'
  | 'deposit.paid-at-provider'
  | 'deposit.payment-try-declined'
  | 'deposit.coins-seen'
  | 'deposit.pending-at-provider'
  | 'deposit.pending-too-long'
  | 'deposit.declined-by-provider'
  | 'deposit.not-paid-in-time'
  | 'deposit.payment-differs'
  | 'deposit.cancelled'
  | 'withdrawal.requested'
  | 'withdrawal.approved-once'
  | 'withdrawal.approved-by-desk'
  | 'withdrawal.demo-balance'
  | 'withdrawal.rejected'
  | 'withdrawal.cancelled'
  | 'withdrawal.being-checked'
  | 'withdrawal.sent-again'
  | 'withdrawal.outcome-decided'
  | 'withdrawal.refused-by-platform'
  | 'withdrawal.debited'
  | 'withdrawal.payout-started'
  | 'withdrawal.sent-to-provider'
  | 'withdrawal.payout-for-staff'
  | typeof reportAfterEnd
  | 'withdrawal.paid-out'
  | 'withdrawal.payout-failed'
  | 'withdrawal.return-being-checked'
  | 'withdrawal.return-refused'
  | 'withdrawal.returned'

/**
 * Whether a deposit's provider has the money: its deposit is sent to the platform only once the payment counts, so one
 * that is pending again after a refusal is paid. A database trigger enforces the same.
 */
export const isPaidAtProvider = ({
  type,
  payment_method,
  approval_round,
}: Pick<TransactionRow, 'type' | 'payment_method' | 'approval_round'>): boolean =>
  type === 'deposit' && payment_method.startsWith(providerPrefix) && approval_round > 1

/** Why a deposit or withdrawal was refused, and what the member can do. */
export function reasonOf(row: Pick<TransactionRow, 'type' | 'rejection_reason'>) {
  if (row.type === 'withdrawal')
    return withdrawalReasons[row.rejection_reason as WithdrawalReason] ?? withdrawalReasons.withdrawal_other
  return rejectionReasons[row.rejection_reason as RejectionReason] ?? rejectionReasons.other
}

/** Locks the row for a decision: a concurrent decision waits here and then sees the first one's result. */
export async function lockTransaction(tx: Tx, actor: Actor, transactionId: string): Promise<TransactionRow> {
  const row = await tx
    .selectFrom('balance_transactions')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('transaction_id', '=', transactionId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? refuseNotFound()
}

type Move = {
  to: TransactionState
  event: TransactionEvent
  note?: string | null
  set?: Partial<
    Pick<
      TransactionRow,
      | 'platform_ticket'
      | 'rejection_reason'
      | 'rejection_note'
      | 'decided_by'
      | 'decided_at'
      | 'approval_round'
      | 'debited_at'
      | 'paid_at'
      | 'payout_reference'
    >
  >
}

/** The only function that sets a transaction's state: along the transition table, with timeline and audit entries. */
export async function moveTransaction(tx: Tx, actor: Mover, row: TransactionRow, move: Move): Promise<void> {
  requirePermit(actor, row.member_id)
  const from = row.state as TransactionState
  if (!mayMove(row.type, from, move.to)) refuse('illegal_move', deskTexts.decidedAlready)
  const moved = await tx
    .updateTable('balance_transactions')
    .set({ ...move.set, state: move.to })
    .where('workspace_id', '=', actor.workspaceId)
    .where('transaction_id', '=', row.transaction_id)
    .where('state', '=', from)
    .executeTakeFirst()
  assertState(moved.numUpdatedRows === 1n, 'a locked transaction did not move')
  await recordEvent(tx, actor, row, move.event, move.note)
  await audit(tx, actor, {
    action: move.event,
    subject: { kind: 'balance_transaction', id: row.transaction_id },
    memberId: row.member_id,
    before: { state: from },
    after: { state: move.to, ...move.set },
  })
}

type EventSubject = Pick<TransactionRow, 'transaction_id' | 'member_id'>

export async function recordEvent(
  tx: Tx,
  actor: Actor,
  subject: EventSubject,
  event: TransactionEvent,
  note?: string | null,
): Promise<void> {
  await tx
    .insertInto('transaction_events')
    .values({
      workspace_id: actor.workspaceId,
      event_id: newId(),
      transaction_id: subject.transaction_id,
      member_id: subject.member_id,
      at: actor.context.clock.now(),
      event,
      actor_kind: actor.kind,
      staff_id: actor.kind === 'staff' ? actor.staffId : null,
      note: note ?? null,
    })
    .execute()
}
