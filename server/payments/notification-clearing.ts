import { type RawBuilder, sql } from 'kysely'
import type { Actor, System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { inBatches, sweepBatch } from '../queue/sweeping.ts'
import { keptSince } from '../workspaces/kept-times.ts'

/** What a person still has to decide about is left as it came. */
const isDecided = sql<boolean>`not exists (
  select from payment_cases as question
  where question.workspace_id = payment_notifications.workspace_id
    and question.order_id = payment_notifications.order_id and question.state <> 'closed')`

/**
 * Clears what providers sent longer ago than the brokerage keeps it, and at once what came of a member who was erased: bodies,
 * addresses and headers go; verdict, digest and links stay. What nobody has read yet is left as it came too.
 */
export async function clearOldNotifications(system: System): Promise<number> {
  const until = await keptSince(system, 'notification_days')
  const isOld = sql<boolean>`read_at <= ${until}`
  // Read while the member was being erased, or sent afterwards.
  const isOfErased = isAboutMembers(
    system,
    sql`select member_id from members where workspace_id = ${system.workspaceId}::uuid and status = 'erased'`,
  )
  return (await clearAll(system, isOld)) + (await clearAll(system, isOfErased))
}

/** Passes by what somebody else holds: the next round finds it. */
const clearAll = (system: System, isMeant: RawBuilder<boolean>): Promise<number> =>
  inBatches(system, (tx) => clear(tx, system, { isMeant: sql<boolean>`${isMeant} and ${isDecided}`, held: 'pass by' }))

/**
 * Of one member, at once, whatever the brokerage keeps: for an erasure, which waits for whoever holds one of them. It comes
 * before the erasure takes any row that the reader of a notification takes after it.
 */
export async function clearNotificationsOf(tx: Tx, actor: Actor, memberId: string): Promise<void> {
  const isMeant = isAboutMembers(actor, sql`select ${memberId}::uuid`)
  while ((await clear(tx, actor, { isMeant, held: 'wait' })) > 0);
}

/** From the members to their orders to what was said of those, each by its key: there may be millions of others. */
const isAboutMembers = ({ workspaceId }: Actor, members: RawBuilder<unknown>) => sql<boolean>`notification_id in (
  select told.notification_id from deposit_orders as paid
  join payment_notifications as told on told.workspace_id = paid.workspace_id and told.order_id = paid.order_id
  where paid.workspace_id = ${workspaceId}::uuid and told.cleared_at is null and paid.member_id in (${members})
  union all
  select told.notification_id from payout_orders as payout
  join payment_notifications as told on told.workspace_id = payout.workspace_id and told.payout_id = payout.payout_id
  where payout.workspace_id = ${workspaceId}::uuid and told.cleared_at is null and payout.member_id in (${members}))`

type Which = { isMeant: RawBuilder<boolean>; held: 'wait' | 'pass by' }

/** Locks its batch first. */
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
