import { type Insertable, sql } from 'kysely'
import type { Actor, Member, Staff, System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { DB } from '../foundation/database/database.generated.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { prepareStatement } from '../foundation/database/prepared-statement.ts'
import { newId } from '../foundation/ids.ts'
import { lastSeenOf } from '../foundation/pending-proof.ts'
import { readWorkspace, type Workspace } from '../workspaces/workspace.ts'
import { ownedBy, type PersonKey } from './person.ts'
import { hashToken, makeToken } from './token.ts'

/** `key`: the browser's device key from an earlier sign-in (known-device.ts). */
export type Device = { address: string | null; userAgent: string | null; key?: string | null }
/** The stored part of the user agent. */
export function storedUserAgent({ userAgent }: Device): string | null {
  return userAgent?.slice(0, 300) ?? null
}

export type Tokens = { sessionId: string; token: string; fileToken: string }

/** Opens a session for a person with the required proofs. Returns two tokens: one for calls, one for files only. */
export async function openSession(
  tx: Tx,
  system: System,
  person: PersonKey,
  device: Device,
  { withFactor = false, at: now = system.context.clock.now() }: { withFactor?: boolean; at?: Date } = {},
): Promise<Tokens> {
  const tokens = { sessionId: newId(), token: makeToken(), fileToken: makeToken() }
  await addSession(tx, {
    workspace_id: system.workspaceId,
    session_id: tokens.sessionId,
    kind: person.kind,
    ...ownedBy(person),
    token_hash: hashToken(tokens.token),
    file_token_hash: hashToken(tokens.fileToken),
    created_at: now,
    last_seen_at: now,
    proven_at: now,
    second_factor_at: withFactor ? now : null,
    expires_at: new Date(now.getTime() + system.context.config.sessionAgeMsMax),
    address: device.address,
    user_agent: storedUserAgent(device),
  })
  return tokens
}

const addSession = prepareStatement('open_session', (tx: Tx, row: Insertable<DB['sessions']>) =>
  tx.insertInto('sessions').values(row),
)

export type Times = { session_id: string; created_at: Date; last_seen_at: Date; expires_at: Date }
export type Choices = Pick<Workspace['settings'], 'session_idle_minutes' | 'session_hours_max'>

/**
 * An expired session is stored as ended when first seen; `endOverdueSessions` ends the others. A clock set back later
 * must not revive it.
 */
export async function isLive(system: System, session: Times, chosen: Choices): Promise<boolean> {
  if (isWithin(lifeSpan(system, chosen), session)) return true
  await endOverdueSessions(system, session.session_id)
  return false
}

/** Whether a call accepts a session of these times. */
export function isWithin({ now, idleSince, oldSince }: ReturnType<typeof lifeSpan>, session: Times): boolean {
  return session.expires_at > now && session.last_seen_at > idleSince && session.created_at > oldSince
}

/** The workspace's limits where they are shorter than the installation's; changes apply to open sessions. */
export function lifeSpan({ context }: Actor, chosen: Choices) {
  const { clock, config } = context
  const now = clock.now()
  const idleMs = Math.min(config.sessionIdleMs, (chosen.session_idle_minutes ?? Number.POSITIVE_INFINITY) * 60_000)
  const ageMs = Math.min(config.sessionAgeMsMax, (chosen.session_hours_max ?? Number.POSITIVE_INFINITY) * 3_600_000)
  return { now, idleSince: new Date(now.getTime() - idleMs), oldSince: new Date(now.getTime() - ageMs) }
}

/** The condition for sessions that a call would accept. */
export function isLiveSession({ now, idleSince, oldSince }: ReturnType<typeof lifeSpan>) {
  return sql<boolean>`(sessions.ended_at is null and sessions.expires_at > ${now}
    and sessions.last_seen_at > ${idleSince} and sessions.created_at > ${oldSince})`
}

/** Ends idle and expired sessions: one session, or all of the workspace. Returns the number ended. */
export async function endOverdueSessions(system: System, sessionId?: string): Promise<number> {
  const ended = await inTransaction(system, async (tx) => {
    const { now, idleSince, oldSince } = lifeSpan(system, (await readWorkspace(tx, system)).settings)
    return tx
      .updateTable('sessions')
      .set({ ended_at: now })
      .where('workspace_id', '=', system.workspaceId)
      .where('ended_at', 'is', null)
      .where((is) =>
        is.or([is('expires_at', '<=', now), is('last_seen_at', '<=', idleSince), is('created_at', '<=', oldSince)]),
      )
      .$if(sessionId !== undefined, (query) => query.where('session_id', '=', sessionId ?? ''))
      .executeTakeFirst()
  })
  return Number(ended.numUpdatedRows)
}

/** Writes the row at most once a minute. */
const activityGrainMs = 60_000

export async function recordActivity(actor: Member | Staff): Promise<void> {
  const now = actor.context.clock.now()
  const since = new Date(now.getTime() - activityGrainMs)
  // The proof has read the time already, which saves a transaction without effect.
  const seen = await lastSeenOf(actor)
  if (seen && seen >= since) return
  await inTransaction(actor, (tx) =>
    tx
      .updateTable('sessions')
      .set({ last_seen_at: now })
      .where('workspace_id', '=', actor.workspaceId)
      .where('session_id', '=', actor.sessionId)
      .where('last_seen_at', '<', since)
      .execute(),
  )
}

/** Whether this file token belongs to the actor's own session: another person may have signed in in the same browser. */
export async function isOwnFileToken(actor: Member | Staff, fileToken: string): Promise<boolean> {
  const own = await reading(actor, (tx) =>
    tx
      .selectFrom('sessions')
      .select('file_token_hash')
      .where('workspace_id', '=', actor.workspaceId)
      .where('session_id', '=', actor.sessionId)
      .executeTakeFirst(),
  )
  return own?.file_token_hash.equals(hashToken(fileToken)) ?? false
}

export async function endSession(actor: Member | Staff): Promise<void> {
  await inTransaction(actor, async (tx) => {
    const ended = await tx
      .updateTable('sessions')
      .set({ ended_at: actor.context.clock.now() })
      .where('workspace_id', '=', actor.workspaceId)
      .where('session_id', '=', actor.sessionId)
      .where('ended_at', 'is', null)
      .returning('session_id')
      .executeTakeFirst()
    if (!ended) return // Another tab came first.
    await audit(tx, actor, { action: 'session.ended', subject: { kind: 'session', id: actor.sessionId } })
  })
}
