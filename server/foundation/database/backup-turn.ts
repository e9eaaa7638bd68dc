import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** Exclusive for a backup, shared by migrating processes; the previous version uses the same number for backups. */
const backupLock = 5_318_010
const askAgainMs = 1_000

type Due = { isDue(): Promise<boolean>; report(what: string): void }

/**
 * A migrating process waits for a running backup before it takes any lock: altering a table that the backup has read
 * would wait for its end, with all readers of the table behind. It polls, because another process may migrate
 * meanwhile, and a queued lock request would block everyone behind it.
 */
export async function waitForBackups(client: pg.Client, { isDue, report }: Due): Promise<void> {
  let isReported = false
  while (await isDue()) {
    const { rows } = await client.query<{ is_held: boolean }>('select pg_try_advisory_lock_shared($1) as is_held', [
      backupLock,
    ])
    if (rows[0]?.is_held) return
    if (!isReported) report('A backup of this database is running. The migration starts when it ends.')
    isReported = true
    await pause(askAgainMs)
  }
}

/** Waits for running migrations, which are short, but returns false when another backup runs. */
export async function takeBackupTurn(client: pg.Client): Promise<boolean> {
  for (;;) {
    const { rows } = await client.query<{ is_held: boolean }>('select pg_try_advisory_lock($1) as is_held', [
      backupLock,
    ])
    if (rows[0]?.is_held) return true
    const { rowCount } = await client.query(
      `select from pg_locks join pg_database d on d.oid = database and datname = current_database()
       where locktype = 'advisory' and classid = 0 and objid = $1 and objsubid = 1 and mode = 'ExclusiveLock' and granted`,
      [backupLock],
    )
    if (rowCount) return false
    await pause(askAgainMs)
  }
}
