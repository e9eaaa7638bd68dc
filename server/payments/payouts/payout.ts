import { withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import { authorizeStaff, type Staff } from '../../foundation/actor.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../../foundation/errors.ts'
import { reach } from '../../foundation/failpoint.ts'
import { writeReversal } from '../../funding/crediting/intent.ts'
import { lockTransaction, moveTransaction, type TransactionRow } from '../../funding/transaction.ts'
import { notifyOwner } from '../../funding/withdrawal-notifications.ts'
import { isRepeated } from '../../money-decisions/decided-once.ts'
import { decide, definePolicy, type Mover } from '../../money-decisions/policy.ts'
import { confirmHandPayment, disputeHandPayment, isReportedPaid } from './hand-payment.ts'
import { followPayment } from './payout-decision.ts'

export const markingPaid = definePolicy({
  name: 'withdrawal.mark-paid',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'one',
  why: 'The withdrawal already has the approvals that its amount requires.',
})

export const markingFailed = definePolicy({
  name: 'withdrawal.mark-failed',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'one',
  why: 'Returns at most the debited amount to the same account.',
})

/**
 * Records that staff paid a debited withdrawal by hand; a provider's payout ends in the same function. With a reason, two
 * people record a transfer that was made although the identity is missing or withdrawals are held.
 */
export async function markPaidOut(
  staff: Staff,
  transactionId: string,
  reference: string,
  reason?: string,
): Promise<void> {
  authorizeStaff(staff, markingPaid.right)
  await inTransaction(staff, async (tx) => {
    const withdrawal = await lockDebited(tx, staff, transactionId)
    if (!withdrawal) return
    const decider = reason
      ? await confirmHandPayment(tx, staff, withdrawal, { reference, reason })
      : await decide(tx, staff, markingPaid, { memberId: withdrawal.member_id })
    if (!decider) return
    await followPayment(tx, decider, withdrawal, reason ? 'recorded' : 'paid')
    await recordPaidOut(tx, decider, withdrawal, reference)
    await reach('payout.before-commit')
  })
  await reach('payout.committed')
}

/** Two people say so if a colleague recorded that it was paid by hand, one otherwise. */
export async function markPayoutFailed(staff: Staff, transactionId: string, note: string): Promise<void> {
  authorizeStaff(staff, markingFailed.right)
  await inTransaction(staff, async (tx) => {
    const withdrawal = await lockDebited(tx, staff, transactionId)
    if (!withdrawal) return
    const decider = (await isReportedPaid(tx, staff, withdrawal))
      ? await disputeHandPayment(tx, staff, withdrawal, note)
      : await decide(tx, staff, markingFailed, { memberId: withdrawal.member_id })
    if (!decider) return
    await followPayment(tx, decider, withdrawal, 'declined')
    await recordPayoutFailed(tx, decider, withdrawal, note)
    await reach('return.before-commit')
  })
  await reach('return.committed')
  staff.context.jobs.wake('funding.settle-intent')
}

/** The row must be locked and `paying`; `reference` identifies the payment at the bank or provider. */
export async function recordPaidOut(
  tx: Tx,
  actor: Mover,
  withdrawal: TransactionRow,
  reference: string,
): Promise<void> {
  await moveTransaction(tx, actor, withdrawal, {
    to: 'approved',
    event: 'withdrawal.paid-out',
    note: reference,
    set: { paid_at: actor.context.clock.now(), payout_reference: reference },
  })
  await notifyOwner(tx, actor, withdrawal.transaction_id, { what: 'paid', reference })
}

/** Reverses the debit through an intent of its own, exactly once like the debit. */
export async function recordPayoutFailed(
  tx: Tx,
  actor: Mover,
  withdrawal: TransactionRow,
  note: string,
): Promise<void> {
  const set = { rejection_note: note }
  await moveTransaction(tx, actor, withdrawal, { to: 'returning', event: 'withdrawal.payout-failed', note, set })
  await writeReversal(tx, actor, withdrawal)
}

async function lockDebited(tx: Tx, staff: Staff, transactionId: string): Promise<TransactionRow | null> {
  const withdrawal = await lockTransaction(tx, staff, transactionId)
  if (withdrawal.type !== 'withdrawal') refuseNotFound()
  if (await isRepeated(tx, staff, withdrawal.member_id)) return null
  if (withdrawal.state !== 'paying') refuse('illegal_move', withdrawalDeskTexts.notPayable)
  return withdrawal
}
