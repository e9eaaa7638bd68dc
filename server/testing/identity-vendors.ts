import { type SumsubSimulator, startSumsubSimulator } from '../../simulators/sumsub/simulator.ts'
import { keepIdentityNotification } from '../documents/identity-notification.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import { assertState } from '../foundation/errors.ts'
import type { Ground } from '../foundation/ground.ts'
import { newId } from '../foundation/ids.ts'
import { findVendor } from '../identity-vendors/vendors.ts'

const simulators = new WeakMap<Ground, Promise<SumsubSimulator>>()

/** One beside each ground, by the ground's clock; it ends with the process. */
export function sumsubOf(ground: Ground): Promise<SumsubSimulator> {
  const started = simulators.get(ground) ?? startSumsubSimulator(undefined, () => ground.clock.now())
  simulators.set(ground, started)
  return started.then((simulator) => {
    simulator.unref()
    return simulator
  })
}

export async function sumsubSettings(ground: Ground) {
  const { url, keys } = await sumsubOf(ground)
  const { level, appToken, secretKey, webhookSecret } = keys
  return {
    base_url: url,
    level_name: level,
    app_token: appToken,
    secret_key: secretKey,
    webhook_secret: webhookSecret,
  }
}

/** The vendor as the desk would have set it up, with its simulator behind it. */
export async function ensureIdentityVendor(system: System): Promise<string> {
  const known = await reading(system, (tx) => findVendor(tx, system, 'sumsub'))
  if (known) return known.vendor_id
  const { base_url, level_name, ...secrets } = await sumsubSettings(system.ground)
  const vendor_id = newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('identity_vendors')
      .values({
        workspace_id: system.workspaceId,
        vendor_id,
        app_uid: 'sumsub',
        enabled: true,
        settings: JSON.stringify({ base_url, level_name }),
        sealed_secret: system.ground.seal.seal(JSON.stringify(secrets)),
        created_at: system.ground.clock.now(),
      })
      .execute(),
  )
  return vendor_id
}

export async function addIdentityCheck(system: System, member_id: string): Promise<string> {
  const vendor_id = await ensureIdentityVendor(system)
  const check_id = newId()
  const created_at = system.ground.clock.now()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('identity_checks')
      .values({ workspace_id: system.workspaceId, check_id, member_id, vendor_id, state: 'started', created_at })
      .execute(),
  )
  return check_id
}

/** One that proves nothing. */
export async function addIdentityNotification(system: System): Promise<void> {
  await ensureIdentityVendor(system)
  const vendor = await reading(system, (tx) => findVendor(tx, system, 'sumsub'))
  assertState(vendor, 'a vendor was added')
  const received = { body: Buffer.from('{}'), headers: {} }
  await keepIdentityNotification(system, vendor, received, { isGenuine: false, why: 'unsigned' })
}
