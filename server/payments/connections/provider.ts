import { isMore } from '@atrium/contract/money/money.ts'
import type { Selectable } from 'kysely'
import type { Actor } from '../../foundation/actor.ts'
import type { Context } from '../../foundation/context.ts'
import type {
  PaymentProviderConnections,
  PaymentProviderCurrencies,
  PaymentProviders,
} from '../../foundation/database/database.generated.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { assertState } from '../../foundation/errors.ts'
import { type Http, PaymentProblem, type PaymentProvider } from '../../payment-providers/contract.ts'
import { openHttp } from '../../payment-providers/http.ts'
import { findAdapter } from '../../payment-providers/registry.ts'

export type ProviderRow = Selectable<PaymentProviders>
export type CurrencyRow = Selectable<PaymentProviderCurrencies>

export async function findProvider(tx: Tx, actor: Actor, uid: string): Promise<ProviderRow | null> {
  const row = await tx
    .selectFrom('payment_providers')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('app_uid', '=', uid)
    .executeTakeFirst()
  return row ?? null
}

export async function findProviderById(tx: Tx, actor: Actor, providerId: string): Promise<ProviderRow | null> {
  const row = await tx
    .selectFrom('payment_providers')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('provider_id', '=', providerId)
    .executeTakeFirst()
  return row ?? null
}

/** Reads a provider by a foreign key, so it must exist. */
export async function readProvider(tx: Tx, actor: Actor, providerId: string): Promise<ProviderRow> {
  const row = await findProviderById(tx, actor, providerId)
  assertState(row, 'a reference to a provider without a row')
  return row
}

export type Settings = Record<string, string>

type SealedConnection = Pick<Selectable<PaymentProviderConnections>, 'settings' | 'sealed_secret'>

export async function findConnection(tx: Tx, actor: Actor, providerId: string): Promise<SealedConnection | null> {
  const row = await tx
    .selectFrom('payment_provider_connections')
    .select(['settings', 'sealed_secret'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('provider_id', '=', providerId)
    .executeTakeFirst()
  return row ?? null
}

/** The settings with the decrypted secrets. Throws when no key decrypts them. */
export function openConnection({ context }: Actor, { settings, sealed_secret }: SealedConnection): Settings {
  const secrets = JSON.parse(context.seal.open(sealed_secret)) as Settings
  return { ...(settings as Settings), ...secrets }
}

export async function readConnection(tx: Tx, actor: Actor, providerId: string): Promise<Settings | null> {
  const row = await findConnection(tx, actor, providerId)
  return row && openConnection(actor, row)
}

/** The provider's terms, one row per currency. */
export const selectTerms = (tx: Tx, actor: Actor, providerId: string) =>
  tx
    .selectFrom('payment_provider_currencies')
    .where('workspace_id', '=', actor.workspaceId)
    .where('provider_id', '=', providerId)

/** The provider for the system's own calls; members cannot read the settings. Throws `misconfigured`. */
export const connectProvider = (actor: Actor, row: Pick<ProviderRow, 'provider_id' | 'app_uid'>) =>
  actor.context.providers.connect(actor, row)

export function connectWith(
  { config }: Pick<Context, 'config'>,
  uid: string,
  settings: Settings,
  http: Http = openHttp(config),
): PaymentProvider {
  const adapter = findAdapter(uid)
  if (!adapter) throw new PaymentProblem('misconfigured', 'there is no such provider')
  return adapter.connect(settings, http, config)
}

type Terms = Pick<CurrencyRow, 'amount_min' | 'amount_max'>

export const isWithin = (amount: string, { amount_min, amount_max }: Terms): boolean =>
  !isMore(amount_min, amount) && !isMore(amount, amount_max)
