import pg from 'pg'
import { describeProblem, type ProgramLog } from '../../observability/log.ts'
import { openCircuit } from '../circuit.ts'
import { startRounds } from '../repeating.ts'
import { realTime } from '../timekeeper.ts'

/** A copy of the database that follows it. Whoever reads there has to ask first whether it has come far enough. */
export type Replica = {
  pool: pg.Pool
  /** Whether it is followed closely enough, and answered when it was last asked. */
  isUsable(): boolean
  /** How far behind, in milliseconds: at most so old is what it shows. Infinite until it was seen to follow. */
  lagMs(): number
  /** Left in peace for a while. */
  failed(problem: unknown): void
  close(): Promise<void>
}

/** What is older than this is not shown, though nobody waits for something of their own. */
const lagMsMax = 10_000
const lookEveryMs = 1_000
const restMs = 5_000

/** Where it is in the log, of which cluster, and on which branch of its history: a restore begins a new one. */
type Place = { position: string | null; system: string; timeline: string }

const system = '(select system_identifier::text from pg_control_system()) as system'
const askingPrimary = {
  text: `select pg_current_wal_lsn()::text as position, ${system},
    left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline`,
  query_timeout: 5_000,
}
/** Answered in no time, or the copy is not well. One that became a database of its own still says where it last followed. */
const asking = {
  text: `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position, ${system},
    (select lpad(upper(to_hex(greatest(timeline_id, min_recovery_end_timeline))), 8, '0')
      from pg_control_checkpoint(), pg_control_recovery()) as timeline`,
  query_timeout: 1_000,
}

type Sight = { at: number; position: string }

/**
 * Follows how far the copy is behind, by where the database was and where the copy is: once a second a process. A copy whose
 * primary is away keeps its place, and is too old before long; so is one whose replay was stopped. One of another database, or
 * of what this one was before it was put back from a backup, is never read, wherever it is.
 */
export function openReplica(url: string, primary: pg.Pool, log: ProgramLog): Replica {
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    // Whoever asks can ask the database itself, so nobody waits for a copy.
    connectionTimeoutMillis: 1_000,
    // It cuts statements off before (database.ts). A machine that is gone says nothing, and the line itself waits a quarter of an hour.
    query_timeout: 6_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'atrium-read',
    pipeline: true,
  })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  let sights: Sight[] = []
  let reachedAt = Number.NEGATIVE_INFINITY
  let problem: unknown
  let isClosed = false

  async function look(): Promise<void> {
    const at = performance.now()
    const [here, there] = await Promise.all([placeOf(primary, askingPrimary), placeOf(pool, asking)])
    const [reached, now] = [there.position, here.position]
    // Null: it is no copy but a database of its own, and whatever it shows is not ours.
    if (reached === null || now === null)
      throw new Error('DATABASE_READ_URL does not lead to a copy that follows the database.')
    if (here.system !== there.system || here.timeline !== there.timeline || (await isAhead(reached, now))) {
      sights = []
      reachedAt = Number.NEGATIVE_INFINITY
      throw new Error(
        'DATABASE_READ_URL leads to a copy of another database, or of what this one was before a restore.',
      )
    }
    sights.push({ at, position: now })
    const passed = sights.filter(({ position }) => compare(position, reached) <= 0)
    reachedAt = passed.at(-1)?.at ?? reachedAt
    sights = sights.filter((sight) => !passed.includes(sight)).slice(-120)
  }

  /** A copy has nothing that the database did not write before. Asked again, since the database may have been asked first. */
  async function isAhead(reached: string, now: string): Promise<boolean> {
    if (compare(reached, now) <= 0) return false
    const { position } = await placeOf(primary, askingPrimary)
    return position === null || compare(reached, position) > 0
  }

  const circuit = openCircuit(
    {
      pauses: { firstMs: restMs, maxMs: restMs },
      failuresBeforeOpening: 1,
      probe: () =>
        look().then(
          () => true,
          () => false,
        ),
      whenOpened: () =>
        log.warn(
          { err: describeProblem(problem) },
          'the copy of the database is left in peace; what it would show comes from the database',
        ),
    },
    realTime,
  )
  const stopLooking = startRounds(lookEveryMs, () => look().catch(failed))

  function failed(met: unknown): void {
    if (isClosed) return
    problem = met
    circuit.failed()
  }

  const lagMs = (): number => performance.now() - reachedAt
  return {
    pool,
    lagMs,
    isUsable: () => !isClosed && !circuit.isOpen() && lagMs() <= lagMsMax,
    failed,
    async close() {
      isClosed = true
      stopLooking()
      circuit.stop()
      await pool.end()
    },
  }
}

async function placeOf(pool: pg.Pool, question: pg.QueryConfig): Promise<Place> {
  const [place] = (await pool.query<Place>(question)).rows
  if (!place) throw new Error('It does not say where it is.')
  return place
}

/** Places in the log as PostgreSQL writes them: two numbers of base 16, the higher one first. */
function compare(one: string, other: string): number {
  const place = (text: string): bigint => {
    const [high = '0', low = '0'] = text.split('/')
    return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
  }
  const difference = place(one) - place(other)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
