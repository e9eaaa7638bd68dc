import { deskTexts } from '@atrium/contract/desk-texts.ts'
import type { RejectionReason } from '@atrium/contract/funding.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { reach } from '../foundation/failpoint.ts'
import { followDecision } from '../payment-providers/desk-decision.ts'
import { tellDepositor } from './deposit-notices.ts'
import { writeIntent } from './intent.ts'
import { lockTransaction, moveTransaction, type TransactionRow } from './transaction.ts'

/**
 * Approves a pending deposit: from here on a job credits the account on its platform. The decision, the intent to credit
 * and the job are one commit, so a crash leaves either a pending deposit or one that will be credited.
 */
export async function approveDeposit(staff: Staff, transactionId: string): Promise<void> {
  authorizeStaff(staff, 'money.decide')
  await inTransaction(staff, async (tx) => {
    const deposit = await lockTransaction(tx, staff, transactionId)
    mustBeUndecided(deposit)
    const decided = { decided_by: staff.staffId, decided_at: staff.ground.clock.now() }
    await moveTransaction(tx, staff, deposit, { to: 'crediting', event: 'deposit.approved-by-desk', set: decided })
    await writeIntent(tx, staff, deposit)
    await followDecision(tx, staff, deposit, 'paid')
    reach('approval.before-commit')
  })
  reach('approval.committed')
  staff.ground.jobs.wake('funding.settle-intent')
}

type Rejection = { reason: RejectionReason; note?: string | undefined }

export async function rejectDeposit(staff: Staff, transactionId: string, rejection: Rejection): Promise<void> {
  authorizeStaff(staff, 'money.decide')
  await inTransaction(staff, async (tx) => {
    const deposit = await lockTransaction(tx, staff, transactionId)
    mustBeUndecided(deposit)
    const note = rejection.note === '' ? null : (rejection.note ?? null)
    const decided = { decided_by: staff.staffId, decided_at: staff.ground.clock.now() }
    await moveTransaction(tx, staff, deposit, {
      to: 'rejected',
      event: 'deposit.rejected',
      note,
      set: { ...decided, rejection_reason: rejection.reason, rejection_note: note },
    })
    await followDecision(tx, staff, deposit, 'declined')
    await tellDepositor(tx, staff, transactionId, { what: 'rejected', reason: rejection.reason })
  })
}

/** Staff decide on what is pending and on nothing else: what is being credited or checked is in the platform's hands. */
function mustBeUndecided(row: TransactionRow): void {
  if (row.type !== 'deposit') refuseNotFound()
  if (row.state !== 'pending') refuse('illegal_move', deskTexts.decidedAlready)
}
