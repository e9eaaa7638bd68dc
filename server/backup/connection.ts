import pg from 'pg'
import { BackupProblem } from './problem.ts'

/**
 * A connection for a command that may leave it alone for hours, while files are copied. Kept alive, or something between would take
 * it for dead; listened to, or a database that is started again meanwhile would end the command without a sentence.
 */
export async function withConnection<Result>(
  databaseUrl: string,
  name: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: name, keepAlive: true })
  let lost: Error | undefined
  client.on('error', (problem) => {
    lost ??= problem
  })
  await client.connect()
  try {
    const result = await work(client)
    // What it held (the lock of backups) went with it, so what was done is not what it looks like.
    if (lost) throw lost
    return result
  } catch (problem) {
    if (!lost || problem instanceof BackupProblem) throw problem
    throw new BackupProblem('The connection to the database was lost. Begin again when the database is there.', {
      cause: lost,
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}
