import type { Socket } from 'node:net'
import { SpanKind } from '@opentelemetry/api'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type Actor, doerOf } from './actor.ts'
import { ClientDialect, type Plans } from './client-dialect.ts'
import type { DB } from './database.generated.ts'
import { Refusal } from './errors.ts'
import type { ProgramLog } from './log.ts'
import { openReplica, type Replica } from './replica.ts'
import { inSpan } from './tracing.ts'
import { makeTurnstile, type Turnstile } from './turnstile.ts'

export type Database = {
  kysely: Kysely<DB>
  pool: pg.Pool
  /** A copy that follows, where there is one: `listing` reads there. */
  replica: Replica | null
  close(): Promise<void>
}

/** Of one process; what a database has to take is counted from it (deploy/README.md). */
export const connectionsOfWorkMax = 16

/** A transaction that has its workspace and actor set. Only `inTransaction` makes one. */
export type Tx = Kysely<DB>

type Options = {
  connectionsMax?: number
  replicaUrl?: string | null
  log?: ProgramLog
  silenceMaxMs?: number
  /** Between us and the database there is a pool that hands each transaction to another session: no plan can be kept there. */
  isPooled?: boolean
}

/**
 * Opens the pool as the program role. Nothing is set for a connection, only for a transaction (`beginScoped`): between us
 * and the database there may be a pool that hands each transaction to another session (PgBouncer).
 */
export function openDatabase(url: string, options: Options = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax ?? connectionsOfWorkMax,
    connectionTimeoutMillis: connectionMsMax,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'atrium',
    // Begin and scope travel together with the first statement instead of a round trip ahead of it.
    pipeline: true,
  })
  // An idle connection that the server ends is taken out of the pool by pg itself; without a listener it would end us.
  pool.on('error', () => undefined)
  keptPlans.set(pool, { areKept: !options.isPooled })
  // So is one that is in use, between two statements: its next statement fails, and that is told where it was asked for.
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
      // Kysely ends the pool only if it was asked something itself, and most units of work ask through a connection.
      await pool.end()
    },
  }
  return database
}

const connectionMsMax = 10_000
/** As the pool says it, for which there is an answer already: no refusal, since what was asked for was not looked at. */
const noConnection = 'timeout exceeded when trying to connect'
const doors = new WeakMap<pg.Pool, Turnstile>()
const keptPlans = new WeakMap<pg.Pool, Plans>()

/**
 * The pool itself serves whoever came first. Before it each brokerage has a line of its own, so that a hundred units of work
 * of one are not in front of a single one of another.
 */
function doorOf(pool: pg.Pool): Turnstile {
  const { max, connectionTimeoutMillis: ms = connectionMsMax } = pool.options
  const door = doors.get(pool) ?? makeTurnstile(max, { patience: { ms, over: () => new Error(noConnection) } })
  doors.set(pool, door)
  return door
}

/** Units of work that have no connection yet. */
export const waitingFor = (pool: pg.Pool): number => pool.waitingCount + doorOf(pool).waitingCount()

/** Longer than a unit of work is ever silent: the database cuts statements off before, and whoever does nothing between them. */
const silenceMaxMs = 20_000
const atWork = new WeakSet<pg.PoolClient>()

/** A machine that is gone without a word closes nothing, and a line would wait for it for a quarter of an hour. */
function hangUpOnSilence(client: pg.PoolClient, afterMs: number): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.setTimeout(afterMs, () => {
    if (!atWork.has(client)) return
    stream.destroy(Object.assign(new Error('The database says nothing any more'), { code: 'ETIMEDOUT' }))
  })
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Begin and scope go in one statement text, hence without parameters; ids that are not ids must not get into it. */
function literal(id: string): string {
  if (!uuid.test(id)) throw new Error('A scope takes UUIDs only')
  return `'${id}'`
}

/** Statements are cut off, so that one runaway read or one that waits for a lock cannot hold a connection. */
const timeouts = { statement_timeout: '5s', lock_timeout: '4s', idle_in_transaction_session_timeout: '15s' }
const settingTimeouts = Object.entries(timeouts).map(([name, value]) => `set_config('${name}', '${value}', true)`)

function beginScoped(actor: Actor, readOnly: boolean): string {
  const member = actor.kind === 'member' ? literal(actor.memberId) : `''`
  return (
    `begin${readOnly ? ' read only' : ''}; select set_config('atrium.workspace_id', ${literal(actor.workspaceId)}, true), ` +
    `set_config('atrium.actor_kind', '${actor.kind}', true), set_config('atrium.member_id', ${member}, true), ` +
    settingTimeouts.join(', ')
  )
}

type Unit<Result> = { pool: pg.Pool; readOnly: boolean; work: (tx: Tx, client: pg.PoolClient) => Promise<Result> }

function run<Result>(actor: Actor, unit: Unit<Result>): Promise<Result> {
  const attributes = { 'db.system.name': 'postgresql', 'atrium.read_only': unit.readOnly }
  return inSpan('unit of work', { kind: SpanKind.CLIENT, attributes }, () =>
    doorOf(unit.pool)(() => runUnit(actor, unit), actor.workspaceId),
  )
}

async function runUnit<Result>(actor: Actor, { pool, readOnly, work }: Unit<Result>): Promise<Result> {
  const client = await pool.connect()
  atWork.add(client)
  let broken: Error | undefined
  const plans = keptPlans.get(pool) ?? { areKept: false }
  let isOver = false
  try {
    const begun = client.query(beginScoped(actor, readOnly))
    // Not awaited yet, on purpose: should it fail, no statement after it finds a transaction, and none has a scope.
    begun.catch(() => undefined)
    try {
      const result = await work(new Kysely<DB>({ dialect: new ClientDialect(client, plans, () => isOver) }), client)
      await begun
      isOver = true
      await client.query('commit')
      return result
    } catch (problem) {
      isOver = true
      await client.query('rollback').catch((failed: Error) => {
        broken = failed // A connection that cannot roll back is not given to anybody else.
      })
      throw problem
    }
  } finally {
    atWork.delete(client)
    client.release(broken)
  }
}

/**
 * One unit of work: begins, sets workspace, actor and member for exactly this transaction, runs, commits; rolls back on
 * anything thrown. Never call outside (platform, provider, mail, files) from within: a row lock would wait for a stranger.
 * `writer`: who is to find what was written, where the actor does not say it yet.
 */
export function inTransaction<Result>(
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
  writer = writerOf(actor),
): Promise<Result> {
  const { pool, replica } = actor.ground.database
  const noted = async (tx: Tx, client: pg.PoolClient): Promise<Result> => {
    const result = await work(tx)
    if (replica && writer) await noteWrite(client, actor, writer)
    return result
  }
  return run(actor, { pool, readOnly: false, work: noted })
}

/** The same for reading: the database refuses every write in it. Several reads of one request belong into one. */
export function reading<Result>(actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return run(actor, { pool: actor.ground.database.pool, readOnly: true, work })
}

/**
 * Reading that may be a few seconds old: lists and tables of what happened, where the database has a copy to spare it. Whoever
 * has written something themselves sees it, here as elsewhere: the copy is asked for their last transaction. `work` runs again
 * on the database when the copy has another one, fails, or does not know what it is asked for.
 */
export async function listing<Result>(actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const { replica } = actor.ground.database
  if (!replica?.isUsable()) return reading(actor, work)
  const lastWrite = await readLastWrite(actor)
  try {
    const seen = await run(actor, {
      pool: replica.pool,
      readOnly: true,
      work: async (tx, client) => ((await hasCome(client, actor, lastWrite)) ? { result: await work(tx) } : null),
    })
    if (seen) return seen.result
  } catch (problem) {
    // What is refused may have come to be a moment ago; everything else is the copy's own trouble.
    if (!(problem instanceof Refusal)) replica.failed(problem)
  }
  return reading(actor, work)
}

type Writer = { kind: 'member' | 'staff'; id: string }

/** Who wrote, or in whose request it was done; the program by itself waits for nothing of its own. */
function writerOf(actor: Actor): Writer | null {
  const by = doerOf(actor)
  if (by.kind === 'member') return { kind: 'member', id: by.memberId }
  return by.kind === 'staff' ? { kind: 'staff', id: by.staffId } : null
}

/** The table that keeps it, and its columns. */
function placeOf({ workspaceId }: Actor, { kind, id }: Writer) {
  return { table: `${kind}_writes`, column: `${kind}_id`, id: literal(id), workspace: literal(workspaceId) }
}

/** The last statement of a unit of work that wrote, so that nobody waits for this row with another one held after it. */
async function noteWrite(client: pg.PoolClient, actor: Actor, writer: Writer): Promise<void> {
  const { table, column, id, workspace } = placeOf(actor, writer)
  await client.query(`insert into ${table} (workspace_id, ${column}, xid)
    select ${workspace}, ${id}, pg_current_xact_id() where pg_current_xact_id_if_assigned() is not null
    on conflict (workspace_id, ${column}) do update set xid = excluded.xid`)
}

async function readLastWrite(actor: Actor): Promise<string | null> {
  if (!writerOf(actor)) return null
  const work = (_tx: Tx, client: pg.PoolClient) => lastWriteOf(client, actor)
  return run(actor, { pool: actor.ground.database.pool, readOnly: true, work })
}

async function lastWriteOf(client: pg.PoolClient, actor: Actor): Promise<string | null> {
  const writer = writerOf(actor)
  if (!writer) return null
  const { table, column, id, workspace } = placeOf(actor, writer)
  const text = `select xid::text from ${table} where workspace_id = ${workspace} and ${column} = ${id}`
  return (await client.query<{ xid: string }>(text)).rows[0]?.xid ?? null
}

/**
 * Whether the copy has the row that came with the write: the one is never there without the other. Its snapshot is of no use,
 * since a copy does not say in it which transactions are under way, and they pass for seen (`pg_visible_in_snapshot`). Of two
 * transactions of one person the later number may be the earlier commit, so a higher one proves nothing. What is read after
 * this is of the same moment or a later one.
 */
async function hasCome(client: pg.PoolClient, actor: Actor, xid: string | null): Promise<boolean> {
  return xid === null || (await lastWriteOf(client, actor)) === xid
}
