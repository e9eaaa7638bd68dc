import { deskTexts } from '@atrium/contract/desk-texts.ts'
import type { TransactionType } from '@atrium/contract/funding.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { scheduleStep } from './intent.ts'
import { type Intent, moveIntent } from './intent-moves.ts'

/**
 * Takes a stuck credit or debit up again, after a person has put right on the platform what nobody could guess about. It goes on
 * as an unknown outcome, so the account's history is asked first, and the limit on sends that it had reached still holds.
 */
export async function lookAgain(staff: Staff, transactionId: string, type: TransactionType = 'deposit'): Promise<void> {
  authorizeStaff(staff, 'money.decide')
  await inTransaction(staff, async (tx) => {
    await mustBe(tx, staff, { transactionId, type })
    const intent = await lockLatestIntent(tx, staff, transactionId)
    if (intent?.state !== 'stuck') refuse('illegal_move', deskTexts.notStuck)
    const now = staff.ground.clock.now()
    // What was seen before the history was put right proves nothing now: absence is to be proven anew.
    await moveIntent(tx, staff, intent, 'unknown', { next_step_at: now, absent_since: null, lease_until: null })
    await scheduleStep(tx, staff, intent.intent_id, now)
  })
  staff.ground.jobs.wake('funding.settle-intent')
}

type Wanted = { transactionId: string; type: TransactionType }

async function mustBe(tx: Tx, staff: Staff, { transactionId, type }: Wanted): Promise<void> {
  const found = await tx
    .selectFrom('balance_transactions')
    .select('transaction_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('transaction_id', '=', transactionId)
    .where('type', '=', type)
    .executeTakeFirst()
  if (!found) refuseNotFound()
}

/** The intent and not its transaction: everybody else locks the intent first, and two orders could wait for each other. */
async function lockLatestIntent(tx: Tx, staff: Staff, transactionId: string): Promise<Intent | undefined> {
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
