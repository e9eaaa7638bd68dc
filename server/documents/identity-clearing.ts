import { type RawBuilder, sql } from 'kysely'
import type { Actor, System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { inBatches, sweepBatch } from '../queue/sweeping.ts'
import { retainedSince } from '../workspaces/retention.ts'

/**
 * Clears headers and bodies of processed vendor webhooks after the brokerage's retention period, and those about erased
 * members immediately. Verdict, digest and check remain.
 */
export async function clearIdentityWebhookEvents(system: System): Promise<number> {
  const until = await retainedSince(system, 'notification_days')
  const erased = sql`select member_id from members where workspace_id = ${system.workspaceId}::uuid and status = 'erased'`
  return (
    (await clearAll(system, sql<boolean>`received_at <= ${until}`)) +
    (await clearAll(system, isAboutMembers(system, erased)))
  )
}

const clearAll = (system: System, isMeant: RawBuilder<boolean>): Promise<number> =>
  inBatches(system, (tx) => clear(tx, system, isMeant))

/** For an erasure. Skips a webhook that is being processed, which waits for the member's row; the next round clears it. */
export async function clearIdentityWebhookEventsOf(tx: Tx, actor: Actor, memberId: string): Promise<void> {
  const isTheirs = isAboutMembers(actor, sql`select ${memberId}::uuid`)
  while ((await clear(tx, actor, isTheirs)) === sweepBatch);
}

const isAboutMembers = ({ workspaceId }: Actor, members: RawBuilder<unknown>) => sql<boolean>`notification_id in (
  select received.notification_id from identity_checks as asked
  join identity_notifications as received on received.workspace_id = asked.workspace_id and received.check_id = asked.check_id
  where asked.workspace_id = ${workspaceId}::uuid and received.cleared_at is null and asked.member_id in (${members}))`

/** Locks its batch first and skips locked rows. */
async function clear(tx: Tx, { context, workspaceId }: Actor, isMeant: RawBuilder<boolean>): Promise<number> {
  const cleared = await sql`
    update identity_notifications set headers = '{}'::jsonb, body = ''::bytea, cleared_at = ${context.clock.now()}
    where workspace_id = ${workspaceId}::uuid and notification_id in (
      select notification_id from identity_notifications
      where workspace_id = ${workspaceId}::uuid and verdict <> 'unread' and cleared_at is null and ${isMeant}
      limit ${sweepBatch} for update skip locked)`.execute(tx)
  return Number(cleared.numAffectedRows ?? 0n)
}
