import { type Features, features, heldPermissions, type MemberType } from '@atrium/contract/scopes.ts'
import { type Member, type Staff, type System, systemActor } from '../foundation/actor.ts'
import type { Members, StaffUsers } from '../foundation/database.generated.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import type { Ground } from '../foundation/ground.ts'
import { newId } from '../foundation/ids.ts'
import { hashPassword } from '../sessions/password.ts'
import type { PersonKey } from '../sessions/person.ts'
import { openSession, type Tokens } from '../sessions/session.ts'
import { readPendingRows, selectPendingTerms } from '../terms/pending.ts'
import { readFeatures, readSettings } from '../workspaces/workspace.ts'
import { type Made, nextCount } from './made.ts'

/**
 * Builders for tests: each makes one row that is right unless told otherwise, and answers what a test needs of it. They
 * write through the same scoped transactions as the program, so a row that a builder makes is one that the program could.
 */
export const harbourPassword = 'Harbour-2026'

const allOn = Object.fromEntries(features.map((feature) => [feature, true])) as Features

/** One hash serves every builder: argon2 is slow on purpose, and a test file makes many people. */
const harbourHash = hashPassword(harbourPassword)

type WorkspaceOptions = {
  subdomain?: string
  isDefault?: boolean
  name?: string
  features?: Partial<Features>
  settings?: Record<string, unknown>
}

/** A brokerage with every feature on, whose staff may sign in with a password alone. The first one that says so is the default workspace of a bare host. */
export async function addWorkspace(ground: Ground, options: WorkspaceOptions = {}): Promise<System> {
  const system = systemActor(ground, newId())
  const subdomain = options.subdomain ?? `brokerage-${nextCount()}`
  await inTransaction(system, (tx) =>
    tx
      .insertInto('workspaces')
      .values({
        workspace_id: system.workspaceId,
        subdomain,
        is_default: options.isDefault ?? false,
        name: options.name ?? `Brokerage ${subdomain}`,
        features: JSON.stringify({ ...allOn, ...options.features }),
        settings: JSON.stringify({ second_factor_staff: 'optional', ...options.settings }),
      })
      .execute(),
  )
  return system
}

/** Puts the workspace's choices in place of those that it had. */
export async function chooseSettings({ system }: { system: System }, settings: Record<string, unknown>): Promise<void> {
  await inTransaction(system, (tx) =>
    tx
      .updateTable('workspaces')
      .set({ settings: JSON.stringify({ second_factor_staff: 'optional', ...settings }) })
      .where('workspace_id', '=', system.workspaceId)
      .execute(),
  )
}

/** Turns features of a brokerage on and off; those not named keep what the builder gave them: on. */
export async function setFeatures(system: System, changes: Partial<Features>): Promise<void> {
  await inTransaction(system, (tx) =>
    tx
      .updateTable('workspaces')
      .set({ features: JSON.stringify({ ...allOn, ...changes }) })
      .where('workspace_id', '=', system.workspaceId)
      .execute(),
  )
}

/** What a member holds beside that which every member does, denials with their trailing minus. */
export async function setPermissions(system: System, memberId: string, permissions: string[]): Promise<void> {
  await inTransaction(system, (tx) =>
    tx
      .updateTable('members')
      .set({ permissions })
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', memberId)
      .execute(),
  )
}

export type MadeMember = { memberId: string; email: string; password: string }

export async function addMember(system: System, values: Made<Members> = {}): Promise<MadeMember> {
  const count = nextCount()
  const memberId = newId()
  const email = values.email ?? `member-${count}@harbour.test`
  const password_hash = await harbourHash
  await inTransaction(system, (tx) =>
    tx
      .insertInto('members')
      .values({
        customer_number: String(100_000 + count),
        first_name: 'Mara',
        last_name: 'Member',
        emails: [email],
        password_hash,
        created_at: system.ground.clock.now(),
        ...values,
        email,
        workspace_id: system.workspaceId,
        member_id: memberId,
      })
      .execute(),
  )
  return { memberId, email, password: harbourPassword }
}

/** The member as a proven session would make them, flags and permissions read from the rows. */
export async function memberActor(system: System, memberId: string): Promise<Member> {
  const row = await reading(system, (tx) =>
    tx
      .selectFrom('members')
      .innerJoin('workspaces', 'workspaces.workspace_id', 'members.workspace_id')
      .select(['members.type', 'members.permissions', 'workspaces.features', 'workspaces.settings'])
      .select(selectPendingTerms(system.workspaceId, 'members.member_id'))
      .where('members.workspace_id', '=', system.workspaceId)
      .where('members.member_id', '=', memberId)
      .executeTakeFirstOrThrow(),
  )
  const permissions = heldPermissions(readSettings(row.settings).default_permissions, row.permissions)
  const type = row.type as MemberType
  return {
    ...system,
    kind: 'member',
    memberId,
    sessionId: newId(),
    type,
    permissions,
    features: readFeatures(row.features),
    terms: readPendingRows(row.pending_terms),
    mustEnrol: false,
  }
}

/** As staff do who have looked at the member's papers. */
export async function approveDocuments(system: System, memberId: string): Promise<void> {
  await inTransaction(system, (tx) =>
    tx
      .updateTable('members')
      .set({ documents_status: 'approved', papers_elsewhere: true })
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', memberId)
      .execute(),
  )
}

export type MadeStaff = { staffId: string; email: string; password: string; role: string; name: string }

export async function addStaff(system: System, values: Made<StaffUsers> = {}): Promise<MadeStaff> {
  const given = { name: 'Sela Staff', email: `staff-${nextCount()}@harbour.test`, ...values }
  const staff = { ...given, role: values.role ?? 'administrator' }
  const staffId = newId()
  const password_hash = await harbourHash
  await inTransaction(system, (tx) =>
    tx
      .insertInto('staff_users')
      .values({
        password_hash,
        created_at: system.ground.clock.now(),
        ...staff,
        workspace_id: system.workspaceId,
        staff_id: staffId,
      })
      .execute(),
  )
  return { staffId, email: staff.email, password: harbourPassword, role: staff.role, name: staff.name }
}

export function staffActor(system: System, { staffId, role, name }: MadeStaff): Staff {
  return { ...system, kind: 'staff', staffId, role, name, sessionId: newId(), mustEnrol: false }
}

/** A signed-in session: `token` is the bearer, `fileToken` the cookie for files. */
export function openTestSession(system: System, person: PersonKey): Promise<Tokens> {
  return inTransaction(system, (tx) => openSession(tx, system, person, { address: null, userAgent: 'test' }))
}
