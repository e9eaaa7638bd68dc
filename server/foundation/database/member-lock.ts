import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { sql } from 'kysely'
import type { Actor, Member } from '../actor.ts'
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
 * The member's row, held until the transaction ends, as everything does that changes who may sign in: a sign-in under way
 * waits for it, and then finds what was decided. An erased member is no more than a name in old KYC documents.
 */
export async function holdMember(tx: Tx, actor: Actor, memberId: string): Promise<HeldMember> {
  const member = await selectHeld(tx, actor, memberId)
  if (member.status === 'erased') refuse('illegal_move', deskTexts.memberErased)
  return member
}

/**
 * The own row of whoever asks. What one member sends at the same instant comes one after another, and what was under way while
 * the member was erased leaves nothing behind.
 */
export const lockOwnMember = (tx: Tx, member: Member): Promise<HeldMember> => holdMember(tx, member, member.memberId)

/**
 * As a row to insert from, of what the program writes about somebody again and again: there is none of an erased member, and
 * whoever is being erased is waited for. It keeps nobody else waiting who only does the same.
 */
export const activeMember = ({ workspaceId }: Actor, memberId: string) => sql`(
  select from members where workspace_id = ${workspaceId}::uuid and member_id = ${memberId}::uuid and status <> 'erased'
  for share) as living`

/** For whoever holds a row that an erasure blanks, and so comes before it or after it. */
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
