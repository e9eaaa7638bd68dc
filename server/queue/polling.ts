import type { PgBoss } from 'pg-boss'

/** Maximum delay of a job enqueued by another process. */
const pollMs = 1_000

type Database = Pick<ReturnType<PgBoss['getDb']>, 'executeSql'>

/** Looks for one due job of each queue by its index: without the limit a plan may read all waiting jobs. */
const dueQueues = `select queue.name from unnest($1::text[]) as queue (name) cross join lateral (
  select from pgboss.job where job.name = queue.name and state < 'active' and not blocked and start_after <= pgboss.job_now()
  limit 1) as due`

/** Those of the queues that have a job to start. */
export async function findDueQueues(database: Database, names: readonly string[]): Promise<string[]> {
  const { rows } = await database.executeSql(dueQueues, [names])
  return rows.map(({ name }: { name: string }) => name)
}

/** Asks for all queues in one statement a second, and wakes only workers that have a job. Returns a function that stops it. */
export function pollTogether(
  database: Database,
  workers: ReadonlyMap<string, { poll(): void }>,
  failed: (problem: unknown) => void,
): () => void {
  const names = [...workers.keys()]
  if (names.length === 0) return () => undefined
  let isAsking = false
  let isStopped = false

  async function ask(): Promise<void> {
    if (isAsking) return
    isAsking = true
    try {
      const due = await findDueQueues(database, names)
      for (const name of isStopped ? [] : due) workers.get(name)?.poll()
    } catch (problem) {
      if (!isStopped) failed(problem)
    } finally {
      isAsking = false
    }
  }

  const timer = setInterval(() => void ask(), pollMs)
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
