import { countPasswordChars } from '@atrium/contract/sessions/passwords.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Actor } from '../../foundation/actor.ts'
import { reading, type Tx } from '../../foundation/database/database.ts'
import { refuseFields } from '../../foundation/errors.ts'
import { readWorkspace } from '../../workspaces/workspace.ts'
import { forgetDeviceOf, forgetDevices, forgetOtherDevices } from '../known-device.ts'
import { ownerColumn, type PersonKey } from '../person.ts'
import { isCommonPassword } from './common-passwords.ts'

/** The workspace's maximum length, which sign-in, reset and change all use, so that an accepted password signs in. */
export async function refuseOverlongPassword(tx: Tx, actor: Actor, password: string): Promise<void> {
  const { settings } = await readWorkspace(tx, actor)
  const count = settings.password_chars_max
  if (countPasswordChars(password) <= count) return
  refuseFields({ password: [texts.passwordTooLong.replace('{{count}}', String(count))] })
}

/** Checks what the contract's rule cannot: the workspace's maximum length and common passwords. */
export async function refuseWeakPassword(actor: Actor, password: string): Promise<void> {
  await reading(actor, (tx) => refuseOverlongPassword(tx, actor, password))
  if (isCommonPassword(password)) refuseFields({ password: [sessionTexts.passwordCommon] })
}

type NewHash = { person: PersonKey; hash: string }

/**
 * Stores the new password, closes every open reset link, and ends the person's sessions except the caller's. Locks the
 * person's row first, so a concurrent sign-in (sign-in.ts) waits and fails with the old password.
 */
export async function replacePassword(tx: Tx, actor: Actor, { person, hash }: NewHash): Promise<void> {
  if (person.kind === 'member')
    await tx
      .updateTable('members')
      .set({ password_hash: hash, password_changed_at: actor.context.clock.now() })
      .where('workspace_id', '=', actor.workspaceId)
      .where('member_id', '=', person.id)
      .execute()
  else
    await tx
      .updateTable('staff_users')
      .set({ password_hash: hash })
      .where('workspace_id', '=', actor.workspaceId)
      .where('staff_id', '=', person.id)
      .execute()
  await closeResetLinks(tx, actor, person)
  await forgetDevices(tx, actor, person)
  await endSessionsOf(tx, actor, person)
}

/** The reason for a new password: a forgotten one, or none so far. */
export type Purpose = 'reset' | 'invitation'

/** Closes the open links for any purpose, or for one. Returns the number closed. */
export async function closeResetLinks(
  tx: Tx,
  actor: Actor,
  { kind, id }: PersonKey,
  purpose?: Purpose,
): Promise<number> {
  const now = actor.context.clock.now()
  const closed = await tx
    .updateTable('password_resets')
    .set({ superseded_at: now })
    .where('workspace_id', '=', actor.workspaceId)
    .where(ownerColumn[kind], '=', id)
    .where('used_at', 'is', null)
    .where('superseded_at', 'is', null)
    .$if(purpose !== undefined, (query) => query.where('purpose', '=', purpose ?? ''))
    .returning('expires_at')
    .execute()
  return closed.filter(({ expires_at }) => expires_at > now).length
}

/**
 * Ends a person's sessions except the caller's, forgets their browsers except the caller's and closes their reset links,
 * because an intruder may have any of them. An invitation stays open: nobody can have signed in before it is used. The
 * person's row is locked, so a concurrent sign-in remembers no browser. Returns the number ended.
 */
export async function endSessionsOf(tx: Tx, actor: Actor, { kind, id }: PersonKey): Promise<number> {
  const own = actor.kind === 'system' ? null : actor.sessionId
  const ended = await tx
    .updateTable('sessions')
    .set({ ended_at: actor.context.clock.now() })
    .where('workspace_id', '=', actor.workspaceId)
    .where(ownerColumn[kind], '=', id)
    .where('ended_at', 'is', null)
    .$if(own !== null, (query) => query.where('session_id', '!=', own ?? ''))
    .returning('session_id')
    .execute()
  await forgetOtherDevices(tx, actor, { kind, id })
  await closeResetLinks(tx, actor, { kind, id }, 'reset')
  return ended.length
}

/**
 * Ends one session of a person, whose row is locked, forgets its browser and closes reset links: people end the sessions
 * that they do not recognise. Returns false for an unknown or ended one.
 */
export async function endOneSession(tx: Tx, actor: Actor, person: PersonKey, sessionId: string): Promise<boolean> {
  const ended = await tx
    .updateTable('sessions')
    .set({ ended_at: actor.context.clock.now() })
    .where('workspace_id', '=', actor.workspaceId)
    .where(ownerColumn[person.kind], '=', person.id)
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .returning('created_at')
    .executeTakeFirst()
  if (!ended) return false
  await forgetDeviceOf(tx, actor, person, ended)
  await closeResetLinks(tx, actor, person, 'reset')
  return true
}
