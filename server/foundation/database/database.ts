import { SpanKind } from '@opentelemetry/api'
import { Kysely } from 'kysely'
import type pg from 'pg'
import { inSpan } from '../../observability/tracing.ts'
import type { Actor } from '../actor.ts'
import { dialectOfClient, sendTogether } from '../client-dialect.ts'
import { Refusal } from '../errors.ts'
import { onceProven, readsOfProof } from '../pending-proof.ts'
import type { DB } from './database.generated.ts'
import { hasReplicated, lastWriteOf, noteWrite, writerOf } from './last-write.ts'
import { isPlanLost, notePlanLost } from './lost-plan.ts'
import { onConnection, plansOf } from './pool.ts'
import { recalledNameOf } from './prepared-statement.ts'
import { beginScoped } from './scope.ts'
import { openReads } from './scoped-reads.ts'

/** A transaction scoped to a workspace and actor. Only `inTransaction` makes one. */
export type Tx = Kysely<DB>

function asUnit<Result>(readOnly: boolean, work: () => Promise<Result>): Promise<Result> {
  const attributes = { 'db.system.name': 'postgresql', 'atrium.read_only': readOnly }
  return inSpan('unit of work', { kind: SpanKind.CLIENT, attributes }, work)
}

type Unit<Result> = (tx: Tx, client: pg.PoolClient) => Promise<Result>

/**
 * `nameOf`: prepares the statements of `work` under these names. No transaction begins for a remembered person whose proof is not
 * repeated yet.
 */
function runUnit<Result>(
  pool: pg.Pool,
  actor: Actor,
  work: Unit<Result>,
  nameOf?: (text: string) => string,
): Promise<Result> {
  const run = async (client: pg.PoolClient, breaks: (problem: Error | undefined) => void): Promise<Result> => {
    let isOver = false
    const begun = sendTogether(client, beginScoped(actor))
    // Not awaited yet, on purpose: if it fails, later statements have no transaction and no scope.
    begun.catch(() => undefined)
    try {
      const result = await work(new Kysely<DB>({ dialect: dialectOfClient(client, () => isOver, nameOf) }), client)
      await begun
      isOver = true
      await client.query('commit')
      return result
    } catch (problem) {
      isOver = true
      await client.query('rollback').catch(breaks) // A connection that cannot roll back is discarded.
      if (nameOf && isPlanLost(problem)) breaks(problem as Error) // Its other statements may be stale too.
      throw problem
    }
  }
  return onceProven(() => onConnection(pool, actor.workspaceId, run))
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
  return asUnit(false, () => runUnit(actor.context.database.pool, actor, notingWrite(actor, work, writer)))
}

/**
 * The same with prepared statements, for frequent units of few texts. When the database has lost one, `work` runs once more: it may
 * change nothing but the transaction.
 */
export function inPreparedTransaction<Result>(
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
  writer = writerOf(actor),
): Promise<Result> {
  const { pool } = actor.context.database
  const plans = plansOf(pool)
  const noted = notingWrite(actor, work, writer)
  return asUnit(false, async () => {
    try {
      return await runUnit(pool, actor, noted, plans.arePrepared ? nameInUnit : undefined)
    } catch (problem) {
      if (!notePlanLost(problem, plans, actor.context)) throw problem
      return runUnit(pool, actor, noted)
    }
  })
}

/** The driver and the batches of reads each know only their own prepared statements. */
const nameInUnit = (text: string): string => `unit_${recalledNameOf(text)}`

function notingWrite<Result>(
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
  writer: ReturnType<typeof writerOf>,
): Unit<Result> {
  return async (tx, client) => {
    const result = await work(tx)
    if (actor.context.database.replica && writer) await noteWrite(client, actor, writer)
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
