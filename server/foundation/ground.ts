import type { Platforms } from '../accounts/platform-connections.ts'
import type { Config } from '../config.ts'
import type { Scanner } from '../files/clamd.ts'
import type { Pictures } from '../files/picture.ts'
import type { FileStore } from '../files/store.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Providers } from '../payment-providers/connections.ts'
import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import type { Jobs } from './jobs.ts'
import type { ProgramLog } from './log.ts'
import type { Seal } from './secrets.ts'

/** What every unit of work stands on. Made once in start.ts (or by a test) and carried by each actor; no module keeps its own. */
export type Ground = {
  config: Config
  database: Database
  clock: Clock
  log: ProgramLog
  metrics: Metrics
  jobs: Jobs
  files: FileStore
  pictures: Pictures
  /** Null where none was set up. */
  scanner: Scanner | null
  platforms: Platforms
  providers: Providers
  seal: Seal
}
