import type pg from 'pg'
import { eventually } from './child-server.ts'

/** Sessions that wait for a lock. Looked at from outside: a transaction sees who waits as it was when it first looked. */
export async function countWaiting(watcher: pg.Client): Promise<number> {
  const { rows } = await watcher.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.waiting ?? 0
}

export const untilWaiting = (watcher: pg.Client, count: number): Promise<void> =>
  eventually(`${count} wait`, async () => (await countWaiting(watcher)) >= count)
