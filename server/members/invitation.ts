import { isDeepStrictEqual } from 'node:util'
import type { MemberType } from '@atrium/contract/access/scopes.ts'
import type { MemberDetails } from '@atrium/contract/members/details.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { v5 } from 'uuid'
import { authorizeStaff, type Staff, type System, systemActor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { nextNumber } from '../foundation/database/counters.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { type HeldMember, holdMember } from '../foundation/database/member-lock.ts'
import { holdEmail } from '../foundation/email-spellings.ts'
import { refuse } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { type Limit, takeTry } from '../foundation/rate-limit.ts'
import { refuseSelfDecision } from '../money-decisions/self-approval.ts'
import { sendMail } from '../notifications/mail.ts'
import { memberInvitationMail } from '../sessions/notifications.ts'
import { closeResetLinks } from '../sessions/passwords/new-password.ts'
import { hashPassword } from '../sessions/passwords/password.ts'
import { makeResetCode } from '../sessions/passwords/reset-request.ts'
import { makeToken } from '../sessions/token.ts'
import { refuseTakenEmail } from './member-email.ts'

export type InvitedMember = MemberDetails & {
  idempotency_key: string
  phone?: string | undefined
  country?: string | undefined
  language?: string | null
  type?: MemberType
}

/** Enough to replace lost mails, and too few to flood a mailbox. */
const invitationsPerMember: Limit = { name: 'member-invitation', triesMax: 5, windowSeconds: 15 * 60 }

/**
 * Adds a member with a link to set the first password, which staff neither choose nor see; before that nobody can sign in. The form's
 * key prevents a second member from a double click.
 */
export async function inviteMember(actor: Staff | System, invited: InvitedMember): Promise<string> {
  if (actor.kind === 'staff') authorizeStaff(actor, 'members.invite')
  if (actor.kind === 'staff' && invited.type === 'sales_person') authorizeStaff(actor, 'members.change')
  const password_hash = await hashPassword(makeToken())
  const { idempotency_key, phone, country, language = null, type = 'client', ...details } = invited
  const member_id = idOf(actor, idempotency_key)
  await inTransaction(actor, async (tx) => {
    await holdEmail(tx, actor, 'members', details.email)
    if (await isMadeAlready(tx, actor, member_id, { ...details, phone, country, language, type })) return
    await refuseTakenEmail(tx, actor, details.email, null)
    const made = await tx
      .insertInto('members')
      .values({
        ...details,
        workspace_id: actor.workspaceId,
        member_id,
        emails: [details.email],
        phones: phone === undefined ? [] : [phone],
        language,
        type,
        status: 'invited',
        customer_number: await nextNumber(tx, actor, 'customer'),
        password_hash,
        created_at: actor.context.clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!made.numInsertedOrUpdatedRows) refuse('nonce_reused', deskTexts.memberInvitedDifferently)
    if (actor.kind === 'staff' && type === 'sales_person') await refuseSelfDecision(tx, actor, member_id)
    if (country !== undefined) await addCountry(tx, actor, member_id, country)
    await sendInvitation(tx, actor, { id: member_id, email: details.email })
    await audit(tx, actor, {
      action: 'member.invited',
      subject: { kind: 'member', id: member_id },
      memberId: member_id,
      after: { ...details, type, ...(country && { country }) },
    })
  })
  return member_id
}

/** Derives the member's id from workspace and key, so that a key used in another workspace finds nobody here. */
const idOf = ({ workspaceId }: Staff | System, key: string): string => v5(key.toLowerCase(), workspaceId)

async function isMadeAlready(
  tx: Tx,
  actor: Staff | System,
  memberId: string,
  { phone, country, ...invited }: Omit<InvitedMember, 'idempotency_key'>,
): Promise<boolean> {
  const row = await tx
    .selectFrom('members')
    .leftJoin('member_addresses as address', (join) =>
      join
        .onRef('address.workspace_id', '=', 'members.workspace_id')
        .onRef('address.member_id', '=', 'members.member_id')
        .on('address.is_primary', '=', true)
        .on('address.removed_at', 'is', null),
    )
    .select(['first_name', 'last_name', 'email', 'language', 'type', 'phones', 'address.country_code'])
    .where('members.workspace_id', '=', actor.workspaceId)
    .where('members.member_id', '=', memberId)
    .executeTakeFirst()
  if (!row) return false
  const { phones, country_code, ...made } = row
  const isSame = isDeepStrictEqual([made, phones[0], country_code ?? undefined], [invited, phone, country])
  return isSame || refuse('nonce_reused', deskTexts.memberInvitedDifferently)
}

/** The member enters the rest of the address. */
async function addCountry(tx: Tx, actor: Staff | System, member_id: string, country_code: string): Promise<void> {
  await tx
    .insertInto('member_addresses')
    .values({ workspace_id: actor.workspaceId, address_id: newId(), member_id, country_code, is_primary: true })
    .execute()
}

export async function resendInvitation(staff: Staff, memberId: string): Promise<void> {
  authorizeStaff(staff, 'members.invite')
  await takeTry(systemActor(staff.context, staff.workspaceId), invitationsPerMember, memberId)
  await changeInvitation(staff, memberId, 'member.invitation-sent', (tx, { email }) =>
    sendInvitation(tx, staff, { id: memberId, email }),
  )
}

/** The member stays invited, without a link until another one is sent. */
export async function revokeInvitation(staff: Staff, memberId: string): Promise<void> {
  authorizeStaff(staff, 'members.invite')
  await changeInvitation(staff, memberId, 'member.invitation-revoked', async (tx) => {
    const closed = await closeResetLinks(tx, staff, { kind: 'member', id: memberId })
    if (closed === 0) refuse('illegal_move', deskTexts.invitationNone)
  })
}

async function changeInvitation(
  staff: Staff,
  memberId: string,
  action: string,
  change: (tx: Tx, member: HeldMember) => Promise<void>,
): Promise<void> {
  await inTransaction(staff, async (tx) => {
    const member = await holdMember(tx, staff, memberId)
    if (member.status !== 'invited') refuse('illegal_move', deskTexts.memberNotInvited)
    await change(tx, member)
    await audit(tx, staff, { action, subject: { kind: 'member', id: memberId }, memberId })
  })
}

/** A newer link replaces the older one. */
export async function sendInvitation(
  tx: Tx,
  actor: Staff | System,
  { id, email }: { id: string; email: string },
): Promise<void> {
  const person = { kind: 'member', id, email } as const
  const code = await makeResetCode(tx, actor, person, 'invitation')
  await sendMail(tx, actor, memberInvitationMail(person, code))
}
