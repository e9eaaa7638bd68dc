import pg from 'pg'
import { BackupProblem } from './problem.ts'

/**
 * A connection that may be idle for hours while files are copied. Keep-alive stops intermediaries from closing it, and
 * the error listener turns a database restart into a message instead of a crash.
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
    // The backup lock was lost with the connection, so the result cannot be trusted.
    if (lost) throw lost
    return result
  } catch (problem) {
    if (!lost || problem instanceof BackupProblem) throw problem
    throw new BackupProblem('The connection to the database was lost. Start again when the database is available.', {
      cause: lost,
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}
