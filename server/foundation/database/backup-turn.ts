import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** Held by one backup alone, or shared by all who bring the database up to date; the version before knows it as that of backups. */
const backupLock = 5_318_010
const askAgainMs = 1_000

type Due = { isDue(): Promise<boolean>; tell(what: string): void }

/**
 * A backup reads one table after the other in one transaction. A change of one that it has read would wait for its end, and
 * everybody who reads that table behind the change. So whoever has something to change waits before, and holds nothing
 * meanwhile, not even the lock of migrations: others start. It asks again and again, because another may have changed it by
 * then, and because who stands in line for this lock lets nobody pass.
 */
export async function letBackupsEnd(client: pg.Client, { isDue, tell }: Due): Promise<void> {
  let isTold = false
  while (await isDue()) {
    const { rows } = await client.query<{ is_held: boolean }>('select pg_try_advisory_lock_shared($1) as is_held', [
      backupLock,
    ])
    if (rows[0]?.is_held) return
    if (!isTold) tell('A backup of this database is under way. It is brought up to date when that has ended.')
    isTold = true
    await pause(askAgainMs)
  }
}

/** Waits for those who bring the database up to date, which is soon done, and not for another backup: false then. */
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
