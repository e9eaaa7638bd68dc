import type { System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { findAdapter } from '../payment-providers/registry.ts'
import { findConnection, readProvider } from './connections/provider.ts'
import type { Order } from './order.ts'

const dayMs = 24 * 60 * 60_000

/** Whether a provider has called an order pending for more days than its payments may take there. */
export async function isPendingTooLong(tx: Tx, system: System, order: Order): Promise<boolean> {
  if (order.pending_since === null) return false
  const days = await readPendingDays(tx, system, order)
  return system.context.clock.now().getTime() - order.pending_since.getTime() >= days * dayMs
}

/** What the brokerage entered, or what is usual for the provider: a setting that nobody can use is taken for none. */
async function readPendingDays(tx: Tx, system: System, { provider_id }: Order): Promise<number> {
  const { app_uid } = await readProvider(tx, system, provider_id)
  const field = findAdapter(app_uid)?.fields.pendingDays
  const { pendingDays } = ((await findConnection(tx, system, provider_id))?.settings ?? {}) as Record<string, string>
  const given = field?.schema.safeParse(pendingDays ?? '')
  return Number(given?.success ? given.data : field?.usual)
}
