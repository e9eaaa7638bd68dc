import { type CompiledQuery, Kysely } from 'kysely'
import pg from 'pg'
import type { Actor } from '../actor.ts'
import { dialectOfReads } from '../client-dialect.ts'
import { type BatchAnswer, type BatchStatement, forgetPrepared, makeBatcher, sendBatch } from './batch.ts'
import type { DB } from './database.generated.ts'
import { notePlanLost } from './lost-plan.ts'
import { onConnection, type Plans, plansOf } from './pool.ts'
import { isPrepared, readDirectly, recalledNameOf } from './prepared-statement.ts'
import { ofOneMoment, planEach, scopeOf } from './scope.ts'

const atOneMoment = new WeakSet<Kysely<DB>>()

/**
 * From now on, the statements of each batch of these reads see one moment, so that the rows of a page agree with their count. For
 * lists alone: it costs a statement.
 */
export function readAtOneMoment(tx: Kysely<DB>): void {
  atOneMoment.add(tx)
}

/**
 * Reads of an actor: concurrent statements are sent as one batch behind their scope, in one round trip and transaction,
 * and no connection is held between batches. Statements on `ahead` go first among those of their kind, and `isWaiting`
 * tells whether a batch is about to be sent.
 */
export function openReads(
  pool: pg.Pool,
  actor: Actor,
): { tx: Kysely<DB>; ahead: Kysely<DB>; isWaiting: () => boolean } {
  const { ask, isWaiting } = makeBatcher((queries: readonly CompiledQuery[]) =>
    readBatch(pool, { actor, queries, plans: plansOf(pool), isOfOneMoment: atOneMoment.has(tx) }),
  )
  const over = (isAhead: boolean): Kysely<DB> => {
    const read = async (query: CompiledQuery) => (await ask(query, isAhead)).rows
    const reads = new Kysely<DB>({ dialect: dialectOfReads(read) })
    readDirectly(reads, read)
    return reads
  }
  const tx = over(false)
  return { tx, ahead: over(true), isWaiting }
}

function readBatch(pool: pg.Pool, ordered: Ordered): Promise<BatchAnswer[]> {
  const { actor, plans } = ordered
  return onConnection(pool, actor.workspaceId, async (client, breaks) => {
    const send = () => sendOrdered(client, ordered)
    let answers = await send()
    if (notePlanLost(firstProblemOf(answers), plans, actor.context)) {
      forgetPrepared(client)
      answers = await send()
    }
    breaks(answers.map(({ problem }) => problem).find(isFatal))
    return answers
  })
}

type Ordered = { actor: Actor; queries: readonly CompiledQuery[]; plans: Plans; isOfOneMoment: boolean }

/**
 * Statements with a generic plan go first, so that the session proof keeps its plan beside a list that is planned each time. The
 * answers have the order of the queries.
 */
async function sendOrdered(client: pg.PoolClient, ordered: Ordered): Promise<BatchAnswer[]> {
  const { actor, queries, plans, isOfOneMoment } = ordered
  // Taken once, since another batch may find meanwhile that statements cannot be prepared.
  const { arePrepared } = plans
  const isGeneric = (query: CompiledQuery) => arePrepared && isPrepared(query)
  const generic = queries.filter(isGeneric)
  const others = queries.filter((query) => !isGeneric(query))
  const between = generic.length > 0 && others.length > 0 ? [planEach] : []
  const named = (query: CompiledQuery) => namedOf(query, plans)
  const scope = [...(isOfOneMoment ? [ofOneMoment(plans)] : []), scopeOf(actor, generic.length > 0, plans)]
  const answers = await sendBatch(client, [...scope, ...generic.map(named), ...between, ...others.map(named)])
  const ofGeneric = answers.slice(scope.length, scope.length + generic.length)
  const ofOthers = answers.slice(scope.length + generic.length + between.length)
  return queries.map((query) => {
    const answer = isGeneric(query) ? ofGeneric.shift() : ofOthers.shift()
    return answer ?? { rows: [], command: '', problem: new Error('The database did not answer.') }
  })
}

const firstProblemOf = (answers: readonly BatchAnswer[]) => answers.find(({ problem }) => problem)?.problem

/** The connection is unusable after this. */
function isFatal(problem: Error | undefined): boolean {
  return problem !== undefined && (!(problem instanceof pg.DatabaseError) || problem.severity === 'FATAL')
}

function namedOf(query: CompiledQuery, plans: Plans): BatchStatement {
  const name = plans.arePrepared ? nameOf(query) : null
  return { text: query.sql, values: query.parameters, name }
}

const nameOf = (query: CompiledQuery): string => (isPrepared(query) ? query.preparedAs : recalledNameOf(query.sql))
