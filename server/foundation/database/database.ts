import type { Socket } from 'node:net'
import { SpanKind } from '@opentelemetry/api'
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { ProgramLog } from '../../observability/log.ts'
import { inSpan } from '../../observability/tracing.ts'
import { type Actor, actorOf } from '../actor.ts'
import { dialectOfClient, dialectOfReads, sendTogether } from '../client-dialect.ts'
import { type ConcurrencyLimiter, makeConcurrencyLimiter } from '../concurrency-limiter.ts'
import { Refusal } from '../errors.ts'
import type { DB } from './database.generated.ts'
import { isKept, nameOfText, readDirectly } from './kept-statement.ts'
import { type BatchAnswer, type BatchStatement, forgetKept, sendBatch } from './read-batch.ts'
import { keepRecent } from './recent.ts'
import { openReplica, type Replica } from './replica.ts'

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
const doors = new WeakMap<pg.Pool, ConcurrencyLimiter>()
/** Statements are kept by name as long as the sessions of this database are ours from begin to end. */
type Plans = { areKept: boolean }
const keptPlans = new WeakMap<pg.Pool, Plans>()

/**
 * The pool itself serves whoever came first. Before it each brokerage has a line of its own, so that a hundred units of work
 * of one are not in front of a single one of another.
 */
function doorOf(pool: pg.Pool): ConcurrencyLimiter {
  const { max, connectionTimeoutMillis: ms = connectionMsMax } = pool.options
  const door = doors.get(pool) ?? makeConcurrencyLimiter(max, { patience: { ms, over: () => new Error(noConnection) } })
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

function refuseScope(): never {
  throw new Error('A scope takes UUIDs only')
}

/** Begin and scope go in one statement text, hence without parameters; ids that are not ids must not get into it. */
function literal(id: string): string {
  if (!uuid.test(id)) refuseScope()
  return `'${id}'`
}

/** Statements are cut off, so that one runaway read or one that waits for a lock cannot hold a connection. */
const timeouts = { statement_timeout: '5s', lock_timeout: '4s', idle_in_transaction_session_timeout: '15s' }
const settingTimeouts = Object.entries(timeouts).map(([name, value]) => `set_config('${name}', '${value}', true)`)

function beginScoped(actor: Actor): string {
  const member = actor.kind === 'member' ? literal(actor.memberId) : `''`
  return (
    `begin; select set_config('atrium.workspace_id', ${literal(actor.workspaceId)}, true), ` +
    `set_config('atrium.actor_kind', '${actor.kind}', true), set_config('atrium.member_id', ${member}, true), ` +
    settingTimeouts.join(', ')
  )
}

function asUnit<Result>(readOnly: boolean, work: () => Promise<Result>): Promise<Result> {
  const attributes = { 'db.system.name': 'postgresql', 'atrium.read_only': readOnly }
  return inSpan('unit of work', { kind: SpanKind.CLIENT, attributes }, work)
}

type Unit<Result> = { pool: pg.Pool; work: (tx: Tx, client: pg.PoolClient) => Promise<Result> }

async function runUnit<Result>(actor: Actor, { pool, work }: Unit<Result>): Promise<Result> {
  const client = await pool.connect()
  atWork.add(client)
  let broken: Error | undefined
  let isOver = false
  try {
    const begun = sendTogether(client, beginScoped(actor))
    // Not awaited yet, on purpose: should it fail, no statement after it finds a transaction, and none has a scope.
    begun.catch(() => undefined)
    try {
      const result = await work(new Kysely<DB>({ dialect: dialectOfClient(client, () => isOver) }), client)
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
  const { pool, replica } = actor.context.database
  const noted = async (tx: Tx, client: pg.PoolClient): Promise<Result> => {
    const result = await work(tx)
    if (replica && writer) await noteWrite(client, actor, writer)
    return result
  }
  const whose = actor.workspaceId
  return asUnit(false, () => doorOf(pool)(() => runUnit(actor, { pool, work: noted }), { whose }))
}

/** The same for reading: the database refuses every write in it. Several reads of one request belong into one. */
export function reading<Result>(actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return readOn(actor.context.database.pool, actor, work)
}

function readOn<Result>(pool: pg.Pool, actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return asUnit(true, () => work(openReads(pool, actor).tx))
}

/**
 * Reads of an actor for as long as somebody asks: statements that are asked for at about the same time travel as one batch
 * behind their scope, in one round trip and one transaction. No connection is held between two batches. What is asked of
 * `ahead` goes before everything else of its batch.
 */
export function openReads(pool: pg.Pool, actor: Actor): { tx: Tx; ahead: Tx } {
  const batcher = makeBatcher(pool, actor)
  const over = (isAhead: boolean): Tx => {
    const read = (query: CompiledQuery) => batcher(query, isAhead)
    const tx = new Kysely<DB>({ dialect: dialectOfReads(read) })
    readDirectly(tx, read)
    return tx
  }
  return { tx: over(false), ahead: over(true) }
}

type Waiting = { query: CompiledQuery; resolve(rows: unknown[]): void; reject(problem: Error): void }

function makeBatcher(pool: pg.Pool, actor: Actor): (query: CompiledQuery, isAhead: boolean) => Promise<unknown[]> {
  let waiting: Waiting[] = []

  function flush(): void {
    const batch = waiting
    waiting = []
    const queries = batch.map(({ query }) => query)
    doorOf(pool)(() => readBatch(pool, actor, queries), { whose: actor.workspaceId }).then(
      (answers) => {
        for (const [at, { resolve, reject }] of batch.entries()) {
          const answer = answers[at]
          if (!answer || answer.problem) reject(withOwnStack(answer?.problem))
          else resolve(answer.rows)
        }
      },
      (problem) => {
        for (const { reject } of batch) reject(problem)
      },
    )
  }

  return (query, isAhead) =>
    new Promise((resolve, reject) => {
      const asked = { query, resolve, reject }
      if (isAhead) waiting.unshift(asked)
      else waiting.push(asked)
      // After everything that is ready to run by now, so that whoever asks at the same time travels along.
      if (waiting.length === 1) setImmediate(flush)
    })
}

/** The way to the database's socket says nothing about who asked. */
function withOwnStack(problem: Error = new Error('The database did not answer.')): Error {
  Error.captureStackTrace(problem)
  return problem
}

async function readBatch(pool: pg.Pool, actor: Actor, queries: readonly CompiledQuery[]): Promise<BatchAnswer[]> {
  const plans = keptPlans.get(pool) ?? { areKept: false }
  const client = await pool.connect()
  atWork.add(client)
  let broken: Error | undefined
  try {
    const send = () =>
      sendBatch(client, [scopeOf(actor, queries, plans), ...queries.map((query) => namedOf(query, plans))])
    let answers = await send()
    if (isPlanLost(answers, plans)) {
      forgetKept(client)
      answers = await send()
    }
    broken = answers.map(({ problem }) => problem).find(isFatal)
    return answers.slice(1)
  } finally {
    atWork.delete(client)
    client.release(broken)
  }
}

/** The server does not know the name, or knows it already. */
const lostPlan: readonly string[] = ['26000', '42P05']

/** Nothing was changed by a read that failed for this, so it is asked once more. */
function isPlanLost(answers: readonly BatchAnswer[], plans: Plans): boolean {
  const problem = answers.find((answer) => answer.problem)?.problem as pg.DatabaseError | undefined
  if (!problem?.code) return false
  // Somebody between us and the database hands our transactions to other sessions, and did not say so.
  if (lostPlan.includes(problem.code)) plans.areKept = false
  // A table looks different since the statement was read, which a migration does under the version before.
  return lostPlan.includes(problem.code) || problem.routine === 'RevalidateCachedQuery'
}

/** After this the connection is of no use to anybody. */
function isFatal(problem: Error | undefined): boolean {
  return problem !== undefined && (!(problem instanceof pg.DatabaseError) || problem.severity === 'FATAL')
}

const settingScope = `select set_config('atrium.workspace_id', $1, true), set_config('atrium.actor_kind', $2, true),
  set_config('atrium.member_id', $3, true), set_config('plan_cache_mode', $4, true),
  set_config('enable_bitmapscan', $5, true), set_config('transaction_read_only', 'on', true), ${settingTimeouts.join(', ')}`
const scopeName = nameOfText(settingScope, 'scope_')

/**
 * Scope and limits of a batch, for its transaction alone. Statements that find their rows by an index in the order of the answer
 * are planned once and for any value; without knowing how many rows somebody has, a bitmap of all of them would look
 * cheap. Others are planned each time, since a plan that fits most brokerages is wrong for the largest.
 */
function scopeOf(actor: Actor, queries: readonly CompiledQuery[], plans: Plans): BatchStatement {
  const memberId = actor.kind === 'member' ? actor.memberId : ''
  if (!uuid.test(actor.workspaceId) || (actor.kind === 'member' && !uuid.test(memberId))) refuseScope()
  const isGeneric = plans.areKept && queries.every(isKept)
  const mode = isGeneric ? 'force_generic_plan' : 'force_custom_plan'
  return {
    text: settingScope,
    values: [actor.workspaceId, actor.kind, memberId, mode, isGeneric ? 'off' : 'on'],
    name: plans.areKept ? scopeName : null,
  }
}

function namedOf(query: CompiledQuery, plans: Plans): BatchStatement {
  const name = plans.areKept ? nameOf(query) : null
  return { text: query.sql, values: query.parameters, name }
}

/** Texts that were named already. */
const namesOfTexts = keepRecent<string>(2_000)

function nameOf(query: CompiledQuery): string {
  if (isKept(query)) return query.keptAs
  const known = namesOfTexts.find(query.sql)
  if (known) return known
  const name = nameOfText(query.sql)
  namesOfTexts.keep(query.sql, name)
  return name
}

/**
 * Reading that may be a few seconds old: lists and tables of what happened, where the database has a copy to spare it. Whoever
 * has written something themselves sees it, here as elsewhere: the copy is asked for their last transaction. `work` runs again
 * on the database when the copy has another one, fails, or does not know what it is asked for.
 */
export async function listing<Result>(actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const { replica } = actor.context.database
  if (!replica?.isUsable()) return reading(actor, work)
  const lastWrite = await readLastWrite(actor)
  try {
    const seen = await readOn(replica.pool, actor, async (tx) =>
      (await hasCome(tx, actor, lastWrite)) ? { result: await work(tx) } : null,
    )
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
  const by = actorOf(actor)
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
  return reading(actor, (tx) => lastWriteOf(tx, actor))
}

async function lastWriteOf(tx: Tx, actor: Actor): Promise<string | null> {
  const writer = writerOf(actor)
  if (!writer) return null
  const { table, column, id, workspace } = placeOf(actor, writer)
  const text = `select xid::text from ${table} where workspace_id = ${workspace} and ${column} = ${id}`
  return (await sql.raw<{ xid: string }>(text).execute(tx)).rows[0]?.xid ?? null
}

/**
 * Whether the copy has the row that came with the write: the one is never there without the other. Its snapshot is of no use,
 * since a copy does not say in it which transactions are under way, and they pass for seen (`pg_visible_in_snapshot`). Of two
 * transactions of one person the later number may be the earlier commit, so a higher one proves nothing. What is read after
 * this is of the same moment or a later one.
 */
async function hasCome(tx: Tx, actor: Actor, xid: string | null): Promise<boolean> {
  return xid === null || (await lastWriteOf(tx, actor)) === xid
}
