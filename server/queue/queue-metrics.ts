import { type Kysely, sql } from 'kysely'
import { NIL } from 'uuid'
import type { Context } from '../foundation/context.ts'
import type { DB } from '../foundation/database/database.generated.ts'
import type { Database } from '../foundation/database/pool.ts'
import { type Queue, queues } from './jobs.ts'

/**
 * `age`: seconds since the oldest waiting job was due. `overlong`: running sweeps that have used half of their time
 * limit (jobs.ts), found through the queue's index of groups.
 */
export type QueueMetrics = {
  queue: string
  waiting: number
  age: number
  active: number
  overlong: number
  failed: number
}

/** Running and failed jobs as the queue itself counts them every ten seconds for all processes (`jobs.ts`). */
const counted = sql`select name, active_count as active, failed_count as failed from pgboss.queue`
/** The same counted now: no index covers it, so it reads all jobs of seven days. */
const countedNow = sql`
  select name, count(*) filter (where state = 'active')::int as active, count(*) filter (where state = 'failed')::int as failed
  from pgboss.job where state in ('active', 'failed') group by name`

/**
 * Counts jobs of all workspaces without reading their data. Waiting jobs are found through the workers' fetch index,
 * with the same condition, so that finished jobs are not read.
 */
export async function readQueues({ database }: Context, { isExact = false } = {}): Promise<QueueMetrics[]> {
  const asked = sql<QueueMetrics>`
    select queue.name as queue, coalesce(due.count, 0)::int as waiting,
      coalesce(extract(epoch from (now() - due.since)), 0)::float8 as age,
      coalesce(counted.active, 0)::int as active, coalesce(overlong.count, 0)::int as overlong,
      coalesce(counted.failed, 0)::int as failed
    from pgboss.queue
    left join (
      select name, count(*) as count, min(start_after) as since
      from pgboss.job where state < 'active' and not blocked and start_after <= now() group by name) due using (name)
    left join (${isExact ? countedNow : counted}) counted using (name)
    left join lateral (
      select count(*) as count from pgboss.job
      where job.name = queue.name and job.state = 'active' and job.group_id is not null
        and job.started_on + job.expire_seconds * interval '1 second' / 2 < now()) overlong on true
    where queue.name = any(${[...queues]})
    order by queue.name`
  return withinTime(database, async (tx) => (await asked.execute(tx)).rows)
}

/** The time limit of a unit of work, for a query outside of any workspace. */
function withinTime<Result>({ kysely }: Database, work: (tx: Kysely<DB>) => Promise<Result>): Promise<Result> {
  return kysely.transaction().execute(async (tx) => {
    await sql`select set_config('statement_timeout', '5s', true)`.execute(tx)
    return work(tx)
  })
}

export type FailedJob = { job: string; queue: Queue; workspace: string; about: string; tries: number; at: Date }

const shownMax = 1_000

/** Jobs that failed for good, newest first. The reason is in the log only, since errors may quote personal data. */
export async function listFailedJobs({ database }: Context, queue: Queue | undefined): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select id as job, name as queue, data->>'workspaceId' as workspace, data->>'id' as about,
      retry_count + 1 as tries, completed_on as at
    from pgboss.job
    where state = 'failed' and name = any(${queue ? [queue] : [...queues]})
    order by completed_on desc limit ${shownMax}`.execute(database.kysely)
  return rows
}

const retriedAtOnce = 1_000

/** Retries all failed jobs or one, in batches and each once, even if it fails again meanwhile. Returns the number. */
export async function retryFailedJobs({ database, jobs }: Context, queue: Queue, job?: string): Promise<number> {
  let [count, last]: [number, string] = [0, NIL]
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from pgboss.job
      where name = ${queue} and state = 'failed' and id > ${last} and (${job ?? null}::text is null or id::text = ${job ?? null})
      order by id limit ${retriedAtOnce}`.execute(database.kysely)
    const ids = rows.map(({ id }) => id)
    await jobs.retry(queue, ids)
    count += ids.length
    last = ids.at(-1) ?? last
    if (ids.length < retriedAtOnce) return count
  }
}
