import { type RawBuilder, sql } from 'kysely'
import type { Actor, System } from '../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { sweepBatch } from '../foundation/sweeping.ts'
import { readWorkspace } from '../workspaces/workspace.ts'

const dayMs = 24 * 60 * 60_000

/**
 * Clears what providers sent longer ago than the brokerage keeps it: bodies, addresses and headers go; verdict, digest and
 * links stay. What nobody has read yet, and what a person still has to decide about, is left as it came.
 */
export async function clearOldNotifications(system: System): Promise<number> {
  const { settings } = await reading(system, (tx) => readWorkspace(tx, system))
  const until = new Date(system.ground.clock.now().getTime() - settings.notification_days * dayMs)
  const isDue = sql<boolean>`read_at <= ${until} and not exists (
    select from payment_cases as question
    where question.workspace_id = payment_notifications.workspace_id
      and question.order_id = payment_notifications.order_id and question.state <> 'closed')`
  let cleared = 0
  for (;;) {
    const batch = await inTransaction(system, (tx) => clear(tx, system, isDue))
    cleared += batch
    if (batch < sweepBatch) return cleared
  }
}

/** Of one member, at once, whatever the brokerage keeps: for an erasure. */
export async function clearNotificationsOf(tx: Tx, actor: Actor, memberId: string): Promise<void> {
  const isTheirs = sql<boolean>`(
    exists (select from deposit_orders as paid where paid.workspace_id = payment_notifications.workspace_id
      and paid.order_id = payment_notifications.order_id and paid.member_id = ${memberId}::uuid)
    or exists (select from payout_orders as payout where payout.workspace_id = payment_notifications.workspace_id
      and payout.payout_id = payment_notifications.payout_id and payout.member_id = ${memberId}::uuid))`
  while ((await clear(tx, actor, isTheirs)) === sweepBatch);
}

/** Locks its batch first and passes by what somebody else holds: the next round finds it. */
async function clear(tx: Tx, { ground, workspaceId }: Actor, isMeant: RawBuilder<boolean>): Promise<number> {
  const cleared = await sql`
    update payment_notifications
    set query = '', headers = '{}'::jsonb, body = ''::bytea, cleared_at = ${ground.clock.now()}
    where workspace_id = ${workspaceId}::uuid and notification_id in (
      select notification_id from payment_notifications
      where workspace_id = ${workspaceId}::uuid and verdict <> 'unread' and cleared_at is null and ${isMeant}
      limit ${sweepBatch} for update skip locked)`.execute(tx)
  return Number(cleared.numAffectedRows ?? 0n)
}
