import type { TransactionType } from '@atrium/contract/funding/states.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff } from '../../foundation/actor.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../../foundation/errors.ts'
import { decide, definePolicy } from '../../money-decisions/policy.ts'
import { scheduleStep } from './intent.ts'
import { type Intent, moveIntent } from './intent-moves.ts'

const retry = {
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'one',
  why: 'It is already approved. Only the platform’s history is queried, and nothing new is sent.',
} as const

export const retryingDeposit = definePolicy({ name: 'deposit.retry-stuck', ...retry })
export const retryingWithdrawal = definePolicy({ name: 'withdrawal.retry-stuck', ...retry })

const policies = { deposit: retryingDeposit, withdrawal: retryingWithdrawal }

/**
 * Resumes a stuck credit or debit after staff have corrected the ambiguity on the platform. It resumes as an unknown
 * outcome, so the account's history is read first, and the limit on resends still applies.
 */
export async function lookUpAgain(
  staff: Staff,
  transactionId: string,
  type: TransactionType = 'deposit',
): Promise<void> {
  authorizeStaff(staff, policies[type].right)
  await inTransaction(staff, async (tx) => {
    const memberId = await ownerOf(tx, staff, { transactionId, type })
    const decider = await decide(tx, staff, policies[type], { memberId })
    const intent = await lockLatestIntent(tx, staff, transactionId)
    if (intent?.state !== 'stuck') refuse('illegal_move', deskTexts.notStuck)
    const now = staff.context.clock.now()
    // Earlier observations prove nothing after a correction: absence must be proven again.
    await moveIntent(tx, decider, intent, 'unknown', { next_step_at: now, absent_since: null, lease_until: null })
    await scheduleStep(tx, staff, intent.intent_id, now)
  })
  staff.context.jobs.wake('funding.settle-intent')
}

type Wanted = { transactionId: string; type: TransactionType }

async function ownerOf(tx: Tx, staff: Staff, { transactionId, type }: Wanted): Promise<string> {
  const found = await tx
    .selectFrom('balance_transactions')
    .select('member_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('transaction_id', '=', transactionId)
    .where('type', '=', type)
    .executeTakeFirst()
  return found?.member_id ?? refuseNotFound()
}

/** Locks the intent first, like all other code: another order could deadlock. */
export async function lockLatestIntent(tx: Tx, staff: Staff, transactionId: string): Promise<Intent | undefined> {
  return tx
    .selectFrom('platform_intents')
    .selectAll()
    .where('workspace_id', '=', staff.workspaceId)
    .where('transaction_id', '=', transactionId)
    .orderBy('intent_id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}
