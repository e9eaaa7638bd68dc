import { deskTexts } from '@atrium/contract/desk-texts.ts'
import { withdrawalDeskTexts } from '@atrium/contract/desk-withdrawals.ts'
import { isMore } from '@atrium/contract/money.ts'
import type { WithdrawalReason } from '@atrium/contract/withdrawals.ts'
import { authorizeStaff, type Staff, type System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { reach } from '../foundation/failpoint.ts'
import { writeDebit } from './intent.ts'
import { isOwnMoney } from './own-money.ts'
import { lockTransaction, moveTransaction, recordEvent, type TransactionRow } from './transaction.ts'
import { readPlatformFigures } from './withdrawable.ts'
import { tellOwner } from './withdrawal-mails.ts'

/**
 * Approves a pending withdrawal. Above the workspace's limit it takes two people: the first is written down, the second
 * sends it on. The decision, the intent to debit and its job are one commit; what is free is asked of the platform before,
 * and the platform refuses the debit itself should that have changed (`refuseIfMarginTooLow`).
 */
export async function approveWithdrawal(staff: Staff, transactionId: string): Promise<void> {
  authorizeStaff(staff, 'money.decide')
  await refuseUncovered(staff, transactionId)
  await inTransaction(staff, async (tx) => {
    const withdrawal = await lockUndecided(tx, staff, transactionId)
    await refuseOwn(tx, staff, withdrawal)
    const approvals = await addApproval(tx, staff, withdrawal)
    if (approvals < withdrawal.approvals_needed) return recordFirst(tx, staff, withdrawal)
    const decided = { decided_by: staff.staffId, decided_at: staff.ground.clock.now() }
    await moveTransaction(tx, staff, withdrawal, { to: 'debiting', event: 'withdrawal.approved-by-desk', set: decided })
    await writeDebit(tx, staff, withdrawal)
    await tellOwner(tx, staff, withdrawal.transaction_id, { what: 'approved' })
    reach('approval.before-commit')
  })
  reach('approval.committed')
  staff.ground.jobs.wake('funding.settle-intent')
}

type Rejection = { reason: WithdrawalReason; note?: string | undefined }

export async function rejectWithdrawal(staff: Staff, transactionId: string, rejection: Rejection): Promise<void> {
  authorizeStaff(staff, 'money.decide')
  await inTransaction(staff, async (tx) => {
    const withdrawal = await lockUndecided(tx, staff, transactionId)
    const note = rejection.note === '' ? null : (rejection.note ?? null)
    const decided = { decided_by: staff.staffId, decided_at: staff.ground.clock.now() }
    await moveTransaction(tx, staff, withdrawal, {
      to: 'rejected',
      event: 'withdrawal.rejected',
      note,
      set: { ...decided, rejection_reason: rejection.reason, rejection_note: note },
    })
    await tellOwner(tx, staff, transactionId, { what: 'rejected', reason: rejection.reason, note })
  })
}

/** A demo account's is nobody's decision: play money moves at once. */
export async function debitDemo(system: System, transactionId: string): Promise<void> {
  await inTransaction(system, async (tx) => {
    const withdrawal = await lockTransaction(tx, system, transactionId)
    if (withdrawal.type !== 'withdrawal' || withdrawal.state !== 'pending') return
    const account = await readAccount(tx, system, withdrawal)
    // The platform may have refused it: then it waits for the desk like any other.
    if (account.live_account || withdrawal.approval_round > 1) return
    await moveTransaction(tx, system, withdrawal, { to: 'debiting', event: 'withdrawal.demo-balance' })
    await writeDebit(tx, system, withdrawal)
  })
  system.ground.jobs.wake('funding.settle-intent')
}

/** Staff decide on what is pending and on nothing else: what is being debited or checked is in the platform's hands. */
async function lockUndecided(tx: Tx, staff: Staff, transactionId: string): Promise<TransactionRow> {
  const withdrawal = await lockTransaction(tx, staff, transactionId)
  if (withdrawal.type !== 'withdrawal') refuseNotFound()
  if (withdrawal.state !== 'pending') refuse('illegal_move', deskTexts.decidedAlready)
  return withdrawal
}

/** Asked outside of any transaction, of a withdrawal that may be decided meanwhile: then the lock says so. */
async function refuseUncovered(staff: Staff, transactionId: string): Promise<void> {
  const { withdrawal, account } = await reading(staff, async (tx) => {
    const row = await tx
      .selectFrom('balance_transactions')
      .select(['account_id', 'amount', 'type', 'state'])
      .where('workspace_id', '=', staff.workspaceId)
      .where('transaction_id', '=', transactionId)
      .executeTakeFirst()
    if (row?.type !== 'withdrawal') refuseNotFound()
    if (row.state !== 'pending') refuse('illegal_move', deskTexts.decidedAlready)
    return { withdrawal: row, account: await readAccount(tx, staff, row) }
  })
  const figures = await readPlatformFigures(staff, account)
  if (!figures) refuse('unavailable', withdrawalDeskTexts.platformSilent)
  if (isMore(withdrawal.amount, figures.spendable)) refuse('conflict', withdrawalDeskTexts.notCovered)
}

function readAccount(tx: Tx, actor: Staff | System, { account_id }: Pick<TransactionRow, 'account_id'>) {
  return tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'platform_id', 'platform_login', 'live_account'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
}

/** Nobody decides over what they asked for, nor over their own money where they are a client too. */
async function refuseOwn(tx: Tx, staff: Staff, withdrawal: TransactionRow): Promise<void> {
  if (withdrawal.asked_by === staff.staffId) refuse('not_permitted', withdrawalDeskTexts.ownRequest)
  if (await isOwnMoney(tx, staff, withdrawal.member_id)) refuse('not_permitted', withdrawalDeskTexts.ownRequest)
}

/** Answers how many people have approved in this round. The row is locked, so two at once are counted one after the other. */
async function addApproval(tx: Tx, staff: Staff, withdrawal: TransactionRow): Promise<number> {
  const { transaction_id, approval_round: round } = withdrawal
  const before = await tx
    .selectFrom('withdrawal_approvals')
    .select('staff_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('transaction_id', '=', transaction_id)
    .where('round', '=', round)
    .execute()
  if (before.some(({ staff_id }) => staff_id === staff.staffId))
    refuse('illegal_move', withdrawalDeskTexts.approvedByYou)
  const approved_at = staff.ground.clock.now()
  await tx
    .insertInto('withdrawal_approvals')
    .values({ workspace_id: staff.workspaceId, transaction_id, round, staff_id: staff.staffId, approved_at })
    .execute()
  return before.length + 1
}

async function recordFirst(tx: Tx, staff: Staff, withdrawal: TransactionRow): Promise<void> {
  await recordEvent(tx, staff, withdrawal, 'withdrawal.approved-once')
  await audit(tx, staff, {
    action: 'withdrawal.approved-once',
    subject: { kind: 'balance_transaction', id: withdrawal.transaction_id },
    memberId: withdrawal.member_id,
    after: { round: withdrawal.approval_round, needed: withdrawal.approvals_needed },
  })
}
