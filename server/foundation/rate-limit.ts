import { createHash } from 'node:crypto'
import { texts } from '@atrium/contract/texts.ts'
import { sql } from 'kysely'
import type { System } from './actor.ts'
import { inTransaction } from './database.ts'
import { refuse } from './errors.ts'

export type Limit = { name: string; triesMax: number; windowSeconds: number }

/** Who is limited never stands in the table in the clear: a list of tried addresses is personal data. */
function bucketOf(limit: Limit, subject: string): string {
  return `${limit.name}:${createHash('sha256').update(subject).digest('base64url')}`
}

/**
 * Counts one try before it is made, so that any number at the same instant, over any number of processes, gets no more
 * than the limit. Refuses with 429 when the window is full; tries beyond it do not lengthen it.
 */
export async function takeTry(system: System, limit: Limit, subject: string): Promise<void> {
  const now = system.ground.clock.now()
  const opened = new Date(now.getTime() - limit.windowSeconds * 1000)
  const row = await inTransaction(system, (tx) =>
    tx
      .insertInto('rate_limits')
      .values({ workspace_id: system.workspaceId, bucket: bucketOf(limit, subject), window_start: now, tries: 1 })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'bucket']).doUpdateSet({
          tries: sql`case when rate_limits.window_start <= ${opened} then 1 else rate_limits.tries + 1 end`,
          window_start: sql`case when rate_limits.window_start <= ${opened} then ${now} else rate_limits.window_start end`,
        }),
      )
      .returning(['tries', 'window_start'])
      .executeTakeFirstOrThrow(),
  )
  if (row.tries <= limit.triesMax) return
  const opensAgain = row.window_start.getTime() + limit.windowSeconds * 1000
  const retryAfterSeconds = Math.max(1, Math.ceil((opensAgain - now.getTime()) / 1000))
  refuse('too_many_requests', texts.tooManyTries, { retryAfterSeconds })
}

/** Gives a try back: one that succeeded says nothing about guessing. */
export async function returnTry(system: System, limit: Limit, subject: string): Promise<void> {
  await inTransaction(system, (tx) =>
    tx
      .updateTable('rate_limits')
      .set({ tries: sql`greatest(tries - 1, 0)` })
      .where('workspace_id', '=', system.workspaceId)
      .where('bucket', '=', bucketOf(limit, subject))
      .execute(),
  )
}
