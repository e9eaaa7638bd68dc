import type { RejectionReason } from '@atrium/contract/funding/states.ts'
import { exceptionTexts, uncreditableTexts } from '@atrium/contract/payments/exceptions.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { reach } from '../foundation/failpoint.ts'
import { writeIntent } from '../funding/crediting/intent.ts'
import { notifyDepositor } from '../funding/deposit-notifications.ts'
import { creditObstacle, holdsRealMoney } from '../funding/group-kind.ts'
import { refuseUnverifiedDeposit } from '../funding/identity-rule.ts'
import { isPaidAtProvider, lockTransaction, moveTransaction, type TransactionRow } from '../funding/transaction.ts'
import { describeApprovalSubject, recordFirstApproval } from '../funding/transaction-approvals.ts'
import { recordApprovals } from '../money-decisions/approvals.ts'
import { isRepeated } from '../money-decisions/decided-once.ts'
import { decideByAmount, decideRejection, definePolicy } from '../money-decisions/policy.ts'
import { followDecision, refuseAtProvider } from '../payments/desk-decision.ts'

export const approvingDeposit = definePolicy({
  name: 'deposit.approve',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'by-amount',
})

export const rejectingDeposit = definePolicy({
  name: 'deposit.reject',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'one',
  why: 'Nothing is credited; the member can request it again.',
})

/**
 * Approves a pending deposit; above the workspace's threshold the first approval is recorded and the second schedules
 * the credit. Decision, credit intent and job are one commit, so a crash leaves either a pending deposit or one that
 * will be credited.
 */
export async function approveDeposit(staff: Staff, transactionId: string, seen?: number): Promise<void> {
  authorizeStaff(staff, approvingDeposit.right)
  await inTransaction(staff, async (tx) => {
    const deposit = await lockUndecided(tx, staff, transactionId)
    if (!deposit) return
    await refuseUncreditable(tx, staff, deposit)
    const counted = await describeApprovalSubject(tx, staff, deposit)
    const { member_id: memberId, amount, currency } = deposit
    if (counted.isLive) await refuseUnverifiedDeposit(tx, staff, { memberId, amount, currency, except: transactionId })
    const decider = await decideByAmount(tx, staff, approvingDeposit, { ...counted, seen })
    if (!decider) await refuseAtProvider(tx, staff, deposit)
    await recordApprovals(tx, staff, deposit, [staff.staffId])
    if (!decider) return recordFirstApproval(tx, staff, deposit)
    const decided = { decided_by: staff.staffId, decided_at: staff.context.clock.now() }
    await moveTransaction(tx, decider, deposit, { to: 'crediting', event: 'deposit.approved-by-desk', set: decided })
    await writeIntent(tx, decider, deposit)
    await followDecision(tx, decider, deposit, 'paid')
    await reach('approval.before-commit')
  })
  await reach('approval.committed')
  staff.context.jobs.wake('funding.settle-intent')
}

/** A provider's money is refunded under Payments; the deposit cannot be rejected. */
async function refuseUncreditable(tx: Tx, staff: Staff, deposit: TransactionRow): Promise<void> {
  // Demo funds that the platform refused before.
  if (deposit.payment_method === 'demo' && (await holdsRealMoney(tx, staff, deposit.account_id)))
    refuse('conflict', deskTexts.depositAccountInLiveGroup)
  const why = await creditObstacle(tx, staff, deposit.account_id)
  if (!why) return
  refuse('conflict', isPaidAtProvider(deposit) ? uncreditableTexts[why] : rejectableTexts[why])
}

const rejectableTexts = {
  account_closed: deskTexts.depositAccountClosed,
  account_in_demo_group: deskTexts.depositAccountInDemoGroup,
}

type Rejection = { seen?: number | undefined; reason: RejectionReason; note?: string | undefined }

export async function rejectDeposit(staff: Staff, transactionId: string, rejection: Rejection): Promise<void> {
  authorizeStaff(staff, rejectingDeposit.right)
  await inTransaction(staff, async (tx) => {
    const deposit = await lockUndecided(tx, staff, transactionId)
    if (!deposit) return
    const subject = { ...(await describeApprovalSubject(tx, staff, deposit)), seen: rejection.seen }
    const decider = await decideRejection(tx, staff, rejectingDeposit, subject)
    if (isPaidAtProvider(deposit)) refuse('illegal_move', exceptionTexts.paidAtProvider)
    const note = rejection.note === '' ? null : (rejection.note ?? null)
    const decided = { decided_by: staff.staffId, decided_at: staff.context.clock.now() }
    await moveTransaction(tx, decider, deposit, {
      to: 'rejected',
      event: 'deposit.rejected',
      note,
      set: { ...decided, rejection_reason: rejection.reason, rejection_note: note },
    })
    await followDecision(tx, decider, deposit, 'declined')
    await notifyDepositor(tx, staff, transactionId, { what: 'rejected', reason: rejection.reason })
  })
}

/** Staff decide pending deposits only: one in state crediting or checking depends on the platform. */
async function lockUndecided(tx: Tx, staff: Staff, transactionId: string): Promise<TransactionRow | null> {
  const row = await lockTransaction(tx, staff, transactionId)
  if (row.type !== 'deposit') refuseNotFound()
  if (await isRepeated(tx, staff, row.member_id)) return null
  if (row.state !== 'pending') refuse('illegal_move', deskTexts.decidedAlready)
  return row
}
