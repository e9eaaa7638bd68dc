import { sql } from 'kysely'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** Whether `member` has the same email address as this staff member, who must not decide about their own money. */
export const selfApprovalOf = ({ workspaceId, staffId }: Staff) =>
  sql<boolean>`exists (select from staff_users as colleague where colleague.workspace_id = ${workspaceId}::uuid
    and colleague.staff_id = ${staffId}::uuid and lower(colleague.email) = lower(member.email))`

export async function isSelfApproval(tx: Tx, staff: Staff, memberId: string): Promise<boolean> {
  const member = await tx
    .selectFrom('members as member')
    .select(selfApprovalOf(staff).as('is_own'))
    .where('member.workspace_id', '=', staff.workspaceId)
    .where('member.member_id', '=', memberId)
    .executeTakeFirst()
  return member?.is_own ?? false
}
