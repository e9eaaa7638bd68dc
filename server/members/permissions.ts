import { memberPermissions } from '@atrium/contract/access/scopes.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { holdMember } from '../foundation/database/member-lock.ts'
import { refuse } from '../foundation/errors.ts'
import { refuseSelfDecision } from '../money-decisions/self-approval.ts'
import { requireProof } from '../sessions/factors/proof.ts'

type Wanted = { denied: readonly string[]; seen: readonly string[] }

/**
 * Denies permissions to one member, or restores them, from the member's next call on. Entries that are not our denials, such as a
 * grant written by an integration, stay.
 */
export async function permitMember(staff: Staff, memberId: string, { denied, seen }: Wanted): Promise<void> {
  authorizeStaff(staff, 'members.permit')
  await inTransaction(staff, async (tx) => {
    const member = await holdMember(tx, staff, memberId)
    if (!isSame(member.permissions, seen)) refuse('conflict', deskTexts.permissionsChanged)
    const granted = member.permissions.filter((entry) => !isDenial(entry))
    const permissions = [...granted, ...memberPermissions.filter((key) => denied.includes(key)).map((key) => `${key}-`)]
    if (isSame(member.permissions, permissions)) return
    if (member.permissions.some((entry) => !permissions.includes(entry))) await refuseSelfDecision(tx, staff, memberId)
    // An unattended session must not give rights.
    await requireProof(tx, staff)
    await tx
      .updateTable('members')
      .set({ permissions })
      .where('workspace_id', '=', staff.workspaceId)
      .where('member_id', '=', memberId)
      .execute()
    await audit(tx, staff, {
      action: 'member.permissions-changed',
      subject: { kind: 'member', id: memberId },
      memberId,
      before: { permissions: member.permissions },
      after: { permissions },
    })
  })
}

const isDenial = (entry: string): boolean => memberPermissions.some((key) => entry === `${key}-`)

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((entry) => right.includes(entry))
