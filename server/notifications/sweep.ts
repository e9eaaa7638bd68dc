import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { inBatches, sweepBatch, sweepDue } from '../queue/sweeping.ts'
import { retainedSince } from '../workspaces/retention.ts'

/** Notifications are stored for thirteen months, unless the brokerage sets another period. */
export async function sweepNotifications(system: System): Promise<number> {
  const until = await retainedSince(system, 'notice_days')
  return sweepDue(system, { table: 'notices', key: 'notice_id', moment: 'created_at', until })
}

/**
 * Removes mails settled long ago: delivered, given up, or stored by an installation without a mail server. The content
 * is deleted already.
 */
export async function sweepMails(system: System): Promise<number> {
  const until = await retainedSince(system, 'mail_days')
  return sweepDue(system, { table: 'mails', key: 'mail_id', moment: 'settled_at', until })
}

/** The queue may lag by this much; an older mail's job is lost. */
const overdueMs = 15 * 60_000

/**
 * A safety net: enqueues again a mail whose job was lost, for example with a restored backup or after too many
 * failures. Skips mails that a worker has taken meanwhile.
 */
export function requeueLostMails(system: System): Promise<number> {
  const { workspaceId, context } = system
  const now = context.clock.now()
  return inBatches(system, async (tx) => {
    const forgotten = await tx
      .selectFrom('mails')
      .select('mail_id')
      .where('workspace_id', '=', workspaceId)
      .where('state', 'in', ['queued', 'sending'])
      .where(sql<Date>`coalesce(next_try_at, lease_until, created_at)`, '<', new Date(now.getTime() - overdueMs))
      .limit(sweepBatch)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { mail_id } of forgotten) {
      await tx
        .updateTable('mails')
        .set({ next_try_at: now })
        .where('workspace_id', '=', workspaceId)
        .where('mail_id', '=', mail_id)
        .execute()
      await context.jobs.enqueue(tx, 'notifications.send-mail', { workspaceId, id: mail_id })
    }
    return forgotten.length
  })
}
