import { type Features, heldPermissions, type MemberType } from '@atrium/contract/access/scopes.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { type Compilable, sql } from 'kysely'
import type { Member, Staff, System } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { prepareStatement } from '../foundation/database/prepared-statement.ts'
import { keepRecent, type Recent } from '../foundation/database/recent.ts'
import { refuse } from '../foundation/errors.ts'
import type { Recalled } from '../foundation/pending-proof.ts'
import { readPendingRows, selectPendingTerms } from '../foundation/pending-terms.ts'
import { readFeaturesText, readSettingsText, type Workspace } from '../workspaces/workspace.ts'
import { type ByToken, type ProvenSession, rememberProofs } from './remembered-proofs.ts'
import { type Choices, isLive, isWithin, lifeSpan } from './session.ts'
import type { ByTokens } from './shared-proofs.ts'
import { hashToken } from './token.ts'

type Proof = {
  token: string
  of: 'calls' | 'files'
  /** Accepts a session that still has to set up a required second factor; all other calls refuse it. */
  mayEnrol?: boolean
}

type Workspaced = Pick<System, 'workspaceId'>

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

/** The tokens of several calls, and the session of each (shared-proofs.ts). */
const askedOf = ({ hashes }: ByTokens) =>
  sql<{ place: number; hash: Buffer }>`(
    select hash, place::int - 1 as place from unnest(${hashes}::bytea[]) with ordinality as given (hash, place)
  )`.as('asked')

function findAskedSession(tx: Tx, by: ByTokens) {
  return findOpenSessions(tx, by).where('token_hash', '=', sql.ref<Buffer>('asked.hash'))
}

/** Every call proves a session by one of the two tokens, so the statements are prepared once. */
function keepProofs<Row>(whose: 'member' | 'staff', build: (tx: Tx, of: Proof['of'], by: ByToken) => Compilable<Row>) {
  const keep = (of: Proof['of']) => prepareStatement<ByToken, Row>(`${whose}_of_${of}`, (tx, by) => build(tx, of, by))
  const statements = { calls: keep('calls'), files: keep('files') }
  return async (tx: Tx, { workspaceId }: Workspaced, of: Proof['of'], hash: Buffer): Promise<Row | undefined> =>
    (await statements[of](tx, { workspaceId, hash })).rows[0]
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

/** Without the texts of settings and features, which every remembered row would hold its own copy of. */
function provenOf(row: MemberRow): ProvenRow {
  const { session_id, created_at, last_seen_at, expires_at, member_id, type, permissions, revision, has_factor } = row
  return { session_id, created_at, last_seen_at, expires_at, member_id, type, permissions, revision, has_factor }
}

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
const proveMemberAgain = prepareStatement('member_again', (tx, by: ByToken) =>
  selectProven(tx, by, findOpenSession(tx, 'calls', by)),
)

/** Limited to one row each, so that a plan for any number of sessions finds each by its keys. */
const proveMembersTogether = prepareStatement('members_together', (tx, by: ByTokens) =>
  tx
    .selectFrom(askedOf(by))
    .innerJoinLateral(selectProven(tx, by, findAskedSession(tx, by)).limit(sql.lit(1)).as('proven'), (join) =>
      join.onTrue(),
    )
    .selectAll('proven')
    .select('asked.place'),
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
  if (isRecallable && proof.of === 'calls') members.keep(member, hash, { row: provenOf(row), chosen: settingsOf(row) })
  return member
}

/** Whether two proofs of a member are equal, apart from the session's times. */
function isSameMember(one: ProvenRow, other: ProvenRow): boolean {
  return (
    isSameSession(one, other) &&
    one.member_id === other.member_id &&
    one.type === other.type &&
    JSON.stringify(one.permissions) === JSON.stringify(other.permissions)
  )
}

/** The second factor and the revision decide whether the factor is still to be set up. */
function isSameSession(one: ProvenSession, other: ProvenSession): boolean {
  return one.session_id === other.session_id && one.revision === other.revision && one.has_factor === other.has_factor
}

const members = rememberProofs<Member, ProvenRow>({
  repeat: async (tx, by) => (await proveMemberAgain(tx, by)).rows[0],
  repeatAll: async (tx, by) => (await proveMembersTogether(tx, by)).rows,
  isSame: isSameMember,
})

/**
 * The member as last found by this token, and a check that a call would still find the same session, owner, permissions
 * and pending terms. Null when not remembered.
 */
export const recallMember = (system: System, token: string): Recalled<Member> | null => members.recall(system, token)

const findSessions = (tx: Tx, by: Pick<System, 'workspaceId'>, sessionIds: readonly string[]) =>
  findOpenSessions(tx, by).where(sql<boolean>`session_id = any(${sessionIds}::uuid[])`)

/** Open streams of one process, of both kinds. */
const streamsMax = 10_000
const streaming = new WeakMap<Context, Recent<{ row: ProvenRow; chosen: Choices; member: Member }>>()

function streamsOf(context: Context) {
  const made = streaming.get(context) ?? keepRecent(streamsMax)
  streaming.set(context, made)
  return made
}

/**
 * The current members of sessions proven before, without those that a call would refuse; this does not count as
 * activity. Sessions whose smaller proof is unchanged are not proven in full again.
 */
export async function findMembersAgain(system: System, sessionIds: readonly string[]): Promise<Map<string, Member>> {
  const found = await findUnchanged(system, sessionIds)
  const others = sessionIds.filter((id) => !found.has(id))
  if (others.length === 0) return found
  const streams = streamsOf(system.context)
  const rows = await reading(system, (tx) => selectMembers(tx, system, findSessions(tx, system, others)).execute())
  for (const row of rows) {
    const chosen = settingsOf(row)
    if (row.must_enrol || !isWithin(lifeSpan(system, chosen), row)) continue
    const member = memberOf(system, row)
    found.set(row.session_id, member)
    // As for calls: accepting pending terms does not change the smaller proof.
    if (member.terms.length === 0) streams.keep(row.session_id, { row: provenOf(row), chosen, member })
    else streams.forget(row.session_id)
  }
  return found
}

async function findUnchanged(system: System, sessionIds: readonly string[]): Promise<Map<string, Member>> {
  const streams = streamsOf(system.context)
  const known = sessionIds.filter((id) => streams.find(id)?.member.workspaceId === system.workspaceId)
  if (known.length === 0) return new Map()
  const rows = await reading(system, (tx) => selectProven(tx, system, findSessions(tx, system, known)).execute())
  const unchanged = rows.flatMap((row): [string, Member][] => {
    const before = streams.find(row.session_id)
    const isUnchanged = before && isSameMember(row, before.row) && isWithin(lifeSpan(system, before.chosen), row)
    return isUnchanged ? [[row.session_id, before.member]] : []
  })
  return new Map(unchanged)
}

/** What a repeated proof of a desk user compares. */
function selectProvenStaff(tx: Tx, { workspaceId }: Workspaced, sessions: Sessions) {
  return tx
    .with('session', () => sessions.where('kind', '=', 'staff'))
    .selectFrom('session')
    .innerJoin('staff_users', 'staff_users.staff_id', 'session.staff_id')
    .innerJoin('workspaces', 'workspaces.workspace_id', 'staff_users.workspace_id')
    .select(['session.session_id', 'session.created_at', 'session.last_seen_at', 'session.expires_at'])
    .select(['staff_users.staff_id', 'staff_users.role', 'staff_users.name', 'staff_users.email'])
    .select('workspaces.revision')
    .select(sql<boolean>`session.second_factor_at is not null`.as('has_factor'))
    .where('staff_users.workspace_id', '=', workspaceId)
    .where('staff_users.status', '=', 'active')
}

type ProvenStaffRow = Awaited<ReturnType<ReturnType<typeof selectProvenStaff>['execute']>>[number]

const proveStaff = keepProofs('staff', (tx, of, by) =>
  selectProvenStaff(tx, by, findOpenSession(tx, of, by))
    .select(sql<string>`workspaces.settings::text`.as('settings'))
    .select(mustEnrol.staff.as('must_enrol')),
)
const proveStaffAgain = prepareStatement('staff_again', (tx, by: ByToken) =>
  selectProvenStaff(tx, by, findOpenSession(tx, 'calls', by)),
)

const proveStaffTogether = prepareStatement('staff_together', (tx, by: ByTokens) =>
  tx
    .selectFrom(askedOf(by))
    .innerJoinLateral(selectProvenStaff(tx, by, findAskedSession(tx, by)).limit(sql.lit(1)).as('proven'), (join) =>
      join.onTrue(),
    )
    .selectAll('proven')
    .select('asked.place'),
)

const staffUsers = rememberProofs<Staff, ProvenStaffRow>({
  repeat: async (tx, by) => (await proveStaffAgain(tx, by)).rows[0],
  repeatAll: async (tx, by) => (await proveStaffTogether(tx, by)).rows,
  isSame: (one, other) =>
    isSameSession(one, other) &&
    (['staff_id', 'role', 'name', 'email'] as const).every((column) => one[column] === other[column]),
})

/** The desk user as last found by this token, and the same check. Null when not remembered. */
export const recallStaff = (system: System, token: string): Recalled<Staff> | null => staffUsers.recall(system, token)

export async function findStaff(system: System, proof: Proof): Promise<Staff | null> {
  const hash = hashToken(proof.token)
  const row = await reading(system, (tx) => proveStaff(tx, system, proof.of, hash))
  if (!row || !(await isLive(system, row, settingsOf(row)))) return null
  refuseUnlessFactor(row.must_enrol, proof)
  const { staff_id: staffId, session_id: sessionId, role, name, email, must_enrol } = row
  const person = { staffId, sessionId, role, name, email, mustEnrol: must_enrol, lastSeenAt: row.last_seen_at }
  const staff: Staff = { ...system, kind: 'staff', ...person }
  if (!row.must_enrol && proof.of === 'calls') staffUsers.keep(staff, hash, { row, chosen: settingsOf(row) })
  return staff
}
