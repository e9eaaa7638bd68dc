import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import type { DeskRight } from '@atrium/contract/staff/rights.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { sql } from 'kysely'
import { type Actor, authorizeStaff, type Member, type Staff } from '../actor.ts'
import { refuse, refuseNotFound } from '../errors.ts'
import type { Tx } from './database.ts'

export type HeldMember = Awaited<ReturnType<typeof selectHeld>>

function selectHeld(tx: Tx, actor: Actor, memberId: string) {
  return tx
    .selectFrom('members')
    .select(['member_id', 'email', 'customer_number', 'status', 'permissions', 'type', 'referred_by'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => refuseNotFound())
}

/**
 * Locks the member's row until the transaction ends, as every change to sign-in rights does: a concurrent sign-in waits
 * and sees the change. Refuses an erased member, who is only a name in old KYC documents, and a member's own call that
 * a lock of the sign-in or the end of all sessions has overtaken, which hold this row too.
 */
export async function holdMember(tx: Tx, actor: Actor, memberId: string): Promise<HeldMember> {
  const member = await selectHeld(tx, actor, memberId)
  if (member.status === 'erased') refuse('illegal_move', deskTexts.memberErased)
  if (actor.kind === 'member' && (member.status === 'locked' || (await hasSessionEnded(tx, actor))))
    refuse('unauthenticated', sessionTexts.sessionEndedElsewhere)
  return member
}

/** Asked after the lock of its person: a statement that waited for it would not see what it waited for. */
async function hasSessionEnded(tx: Tx, { workspaceId, sessionId }: Member | Staff): Promise<boolean> {
  const ended = await tx
    .selectFrom('sessions')
    .select('session_id')
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is not', null)
    .executeTakeFirst()
  return ended !== undefined
}

/**
 * Serializes simultaneous decisions by one staff member, so that a second approval includes the first in its sum. A call
 * is refused that the lock of its sign-in, the end of its session or another role has overtaken.
 */
export async function lockColleague(tx: Tx, staff: Staff, right: DeskRight): Promise<void> {
  const colleague = await tx
    .selectFrom('staff_users')
    .select(['status', 'role'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('staff_id', '=', staff.staffId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (colleague?.status !== 'active' || (await hasSessionEnded(tx, staff)))
    refuse('unauthenticated', sessionTexts.sessionEndedElsewhere)
  authorizeStaff({ ...staff, role: colleague.role }, right)
}

/**
 * Locks the caller's own row. Serializes concurrent requests of one member, and a request that overlaps an erasure
 * leaves no data behind.
 */
export const lockOwnMember = (tx: Tx, member: Member): Promise<HeldMember> => holdMember(tx, member, member.memberId)

/**
 * A row to insert from, for frequent writes about a member: empty for an erased member, and waits for an erasure under
 * way. Concurrent writers do not block each other.
 */
export const activeMember = ({ workspaceId }: Actor, memberId: string) => sql`(
  select from members where workspace_id = ${workspaceId}::uuid and member_id = ${memberId}::uuid and status <> 'erased'
  for share) as active`

/** For callers that lock a row which an erasure blanks, and so run before or after the erasure. */
export async function isErased(tx: Tx, actor: Actor, memberId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .where('status', '=', 'erased')
    .executeTakeFirst()
  return row !== undefined
}
