import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPlatforms } from '../accounts/platform-connections.ts'
import { readConfig } from '../config.ts'
import { openClamd } from '../files/clamd.ts'
import { openPictures } from '../files/picture.ts'
import { openFolderStore } from '../files/store.ts'
import type { Clock } from '../foundation/clock.ts'
import { openDatabase } from '../foundation/database.ts'
import type { Ground } from '../foundation/ground.ts'
import { openJobs } from '../foundation/jobs.ts'
import { makeLog } from '../foundation/log.ts'
import { makeSeal } from '../foundation/secrets.ts'
import { openMetrics } from '../metrics/metrics.ts'
import { openProviders } from '../payment-providers/connections.ts'
import { type FreshDatabase, freshDatabase } from './fresh-database.ts'

/** Production asks for a real secret, and takes none that stands in the repository. */
export const productionMode = { NODE_ENV: 'production', ATRIUM_SECRET_KEY: randomBytes(32).toString('base64url') }

/** Time that a test moves. */
export type TestClock = Clock & { advance(ms: number): void; set(moment: Date): void }

export type TestGround = Ground & { clock: TestClock }

export type MadeGround = {
  ground: TestGround
  ownerUrl: string
  programUrl: string
  /** Holds everything that the ground keeps on disk. */
  folder: string
  close(): Promise<void>
}

type Options = {
  environment?: Record<string, string>
  startAt?: Date
  connectionsMax?: number
  /** One that is there already (put back from a backup) instead of an empty one; it goes with the ground. */
  database?: FreshDatabase
  /** The same of its files. */
  folder?: string
  /** Every line that the server would write, for tests of what must not stand there. */
  logLines?: string[]
}

export function makeClock(startAt = new Date('2026-11-21T09:00:00Z')): TestClock {
  let now = startAt.getTime()
  return {
    now: () => new Date(now),
    advance(ms) {
      now += ms
    },
    set(moment) {
      now = moment.getTime()
    },
  }
}

/**
 * Everything a unit of work stands on, for one test file: a database of its own, files in a temporary folder, a clock that
 * stands still, the real job queue with no workers (enqueueing works; a test runs the deeds itself or calls
 * `ground.jobs.start`), platforms as the database names them, and payment providers that are never left in peace: tests let
 * one fail many times in a row, and what comes of that stands in hanging-provider.test.ts.
 */
export async function makeGround(options: Options = {}): Promise<MadeGround> {
  const database = options.database ?? (await freshDatabase())
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'atrium-ground-'))
  const config = readConfig({
    NODE_ENV: 'test',
    ATRIUM_DATA: folder,
    DATABASE_URL: database.ownerUrl,
    LOG_LEVEL: 'fatal',
    CALLS_PER_MINUTE: '0', // Nobody clicks as fast as a test.
    ...options.environment,
  })
  const { logLines } = options
  const log = logLines ? makeLog('debug', { write: (line) => void logLines.push(line) }) : makeLog(config.logLevel)
  const metrics = openMetrics()
  const ground: TestGround = {
    config,
    database: openDatabase(database.programUrl, {
      connectionsMax: options.connectionsMax ?? 8,
      isPooled: database.isPooled ?? false,
    }),
    clock: makeClock(options.startAt),
    log,
    metrics,
    jobs: await openJobs(database.programUrl, { log, metrics }),
    files: openFolderStore(join(folder, 'files')),
    pictures: openPictures(),
    scanner: config.clamd && openClamd(config.clamd),
    platforms: openPlatforms(() => ground),
    providers: openProviders(() => ground, { failuresBeforeOpening: Number.POSITIVE_INFINITY }),
    seal: makeSeal(config.secretKey, config.secretKeysOther),
  }
  const close = async (): Promise<void> => {
    try {
      await ground.jobs.stop()
      await ground.platforms.close()
      await ground.providers.close()
      await ground.database.close()
    } finally {
      // Whatever a test has ended already: what stands outside this process would outlive it.
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return { ground, ownerUrl: database.ownerUrl, programUrl: database.programUrl, folder, close }
}
