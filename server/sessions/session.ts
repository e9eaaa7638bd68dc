import { memberPermissions } from '@atrium/contract/scopes.ts'
import type { Member, Staff, System } from '../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'
import { readFeatures } from '../workspaces/workspace.ts'
import { hashToken, makeToken } from './token.ts'

export type Device = { address: string | null; userAgent: string | null }
/** What a browser says of itself, as far as it is kept. */
export function keptUserAgent({ userAgent }: Device): string | null {
  return userAgent?.slice(0, 300) ?? null
}

export type Tokens = { sessionId: string; token: string; fileToken: string }

/** Opens a session for a person who has just proven who they are. Two tokens: one for calls, one good only for files. */
export async function openSession(
  tx: Tx,
  system: System,
  person: { kind: 'member' | 'staff'; id: string },
  device: Device,
): Promise<Tokens> {
  const now = system.ground.clock.now()
  const tokens = { sessionId: newId(), token: makeToken(), fileToken: makeToken() }
  await tx
    .insertInto('sessions')
    .values({
      workspace_id: system.workspaceId,
      session_id: tokens.sessionId,
      kind: person.kind,
      member_id: person.kind === 'member' ? person.id : null,
      staff_id: person.kind === 'staff' ? person.id : null,
      token_hash: hashToken(tokens.token),
      file_token_hash: hashToken(tokens.fileToken),
      created_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + system.ground.config.sessionAgeMsMax),
      address: device.address,
      user_agent: keptUserAgent(device),
    })
    .execute()
  return tokens
}

type Proof = { token: string; of: 'calls' | 'files' }

function findLiveSession(tx: Tx, system: System, proof: Proof) {
  const { clock, config } = system.ground
  const now = clock.now()
  return tx
    .selectFrom('sessions')
    .select(['session_id', 'member_id', 'staff_id'])
    .where('sessions.workspace_id', '=', system.workspaceId)
    .where(proof.of === 'calls' ? 'token_hash' : 'file_token_hash', '=', hashToken(proof.token))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', new Date(now.getTime() - config.sessionIdleMs))
}

/** The member that a token belongs to, with what they may do; null for a token that is unknown, ended, idle or too old. */
export async function findMember(system: System, proof: Proof): Promise<Member | null> {
  const row = await reading(system, (tx) =>
    tx
      .with('session', () => findLiveSession(tx, system, proof).where('kind', '=', 'member'))
      .selectFrom('session')
      .innerJoin('members', 'members.member_id', 'session.member_id')
      .innerJoin('workspaces', 'workspaces.workspace_id', 'members.workspace_id')
      .select(['session.session_id', 'members.member_id', 'members.permissions', 'workspaces.features'])
      .where('members.workspace_id', '=', system.workspaceId)
      .where('members.status', '=', 'active')
      .executeTakeFirst(),
  )
  if (!row) return null
  return {
    ...system,
    kind: 'member',
    memberId: row.member_id,
    sessionId: row.session_id,
    permissions: [...memberPermissions, ...row.permissions],
    features: readFeatures(row.features),
  }
}

export async function findStaff(system: System, proof: Proof): Promise<Staff | null> {
  const row = await reading(system, (tx) =>
    tx
      .with('session', () => findLiveSession(tx, system, proof).where('kind', '=', 'staff'))
      .selectFrom('session')
      .innerJoin('staff_users', 'staff_users.staff_id', 'session.staff_id')
      .select(['session.session_id', 'staff_users.staff_id', 'staff_users.role', 'staff_users.name'])
      .where('staff_users.workspace_id', '=', system.workspaceId)
      .where('staff_users.status', '=', 'active')
      .executeTakeFirst(),
  )
  if (!row) return null
  return { ...system, kind: 'staff', staffId: row.staff_id, sessionId: row.session_id, role: row.role, name: row.name }
}

/** A row is written at most once a minute, however often the mouse moves. */
const activityGrainMs = 60_000

export async function recordActivity(actor: Member | Staff): Promise<void> {
  const now = actor.ground.clock.now()
  await inTransaction(actor, (tx) =>
    tx
      .updateTable('sessions')
      .set({ last_seen_at: now })
      .where('workspace_id', '=', actor.workspaceId)
      .where('session_id', '=', actor.sessionId)
      .where('last_seen_at', '<', new Date(now.getTime() - activityGrainMs))
      .execute(),
  )
}

export async function endSession(actor: Member | Staff): Promise<void> {
  await inTransaction(actor, (tx) =>
    tx
      .updateTable('sessions')
      .set({ ended_at: actor.ground.clock.now() })
      .where('workspace_id', '=', actor.workspaceId)
      .where('session_id', '=', actor.sessionId)
      .where('ended_at', 'is', null)
      .execute(),
  )
}
