import type { MemberTerms } from '@atrium/contract/terms/desk-calls.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { readPendingRows, selectPendingTerms } from '../foundation/pending-terms.ts'
import { describeDevice } from '../sessions/device.ts'

/** More than a member ever accepts; limits the size of the answer. */
const acceptancesMax = 200

/** A member's accepted and pending terms. */
export async function readMemberTerms(staff: Staff, memberId: string): Promise<MemberTerms> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const row = await tx
      .selectFrom('members')
      .select(['status', selectPendingTerms(staff.workspaceId, 'members.member_id')])
      .where('workspace_id', '=', staff.workspaceId)
      .where('member_id', '=', memberId)
      .executeTakeFirst()
    if (!row) refuseNotFound()
    // An erased member has no pending terms.
    const pending = row.status === 'erased' ? [] : readPendingRows(row.pending_terms)
    return {
      pending: pending.map((terms) => ({ ...terms, blocked_portal_sections: [...terms.blocked_portal_sections] })),
      accepted: await readAccepted(tx, staff, memberId),
    }
  })
}

async function readAccepted(tx: Tx, staff: Staff, memberId: string): Promise<MemberTerms['accepted']> {
  const rows = await tx
    .selectFrom('terms_acceptances as accepted')
    .innerJoin('terms_versions as read', (join) =>
      join
        .onRef('read.workspace_id', '=', 'accepted.workspace_id')
        .onRef('read.template_id', '=', 'accepted.template_id')
        .onRef('read.version', '=', 'accepted.version'),
    )
    .select(['accepted.template_id', 'accepted.version', 'accepted.accepted_at', 'accepted.address'])
    .select(['accepted.user_agent', 'read.name'])
    .where('accepted.workspace_id', '=', staff.workspaceId)
    .where('accepted.member_id', '=', memberId)
    .orderBy('accepted.accepted_at', 'desc')
    .orderBy('accepted.template_id')
    .orderBy('accepted.version', 'desc')
    .limit(acceptancesMax)
    .execute()
  return rows.map((row) => ({
    _id: row.template_id,
    name: row.name,
    version: row.version,
    accepted_at: row.accepted_at.getTime(),
    address: row.address,
    device: describeDevice(row.user_agent),
  }))
}
