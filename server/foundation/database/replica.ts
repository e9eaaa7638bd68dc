import pg from 'pg'
import { describeProblem, type ProgramLog } from '../../observability/log.ts'
import { openCircuit } from '../circuit.ts'
import { startRounds } from '../repeating.ts'
import { realTime } from '../timer.ts'

/** A read replica. Readers must first check that it has replayed their writes. */
export type Replica = {
  pool: pg.Pool
  /** Whether it follows closely enough and answered the last check. */
  isUsable(): boolean
  /** Lag in milliseconds, the maximum age of what it shows. Infinite until it was seen to follow. */
  lagMs(): number
  /** Stops using it for a while. */
  failed(problem: unknown): void
  close(): Promise<void>
}

/** Maximum lag for readers without own writes. */
const lagMsMax = 10_000
const measureEveryMs = 1_000
const retryMs = 5_000

/** Position in the log, cluster id and timeline; a restore begins a new timeline. */
type Place = { position: string | null; system: string; timeline: string }

const system = '(select system_identifier::text from pg_control_system()) as system'
const askingPrimary = {
  text: `select pg_current_wal_lsn()::text as position, ${system},
    left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline`,
  query_timeout: 5_000,
}
/** A healthy replica answers fast. After a promotion the control file still names the timeline it followed. */
const asking = {
  text: `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position, ${system},
    (select lpad(upper(to_hex(greatest(timeline_id, min_recovery_end_timeline))), 8, '0')
      from pg_control_checkpoint(), pg_control_recovery()) as timeline`,
  query_timeout: 1_000,
}

type Sight = { at: number; position: string }

/**
 * Measures the lag once a second per process from the positions of primary and replica, so that one whose primary is
 * down or whose replay is paused soon counts as too old. A replica of another database or of a timeline before a
 * restore is never read.
 */
export function openReplica(url: string, primary: pg.Pool, log: ProgramLog): Replica {
  const pool = openReadPool(url)
  const { measure, lagMs } = followReplay(primary, pool)
  let problem: unknown
  let isClosed = false

  const circuit = openCircuit(
    {
      pauses: { firstMs: retryMs, maxMs: retryMs },
      failuresBeforeOpening: 1,
      probe: () =>
        measure().then(
          () => true,
          () => false,
        ),
      whenOpened: () =>
        log.warn(
          { err: describeProblem(problem) },
          'the replica does not answer: reads go to the primary until it does',
        ),
    },
    realTime,
  )
  const stopMeasuring = startRounds(measureEveryMs, () => measure().catch(failed))

  function failed(met: unknown): void {
    if (isClosed) return
    problem = met
    circuit.failed()
  }

  return {
    pool,
    lagMs,
    isUsable: () => !isClosed && !circuit.isOpen() && lagMs() <= lagMsMax,
    failed,
    async close() {
      isClosed = true
      stopMeasuring()
      circuit.stop()
      await pool.end()
    },
  }
}

function openReadPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    // Readers can use the primary, so they do not wait for the replica.
    connectionTimeoutMillis: 1_000,
    // Limits calls client-side too: a machine that disappears never answers, and TCP waits a quarter of an hour.
    query_timeout: 6_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'atrium-read',
    pipeline: true,
  })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Remembers the primary's position at each measurement: the replica shows at least the last one that it has passed. */
function followReplay(primary: pg.Pool, replica: pg.Pool): { measure(): Promise<void>; lagMs(): number } {
  let sights: Sight[] = []
  let reachedAt = Number.NEGATIVE_INFINITY

  async function measure(): Promise<void> {
    const at = performance.now()
    const [here, there] = await Promise.all([placeOf(primary, askingPrimary), placeOf(replica, asking)])
    const [reached, now] = [there.position, here.position]
    // Null: not in recovery, so it is an independent database.
    if (reached === null || now === null)
      throw new Error('DATABASE_READ_URL is not the address of a streaming replica.')
    if (here.system !== there.system || here.timeline !== there.timeline || (await isAhead(reached, now))) {
      sights = []
      reachedAt = Number.NEGATIVE_INFINITY
      throw new Error(
        'DATABASE_READ_URL is the address of a replica of another database, or of this one before a restore.',
      )
    }
    sights.push({ at, position: now })
    const passed = sights.filter(({ position }) => compare(position, reached) <= 0)
    reachedAt = passed.at(-1)?.at ?? reachedAt
    sights = sights.filter((sight) => !passed.includes(sight)).slice(-120)
  }

  /** A replica cannot be ahead of its primary. Asks again, since the primary may have been asked first. */
  async function isAhead(reached: string, now: string): Promise<boolean> {
    if (compare(reached, now) <= 0) return false
    const { position } = await placeOf(primary, askingPrimary)
    return position === null || compare(reached, position) > 0
  }

  return { measure, lagMs: () => performance.now() - reachedAt }
}

async function placeOf(pool: pg.Pool, question: pg.QueryConfig): Promise<Place> {
  const [place] = (await pool.query<Place>(question)).rows
  if (!place) throw new Error('It does not report its position.')
  return place
}

/** Log positions as PostgreSQL writes them: two hexadecimal numbers, the higher one first. */
function compare(one: string, other: string): number {
  const place = (text: string): bigint => {
    const [high = '0', low = '0'] = text.split('/')
    return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
  }
  const difference = place(one) - place(other)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
