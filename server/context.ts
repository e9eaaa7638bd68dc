import type { Config } from './config.ts'
import type { Scanner } from './files/clamd.ts'
import { openClamd } from './files/clamd.ts'
import { openFileStore } from './files/open-store.ts'
import type { Pictures } from './files/picture.ts'
import { openPictures } from './files/picture.ts'
import type { FileStore } from './files/store.ts'
import { systemClock } from './foundation/clock.ts'
import type { Context } from './foundation/context.ts'
import { migrate } from './foundation/database/migrate.ts'
import type { Database } from './foundation/database/pool.ts'
import { openDatabase } from './foundation/database/pool.ts'
import { armFailpoint } from './foundation/failpoint.ts'
import { makeSeal } from './foundation/secrets.ts'
import type { Metrics } from './metrics/metrics.ts'
import { openMetrics } from './metrics/metrics.ts'
import type { ProgramLog } from './observability/log.ts'
import { traceCalls } from './observability/tracing.ts'
import type { Providers } from './payments/connections/connections.ts'
import { openProviders } from './payments/connections/connections.ts'
import type { Jobs } from './queue/jobs.ts'
import { openJobs } from './queue/jobs.ts'
import type { Platforms } from './trading-platforms/platform-connections.ts'
import { openPlatforms } from './trading-platforms/platform-connections.ts'

/** Everything that a unit of work uses, merged into the foundation's context type. */
declare module './foundation/context.ts' {
  interface Context {
    config: Config
    database: Database
    metrics: Metrics
    jobs: Jobs
    files: FileStore
    pictures: Pictures
    /** Null without CLAMD_ADDRESS. */
    scanner: Scanner | null
    platforms: Platforms
    providers: Providers
  }
}

export type Reporting = { print?: ((what: string) => void) | undefined; log?: ProgramLog }
/** `programUrl`: of a database that this version has migrated already. */
export type Opening = Reporting & { programUrl?: string | undefined }

/** Opens the context. Without a console, warnings go to the log. */
export async function openContext(
  config: Config,
  ownerUrl: string,
  { print, log, programUrl: given }: Opening & { log: ProgramLog },
): Promise<Context> {
  const warn = print ?? ((what) => log.warn({}, what))
  for (const warning of config.warnings) warn(warning)
  const { applied, programUrl } = given
    ? { applied: [], programUrl: given }
    : await migrate(ownerUrl, { ...config, report: warn })
  if (applied.length > 0) print?.(`Database migrated (${applied.length} migrations).`)
  const metrics = openMetrics()
  if (config.production && !config.smtpUrl)
    log.warn({}, 'SMTP_URL is not set: emails stay in the database and are not sent')
  if (config.failpoint) armFailpoint(config.failpoint)
  const context: Context = {
    config,
    database: openDatabase(programUrl, {
      ...{ replicaUrl: replicaUrlOf(programUrl, config), log },
      isPooled: config.directDatabaseUrl !== null,
    }),
    clock: systemClock,
    log,
    metrics,
    jobs: await openJobs(programUrl, { log, metrics, schedule: config.roles.jobs }),
    files: traceCalls('files', await openFileStore(config, log)),
    pictures: openPictures(),
    scanner: config.clamd && traceCalls('scanner', openClamd(config.clamd)),
    platforms: openPlatforms(() => context),
    providers: openProviders(() => context),
    seal: makeSeal(config.secretKey, config.secretKeysOther),
  }
  return context
}

/** The replica is read as the program's own role, whichever role its address names. */
function replicaUrlOf(programUrl: string, { readDatabaseUrl }: Config): string | null {
  if (!readDatabaseUrl) return null
  const url = new URL(readDatabaseUrl)
  const { username, password } = new URL(programUrl)
  return Object.assign(url, { username, password }).toString()
}
