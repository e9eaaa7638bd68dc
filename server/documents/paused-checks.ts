import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { inBatches, sweepBatch } from '../queue/sweeping.ts'

/** Stores whether the vendors of the member's checks are switched off, because members cannot read vendors. Needs the member's lock. */
export async function pauseChecks(tx: Tx, { workspaceId }: System, memberId: string): Promise<void> {
  await sql`
    update identity_checks as asked set paused = not vendor.enabled from identity_vendors as vendor
    where asked.workspace_id = ${workspaceId}::uuid and asked.member_id = ${memberId}::uuid
      and vendor.workspace_id = asked.workspace_id and vendor.vendor_id = asked.vendor_id
      and asked.paused = vendor.enabled`.execute(tx)
}

/** Whether a vendor was switched without a settling: by a process of the previous version, or while a member began a check. */
export async function isPauseOutdated(tx: Tx, { workspaceId }: System): Promise<boolean> {
  const { rows } = await sql`
    select from identity_checks as asked
    join identity_vendors as vendor on vendor.workspace_id = asked.workspace_id and vendor.vendor_id = asked.vendor_id
    join members as member on member.workspace_id = asked.workspace_id and member.member_id = asked.member_id
    where asked.workspace_id = ${workspaceId}::uuid and asked.paused = vendor.enabled and member.status <> 'erased'
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Processes the reports that came while their vendor was switched off, once it is on again: the vendor does not repeat them. */
export function readWithheldReports(system: System): Promise<number> {
  const { workspaceId, context } = system
  return inBatches(system, async (tx) => {
    const { rows } = await sql<{ notification_id: string }>`
      update identity_notifications set verdict = 'unread', read_at = null
      where workspace_id = ${workspaceId}::uuid and notification_id in (
        select received.notification_id from identity_notifications as received
        join identity_vendors as vendor on vendor.workspace_id = received.workspace_id
          and vendor.vendor_id = received.vendor_id and vendor.enabled
        where received.workspace_id = ${workspaceId}::uuid and received.verdict = 'vendor_off'
          and received.cleared_at is null
        order by received.notification_id limit ${sweepBatch} for update of received skip locked)
      returning notification_id`.execute(tx)
    for (const { notification_id: id } of rows)
      await context.jobs.enqueue(tx, 'documents.read-identity-notification', { workspaceId, id })
    return rows.length
  })
}
