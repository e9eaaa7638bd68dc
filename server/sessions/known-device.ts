import { fixedDays } from '@atrium/contract/kept-times.ts'
import type { Actor, System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'
import { ownerColumn, type PersonKey } from './person.ts'
import type { Device } from './session.ts'
import { hashToken, makeToken } from './token.ts'

/** Longer than people stay away; an old browser that nobody uses is forgotten (sweep.ts). */
export const deviceKnownForMs = fixedDays.known_devices * 24 * 3_600_000

/**
 * Remembers the browser that this person has just proven themselves with, and answers the key that it keeps. The key is a
 * fresh one each time: one that somebody else put there, or read once, is worth nothing after the next sign-in.
 */
export async function rememberDevice(tx: Tx, system: System, person: PersonKey, device: Device): Promise<string> {
  const key = makeToken()
  const fresh = { device_hash: hashToken(key), last_used_at: system.ground.clock.now() }
  if (device.key) {
    await tx
      .updateTable('known_devices')
      .set({ device_hash: fresh.device_hash })
      .where('workspace_id', '=', system.workspaceId)
      .where('device_hash', '=', hashToken(device.key))
      .execute()
  }
  const whose = ownerColumn[person.kind]
  await tx
    .insertInto('known_devices')
    .values({ ...fresh, workspace_id: system.workspaceId, device_id: newId(), [whose]: person.id })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'device_hash', whose]).doUpdateSet({ last_used_at: fresh.last_used_at }),
    )
    .execute()
  return key
}

export async function isKnownDevice(tx: Tx, system: System, person: PersonKey, device: Device): Promise<boolean> {
  if (!device.key) return false
  const found = await tx
    .selectFrom('known_devices')
    .select('device_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('device_hash', '=', hashToken(device.key))
    .where(ownerColumn[person.kind], '=', person.id)
    .where('last_used_at', '>', new Date(system.ground.clock.now().getTime() - deviceKnownForMs))
    .executeTakeFirst()
  return found !== undefined
}

/** With a new password every browser is a stranger again: the old one may have been in the wrong hands. */
export async function forgetDevices(tx: Tx, actor: Actor, person: PersonKey): Promise<void> {
  await tx
    .deleteFrom('known_devices')
    .where('workspace_id', '=', actor.workspaceId)
    .where(ownerColumn[person.kind], '=', person.id)
    .execute()
}
