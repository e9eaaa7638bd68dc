import type { Actor, System } from '../foundation/actor.ts'
import { systemActor } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { describeProblem } from '../observability/log.ts'
import { type Coin, PaymentProblem, type PaymentProvider } from '../payment-providers/contract.ts'
import { connectProvider, type ProviderRow } from './connections/provider.ts'

/** Rates, fees and availability change slowly; the provider itself refuses a coin that is gone. */
const staleMs = 10 * 60_000

/** The provider's stored list of coins, fetched now if there is none. Null if it takes no coins. */
export async function coinsOf(actor: Actor, row: ProviderRow, provider: PaymentProvider): Promise<Coin[] | null> {
  if (!provider.readCoins) return null
  return row.coins === null ? askForCoins(systemActor(actor.context, actor.workspaceId), row, provider) : coinsIn(row)
}

export const coinsIn = ({ coins }: Pick<ProviderRow, 'coins'>): Coin[] => (coins ?? []) as Coin[]

async function askForCoins(system: System, row: ProviderRow, provider: PaymentProvider): Promise<Coin[]> {
  const coins = [...((await provider.readCoins?.()) ?? [])]
  await inTransaction(system, (tx) =>
    tx
      .updateTable('payment_providers')
      .set({ coins: JSON.stringify(coins), coins_read_at: system.context.clock.now() })
      .where('workspace_id', '=', system.workspaceId)
      .where('provider_id', '=', row.provider_id)
      .execute(),
  )
  return coins
}

/**
 * Refreshes the lists of coins, so that members do not wait for them. A provider that does not answer keeps its last
 * list.
 */
export async function refreshCoins(system: System): Promise<void> {
  const until = new Date(system.context.clock.now().getTime() - staleMs)
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('payment_providers')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .where('enabled', '=', true)
      .where('coins_read_at', '<', until)
      .execute(),
  )
  const { providers } = system.context
  await Promise.all(
    rows.map((row) => providers.runQueued(system, row.provider_id, 'coins', () => refresh(system, row))),
  )
}

async function refresh(system: System, row: ProviderRow): Promise<void> {
  try {
    await askForCoins(system, row, await connectProvider(system, row))
  } catch (problem) {
    if (!(problem instanceof PaymentProblem)) throw problem
    system.context.log.warn({ err: describeProblem(problem), provider: row.app_uid }, 'coins not read')
  }
}
