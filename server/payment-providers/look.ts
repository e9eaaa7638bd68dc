import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'
import type { Order } from './order.ts'

/** Soon after the hand-over, then less often, and never further apart than a lost notification may stay unnoticed. */
const pausesMs = [60_000, 120_000, 180_000]
const longestPauseMs = 300_000

export const pauseBefore = (looks: number): number => pausesMs[looks] ?? longestPauseMs

/** Counts a look and says when the next one is due, before it is made: one that is lost is made up for by the next. */
export async function scheduleLook(tx: Tx, actor: Actor, order: Pick<Order, 'order_id' | 'looks'>): Promise<void> {
  const nextLookAt = new Date(actor.ground.clock.now().getTime() + pauseBefore(order.looks))
  await tx
    .updateTable('deposit_orders')
    .set({ next_look_at: nextLookAt, looks: order.looks + 1 })
    .where('workspace_id', '=', actor.workspaceId)
    .where('order_id', '=', order.order_id)
    .execute()
}
