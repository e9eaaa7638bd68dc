import type { Socket } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { ProgramLog } from '../../observability/log.ts'
import { type ConcurrencyLimiter, makeConcurrencyLimiter } from '../concurrency-limiter.ts'
import type { DB } from './database.generated.ts'
import { openReplica, type Replica } from './replica.ts'

export type Database = {
  kysely: Kysely<DB>
  pool: pg.Pool
  /** The read replica, if there is one; `listing` reads there. */
  replica: Replica | null
  close(): Promise<void>
}

/** Per process; the number of connections the database must allow follows from it (deploy/README.md). */
export const connectionsOfWorkMax = 16

type Options = {
  connectionsMax?: number
  replicaUrl?: string | null
  log?: ProgramLog
  silenceMaxMs?: number
  /** How long a unit of work waits for a connection. */
  waitMsMax?: number
  /** A transaction pooler is in front of the database, so prepared statements cannot be used. */
  isPooled?: boolean
}

/**
 * Opens the pool as the program role. Sets nothing per connection, only per transaction (`beginScoped`), because a
 * pooler (PgBouncer) may give each transaction another session.
 */
export function openDatabase(url: string, options: Options = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax ?? connectionsOfWorkMax,
    connectionTimeoutMillis: options.waitMsMax ?? connectionMsMax,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'atrium',
    // Begin and scope are sent together with the first statement and cost no extra round trip.
    pipeline: true,
  })
  // pg removes an idle connection that the server ends; without a listener the process would crash.
  pool.on('error', () => undefined)
  plansByPool.set(pool, { arePrepared: !options.isPooled })
  // The same for a connection in use between two statements: its next statement fails and reports the error.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    hangUpOnSilence(client, options.silenceMaxMs ?? silenceMaxMs)
  })
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  const { replicaUrl, log } = options
  const database: Database = {
    kysely,
    pool,
    replica: replicaUrl && log ? openReplica(replicaUrl, pool, log) : null,
    async close() {
      await database.replica?.close()
      // Kysely closes the pool only after a query of its own, and most units of work use a connection directly.
      await pool.end()
    },
  }
  return database
}

const connectionMsMax = 10_000
/** The pool's own message, which is already handled: a plain error, since the request was not examined. */
const noConnection = 'timeout exceeded when trying to connect'
const limiters = new WeakMap<pg.Pool, ConcurrencyLimiter>()
/** Prepared statements are used only while sessions are not shared through a pooler. */
export type Plans = { arePrepared: boolean }
const plansByPool = new WeakMap<pg.Pool, Plans>()
export const plansOf = (pool: pg.Pool): Plans => plansByPool.get(pool) ?? { arePrepared: false }

/**
 * The pool serves in order of arrival. In front of it each workspace has its own queue, so that a hundred units of work
 * of one do not delay a single one of another.
 */
function limiterOf(pool: pg.Pool): ConcurrencyLimiter {
  const { max, connectionTimeoutMillis: ms = connectionMsMax } = pool.options
  const limiter =
    limiters.get(pool) ?? makeConcurrencyLimiter(max, { patience: { ms, over: () => new Error(noConnection) } })
  limiters.set(pool, limiter)
  return limiter
}

/** Units of work waiting for a connection. */
export const waitingFor = (pool: pg.Pool): number => pool.waitingCount + limiterOf(pool).waitingCount()

/** Longer than any silence in a unit of work: the database ends slow statements and idle transactions earlier. */
const silenceMaxMs = 20_000
const atWork = new WeakSet<pg.PoolClient>()

/** A machine that disappears closes no socket, and TCP would wait for a quarter of an hour. */
function hangUpOnSilence(client: pg.PoolClient, afterMs: number): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.setTimeout(afterMs, () => {
    if (!atWork.has(client)) return
    stream.destroy(Object.assign(new Error('The database says nothing any more'), { code: 'ETIMEDOUT' }))
  })
}

/** Work on a connection, in the workspace's turn. A connection that `breaks` is discarded. */
type Work<Result> = (client: pg.PoolClient, breaks: (problem: Error | undefined) => void) => Promise<Result>

export function onConnection<Result>(pool: pg.Pool, whose: string, work: Work<Result>): Promise<Result> {
  return limiterOf(pool)(() => withClient(pool, work), { whose })
}

async function withClient<Result>(pool: pg.Pool, work: Work<Result>): Promise<Result> {
  const client = await pool.connect()
  atWork.add(client)
  let broken: Error | undefined
  try {
    return await work(client, (problem) => {
      broken = problem
    })
  } finally {
    atWork.delete(client)
    client.release(broken)
  }
}
