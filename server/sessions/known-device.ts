import { fixedDays } from '@atrium/contract/workspaces/retention.ts'
import { type Insertable, sql } from 'kysely'
import type { Actor, System } from '../foundation/actor.ts'
import type { DB } from '../foundation/database/database.generated.ts'
import type { Tx } from '../foundation/database/database.ts'
import { prepareStatement } from '../foundation/database/prepared-statement.ts'
import { emailSpellings } from '../foundation/email-spellings.ts'
import { newId } from '../foundation/ids.ts'
import { type Kind, ownedBy, ownerColumn, type PersonKey } from './person.ts'
import type { Device } from './session.ts'
import { hashToken, makeToken } from './token.ts'

/** Longer than people stay away; sweep.ts removes unused browsers. */
export const deviceKnownForMs = fixedDays.known_devices * 24 * 3_600_000

/**
 * Stores the browser that this person has just signed in with, and returns its new key. A planted or stolen key is
 * worthless after the next sign-in.
 */
export async function rememberDevice(
  tx: Tx,
  system: System,
  person: PersonKey,
  { key: earlier, at = system.context.clock.now() }: Device & { at?: Date },
): Promise<string> {
  const key = makeToken()
  const fresh = { device_hash: hashToken(key), last_used_at: at }
  await Promise.all([
    earlier &&
      tx
        .updateTable('known_devices')
        .set({ device_hash: fresh.device_hash })
        .where('workspace_id', '=', system.workspaceId)
        .where('device_hash', '=', hashToken(earlier))
        .execute(),
    addDevice(tx, { ...fresh, workspace_id: system.workspaceId, device_id: newId(), ...ownedBy(person) }, person.kind),
  ])
  return key
}

const addDevice = prepareStatement('known_device', (tx: Tx, row: Insertable<DB['known_devices']>, kind: Kind) =>
  tx
    .insertInto('known_devices')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'device_hash', ownerColumn[kind]])
        .doUpdateSet((is) => ({ last_used_at: is.ref('excluded.last_used_at') })),
    ),
)

/**
 * Whether the browser with this key has signed in to the account with this email. Looks up the browser and compares its
 * owners' emails, so that unknown emails cost the same as known ones.
 */
export async function isKnownDevice(tx: Tx, system: System, kind: Kind, email: string, key: string): Promise<boolean> {
  const usedSince = new Date(system.context.clock.now().getTime() - deviceKnownForMs)
  const { workspaceId } = system
  const owners = await ownersOf[kind](tx, {
    workspaceId,
    hash: hashToken(key),
    usedSince,
    spellings: emailSpellings(email),
  })
  return owners.rows.some(({ is_owners }) => is_owners)
}

/** Whether the person whose password was right has signed in with this browser before. */
export async function isDeviceOf(tx: Tx, system: System, { kind, id }: PersonKey, { key }: Device): Promise<boolean> {
  if (!key) return false
  const usedSince = new Date(system.context.clock.now().getTime() - deviceKnownForMs)
  const found = await tx
    .selectFrom('known_devices')
    .select('device_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('device_hash', '=', hashToken(key))
    .where('last_used_at', '>', usedSince)
    .where(ownerColumn[kind], '=', id)
    .executeTakeFirst()
  return found !== undefined
}

type Shown = { workspaceId: string; hash: Buffer; usedSince: Date; spellings: readonly string[] }

const knownSince = (tx: Tx, { workspaceId, hash, usedSince }: Shown) =>
  tx
    .selectFrom('known_devices')
    .where('known_devices.workspace_id', '=', workspaceId)
    .where('device_hash', '=', hash)
    .where('last_used_at', '>', usedSince)

const isOwners = ({ spellings }: Shown) => sql<boolean>`lower(email) = any(${spellings}::text[])`.as('is_owners')

const ownersOf = {
  member: prepareStatement('device_of_member', (tx: Tx, shown: Shown) =>
    knownSince(tx, shown)
      .innerJoin('members', 'members.member_id', 'known_devices.member_id')
      .where('members.workspace_id', '=', shown.workspaceId)
      .select(isOwners(shown)),
  ),
  staff: prepareStatement('device_of_staff', (tx: Tx, shown: Shown) =>
    knownSince(tx, shown)
      .innerJoin('staff_users', 'staff_users.staff_id', 'known_devices.staff_id')
      .where('staff_users.workspace_id', '=', shown.workspaceId)
      .select(isOwners(shown)),
  ),
}

/** A new password makes every browser unknown, because an intruder may have used the old one. */
export async function forgetDevices(tx: Tx, actor: Actor, person: PersonKey): Promise<void> {
  await tx
    .deleteFrom('known_devices')
    .where('workspace_id', '=', actor.workspaceId)
    .where(ownerColumn[person.kind], '=', person.id)
    .execute()
}

/**
 * Forgets a person's browsers except the caller's, if the caller is this person: the first second factor makes those
 * unknown that a password alone made known, and the end of all sessions those of an intruder.
 */
export async function forgetOtherDevices(tx: Tx, actor: Actor, person: PersonKey): Promise<void> {
  if (actor.kind === 'system') return forgetDevices(tx, actor, person)
  const { workspaceId, sessionId } = actor
  const whose = ownerColumn[person.kind]
  await tx
    .deleteFrom('known_devices')
    .where('workspace_id', '=', workspaceId)
    .where(whose, '=', person.id)
    // The cookie comes with sign-ins only: its browser is the one that was stored when this session began.
    .where('last_used_at', 'is distinct from', (of) =>
      of
        .selectFrom('sessions')
        .select('created_at')
        .where('workspace_id', '=', workspaceId)
        .where('session_id', '=', sessionId)
        .where(whose, '=', person.id),
    )
    .execute()
}

/** Forgets the browser that opened a session, unless it has opened a later one. */
export async function forgetDeviceOf(
  tx: Tx,
  actor: Actor,
  person: PersonKey,
  session: { created_at: Date },
): Promise<void> {
  await tx
    .deleteFrom('known_devices')
    .where('workspace_id', '=', actor.workspaceId)
    .where(ownerColumn[person.kind], '=', person.id)
    .where('last_used_at', '=', session.created_at)
    .execute()
}
