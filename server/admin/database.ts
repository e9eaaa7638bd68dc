import { join, resolve } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { findRunningPostgres, startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import { isClusterThere } from '../postgres/postgres-location.ts'
import { readEnvironment } from '../read-environment.ts'
import type { Command, Place } from './command.ts'

type Source = Record<string, string | undefined>

/** The settings of a command. Logs errors only, unless the environment sets a level. */
export const readSettings = (source: Source): Config => readConfig({ LOG_LEVEL: 'error', ...source })

/**
 * Uses the database of a running server, or starts the embedded one and stops it afterwards. Fails where no server has ever run,
 * since a report on an empty database would suggest that all is well.
 */
export async function withDatabase<Result>(
  { begins = () => false }: Command,
  source: Source,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const read = readEnvironment(source)
  const dataDirectory = join(resolve(read.ATRIUM_DATA), 'postgres')
  // Checked before the whole configuration is read, which creates a missing key.
  if (!read.DATABASE_URL && !begins(read) && !isClusterThere(dataDirectory)) throw new Error(explainNone(dataDirectory))
  const config = readSettings(source)
  if (config.databaseUrl) return work({ ...config, databaseUrl: config.databaseUrl })
  process.stderr.write(`DATABASE_URL is not set: using the database in ${dataDirectory}.\n`)
  const running = findRunningPostgres(dataDirectory)
  if (running) return work({ ...config, databaseUrl: running })
  const embedded = await startEmbeddedPostgres({ dataDirectory })
  try {
    return await work({ ...config, databaseUrl: embedded.url })
  } finally {
    await embedded.stop()
  }
}

const explainNone = (dataDirectory: string): string =>
  `There is no database: DATABASE_URL is not set, and no server has created one in ${dataDirectory}.
Give the command the server's environment: NODE_ENV, DATABASE_URL and ATRIUM_SECRET_KEY, or DATABASE_URL_FILE and
ATRIUM_SECRET_KEY_FILE; for a database of its own, its ATRIUM_DATA. Beside systemd deploy/atrium-admin does that.`
