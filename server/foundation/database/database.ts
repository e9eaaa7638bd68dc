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
  /** The read replica, if there is one; `listing` reads there. */
  replica: Replica | null
  close(): Promise<void>
}

/** Per process; the number of connections the database must allow follows from it (deploy/README.md). */
export const connectionsOfWorkMax = 16

/** A transaction scoped to a workspace and actor. Only `inTransaction` makes one. */
export type Tx = Kysely<DB>

type Options = {
  connectionsMax?: number
  replicaUrl?: string | null
  log?: ProgramLog
  silenceMaxMs?: number
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
    connectionTimeoutMillis: connectionMsMax,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'atrium',
    // Begin and scope are sent together with the first statement and cost no extra round trip.
    pipeline: true,
  })
  // pg removes an idle connection that the server ends; without a listener the process would crash.
  pool.on('error', () => undefined)
  keptPlans.set(pool, { areKept: !options.isPooled })
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
type Plans = { areKept: boolean }
const keptPlans = new WeakMap<pg.Pool, Plans>()

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

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function refuseScope(): never {
  throw new Error('A scope takes UUIDs only')
}

/** Begin and scope are one text without parameters, so only valid ids may get into it. */
function literal(id: string): string {
  if (!uuid.test(id)) refuseScope()
  return `'${id}'`
}

/** Limits statements, so that a runaway read or a wait for a lock cannot hold a connection. */
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
    // Not awaited yet, on purpose: if it fails, later statements have no transaction and no scope.
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
        broken = failed // A connection that cannot roll back is discarded.
      })
      throw problem
    }
  } finally {
    atWork.delete(client)
    client.release(broken)
  }
}

/**
 * One unit of work: begins, sets workspace, actor and member for this transaction, runs, commits; rolls back on any
 * throw. Never call external services (platform, provider, mail, files) inside: row locks would wait for them.
 * `writer`: who must see the write on later reads, where the actor does not say.
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
  return asUnit(false, () => limiterOf(pool)(() => runUnit(actor, { pool, work: noted }), { whose }))
}

/** The same, read-only: the database refuses writes. Combine several reads of one request into one. */
export function reading<Result>(actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return readOn(actor.context.database.pool, actor, work)
}

function readOn<Result>(pool: pg.Pool, actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return asUnit(true, () => work(openReads(pool, actor).tx))
}

/**
 * Reads of an actor: concurrent statements are sent as one batch behind their scope, in one round trip and transaction.
 * No connection is held between batches. Statements on `ahead` go first in their batch.
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
    limiterOf(pool)(() => readBatch(pool, actor, queries), { whose: actor.workspaceId }).then(
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
      // Runs after all ready callbacks, so that concurrent reads join the batch.
      if (waiting.length === 1) setImmediate(flush)
    })
}

/** Replaces the stack of the socket callback by that of the caller. */
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

/** The server does not know the prepared statement, or has one with that name already. */
const lostPlan: readonly string[] = ['26000', '42P05']

/** Such a read changed nothing, so it is sent again. */
function isPlanLost(answers: readonly BatchAnswer[], plans: Plans): boolean {
  const problem = answers.find((answer) => answer.problem)?.problem as pg.DatabaseError | undefined
  if (!problem?.code) return false
  // An undeclared pooler gives our transactions to other sessions.
  if (lostPlan.includes(problem.code)) plans.areKept = false
  // A migration changed the table after the statement was prepared.
  return lostPlan.includes(problem.code) || problem.routine === 'RevalidateCachedQuery'
}

/** The connection is unusable after this. */
function isFatal(problem: Error | undefined): boolean {
  return problem !== undefined && (!(problem instanceof pg.DatabaseError) || problem.severity === 'FATAL')
}

/** Counts the empty ones, so that one number is sent back instead of every setting. */
const settingScope = `select num_nulls(set_config('atrium.workspace_id', $1, true), set_config('atrium.actor_kind', $2, true),
  set_config('atrium.member_id', $3, true), set_config('plan_cache_mode', $4, true),
  set_config('enable_bitmapscan', $5, true), set_config('transaction_read_only', 'on', true), ${settingTimeouts.join(', ')})`
const scopeName = nameOfText(settingScope, 'scope_')

/**
 * Scope and limits of a batch, for its transaction only. Statements that read by an index in result order use one
 * generic plan; without known row counts the planner would prefer a bitmap scan, so those are off. Others are planned
 * each time, since a plan that suits most workspaces is wrong for the largest.
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

/** Names already computed, by text. */
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
 * Reads lists and tables that may be a few seconds old, from the replica if there is one. Callers always see their own
 * writes: the replica is asked for their last transaction. `work` runs again on the primary when the replica lacks it,
 * fails, or refuses.
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
    // A refusal may concern a row written a moment ago; any other error is the replica's.
    if (!(problem instanceof Refusal)) replica.failed(problem)
  }
  return reading(actor, work)
}

type Writer = { kind: 'member' | 'staff'; id: string }

/** The writer, or the member in whose request the program wrote; the program by itself waits for no write. */
function writerOf(actor: Actor): Writer | null {
  const by = actorOf(actor)
  if (by.kind === 'member') return { kind: 'member', id: by.memberId }
  return by.kind === 'staff' ? { kind: 'staff', id: by.staffId } : null
}

/** The table and columns that store it. */
function placeOf({ workspaceId }: Actor, { kind, id }: Writer) {
  return { table: `${kind}_writes`, column: `${kind}_id`, id: literal(id), workspace: literal(workspaceId) }
}

/** The last statement of a unit that wrote, so that no other lock is taken while this row is locked. */
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
 * Whether the replica has the row committed with the write. Its snapshot cannot tell: on a replica, transactions under
 * way count as visible (`pg_visible_in_snapshot`). Transaction ids do not follow commit order, so a higher one proves
 * nothing. Later reads see this moment or a later one.
 */
async function hasCome(tx: Tx, actor: Actor, xid: string | null): Promise<boolean> {
  return xid === null || (await lastWriteOf(tx, actor)) === xid
}
