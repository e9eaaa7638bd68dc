import { sql } from 'kysely'
import type { Ground } from './ground.ts'
import { type Queue, queues } from './jobs.ts'

/**
 * `age`: for how many seconds the first that waits could have begun. `overlong`: of those under way, the ones that have used
 * up half of the time after which their deed is said to hang (jobs.ts).
 */
export type QueueFigures = {
  queue: string
  waiting: number
  age: number
  active: number
  overlong: number
  failed: number
}

/** The queue is the whole installation's: its jobs name a workspace and an id, and neither is read here. */
export async function readQueues({ database }: Ground): Promise<QueueFigures[]> {
  const { rows } = await sql<QueueFigures>`
    select name as queue,
      count(*) filter (where state in ('created', 'retry') and start_after <= now())::int as waiting,
      coalesce(extract(epoch from (now() - min(start_after)
        filter (where state in ('created', 'retry') and start_after <= now()))), 0)::float8 as age,
      count(*) filter (where state = 'active')::int as active,
      count(*) filter (where state = 'active' and started_on + expire_seconds * interval '1 second' / 2 < now())::int
        as overlong,
      count(*) filter (where state = 'failed')::int as failed
    from pgboss.job group by name order by name`.execute(database.kysely)
  return rows
}

export type FailedJob = { job: string; queue: Queue; workspace: string; about: string; tries: number; at: Date }

const shownMax = 1_000

/** Given up after all their tries, the latest first. Why stands in the log, since an error may quote what it is about. */
export async function listFailedJobs({ database }: Ground, queue: Queue | undefined): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select id as job, name as queue, data->>'workspaceId' as workspace, data->>'id' as about,
      retry_count + 1 as tries, completed_on as at
    from pgboss.job
    where state = 'failed' and name = any(${queue ? [queue] : [...queues]})
    order by completed_on desc limit ${shownMax}`.execute(database.kysely)
  return rows
}
