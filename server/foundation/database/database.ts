import { SpanKind } from '@opentelemetry/api'
import { type CompiledQuery, Kysely } from 'kysely'
import type pg from 'pg'
import { inSpan } from '../../observability/tracing.ts'
import type { Actor } from '../actor.ts'
import { dialectOfBatches, dialectOfClient, sendTogether, UnitIsOver } from '../client-dialect.ts'
import { Refusal } from '../errors.ts'
import { onceProven, readsOfProof } from '../pending-proof.ts'
import { type BatchAnswer, type BatchStatement, makeBatcher, sendBatch } from './batch.ts'
import type { DB } from './database.generated.ts'
import { hasReplicated, lastWriteOf, notingWrite, type Writer, writerOf } from './last-write.ts'
import { isPlanLost, notePlanLost } from './lost-plan.ts'
import { onConnection, plansOf } from './pool.ts'
import { recalledNameOf } from './prepared-statement.ts'
import { beginScoped, scopeOfUnit } from './scope.ts'
import { openReads } from './scoped-reads.ts'

/** A transaction scoped to a workspace and actor. Only `inTransaction` makes one. */
export type Tx = Kysely<DB>

function asUnit<Result>(readOnly: boolean, work: () => Promise<Result>): Promise<Result> {
  const attributes = { 'db.system.name': 'postgresql', 'atrium.read_only': readOnly }
  return inSpan('unit of work', { kind: SpanKind.CLIENT, attributes }, work)
}

type Unit<Result> = (tx: Tx, client: pg.PoolClient) => Promise<Result>

type Run<Result> = (client: pg.PoolClient, breaks: (problem: Error | undefined) => void) => Promise<Result>

/** No transaction begins for a remembered person whose proof is not repeated yet. */
function onProvenConnection<Result>(pool: pg.Pool, actor: Actor, run: Run<Result>): Promise<Result> {
  return onceProven(() => onConnection(pool, actor.workspaceId, run))
}

function runUnit<Result>(pool: pg.Pool, actor: Actor, work: Unit<Result>): Promise<Result> {
  const run: Run<Result> = async (client, breaks) => {
    let isOver = false
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
      await client.query('rollback').catch(breaks) // A connection that cannot roll back is discarded.
      throw problem
    }
  }
  return onProvenConnection(pool, actor, run)
}

/**
 * One unit of work: begins, sets workspace, actor and member for this transaction, runs, and commits, or rolls back on
 * any throw. Never call external services (platform, provider, mail, files) inside, because row locks would wait for
 * them; `writer` is who must see the write on later reads, where the actor does not say.
 */
export function inTransaction<Result>(
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
  writer = writerOf(actor),
): Promise<Result> {
  return asUnit(false, () => runUnit(actor.context.database.pool, actor, withNote(actor, work, writer)))
}

/**
 * Sends the statements that `send` starts at once together with the commit. Only an error of the database prevents it then, so no
 * decision may depend on what they return. Statements that `send` starts later are refused.
 */
export type CommitWith = <Result>(send: () => Promise<Result>) => Promise<Result>

type BatchedWork<Result> = (tx: Tx, commitWith: CommitWith) => Promise<Result>

/**
 * The same with prepared statements, for frequent units of few texts. Nearly simultaneous statements are one message with one answer.
 * When the database has lost one, `work` runs once more: it may change nothing but the transaction.
 */
export function inPreparedTransaction<Result>(
  actor: Actor,
  work: BatchedWork<Result>,
  writer = writerOf(actor),
): Promise<Result> {
  const plans = plansOf(actor.context.database.pool)
  return asUnit(false, async () => {
    try {
      return await runInBatches(actor, { work, writer, isPrepared: plans.arePrepared })
    } catch (problem) {
      if (!notePlanLost(problem, plans, actor.context)) throw problem
      return runInBatches(actor, { work, writer, isPrepared: false })
    }
  })
}

type Batched<Result> = { work: BatchedWork<Result>; writer: Writer | null; isPrepared: boolean }

function runInBatches<Result>(actor: Actor, { work, writer, isPrepared }: Batched<Result>): Promise<Result> {
  const { pool, replica } = actor.context.database
  const run: Run<Result> = async (client, breaks) => {
    const note = replica && writer ? notingWrite(actor, writer) : null
    const unit = openBatches(client, { scope: scopeOfUnit(actor), note, isPrepared })
    try {
      const result = await work(unit.tx, unit.commitWith)
      await unit.commit()
      return result
    } catch (problem) {
      await unit.rollBack().catch(breaks) // A connection that cannot roll back is discarded.
      if (isPrepared && isPlanLost(problem)) breaks(problem as Error) // Its other statements may be stale too.
      throw problem
    }
  }
  return onProvenConnection(pool, actor, run)
}

type Ends = { scope: Omit<BatchStatement, 'name'>; note: string | null; isPrepared: boolean }

/** A transaction of batches: the first one begins it, and the last one commits it. */
function openBatches(client: pg.PoolClient, { scope, note, isPrepared }: Ends) {
  let [isBegun, isLast, isOver] = [false, false, false]
  let ending: Promise<BatchAnswer | undefined> | undefined
  const named = (text: string, prefix: string, values: readonly unknown[] = []): BatchStatement => {
    return { text, values, name: isPrepared ? `${prefix}${recalledNameOf(text)}` : null }
  }

  async function send(queries: readonly CompiledQuery[]): Promise<BatchAnswer[]> {
    if (isOver) throw new UnitIsOver()
    const first = isBegun ? [] : [named('begin', 'ends_'), named(scope.text, 'ends_', scope.values)]
    const noted = note === null ? [] : [{ text: note, values: [], name: null }]
    const last = isLast ? [...noted, named('commit', 'ends_')] : []
    const own = queries.map(({ sql: text, parameters }) => named(text, 'unit_', parameters))
    isBegun = true
    isOver = isLast
    const answering = sendBatch(client, [...first, ...own, ...last])
    if (isLast) ending = answering.then((answers) => answers.at(-1))
    return (await answering).slice(first.length)
  }

  const { ask } = makeBatcher(send)
  const run = (query: CompiledQuery) => (isOver ? Promise.reject(new UnitIsOver()) : ask(query))
  // Remembered statements take the same way as built ones, so that all run in the order in which they are asked for.
  const tx: Tx = new Kysely<DB>({ dialect: dialectOfBatches(run) })
  return {
    tx,
    commitWith: ((sending) => {
      const sent = sending()
      isLast = true
      return sent
    }) satisfies CommitWith,
    async commit(): Promise<void> {
      isLast = true
      // Without a statement there is no transaction.
      if (isBegun && !ending) await send([])
      const end = await ending
      if (end?.problem) throw end.problem
      // The work went on after a failed statement.
      if (end && end.command !== 'COMMIT') throw new Error('The transaction was rolled back.')
      isOver = true
    },
    async rollBack(): Promise<void> {
      isOver = true
      if (isBegun) await client.query('rollback')
    },
  }
}

function withNote<Result>(
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
  writer: ReturnType<typeof writerOf>,
): Unit<Result> {
  return async (tx, client) => {
    const result = await work(tx)
    if (actor.context.database.replica && writer) await client.query(notingWrite(actor, writer))
    return result
  }
}

/**
 * The same, read-only: the database refuses writes. Combine several reads of one request into one; those of a
 * remembered person go with the repeated proof of their request.
 */
export function reading<Result>(actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const tx = readsOfProof(actor)
  if (tx) return asUnit(true, () => work(tx))
  return readOn(actor.context.database.pool, actor, work)
}

function readOn<Result>(pool: pg.Pool, actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return asUnit(true, () => work(openReads(pool, actor).tx))
}

/**
 * Reads lists and tables that may be a few seconds old, from the replica if it has the caller's last write. `work` runs
 * again on the primary when the replica lacks it, fails, or refuses.
 */
export async function listing<Result>(actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const { replica } = actor.context.database
  if (!replica?.isUsable()) return reading(actor, work)
  const lastWrite = await readLastWrite(actor)
  try {
    const seen = await readOn(replica.pool, actor, async (tx) =>
      (await hasReplicated(tx, actor, lastWrite)) ? { result: await work(tx) } : null,
    )
    if (seen) return seen.result
  } catch (problem) {
    // A refusal may concern a row written a moment ago; any other error is the replica's.
    if (!(problem instanceof Refusal)) replica.failed(problem)
  }
  return reading(actor, work)
}

async function readLastWrite(actor: Actor): Promise<string | null> {
  if (!writerOf(actor)) return null
  return reading(actor, (tx) => lastWriteOf(tx, actor))
}
