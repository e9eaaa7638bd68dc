import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** States in which a withdrawal no longer needs its beneficiary. */
const ended = ['approved', 'rejected', 'cancelled']

/** The ticket of a withdrawal of the member not yet paid to this beneficiary, or null. */
export async function findOpenWithdrawal(tx: Tx, member: Member, beneficiaryId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('balance_transactions')
    .select('ticket')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('type', '=', 'withdrawal')
    .where('destination_id', '=', beneficiaryId)
    .where('state', 'not in', ended)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row ? String(row.ticket) : null
}
