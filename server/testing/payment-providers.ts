import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import { assertState } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { findProvider } from '../payment-providers/provider.ts'
import { findAdapter } from '../payment-providers/registry.ts'

type Currency = { currency: string; amount_min: string; amount_max: string; fee_percent?: string; fee_fixed?: string }
const usualCurrencies: Currency[] = [
  { currency: 'USD', amount_min: '10', amount_max: '5000' },
  { currency: 'EUR', amount_min: '10', amount_max: '5000', fee_percent: '2.5' },
  { currency: 'JPY', amount_min: '1000', amount_max: '500000' },
]

/** A provider as the desk would have set it up. */
export async function addProvider(
  system: System,
  app_uid: string,
  settings: Record<string, string>,
  currencies: Currency[] = usualCurrencies,
): Promise<string> {
  const key = { workspace_id: system.workspaceId, provider_id: newId() }
  const isSecret = (name: string): boolean => findAdapter(app_uid)?.fields[name]?.isSecret === true
  const part = (secret: boolean) =>
    JSON.stringify(Object.fromEntries(Object.entries(settings).filter(([name]) => isSecret(name) === secret)))
  await inTransaction(system, async (tx) => {
    await tx
      .insertInto('payment_providers')
      .values({ ...key, app_uid, enabled: true, created_at: system.ground.clock.now() })
      .execute()
    await tx
      .insertInto('payment_provider_connections')
      .values({ ...key, settings: part(false), sealed_secret: system.ground.seal.seal(part(true)) })
      .execute()
    await tx
      .insertInto('payment_provider_currencies')
      .values(currencies.map((each) => ({ ...key, ...each })))
      .execute()
  })
  return key.provider_id
}

/** As the desk switches it on and off. */
export const switchProvider = (system: System, app_uid: string, enabled: boolean) =>
  inTransaction(system, (tx) =>
    tx
      .updateTable('payment_providers')
      .set({ enabled })
      .where('workspace_id', '=', system.workspaceId)
      .where('app_uid', '=', app_uid)
      .execute(),
  )

/** As somebody at the desk would change settings that are no secret. */
export async function changeSettings(system: System, app_uid: string, changed: Record<string, string>): Promise<void> {
  await inTransaction(system, async (tx) => {
    const provider = await findProvider(tx, system, app_uid)
    assertState(provider, 'a provider was added')
    const { settings } = await tx
      .selectFrom('payment_provider_connections')
      .select('settings')
      .where('workspace_id', '=', system.workspaceId)
      .where('provider_id', '=', provider.provider_id)
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('payment_provider_connections')
      .set({ settings: JSON.stringify({ ...(settings as Record<string, string>), ...changed }) })
      .where('workspace_id', '=', system.workspaceId)
      .where('provider_id', '=', provider.provider_id)
      .execute()
  })
}

/** Asked about an order or tested, it fails at once, and nothing leaves the machine. */
export const nobodyThere = { restUrl: 'http://localhost:9' }

/** SafeCharge with nobody behind it: it is not called for its page. */
export async function ensureProvider(system: System): Promise<string> {
  const known = await reading(system, (tx) => findProvider(tx, system, 'safecharge'))
  const settings = { ...nobodyThere, merchantId: '1000000001', siteId: '200001', secretKey: 'safecharge-secret-0001' }
  return known?.provider_id ?? addProvider(system, 'safecharge', settings)
}
