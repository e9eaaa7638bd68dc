import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { Order } from './order.ts'

/** Soon after the hand-over, then less often, and never further apart than a lost notification may stay unnoticed. */
const pausesMs = [60_000, 120_000, 180_000]
const longestPauseMs = 300_000

export const pauseBefore = (looks: number): number => pausesMs[looks] ?? longestPauseMs

const hourMs = 60 * 60_000
/** Money that comes after the end comes within days, and the notice of it may be lost like any other. */
export const lateLooksMs = 7 * 24 * hourMs

/** After the end it is asked as long again as it has been over: a dozen times in a week. */
const pauseAfter = (overMs: number): number => Math.min(Math.max(overMs, hourMs), 24 * hourMs)

/** What is pending for days is asked about less often the longer it is, and four times a day at least. */
const pauseWhilePending = (pendingMs: number): number => Math.min(Math.max(pendingMs / 12, longestPauseMs), 6 * hourMs)

/** Whether the provider's last word is still missing: of an order that ended by itself, or that a person has because it is pending. */
export const isLookedAtLate = (
  { state, ended_at, staff_reason }: Pick<Order, 'state' | 'ended_at' | 'staff_reason'>,
  now: Date,
): boolean =>
  (state === 'expired' && ended_at !== null && now.getTime() - ended_at.getTime() < lateLooksMs) ||
  (state === 'for_staff' && staff_reason === 'pending_too_long')

type Looked = Pick<Order, 'looks' | 'state' | 'ended_at' | 'pending_since'>

function pauseOf({ state, ended_at, pending_since, looks }: Looked, now: number): number {
  if (state === 'expired') return pauseAfter(now - (ended_at?.getTime() ?? now))
  if (state === 'for_staff') return 24 * hourMs
  const usual = pauseBefore(looks)
  if (pending_since === null || looks < pausesMs.length) return usual
  return pauseWhilePending(now - pending_since.getTime())
}

/** One look more, and when the next one is due; written before it is made: one that is lost is made up for by the next. */
export function nextLook({ context }: Actor, order: Looked) {
  const now = context.clock.now().getTime()
  return { next_look_at: new Date(now + pauseOf(order, now)), looks: order.looks + 1 }
}

export async function scheduleLook(tx: Tx, actor: Actor, order: Looked & Pick<Order, 'order_id'>): Promise<void> {
  await tx
    .updateTable('deposit_orders')
    .set(nextLook(actor, order))
    .where('workspace_id', '=', actor.workspaceId)
    .where('order_id', '=', order.order_id)
    .execute()
}
