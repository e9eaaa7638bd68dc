import pg from 'pg'

/** No such table in a database that is older than this command; no right to write for a login that may only read. */
const cannotNote = ['42P01', '42501', '25006']

/** For `/metrics` (metrics/figures.ts). Answers whether it is noted: a backup that is whole is no failure for want of it. */
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
