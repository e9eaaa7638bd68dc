import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff, systemActor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { holdMember } from '../foundation/database/member-lock.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { type Limit, takeTry } from '../foundation/rate-limit.ts'
import { sendMail } from '../notifications/mail.ts'
import { helpedResetMail } from './notifications.ts'
import { readLiveSessions } from './own-sessions.ts'
import { endOneSession, endSessionsOf } from './passwords/new-password.ts'
import { makeResetCode } from './passwords/reset-request.ts'

/** Staff actions for a member who cannot sign in or suspects an intruder. */

/** Enough for a phone call, too few to flood a mailbox. */
const linksPerMember: Limit = { name: 'desk-reset-member', triesMax: 5, windowSeconds: 15 * 60 }

export async function sendResetLink(staff: Staff, memberId: string): Promise<void> {
  authorizeStaff(staff, 'members.help')
  await takeTry(systemActor(staff.context, staff.workspaceId), linksPerMember, memberId)
  await inTransaction(staff, async (tx) => {
    const member = await holdMember(tx, staff, memberId)
    if (member.status === 'locked') refuse('illegal_move', deskTexts.memberLocked)
    if (member.status === 'invited') refuse('illegal_move', deskTexts.memberInvited)
    const code = await makeResetCode(tx, staff, { kind: 'member', id: memberId }, 'reset')
    await audit(tx, staff, {
      action: 'password-reset.sent-by-desk',
      subject: { kind: 'member', id: memberId },
      memberId,
    })
    await sendMail(tx, staff, helpedResetMail({ kind: 'member', id: memberId, email: member.email }, code))
  })
}

export function listSessionsOf(staff: Staff, memberId: string) {
  authorizeStaff(staff, 'members.read')
  return readLiveSessions(staff, { kind: 'member', id: memberId })
}

export async function endSessionOf(staff: Staff, memberId: string, sessionId: string): Promise<void> {
  authorizeStaff(staff, 'members.help')
  await inTransaction(staff, async (tx) => {
    await holdMember(tx, staff, memberId)
    if (!(await endOneSession(tx, staff, { kind: 'member', id: memberId }, sessionId))) refuseNotFound()
    await audit(tx, staff, { action: 'session.ended', subject: { kind: 'session', id: sessionId }, memberId })
  })
}

/** Idempotent; returns the number of sessions ended. */
export async function endAllSessionsOf(staff: Staff, memberId: string): Promise<number> {
  authorizeStaff(staff, 'members.help')
  return inTransaction(staff, async (tx) => {
    await holdMember(tx, staff, memberId)
    const count = await endSessionsOf(tx, staff, { kind: 'member', id: memberId })
    const subject = { kind: 'member', id: memberId }
    await audit(tx, staff, { action: 'sessions.ended', subject, memberId, after: { count } })
    return count
  })
}
