import { type RawBuilder, sql } from 'kysely'
import type { Actor, System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { inBatches, sweepBatch } from '../queue/sweeping.ts'
import { retainedSince } from '../workspaces/retention.ts'

/** Excludes webhook events of an open payment exception. */
const isDecided = sql<boolean>`not exists (
  select from payment_cases as question
  where question.workspace_id = payment_notifications.workspace_id
    and question.order_id = payment_notifications.order_id and question.state <> 'closed')
  and not exists (
  select from payment_cases as returned
  where returned.workspace_id = payment_notifications.workspace_id
    and returned.payout_id = payment_notifications.payout_id and returned.state <> 'closed')`

/**
 * Clears webhook events older than the workspace's retention, and immediately those of erased members: bodies, addresses
 * and headers are removed; verdict, digest and links remain. Unread webhook events are not cleared.
 */
export async function clearOldWebhookEvents(system: System): Promise<number> {
  const until = await retainedSince(system, 'notification_days')
  const isOld = sql<boolean>`read_at <= ${until}`
  // Webhook events read during the erasure or received afterwards.
  const isOfErased = isAboutMembers(
    system,
    sql`select member_id from members where workspace_id = ${system.workspaceId}::uuid and status = 'erased'`,
  )
  return (await clearAll(system, isOld)) + (await clearAll(system, isOfErased))
}

/** Skips locked rows, which the next round finds. */
const clearAll = (system: System, isMeant: RawBuilder<boolean>): Promise<number> =>
  inBatches(system, (tx) => clear(tx, system, { isMeant: sql<boolean>`${isMeant} and ${isDecided}`, held: 'pass by' }))

/**
 * Clears the webhook events of one member regardless of retention, for an erasure, and waits for locked rows. It runs
 * before the erasure locks any row that a webhook event's reader locks later.
 */
export async function clearWebhookEventsOf(tx: Tx, actor: Actor, memberId: string): Promise<void> {
  const isMeant = isAboutMembers(actor, sql`select ${memberId}::uuid`)
  while ((await clear(tx, actor, { isMeant, held: 'wait' })) > 0);
}

/** Goes from members to orders to webhook events by their keys, because there may be millions of other rows. */
const isAboutMembers = ({ workspaceId }: Actor, members: RawBuilder<unknown>) => sql<boolean>`notification_id in (
  select received.notification_id from deposit_orders as paid
  join payment_notifications as received on received.workspace_id = paid.workspace_id and received.order_id = paid.order_id
  where paid.workspace_id = ${workspaceId}::uuid and received.cleared_at is null and paid.member_id in (${members})
  union all
  select received.notification_id from payout_orders as payout
  join payment_notifications as received on received.workspace_id = payout.workspace_id and received.payout_id = payout.payout_id
  where payout.workspace_id = ${workspaceId}::uuid and received.cleared_at is null and payout.member_id in (${members}))`

type Which = { isMeant: RawBuilder<boolean>; held: 'wait' | 'pass by' }

/** Locks its batch before the update. */
async function clear(tx: Tx, { context, workspaceId }: Actor, { isMeant, held }: Which): Promise<number> {
  const cleared = await sql`
    update payment_notifications
    set query = '', headers = '{}'::jsonb, body = ''::bytea, cleared_at = ${context.clock.now()}
    where workspace_id = ${workspaceId}::uuid and notification_id in (
      select notification_id from payment_notifications
      where workspace_id = ${workspaceId}::uuid and verdict <> 'unread' and cleared_at is null and ${isMeant}
      limit ${sweepBatch} for update ${held === 'wait' ? sql`` : sql`skip locked`})`.execute(tx)
  return Number(cleared.numAffectedRows ?? 0n)
}
