import pg from 'pg'
import { describeProblem, type ProgramLog } from './log.ts'
import { startRounds } from './repeating.ts'

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

const askingPrimary = { text: 'select pg_current_wal_lsn()::text as position', query_timeout: 5_000 }
/** Answered in no time, or the copy is not well. */
const asking = { text: 'select pg_last_wal_replay_lsn()::text as position', query_timeout: 1_000 }

type Sight = { at: number; position: string }

/**
 * Follows how far the copy is behind, by where the database was and where the copy is: once a second a process. A copy whose
 * primary is away keeps its place, and is too old before long; so is one whose replay was stopped.
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
  let restsUntil = 0
  let isClosed = false

  async function look(): Promise<void> {
    const at = performance.now()
    const [{ rows: here }, { rows: there }] = await Promise.all([
      primary.query<{ position: string }>(askingPrimary),
      pool.query<{ position: string | null }>(asking),
    ])
    const [reached, now] = [there[0]?.position, here[0]?.position]
    // Null: it is no copy but a database of its own, and whatever it shows is not ours.
    if (!reached || !now) throw new Error('DATABASE_READ_URL does not lead to a copy that follows the database.')
    sights.push({ at, position: now })
    const passed = sights.filter(({ position }) => compare(position, reached) <= 0)
    reachedAt = passed.at(-1)?.at ?? reachedAt
    sights = sights.filter((sight) => !passed.includes(sight)).slice(-120)
  }

  const stopLooking = startRounds(lookEveryMs, () => look().catch(failed))

  function failed(problem: unknown): void {
    if (isClosed) return
    const wasUsable = performance.now() >= restsUntil
    restsUntil = performance.now() + restMs
    if (wasUsable)
      log.warn(
        { err: describeProblem(problem) },
        'the copy of the database is left in peace; what it would show comes from the database',
      )
  }

  const lagMs = (): number => performance.now() - reachedAt
  return {
    pool,
    lagMs,
    isUsable: () => !isClosed && performance.now() >= restsUntil && lagMs() <= lagMsMax,
    failed,
    async close() {
      isClosed = true
      stopLooking()
      await pool.end()
    },
  }
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
