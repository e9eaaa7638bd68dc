import { isMore } from '@atrium/contract/money/money.ts'
import type { WithdrawalReason } from '@atrium/contract/withdrawals/calls.ts'
import { withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import { authorizeStaff, type Staff, type System } from '../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { reach } from '../foundation/failpoint.ts'
import { writeDebit } from '../funding/crediting/intent.ts'
import { isInOtherKind } from '../funding/group-kind.ts'
import { isClosedAccount } from '../funding/own-account.ts'
import { refuseUnpayable } from '../funding/payable.ts'
import { lockTransaction, moveTransaction, type TransactionRow } from '../funding/transaction.ts'
import { describeApprovalSubject, recordFirstApproval } from '../funding/transaction-approvals.ts'
import { readPlatformAccountMetrics } from '../funding/withdrawable.ts'
import { notifyOwner } from '../funding/withdrawal-notifications.ts'
import { recordApprovals } from '../money-decisions/approvals.ts'
import { isRepeated } from '../money-decisions/decided-once.ts'
import { decideByAmount, decideRejection, definePolicy } from '../money-decisions/policy.ts'

export const approvingWithdrawal = definePolicy({
  name: 'withdrawal.approve',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'by-amount',
})

export const rejectingWithdrawal = definePolicy({
  name: 'withdrawal.reject',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'one',
  why: 'Nothing is paid; the reserved amount is available again.',
})

/**
 * Approves a pending withdrawal; above the workspace's limit the first approval is recorded, and the second starts the
 * debit, whose intent and job are in the same commit. The platform's metrics are checked before, and the platform
 * refuses the debit itself if they have changed (`refuseIfMarginTooLow`).
 */
export async function approveWithdrawal(staff: Staff, transactionId: string, seen?: number): Promise<void> {
  authorizeStaff(staff, approvingWithdrawal.right)
  await refuseUncovered(staff, transactionId)
  await inTransaction(staff, async (tx) => {
    const withdrawal = await lockUndecided(tx, staff, transactionId)
    if (!withdrawal) return
    // Staff cannot approve a withdrawal that they requested for the member.
    if (withdrawal.asked_by === staff.staffId) refuse('not_permitted', withdrawalDeskTexts.ownRequest)
    await refuseUnpayable(tx, staff, withdrawal)
    const counted = await describeApprovalSubject(tx, staff, withdrawal)
    const decider = await decideByAmount(tx, staff, approvingWithdrawal, { ...counted, seen })
    await recordApprovals(tx, staff, withdrawal, [staff.staffId])
    if (!decider) return recordFirstApproval(tx, staff, withdrawal)
    const decided = { decided_by: staff.staffId, decided_at: staff.context.clock.now() }
    await moveTransaction(tx, decider, withdrawal, {
      to: 'debiting',
      event: 'withdrawal.approved-by-desk',
      set: decided,
    })
    await writeDebit(tx, decider, withdrawal)
    await notifyOwner(tx, staff, withdrawal.transaction_id, { what: 'approved' })
    await reach('approval.before-commit')
  })
  await reach('approval.committed')
  staff.context.jobs.wake('funding.settle-intent')
}

type Rejection = { seen?: number | undefined; reason: WithdrawalReason; note?: string | undefined }

export async function rejectWithdrawal(staff: Staff, transactionId: string, rejection: Rejection): Promise<void> {
  authorizeStaff(staff, rejectingWithdrawal.right)
  await inTransaction(staff, async (tx) => {
    const withdrawal = await lockUndecided(tx, staff, transactionId)
    if (!withdrawal) return
    const subject = { ...(await describeApprovalSubject(tx, staff, withdrawal)), seen: rejection.seen }
    const decider = await decideRejection(tx, staff, rejectingWithdrawal, subject)
    const note = rejection.note === '' ? null : (rejection.note ?? null)
    const decided = { decided_by: staff.staffId, decided_at: staff.context.clock.now() }
    await moveTransaction(tx, decider, withdrawal, {
      to: 'rejected',
      event: 'withdrawal.rejected',
      note,
      set: { ...decided, rejection_reason: rejection.reason, rejection_note: note },
    })
    await notifyOwner(tx, staff, transactionId, { what: 'rejected', reason: rejection.reason, note })
  })
}

/** Withdrawals of demo funds need no decision and are debited immediately. */
export async function debitDemo(system: System, transactionId: string): Promise<void> {
  await inTransaction(system, async (tx) => {
    const withdrawal = await lockTransaction(tx, system, transactionId)
    if (withdrawal.type !== 'withdrawal' || withdrawal.state !== 'pending') return
    const account = await readAccount(tx, system, withdrawal)
    // After a refusal by the platform it waits at the desk like any other.
    if (account.live_account || withdrawal.approval_round > 1) return
    // So does one of an account whose money may be real by now.
    if (await isInOtherKind(tx, system, withdrawal.account_id)) return
    await moveTransaction(tx, system, withdrawal, { to: 'debiting', event: 'withdrawal.demo-balance' })
    await writeDebit(tx, system, withdrawal)
  })
  system.context.jobs.wake('funding.settle-intent')
}

/** Staff decide pending withdrawals only: one that is being debited or verified depends on the platform. */
async function lockUndecided(tx: Tx, staff: Staff, transactionId: string): Promise<TransactionRow | null> {
  const withdrawal = await lockTransaction(tx, staff, transactionId)
  if (withdrawal.type !== 'withdrawal') refuseNotFound()
  if (await isRepeated(tx, staff, withdrawal.member_id)) return null
  if (withdrawal.state !== 'pending') refuse('illegal_move', withdrawalDeskTexts.decidedAlready)
  return withdrawal
}

/** Checks the cover outside of any transaction; if the withdrawal is decided meanwhile, the lock detects it. */
async function refuseUncovered(staff: Staff, transactionId: string): Promise<void> {
  const asked = await reading(staff, async (tx) => {
    const row = await tx
      .selectFrom('balance_transactions')
      .select(['account_id', 'amount', 'type', 'state'])
      .where('workspace_id', '=', staff.workspaceId)
      .where('transaction_id', '=', transactionId)
      .executeTakeFirst()
    if (row?.type !== 'withdrawal') refuseNotFound()
    // Of a closed account the decision itself says why it is refused.
    if (row.state !== 'pending' || (await isClosedAccount(tx, staff, row.account_id))) return null
    return { withdrawal: row, account: await readAccount(tx, staff, row) }
  })
  if (!asked) return
  const { withdrawal, account } = asked
  const metrics = await readPlatformAccountMetrics(staff, account)
  if (!metrics) refuse('unavailable', withdrawalDeskTexts.platformSilent)
  if (isMore(withdrawal.amount, metrics.spendable)) refuse('conflict', withdrawalDeskTexts.notCovered)
}

function readAccount(tx: Tx, actor: Staff | System, { account_id }: Pick<TransactionRow, 'account_id'>) {
  return tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'platform_id', 'platform_login', 'live_account'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
}
