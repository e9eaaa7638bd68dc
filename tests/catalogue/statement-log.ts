import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'

/** Makes PostgreSQL log each statement to one file, as JSON without parameter values. */
export const loggingStatements = {
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_directory: 'log',
  log_filename: 'statements',
  log_rotation_age: '0',
  log_rotation_size: '0',
  log_statement: 'all',
  log_parameter_max_length: '0',
}

/** The program's own statements, each text once; the tests' own connections are excluded. */
export async function readStatements(serverUrl: string): Promise<Set<string>> {
  const found = new Set<string>()
  for await (const line of createInterface({ input: createReadStream(await logFile(serverUrl)) })) {
    // The last line may be incomplete.
    if (!line.endsWith('}')) continue
    const entry = JSON.parse(line) as { application_name?: string; message?: string }
    const text = /^(?:statement|execute [^:]*): (.*)$/s.exec(entry.message ?? '')?.[1]
    if (text !== undefined && entry.application_name === 'atrium') found.add(text)
  }
  return found
}

async function logFile(serverUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ folder: string; file: string }>(
      `select current_setting('data_directory') as folder, pg_current_logfile('jsonlog') as file`,
    )
    return join(String(rows[0]?.folder), String(rows[0]?.file))
  } finally {
    await client.end()
  }
}
