import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { findAdapter } from '../server/payment-providers/registry.ts'
import type { Simulators } from './simulators.ts'

type Offer = { currency: string; amount_min: string; amount_max: string; fee_percent: string; fee_fixed: string }

const offer = (
  currency: string,
  amount_min: string,
  amount_max: string,
  fee_percent = '0',
  fee_fixed = '0',
): Offer => ({
  ...{ currency, amount_min, amount_max, fee_percent, fee_fixed },
})

const offers: Record<string, Offer[]> = {
  zotapay: [
    offer('USD', '10', '10000'),
    offer('EUR', '10', '10000'),
    offer('GBP', '10', '8000'),
    offer('JPY', '1500', '1500000'),
  ],
  safecharge: [offer('USD', '20', '5000', '1.9', '0.30'), offer('EUR', '20', '5000', '1.9', '0.30')],
  nganluong: [offer('VND', '200000', '500000000')],
  rpnpay: [offer('CNY', '100', '50000')],
  sdsystem: [offer('CNY', '100', '50000')],
  coinpayments: [offer('USD', '25', '25000'), offer('EUR', '25', '25000')],
  neteller: [offer('USD', '10', '10000', '1.5'), offer('EUR', '10', '10000', '1.5')],
  virtualpay: [offer('USD', '10', '3000', '2.2')],
  skrill: [offer('USD', '10', '10000', '1'), offer('EUR', '10', '10000', '1')],
}

/** Points the providers at their simulators, whose ports change at each start. A real address stays. */
export async function pointAtPayments(tx: Tx, system: System, { payments }: Simulators): Promise<void> {
  for (const [app_uid, settings] of Object.entries(payments)) {
    const provider_id = await ensureProvider(tx, system, app_uid)
    const key = { workspace_id: system.workspaceId, provider_id }
    const isSecret = (name: string): boolean => findAdapter(app_uid)?.fields[name]?.isSecret === true
    const part = (secret: boolean): string =>
      JSON.stringify(Object.fromEntries(Object.entries(settings).filter(([name]) => isSecret(name) === secret)))
    const connection = await tx
      .selectFrom('payment_provider_connections')
      .select('settings')
      .where('workspace_id', '=', key.workspace_id)
      .where('provider_id', '=', provider_id)
      .executeTakeFirst()
    if (connection && !JSON.stringify(connection.settings).includes('http://')) continue
    const now = system.context.clock.now().toISOString()
    const setAt = Object.fromEntries(Object.keys(settings).flatMap((name) => (isSecret(name) ? [[name, now]] : [])))
    const values = {
      settings: part(false),
      sealed_secret: system.context.seal.seal(part(true)),
      secrets_set_at: JSON.stringify(setAt),
    }
    await tx
      .insertInto('payment_provider_connections')
      .values({ ...key, ...values })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'provider_id']).doUpdateSet(values))
      .execute()
  }
}

async function ensureProvider(tx: Tx, system: System, app_uid: string): Promise<string> {
  const known = await tx
    .selectFrom('payment_providers')
    .select('provider_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('app_uid', '=', app_uid)
    .executeTakeFirst()
  if (known) return known.provider_id
  const key = { workspace_id: system.workspaceId, provider_id: newId() }
  await tx
    .insertInto('payment_providers')
    .values({ ...key, app_uid, enabled: true, created_at: system.context.clock.now() })
    .execute()
  await tx
    .insertInto('payment_provider_currencies')
    .values((offers[app_uid] ?? []).map((offer) => ({ ...key, ...offer })))
    .execute()
  return key.provider_id
}
