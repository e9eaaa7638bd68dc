import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { decide, definePolicy } from '../money-decisions/policy.ts'
import { lockOpening, type Opening, scheduleTask } from './opening.ts'
import { schedulePostSettlementCheck } from './post-settlement-check.ts'

export const retryingOpening = definePolicy({
  name: 'account-opening.retry',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'one',
  why: 'Only the platform is searched; no account is opened.',
})

/** Within this time a second press is ignored. */
const askedOnceMs = 30_000

/**
 * Searches the platform for a lost account now instead of at the next due time, after operators have fixed why it was
 * not found. Never sends a request to open another.
 */
export async function recheckOpening(staff: Staff, openingId: string): Promise<void> {
  authorizeStaff(staff, retryingOpening.right)
  await inTransaction(staff, async (tx) => {
    const opening = await lockOpening(tx, staff, openingId)
    if (!opening) refuseNotFound()
    await decide(tx, staff, retryingOpening, { memberId: opening.member_id })
    if (opening.state !== 'unknown' && opening.state !== 'not_opened') refuse('illegal_move', deskTexts.outcomeKnown)
    const now = staff.context.clock.now()
    const askedAt = opening.asked_again_at?.getTime() ?? 0
    if (now.getTime() - askedAt < askedOnceMs) return
    await bringForward(tx, staff, opening, now)
    await audit(tx, staff, {
      action: 'opening.looked-for-again',
      subject: { kind: 'account_opening', id: openingId },
      memberId: opening.member_id,
      after: { state: opening.state, tag: opening.tag },
    })
  })
  staff.context.jobs.wake('openings.settle')
  staff.context.jobs.wake('openings.recount')
}

async function bringForward(tx: Tx, staff: Staff, opening: Opening, now: Date): Promise<void> {
  const isUnderWay = opening.state === 'unknown'
  await tx
    .updateTable('account_openings')
    .set({ asked_again_at: now, ...(isUnderWay && { next_step_at: now }) })
    .where('workspace_id', '=', staff.workspaceId)
    .where('opening_id', '=', opening.opening_id)
    .execute()
  if (isUnderWay) await scheduleTask(tx, staff, opening.opening_id, now)
  else await schedulePostSettlementCheck(tx, staff, opening, 0)
}
