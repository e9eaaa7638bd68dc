import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff, systemActor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { decide, definePolicy } from '../money-decisions/policy.ts'
import { GatewayError } from '../trading-platforms/contract.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { endedByStaffMail } from './notifications.ts'
import { findOpening, lockOpening, moveOpening, type Opening } from './opening.ts'
import { notifyOpener } from './outcome.ts'
import { schedulePostSettlementCheck } from './post-settlement-check.ts'

export const endingOpening = definePolicy({
  name: 'account-opening.end',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'one',
  why: 'No account is opened; one that appears later is still found by its tag.',
})

/** A platform that is silent for a shorter time settles the outcome itself once it answers. */
const silentForMs = 3_600_000

/**
 * Ends an opening whose outcome no platform reports, so that the member can open another account. Looks up the account
 * once more before anything is locked, and sends nothing.
 */
export async function endOpening(staff: Staff, openingId: string, { reason }: { reason: string }): Promise<void> {
  authorizeStaff(staff, endingOpening.right)
  const seen = await reading(staff, (tx) => findOpening(tx, staff, openingId))
  if (!seen) refuseNotFound()
  if (seen.state === 'unknown') await refuseWhileAnswering(staff, seen)
  await inTransaction(staff, async (tx) => {
    const opening = await lockOpening(tx, staff, openingId)
    if (!opening) refuseNotFound()
    const decider = await decide(tx, staff, endingOpening, { memberId: opening.member_id })
    if (opening.state === 'not_opened') return // A repeated form, or proven absent meanwhile.
    if (opening.state !== 'unknown' || seen.state !== 'unknown') refuse('illegal_move', deskTexts.outcomeKnown)
    await moveOpening(tx, decider, opening, 'not_opened', { last_problem: 'Ended by staff.' })
    await audit(tx, staff, {
      action: 'opening.ended-by-staff',
      subject: { kind: 'account_opening', id: openingId },
      memberId: opening.member_id,
      after: { reason, tag: opening.tag },
    })
    await notifyOpener(tx, staff, opening, (owner) => endedByStaffMail(owner, opening))
    await schedulePostSettlementCheck(tx, staff, opening)
  })
}

/** A platform that answers proves the outcome itself (`settle.ts`); one that is switched off is not waited for. */
async function refuseWhileAnswering(staff: Staff, opening: Opening): Promise<void> {
  const link = await findLink(systemActor(staff.context, staff.workspaceId), opening.platform_id)
  if ('problem' in link) return
  const elapsedMs = staff.context.clock.now().getTime() - (opening.sent_at ?? opening.created_at).getTime()
  if (elapsedMs < silentForMs) refuse('illegal_move', deskTexts.openingTooEarly)
  try {
    await link.gateway.findAccountByTag(opening.tag, { group: opening.group_name })
  } catch (problem) {
    if (problem instanceof GatewayError) return
    throw problem
  }
  refuse('illegal_move', deskTexts.openingPlatformAnswers)
}
