import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { sweepBatch, sweepDue } from '../queue/sweeping.ts'
import { keptSince } from '../workspaces/kept-times.ts'

/** What a member was told is theirs to look up: for a year and a month, where the brokerage chose nothing else. */
export async function sweepNotices(system: System): Promise<number> {
  const until = await keptSince(system, 'notice_days')
  return sweepDue(system, { table: 'notices', key: 'notice_id', moment: 'created_at', until })
}

/**
 * Removes mails that were settled long ago: delivered, given up, or kept by an installation without a mail server. What one said
 * is gone with its delivery already.
 */
export async function sweepMails(system: System): Promise<number> {
  const until = await keptSince(system, 'mail_days')
  return sweepDue(system, { table: 'mails', key: 'mail_id', moment: 'settled_at', until })
}

/** A queue may be this far behind; what is older was forgotten by it. */
const overdueMs = 15 * 60_000

/**
 * A net below the queue: a mail whose job was lost, with a restored backup perhaps or after failing too often, is asked for
 * again. One that somebody has taken meanwhile is left to them.
 */
export function askForForgottenMails(system: System): Promise<number> {
  const { workspaceId, context } = system
  const now = context.clock.now()
  return inTransaction(system, async (tx) => {
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
