import { deskTexts } from '@atrium/contract/desk-texts.ts'
import type { Actor, Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'

export type HeldMember = Awaited<ReturnType<typeof selectHeld>>

function selectHeld(tx: Tx, actor: Actor, memberId: string) {
  return tx
    .selectFrom('members')
    .select(['member_id', 'email', 'customer_number', 'status', 'permissions'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => refuseNotFound())
}

/**
 * The member's row, held until the transaction ends, as everything does that changes who may sign in: a sign-in under way
 * waits for it, and then finds what was decided. An erased member is no more than a name in old papers.
 */
export async function holdMember(tx: Tx, actor: Actor, memberId: string): Promise<HeldMember> {
  const member = await selectHeld(tx, actor, memberId)
  if (member.status === 'erased') refuse('illegal_move', deskTexts.memberErased)
  return member
}

/** What one member sends at the same instant comes one after another; nobody else waits for this lock. */
export async function lockMember(tx: Tx, member: Member): Promise<void> {
  await tx
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .forNoKeyUpdate()
    .execute()
}
