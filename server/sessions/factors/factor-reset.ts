import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { sql } from 'kysely'
import { authorizeStaff, type Staff, type System } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { emailSpellings } from '../../foundation/email-spellings.ts'
import { refuse, refuseNotFound } from '../../foundation/errors.ts'
import { refuseSelfDecision } from '../../money-decisions/self-approval.ts'
import { notifyByMail } from '../../notifications/notify.ts'
import { endSessionsOf } from '../passwords/new-password.ts'
import { lockPerson, memberIdOf, type PersonKey, rowsOf } from '../person.ts'
import { forgetFactors, ownerOf } from './factor-change.ts'
import { readFactors } from './factors.ts'
import { factorsResetMail } from './notifications.ts'
import { requireProof } from './proof.ts'

/** Removes the factors of a member who lost them all. The audit log has actor and reason; the member gets a mail. */
export async function resetMemberFactors(staff: Staff, memberId: string, reason: string): Promise<void> {
  authorizeStaff(staff, 'members.lock')
  await inTransaction(staff, async (tx) => {
    await refuseSelfDecision(tx, staff, memberId)
    await resetFactors(tx, staff, { kind: 'member', id: memberId }, reason)
  })
}

/** Removes a colleague's factors. An administrator cannot reset their own, which would bypass the proof. */
export async function resetStaffFactors(staff: Staff, staffId: string, reason: string): Promise<void> {
  authorizeStaff(staff, 'staff.manage')
  if (staffId === staff.staffId) refuse('not_permitted', deskTexts.factorsResetOwn)
  await inTransaction(staff, (tx) => resetFactors(tx, staff, { kind: 'staff', id: staffId }, reason))
}

/** For the command line: lets in an administrator whom no colleague can help. */
export async function resetFactorsOfStaff(system: System, email: string): Promise<void> {
  await inTransaction(system, async (tx) => {
    const row = await tx
      .selectFrom('staff_users')
      .select('staff_id')
      .where('workspace_id', '=', system.workspaceId)
      .where(sql`lower(email)`, 'in', emailSpellings(email))
      .executeTakeFirst()
    if (!row) refuse('not_found', `Nobody has the address ${email}.`)
    await resetFactors(tx, system, { kind: 'staff', id: row.staff_id }, 'From the command line')
  })
}

async function resetFactors(tx: Tx, actor: Staff | System, person: PersonKey, reason: string): Promise<void> {
  const row = await lockPerson(tx, actor, person)
  if (!row) refuseNotFound()
  if (row.status === 'erased') refuse('illegal_move', deskTexts.memberErased)
  // The reset leaves the password alone to protect an account, so an open session is not enough.
  if (actor.kind === 'staff') await requireProof(tx, actor)
  const factors = await readFactors(tx, actor, person)
  if (factors.count === 0) refuse('conflict', deskTexts.factorsNone)
  const removed_at = actor.context.clock.now()
  await tx
    .updateTable('totp_factors')
    .set({ removed_at })
    .where(rowsOf(actor, person))
    .where('confirmed_at', 'is not', null)
    .where('removed_at', 'is', null)
    .execute()
  await tx
    .updateTable('passkeys')
    .set({ removed_at })
    .where(rowsOf(actor, person))
    .where('removed_at', 'is', null)
    .execute()
  await forgetFactors(tx, actor, person)
  await endSessionsOf(tx, actor, person)
  await audit(tx, actor, {
    action: 'second-factors.reset',
    subject: { kind: person.kind, id: person.id },
    memberId: memberIdOf(person) ?? undefined,
    before: { totp: factors.totp !== null, passkeys: factors.passkeys.length },
    after: { reason },
  })
  const by = actor.kind === 'staff' ? 'Our staff' : 'The administration'
  await notifyByMail(tx, actor, factorsResetMail(ownerOf({ person, row }), by, removed_at))
}
