import type { System } from '../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { PaymentProblem } from '../payment-providers/contract.ts'
import type { StatusReport } from '../payment-providers/status-report.ts'
import { connectProvider, readProvider } from './connections/provider.ts'
import { changeOrder, isOpen, moveOrder, type Order, openStates } from './order.ts'
import { queryOrder } from './order-query.ts'
import { isPendingTooLong } from './pending.ts'
import { isQueriedLate, lateQueriesMs, scheduleQuery } from './query-schedule.ts'
import { applyReport, endAndNotify, holdOrder, reviewPending } from './settle.ts'

/** Orders per query and round; the rest is due in the next round. */
const ordersMax = 200
/** How long an order stays open past its expiry when the provider does not answer. */
const graceMs = 24 * 60 * 60_000

/** Creates a query job for each due order, so that a missing webhook event is made up for. */
export async function askAboutDueOrders(system: System): Promise<number> {
  return inTransaction(system, async (tx) => {
    const now = system.context.clock.now()
    const dueOf = (tx: Tx) =>
      tx
        .selectFrom('deposit_orders')
        .select(['order_id', 'looks', 'state', 'ended_at', 'pending_since'])
        .where('workspace_id', '=', system.workspaceId)
        .where('next_look_at', '<=', now)
        .orderBy('next_look_at')
        .limit(ordersMax)
        .forUpdate()
        .skipLocked()
    const open = await dueOf(tx).where('state', 'in', openStates).execute()
    const late = await dueOf(tx)
      .where('state', '=', 'expired')
      .where('ended_at', '>', new Date(now.getTime() - lateQueriesMs))
      .execute()
    const overdue = await dueOf(tx)
      .where('state', '=', 'for_staff')
      .where('staff_reason', '=', 'pending_too_long')
      .execute()
    const due = [...open, ...late, ...overdue]
    for (const order of due) {
      await scheduleQuery(tx, system, order)
      const data = { workspaceId: system.workspaceId, id: order.order_id }
      await system.context.jobs.enqueue(tx, 'payments.ask-provider', data)
    }
    return due.length
  })
}

export async function providerOfOrder(system: System, orderId: string): Promise<string | null> {
  const row = await reading(system, (tx) =>
    tx
      .selectFrom('deposit_orders')
      .select('provider_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('order_id', '=', orderId)
      .executeTakeFirst(),
  )
  return row?.provider_id ?? null
}

/** Queries an order that is open or expired recently, and applies the answer like a proven webhook event. */
export async function askProvider(system: System, orderId: string): Promise<void> {
  const found = await reading(system, async (tx) => {
    const order = await tx
      .selectFrom('deposit_orders')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .where('order_id', '=', orderId)
      .executeTakeFirst()
    const isAsked = order && (isOpen(order) || isQueriedLate(order, system.context.clock.now()))
    return isAsked ? { order, provider: await readProvider(tx, system, order.provider_id) } : null
  })
  if (!found) return
  const { order } = found
  const now = system.context.clock.now()
  const isOver = now >= order.expires_at
  let reported: StatusReport | null
  try {
    const provider = await connectProvider(system, found.provider)
    reported = await queryOrder(system, provider, order)
  } catch (problem) {
    if (!(problem instanceof PaymentProblem)) throw problem
    system.context.log.warn({ order: orderId, failure: problem.failure }, 'order status not queried')
    if (order.pending_since === null && now.getTime() < order.expires_at.getTime() + graceMs) return
    reported = null
  }
  await record(system, order, reported, isOver)
  system.context.jobs.wake('funding.settle-intent')
}

async function record(system: System, order: Order, reported: StatusReport | null, isOver: boolean): Promise<void> {
  await inTransaction(system, async (tx) => {
    if (reported) await applyReport(tx, system, order.order_id, reported)
    const held = await holdOrder(tx, system, order.order_id)
    if (!held || !isOpen(held.order)) return
    // The process died during the start: the member was never redirected, and the outcome was unknown until now.
    if (held.order.state === 'created') {
      await moveOrder(tx, system, held.order, 'checking')
      held.order.state = 'checking'
    }
    if (reported?.state === 'unpaid' && held.order.pending_since !== null) {
      await changeOrder(tx, system, held.order, { pending_since: null })
      held.order.pending_since = null
    }
    // Without a report an order expires, but a reported pending counts until the provider reports otherwise.
    if (isOver && held.order.pending_since === null) await endAndNotify(tx, system, held, 'expired', null)
    else if (await isPendingTooLong(tx, system, held.order)) await reviewPending(tx, system, held, reported)
  })
}
