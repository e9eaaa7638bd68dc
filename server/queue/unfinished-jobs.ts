import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

const columns = 'name, data, priority, start_after, group_id'

/** Jobs that wait, run or are retried: what a backup takes along, so that after a restore it is due again. */
const unfinished = `select ${columns} from pgboss.job where state < 'completed' order by name, start_after, id`

/** In the format of COPY; counts the jobs at the end. */
export async function* copyJobsOut(client: pg.Client, counted: (jobs: number) => void): AsyncGenerator<Buffer> {
  const stream = client.query(copyTo(`copy (${unfinished}) to stdout`))
  for await (const piece of stream) yield piece
  counted(stream.rowCount)
}

/**
 * Puts them back as waiting jobs with the rules of their queues, and returns their number. A queue that this version
 * does not have would have no worker. Every job reads its subject when it runs, so one that was done meanwhile is a
 * no-op.
 */
export async function copyJobsIn(client: pg.Client, bytes: AsyncIterable<Buffer>): Promise<number> {
  await client.query(`create temp table restored_jobs (name text, data jsonb, priority int, start_after timestamptz, group_id text)
    on commit drop`)
  const into = client.query(copyFrom(`copy restored_jobs (${columns}) from stdin`))
  await pipeline(Readable.from(bytes, { objectMode: false }), into)
  await client.query(`
    insert into pgboss.job (${columns}, keep_until, expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff,
      retry_delay_max, policy, dead_letter, heartbeat_seconds)
    select name, data, priority, start_after, group_id, greatest(start_after, now()) + retention_seconds * interval '1 second',
      expire_seconds, deletion_seconds, retry_limit, retry_delay, coalesce(retry_backoff, false),
      retry_delay_max, policy, dead_letter, heartbeat_seconds
    from restored_jobs join pgboss.queue using (name)`)
  return into.rowCount
}
