import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { holdMember } from '../foundation/database/member-lock.ts'
import { refuse } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { refuseSelfDecision } from '../money-decisions/self-approval.ts'
import { notifyByMail } from '../notifications/notify.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { signInLockedMail, signInUnlockedMail } from '../sessions/notifications.ts'
import { endSessionsOf } from '../sessions/passwords/new-password.ts'

/** Prevents sign-ins until unlocked; ends every session and closes every reset link in the same transaction. */
export async function lockMember(staff: Staff, memberId: string, reason: string): Promise<void> {
  authorizeStaff(staff, 'members.lock')
  await inTransaction(staff, async (tx) => {
    const member = await holdMember(tx, staff, memberId)
    await refuseSelfDecision(tx, staff, memberId)
    if (member.status === 'locked') refuse('illegal_move', deskTexts.memberLockedAlready)
    if (member.status === 'invited') refuse('illegal_move', deskTexts.memberInvited)
    const key = { workspace_id: staff.workspaceId, member_id: memberId }
    await tx
      .updateTable('members')
      .set({ status: 'locked' })
      .where('workspace_id', '=', key.workspace_id)
      .where('member_id', '=', key.member_id)
      .execute()
    const locked_at = staff.context.clock.now()
    await tx
      .insertInto('member_locks')
      .values({ ...key, lock_id: newId(), reason, locked_by: staff.staffId, locked_at })
      .execute()
    const person = { kind: 'member', id: memberId } as const
    const sessions = await endSessionsOf(tx, staff, person)
    await audit(tx, staff, {
      action: 'member.locked',
      subject: { kind: 'member', id: memberId },
      memberId,
      before: { status: member.status },
      after: { status: 'locked', reason, sessions_ended: sessions },
    })
    await notifyByMail(tx, staff, signInLockedMail({ kind: 'member', id: memberId, email: member.email }))
  })
}

/** Sessions stay ended: the member signs in again. `seen`: the time of the lock on the page, if it says so. */
export async function unlockMember(staff: Staff, memberId: string, seen?: number): Promise<void> {
  authorizeStaff(staff, 'members.lock')
  await inTransaction(staff, async (tx) => {
    const member = await holdMember(tx, staff, memberId)
    await refuseSelfDecision(tx, staff, memberId)
    // Requires a fresh proof, since an unattended session must not let in who was locked out.
    await requireProof(tx, staff)
    if (member.status !== 'locked') refuse('illegal_move', deskTexts.memberNotLocked)
    if (seen !== undefined) await refuseNewerLock(tx, staff, memberId, seen)
    await tx
      .updateTable('members')
      .set({ status: 'active' })
      .where('workspace_id', '=', staff.workspaceId)
      .where('member_id', '=', memberId)
      .execute()
    await tx
      .updateTable('member_locks')
      .set({ lifted_by: staff.staffId, lifted_at: staff.context.clock.now() })
      .where('workspace_id', '=', staff.workspaceId)
      .where('member_id', '=', memberId)
      .where('lifted_at', 'is', null)
      .execute()
    await audit(tx, staff, {
      action: 'member.unlocked',
      subject: { kind: 'member', id: memberId },
      memberId,
      before: { status: 'locked' },
      after: { status: 'active' },
    })
    await notifyByMail(tx, staff, signInUnlockedMail({ kind: 'member', id: memberId, email: member.email }))
  })
}

/** A colleague may have unlocked the member and locked them again for another reason. */
async function refuseNewerLock(tx: Tx, staff: Staff, memberId: string, seen: number): Promise<void> {
  const lock = await tx
    .selectFrom('member_locks')
    .select('locked_at')
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', memberId)
    .where('lifted_at', 'is', null)
    .executeTakeFirst()
  if (lock?.locked_at.getTime() !== seen) refuse('conflict', deskTexts.memberChangedElsewhere)
}
