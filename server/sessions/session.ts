import { type Features, heldPermissions, type MemberType } from '@atrium/contract/access/scopes.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { type Compilable, sql } from 'kysely'
import type { Actor, Member, Staff, System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { Context } from '../foundation/context.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { keepStatement } from '../foundation/database/kept-statement.ts'
import { keepRecent, type Recent } from '../foundation/database/recent.ts'
import { refuse } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { readPendingRows, selectPendingTerms } from '../foundation/pending-terms.ts'
import { readFeaturesText, readSettingsText, readWorkspace, type Workspace } from '../workspaces/workspace.ts'
import { ownedBy, type PersonKey } from './person.ts'
import { hashToken, makeToken } from './token.ts'

/** `key`: the browser's device key from an earlier sign-in (known-device.ts). */
export type Device = { address: string | null; userAgent: string | null; key?: string | null }
/** The stored part of the user agent. */
export function keptUserAgent({ userAgent }: Device): string | null {
  return userAgent?.slice(0, 300) ?? null
}

export type Tokens = { sessionId: string; token: string; fileToken: string }

/** Opens a session for a person with the required proofs. Returns two tokens: one for calls, one for files only. */
export async function openSession(
  tx: Tx,
  system: System,
  person: PersonKey,
  device: Device,
  { withFactor = false } = {},
): Promise<Tokens> {
  const now = system.context.clock.now()
  const tokens = { sessionId: newId(), token: makeToken(), fileToken: makeToken() }
  await tx
    .insertInto('sessions')
    .values({
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
      user_agent: keptUserAgent(device),
    })
    .execute()
  return tokens
}

type Proof = {
  token: string
  of: 'calls' | 'files'
  /** Accepts a session that still has to set up a required second factor; all other calls refuse it. */
  mayEnrol?: boolean
}

type Workspaced = Pick<System, 'workspaceId'>
type ByToken = Workspaced & { hash: Buffer }

function refuseUnlessFactor(mustEnrol: boolean, { mayEnrol = false }: Proof): void {
  if (mustEnrol && !mayEnrol) refuse('second_factor_required', sessionTexts.secondFactorRequired)
}

/** Evaluated on each call, so that a new requirement applies to open sessions too. */
const mustEnrol = {
  member: sql<boolean>`session.second_factor_at is null
    and coalesce(workspaces.settings ->> 'second_factor_members', 'optional') = 'required'`,
  staff: sql<boolean>`session.second_factor_at is null
    and coalesce(workspaces.settings ->> 'second_factor_staff', 'required') = 'required'`,
}

/** Ignores expiry: an expired session must be found to be ended permanently. */
function findOpenSessions(tx: Tx, { workspaceId }: Workspaced) {
  return tx
    .selectFrom('sessions')
    .select(['session_id', 'member_id', 'staff_id', 'created_at', 'last_seen_at', 'expires_at', 'second_factor_at'])
    .where('sessions.workspace_id', '=', workspaceId)
    .where('ended_at', 'is', null)
}

const hashColumns = { calls: 'token_hash', files: 'file_token_hash' } as const

function findOpenSession(tx: Tx, of: Proof['of'], byToken: ByToken) {
  return findOpenSessions(tx, byToken).where(hashColumns[of], '=', byToken.hash)
}

/** Every call proves a session by one of the two tokens, so the statements are prepared once. */
function keepProofs<Row>(whose: 'member' | 'staff', build: (tx: Tx, of: Proof['of'], by: ByToken) => Compilable<Row>) {
  const keep = (of: Proof['of']) => keepStatement<ByToken, Row>(`${whose}_of_${of}`, (tx, by) => build(tx, of, by))
  const statements = { calls: keep('calls'), files: keep('files') }
  return async (tx: Tx, { workspaceId }: Workspaced, of: Proof['of'], hash: Buffer): Promise<Row | undefined> =>
    (await statements[of](tx, { workspaceId, hash })).rows[0]
}

type Times = { session_id: string; created_at: Date; last_seen_at: Date; expires_at: Date }
type Choices = Pick<Workspace['settings'], 'session_idle_minutes' | 'session_hours_max'>

/**
 * An expired session is stored as ended when first seen; `endOverdueSessions` ends the others. A clock set back later
 * must not revive it.
 */
async function isLive(system: System, session: Times, chosen: Choices): Promise<boolean> {
  if (isWithin(lifeSpan(system, chosen), session)) return true
  await endOverdueSessions(system, session.session_id)
  return false
}

function isWithin({ now, idleSince, oldSince }: ReturnType<typeof lifeSpan>, session: Times): boolean {
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
export function stillLive({ now, idleSince, oldSince }: ReturnType<typeof lifeSpan>) {
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

type Sessions = ReturnType<typeof findOpenSessions>

/** What a repeated proof compares, besides the times. The revision changes with settings, features and published terms. */
function selectProven(tx: Tx, { workspaceId }: Workspaced, sessions: Sessions) {
  return tx
    .with('session', () => sessions.where('kind', '=', 'member'))
    .selectFrom('session')
    .innerJoin('members', 'members.member_id', 'session.member_id')
    .innerJoin('workspaces', 'workspaces.workspace_id', 'members.workspace_id')
    .select(['session.session_id', 'session.created_at', 'session.last_seen_at', 'session.expires_at'])
    .select(['members.member_id', 'members.type', 'members.permissions', 'workspaces.revision'])
    .select(sql<boolean>`session.second_factor_at is not null`.as('has_factor'))
    .where('members.workspace_id', '=', workspaceId)
    .where('members.status', '=', 'active')
}

function selectMembers(tx: Tx, { workspaceId }: Workspaced, sessions: Sessions) {
  return (
    selectProven(tx, { workspaceId }, sessions)
      // As text, so that unchanged text is not parsed again.
      .select(sql<string>`workspaces.features::text`.as('features'))
      .select(sql<string>`workspaces.settings::text`.as('settings'))
      .select(selectPendingTerms(workspaceId, 'members.member_id'))
      .select(mustEnrol.member.as('must_enrol'))
  )
}

type ProvenRow = Awaited<ReturnType<ReturnType<typeof selectProven>['execute']>>[number]
type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>['execute']>>[number]

const settingsOf = ({ settings }: { settings: string }): Workspace['settings'] => readSettingsText(settings)
const featuresOf = ({ features }: { features: string }): Features => readFeaturesText(features)

function memberOf(system: System, row: MemberRow): Member {
  return {
    ...system,
    kind: 'member',
    memberId: row.member_id,
    sessionId: row.session_id,
    type: row.type as MemberType,
    permissions: heldPermissions(settingsOf(row).default_permissions, row.permissions),
    features: featuresOf(row),
    terms: readPendingRows(row.pending_terms),
    mustEnrol: row.must_enrol,
    lastSeenAt: row.last_seen_at,
  }
}

const proveMember = keepProofs('member', (tx, of, by) => selectMembers(tx, by, findOpenSession(tx, of, by)))
const proveAgain = keepStatement('member_again', (tx, by: ByToken) =>
  selectProven(tx, by, findOpenSession(tx, 'calls', by)),
)

/** A token's member with their permissions; null for an unknown, ended, idle or expired token. */
export async function findMember(system: System, proof: Proof): Promise<Member | null> {
  const hash = hashToken(proof.token)
  const row = await reading(system, (tx) => proveMember(tx, system, proof.of, hash))
  if (!row || !(await isLive(system, row, settingsOf(row)))) return null
  refuseUnlessFactor(row.must_enrol, proof)
  const member = memberOf(system, row)
  // A repeated proof does not look for acceptances, so it cannot tell when the terms of this member stop being pending.
  const isRecallable = !row.must_enrol && member.terms.length === 0
  if (isRecallable && proof.of === 'calls') recalledOf(system).keep(placeOf(system, hash), { member, row })
  return member
}

type Recalled = { member: Member; row: MemberRow }

/** Whether two proofs are equal, apart from the session's times. */
function sayTheSame(one: ProvenRow, other: ProvenRow): boolean {
  return (
    one.session_id === other.session_id &&
    one.member_id === other.member_id &&
    one.type === other.type &&
    one.revision === other.revision &&
    one.has_factor === other.has_factor &&
    JSON.stringify(one.permissions) === JSON.stringify(other.permissions)
  )
}

/** The sessions cached by one process. */
const recalledMax = 5_000
const recalledBy = new WeakMap<Context, Recent<Recalled>>()

function recalledOf({ context }: System): Recent<Recalled> {
  const made = recalledBy.get(context) ?? keepRecent<Recalled>(recalledMax)
  recalledBy.set(context, made)
  return made
}

const placeOf = ({ workspaceId }: System, hash: Buffer): string => `${workspaceId} ${hash.toString('base64')}`

/**
 * The member as last found by this token, and a check that a call would still find the same session, owner, permissions
 * and pending terms. Run the check with the member's reads, and return no result unless it succeeds. Null when not
 * cached.
 */
export function recallMember(
  system: System,
  token: string,
): { member: Member; isSame(tx: Tx): Promise<boolean> } | null {
  const hash = hashToken(token)
  const place = placeOf(system, hash)
  const recalled = recalledOf(system).find(place)
  if (!recalled) return null
  return {
    member: { ...recalled.member, ...system, kind: 'member' },
    async isSame(tx) {
      const [row] = (await proveAgain(tx, { workspaceId: system.workspaceId, hash })).rows
      const isOpen = row && isWithin(lifeSpan(system, settingsOf(recalled.row)), row)
      if (isOpen && sayTheSame(row, recalled.row)) return true
      recalledOf(system).forget(place)
      return false
    },
  }
}

/**
 * The current members of sessions proven before, in one statement. Sessions that a call would refuse are absent. This
 * does not count as activity.
 */
export async function findMembersAgain(system: System, sessionIds: readonly string[]): Promise<Map<string, Member>> {
  const rows = await reading(system, (tx) => {
    const sessions = findOpenSessions(tx, system).where(sql<boolean>`session_id = any(${sessionIds}::uuid[])`)
    return selectMembers(tx, system, sessions).execute()
  })
  const open = rows.filter((row) => !row.must_enrol && isWithin(lifeSpan(system, settingsOf(row)), row))
  return new Map(open.map((row) => [row.session_id, memberOf(system, row)]))
}

const proveStaff = keepProofs('staff', (tx, of, by) =>
  tx
    .with('session', () => findOpenSession(tx, of, by).where('kind', '=', 'staff'))
    .selectFrom('session')
    .innerJoin('staff_users', 'staff_users.staff_id', 'session.staff_id')
    .innerJoin('workspaces', 'workspaces.workspace_id', 'staff_users.workspace_id')
    .select(['session.session_id', 'session.created_at', 'session.last_seen_at', 'session.expires_at'])
    .select(['staff_users.staff_id', 'staff_users.role', 'staff_users.name'])
    .select(sql<string>`workspaces.settings::text`.as('settings'))
    .select(mustEnrol.staff.as('must_enrol'))
    .where('staff_users.workspace_id', '=', by.workspaceId)
    .where('staff_users.status', '=', 'active'),
)

export async function findStaff(system: System, proof: Proof): Promise<Staff | null> {
  const row = await reading(system, (tx) => proveStaff(tx, system, proof.of, hashToken(proof.token)))
  if (!row || !(await isLive(system, row, settingsOf(row)))) return null
  refuseUnlessFactor(row.must_enrol, proof)
  const { staff_id: staffId, session_id: sessionId, role, name, must_enrol } = row
  return {
    ...system,
    kind: 'staff',
    staffId,
    sessionId,
    role,
    name,
    mustEnrol: must_enrol,
    lastSeenAt: row.last_seen_at,
  }
}

/** Writes the row at most once a minute. */
const activityGrainMs = 60_000

export async function recordActivity(actor: Member | Staff): Promise<void> {
  const now = actor.context.clock.now()
  const since = new Date(now.getTime() - activityGrainMs)
  // The proof has read the time already, which saves a transaction without effect.
  if (actor.lastSeenAt && actor.lastSeenAt >= since) return
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
