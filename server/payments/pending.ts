import type { System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { findAdapter } from '../payment-providers/registry.ts'
import type { ReportedState } from '../payment-providers/status-report.ts'
import { findConnection, readProvider } from './connections/provider.ts'
import { changeOrder, type Order } from './order.ts'

const dayMs = 24 * 60 * 60_000

/** Whether the provider has reported an order as pending for longer than its configured days. */
export async function isPendingTooLong(tx: Tx, system: System, order: Order): Promise<boolean> {
  if (order.pending_since === null) return false
  const days = await readPendingDays(tx, system, order)
  return system.context.clock.now().getTime() - order.pending_since.getTime() >= days * dayMs
}

/**
 * Notes whether a payment is on its way although its order has expired: nothing is open any more, but the member must not
 * pay a second time meanwhile.
 */
export async function noteAfterExpiry(tx: Tx, system: System, order: Order, reported: ReportedState): Promise<void> {
  // An unknown status does not say that the payment is over.
  if (order.state !== 'expired' || reported === 'hint' || reported === 'unclear') return
  const isPending = reported === 'pending'
  if (isPending === (order.pending_since !== null)) return
  await changeOrder(tx, system, order, { pending_since: isPending ? system.context.clock.now() : null })
}

/** The workspace's setting or the provider's default; an invalid setting counts as unset. */
async function readPendingDays(tx: Tx, system: System, { provider_id }: Order): Promise<number> {
  const { app_uid } = await readProvider(tx, system, provider_id)
  const field = findAdapter(app_uid)?.fields.pendingDays
  const { pendingDays } = ((await findConnection(tx, system, provider_id))?.settings ?? {}) as Record<string, string>
  const given = field?.schema.safeParse(pendingDays ?? '')
  return Number(given?.success ? given.data : field?.usual)
}
