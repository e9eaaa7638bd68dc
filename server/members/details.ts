import type { CallInput } from '@atrium/contract/call.ts'
import type { changeMemberDetails as call } from '@atrium/contract/members/desk-calls.ts'
import type { MemberDetails, RequestedDetails } from '@atrium/contract/members/details.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { type Actor, authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { holdMember } from '../foundation/database/member-lock.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { refuseSelfDecision } from '../money-decisions/self-approval.ts'
import { sendMail } from '../notifications/mail.ts'
import { notifyByMail } from '../notifications/notify.ts'
import { schedulePersonChange } from '../openings/person-change.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { readHoldHours } from '../sessions/factors/withdrawal-hold.ts'
import { closeResetLinks, endSessionsOf } from '../sessions/passwords/new-password.ts'
import { sendInvitation } from './invitation.ts'
import { refuseTakenEmail } from './member-email.ts'
import { detailsChangedMail, formerAddressMail } from './notifications.ts'

type Why = { reason: string } | { request: string }

/** A change of name or email by staff, with the same consequences as an approved request. */
export async function changeMemberDetails(
  staff: Staff,
  { id, version, reason, ...wanted }: CallInput<typeof call>,
): Promise<void> {
  authorizeStaff(staff, 'members.change')
  await inTransaction(staff, async (tx) => {
    await holdMember(tx, staff, id)
    const now = await readDetails(tx, staff, id)
    const isSame = Object.keys(differing(now, wanted)).length === 0
    if (!isSame && now.version !== version) refuse('conflict', deskTexts.memberChangedElsewhere)
    await applyDetails(tx, staff, id, wanted, { reason })
  })
}

/**
 * Applies a new name or email, and locks out the holder of the old mailbox: ends sessions, closes links that set a
 * password, and starts the withdrawal hold. The caller has locked the member's row.
 */
export async function applyDetails(
  tx: Tx,
  staff: Staff,
  memberId: string,
  wanted: RequestedDetails,
  why: Why,
): Promise<void> {
  await refuseSelfDecision(tx, staff, memberId)
  // Requires a fresh proof, since the change hands the account to another mailbox.
  await requireProof(tx, staff)
  const before = await readDetails(tx, staff, memberId)
  const changes = differing(before, wanted)
  if (Object.keys(changes).length === 0) return
  const after = { ...before, ...changes }
  const isInvited = before.status === 'invited'
  if (changes.email !== undefined) await refuseTakenEmail(tx, staff, changes.email, memberId)
  await tx
    .updateTable('members')
    .set({
      ...changes,
      emails: [after.email, ...before.emails.filter((each) => ![before.email, after.email].includes(each))],
      profile_version: before.version + 1,
      // A member who never signed in has no money to protect.
      ...(!isInvited && { details_changed_at: staff.context.clock.now() }),
    })
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', memberId)
    .execute()
  await schedulePersonChange(tx, staff, memberId)
  const person = { kind: 'member', id: memberId } as const
  const sessions_ended = await endSessionsOf(tx, staff, person)
  await audit(tx, staff, {
    action: 'member.details-changed',
    subject: { kind: 'member', id: memberId },
    memberId,
    before: pick(before, changes),
    after: { ...changes, ...why, sessions_ended },
  })
  if (isInvited && changes.email === undefined) return
  const linksClosed = await closeResetLinks(tx, staff, person)
  if (!isInvited) await notifyOfChange(tx, staff, memberId, { before, after, changes })
  else if (linksClosed > 0) await sendInvitation(tx, staff, { ...person, email: after.email })
}

type Changes = Partial<MemberDetails>
type Change = { before: MemberDetails; after: MemberDetails; changes: Changes }

/** Also notifies the old address, since its owner may know nothing of the change. */
async function notifyOfChange(tx: Tx, staff: Staff, memberId: string, change: Change): Promise<void> {
  const { before, after, changes } = change
  const holdHours = await readHoldHours(tx, staff)
  await notifyByMail(tx, staff, detailsChangedMail({ to: after.email, memberId }, { changes, after, holdHours }))
  if (changes.email !== undefined)
    await sendMail(tx, staff, formerAddressMail({ to: before.email, memberId }, after.email, holdHours))
}

function differing(now: MemberDetails, wanted: RequestedDetails): Changes {
  const names = ['first_name', 'last_name', 'email'] as const
  return Object.fromEntries(
    names.flatMap((name) => (wanted[name] !== undefined && wanted[name] !== now[name] ? [[name, wanted[name]]] : [])),
  )
}

const pick = (before: MemberDetails, changes: Changes): Changes =>
  Object.fromEntries((Object.keys(changes) as (keyof MemberDetails)[]).map((name) => [name, before[name]]))

export function readDetails(tx: Tx, actor: Actor, memberId: string) {
  return tx
    .selectFrom('members')
    .select(['first_name', 'last_name', 'email', 'emails', 'status', 'profile_version as version'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow(() => refuseNotFound())
}
