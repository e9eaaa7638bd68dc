import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { sql } from 'kysely'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { emailSpellings } from '../foundation/email-spellings.ts'
import { refuse } from '../foundation/errors.ts'

/** A mistyped address may be a colleague's, so it does not count for ever. */
const formerAddressMs = 90 * 86_400_000

/**
 * Whether `member` has the email address of this staff member, or had it in the last 90 days before a change of details:
 * nobody decides about themselves.
 */
export function selfApprovalOf({ workspaceId, email, context }: Staff) {
  const spellings = emailSpellings(email)
  const since = new Date(context.clock.now().getTime() - formerAddressMs)
  return sql<boolean>`(lower(member.email) = any(${spellings}::text[]) or exists (
    select from audit_log as entry where entry.workspace_id = ${workspaceId}::uuid
      and entry.member_id = member.member_id and entry.action = 'member.details-changed' and entry.at >= ${since}
      and lower(entry.before ->> 'email') = any(${spellings}::text[])))`
}

export async function isSelfApproval(tx: Tx, staff: Staff, memberId: string): Promise<boolean> {
  const member = await tx
    .selectFrom('members as member')
    .select(selfApprovalOf(staff).as('is_own'))
    .where('member.workspace_id', '=', staff.workspaceId)
    .where('member.member_id', '=', memberId)
    .executeTakeFirst()
  return member?.is_own ?? false
}

/**
 * For decisions apart from money that give the member something, and for a lock of the sign-in, which would stand in the
 * way of a colleague's lock with the true reason. Staff may take other things from themselves.
 */
export async function refuseSelfDecision(tx: Tx, staff: Staff, memberId: string): Promise<void> {
  if (await isSelfApproval(tx, staff, memberId)) refuse('not_permitted', deskTexts.selfDecision)
}
