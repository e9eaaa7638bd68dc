import pg from 'pg'

/** Error codes: no such table in an older database, no write permission, read-only login. */
const cannotNote = ['42P01', '42501', '25006']

/** For `/metrics` (metrics/operating-metrics.ts). Returns whether it was recorded; a failure here does not fail the backup. */
export async function noteBackup(client: pg.Client, backup: string): Promise<boolean> {
  try {
    await client.query(
      `insert into atrium_meta.last_backup (backup, finished_at) values ($1, now())
       on conflict (is_only) do update set backup = excluded.backup, finished_at = excluded.finished_at`,
      [backup],
    )
    return true
  } catch (problem) {
    if (problem instanceof pg.DatabaseError && cannotNote.includes(String(problem.code))) return false
    throw problem
  }
}
