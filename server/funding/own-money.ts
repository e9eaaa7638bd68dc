import { sql } from 'kysely'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'

/** Whether a member is this colleague under another roof: nobody decides over their own money where they are a client too. */
export async function isOwnMoney(tx: Tx, staff: Staff, memberId: string): Promise<boolean> {
  const same = await tx
    .selectFrom('members as member')
    .innerJoin('staff_users as colleague', 'colleague.workspace_id', 'member.workspace_id')
    .select('member.member_id')
    .where('member.workspace_id', '=', staff.workspaceId)
    .where('member.member_id', '=', memberId)
    .where('colleague.staff_id', '=', staff.staffId)
    .where(sql<boolean>`lower(member.email) = lower(colleague.email)`)
    .executeTakeFirst()
  return same !== undefined
}
