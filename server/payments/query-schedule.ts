import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { Order } from './order.ts'

/** Frequent after the redirect, then less so, up to the longest accepted delay for a lost webhook event. */
const pausesMs = [60_000, 120_000, 180_000]
const longestPauseMs = 300_000

export const pauseBefore = (queryCount: number): number => pausesMs[queryCount] ?? longestPauseMs

/** Whether the first, frequent queries are over. */
export const isLongQueried = (queryCount: number): boolean => queryCount >= pausesMs.length

const hourMs = 60 * 60_000
/** Late money arrives within days, and its webhook event may be lost too. */
export const lateQueriesMs = 7 * 24 * hourMs

/** After expiry the interval equals the time since then: about a dozen queries in a week. */
const pauseAfter = (overMs: number): number => Math.min(Math.max(overMs, hourMs), 24 * hourMs)

/** The interval of a pending payment grows with its age, up to six hours. */
export const pauseWhilePending = (pendingMs: number): number =>
  Math.min(Math.max(pendingMs / 12, longestPauseMs), 6 * hourMs)

/**
 * Whether the provider's final status is still missing: the order expired, or is in manual review because it is
 * pending.
 */
export const isQueriedLate = (
  { state, ended_at, staff_reason }: Pick<Order, 'state' | 'ended_at' | 'staff_reason'>,
  now: Date,
): boolean =>
  (state === 'expired' && ended_at !== null && now.getTime() - ended_at.getTime() < lateQueriesMs) ||
  (state === 'for_staff' && staff_reason === 'pending_too_long')

type Queried = Pick<Order, 'looks' | 'state' | 'ended_at' | 'pending_since'>

function pauseOf({ state, ended_at, pending_since, looks: queryCount }: Queried, now: number): number {
  if (state === 'expired') return pauseAfter(now - (ended_at?.getTime() ?? now))
  if (state === 'for_staff') return 24 * hourMs
  const usual = pauseBefore(queryCount)
  if (pending_since === null || !isLongQueried(queryCount)) return usual
  return pauseWhilePending(now - pending_since.getTime())
}

/** Counts one query and schedules the next; written before the query, so that a lost query is repeated. */
export function nextQuery({ context }: Actor, order: Queried) {
  const now = context.clock.now().getTime()
  return { next_look_at: new Date(now + pauseOf(order, now)), looks: order.looks + 1 }
}

export async function scheduleQuery(tx: Tx, actor: Actor, order: Queried & Pick<Order, 'order_id'>): Promise<void> {
  await tx
    .updateTable('deposit_orders')
    .set(nextQuery(actor, order))
    .where('workspace_id', '=', actor.workspaceId)
    .where('order_id', '=', order.order_id)
    .execute()
}
