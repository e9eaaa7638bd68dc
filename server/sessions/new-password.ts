import { countPasswordChars } from '@atrium/contract/passwords.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Actor, Member } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { isCommonPassword } from './common-passwords.ts'
import { forgetDevices } from './known-device.ts'

/** The one number that rules sign-in, reset and change alike: a password that passes the one passes the others. */
export async function refuseOverlongPassword(actor: Actor, password: string): Promise<void> {
  const { settings } = await reading(actor, (tx) => readWorkspace(tx, actor))
  const count = settings.password_chars_max
  if (countPasswordChars(password) <= count) return
  refuseFields({ password: [texts.passwordTooLong.replace('{{count}}', String(count))] })
}

/** What the contract's rule cannot know: the workspace's length, and what everybody tries first. */
export async function refuseWeakPassword(actor: Actor, password: string): Promise<void> {
  await refuseOverlongPassword(actor, password)
  if (isCommonPassword(password)) refuseFields({ password: [texts.passwordCommon] })
}

type NewHash = { memberId: string; hash: string }

/**
 * Puts the new password in place, closes every open reset link, and ends the member's sessions but the one that asks. The
 * member's row is locked first, and a sign-in under way (sign-in.ts) waits for it: none slips through with the old one.
 */
export async function replacePassword(tx: Tx, actor: Actor, { memberId, hash }: NewHash): Promise<void> {
  const now = actor.ground.clock.now()
  const own = { workspace_id: actor.workspaceId, member_id: memberId }
  await tx
    .updateTable('members')
    .set({ password_hash: hash })
    .where('workspace_id', '=', own.workspace_id)
    .where('member_id', '=', own.member_id)
    .execute()
  await tx
    .updateTable('password_resets')
    .set({ superseded_at: now })
    .where('workspace_id', '=', own.workspace_id)
    .where('member_id', '=', own.member_id)
    .where('used_at', 'is', null)
    .where('superseded_at', 'is', null)
    .execute()
  await forgetDevices(tx, actor, memberId)
  await endSessionsOf(tx, actor, memberId)
}

/** Ends the sessions of a member, all but the one that the actor came with; answers how many. */
export async function endSessionsOf(tx: Tx, actor: Actor, memberId: string): Promise<number> {
  const ended = await tx
    .updateTable('sessions')
    .set({ ended_at: actor.ground.clock.now() })
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .$if(actor.kind === 'member', (query) => query.where('session_id', '!=', (actor as Member).sessionId))
    .returning('session_id')
    .execute()
  return ended.length
}
