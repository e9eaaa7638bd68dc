import type { StaffRole } from '@atrium/contract/staff/rights.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff, systemActor } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { lockColleague } from '../foundation/database/member-lock.ts'
import { isEmailTaken } from '../foundation/email-spellings.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { type Limit, takeTry } from '../foundation/rate-limit.ts'
import { sendMail } from '../notifications/mail.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { invitationMail } from '../sessions/notifications.ts'
import { hashPassword } from '../sessions/passwords/password.ts'
import { makeResetCode } from '../sessions/passwords/reset-request.ts'
import { makeToken } from '../sessions/token.ts'
import { readStaff, type WireStaff } from './queries.ts'
import { changeStaff, notifyOfDecider, record } from './staff.ts'

type Invited = { name: string; email: string; role: StaffRole }

/** Creates a desk user and mails a link to set the password, without which nobody can sign in. */
export async function inviteStaff(actor: Staff, invited: Invited): Promise<WireStaff> {
  authorizeStaff(actor, 'staff.manage')
  const password_hash = await hashPassword(makeToken()) // A random password that nobody knows.
  const staff_id = newId()
  return inTransaction(actor, async (tx) => {
    // Checked again: the password is hashed before, and meanwhile the caller may be locked or have another role.
    await lockColleague(tx, actor, 'staff.manage')
    // An unattended session must not appoint staff.
    await requireProof(tx, actor)
    if (await isEmailTaken(tx, actor, 'staff_users', invited.email))
      refuseFields({ email: [deskTexts.staffEmailTaken] })
    const made = await tx
      .insertInto('staff_users')
      .values({
        ...invited,
        workspace_id: actor.workspaceId,
        staff_id,
        password_hash,
        status: 'invited',
        has_password: false,
        created_at: actor.context.clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('staff_id')
      .executeTakeFirst()
    if (!made) refuseFields({ email: [deskTexts.staffEmailTaken] })
    const { name, email, role } = invited
    await notifyOfDecider(tx, actor, [role], `invited ${name} (${email}) to the desk as ${role}`)
    await sendInvitation(tx, actor, { ...invited, staff_id })
    await record(tx, actor, staff_id, { action: 'staff.invited', after: { role } })
    return readStaff(tx, actor, staff_id)
  })
}

/** Enough to replace lost mails, and too few to flood a mailbox. */
const invitationsPerPerson: Limit = { name: 'staff-invitation', triesMax: 5, windowSeconds: 15 * 60 }

export async function resendInvitation(actor: Staff, staffId: string): Promise<WireStaff> {
  authorizeStaff(actor, 'staff.manage')
  await takeTry(systemActor(actor.context, actor.workspaceId), invitationsPerPerson, staffId)
  return changeStaff(actor, staffId, async (tx, about) => {
    if (about.status !== 'invited') refuse('illegal_move', 'This person has joined already.')
    await sendInvitation(tx, actor, about)
    await record(tx, actor, staffId, { action: 'staff.invitation-sent', after: {} })
  })
}

type Recipient = { staff_id: string; name: string; email: string; role: string }

async function sendInvitation(tx: Tx, actor: Staff, { staff_id, email, role }: Recipient): Promise<void> {
  const person = { kind: 'staff', id: staff_id, email } as const
  const code = await makeResetCode(tx, actor, person, 'invitation')
  await sendMail(tx, actor, invitationMail(person, code, { by: actor.name, role }))
}
