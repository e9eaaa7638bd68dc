import { join, resolve } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { readEnvironment } from '../environment.ts'
import { findRunningPostgres, startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import { isClusterThere } from '../postgres/postgres-location.ts'
import type { Command, Place } from './command.ts'

type Source = Record<string, string | undefined>

/** The settings of a command, whose log is quiet unless the environment says otherwise. */
export const readSettings = (source: Source): Config => readConfig({ LOG_LEVEL: 'error', ...source })

/**
 * Beside a server that runs, its database is used; while none runs, ours is started and stopped again. Where none has ever run,
 * there is nothing to be told: an empty database would say that all is well.
 */
export async function withDatabase<Result>(
  { begins = () => false }: Command,
  source: Source,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const read = readEnvironment(source)
  const dataDirectory = join(resolve(read.ATRIUM_DATA), 'postgres')
  // Before the settings are read as a whole, which makes a key where there is none.
  if (!read.DATABASE_URL && !begins(read) && !isClusterThere(dataDirectory)) throw new Error(explainNone(dataDirectory))
  const config = readSettings(source)
  if (config.databaseUrl) return work({ ...config, databaseUrl: config.databaseUrl })
  process.stderr.write(`DATABASE_URL is not set: this is about the database in ${dataDirectory}.\n`)
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
  `There is no database: DATABASE_URL is not set, and no server has made one in ${dataDirectory}.
Give the command the server's environment: NODE_ENV, DATABASE_URL and ATRIUM_SECRET_KEY, or DATABASE_URL_FILE and
ATRIUM_SECRET_KEY_FILE; for a database of its own, its ATRIUM_DATA. Beside systemd deploy/atrium-admin does that.`
