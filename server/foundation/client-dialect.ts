import type { Socket } from 'node:net'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import type { PoolClient, QueryConfig } from 'pg'
import type { BatchAnswer } from './database/batch.ts'

/** Shared by all units: making one takes longer than most statements take to compile, which happens at once. */
const compiler = new PostgresQueryCompiler()

/**
 * Kysely over a function that executes statements of a unit of work. Kysely's own connection waits for each answer
 * before sending the next statement; this function may pipeline.
 */
class UnitDialect implements Dialect {
  readonly #connection: DatabaseConnection

  constructor(executeQuery: DatabaseConnection['executeQuery']) {
    this.#connection = {
      executeQuery,
      streamQuery() {
        throw new Error('Lists here are paged, not streamed.')
      },
    }
  }

  createDriver(): Driver {
    const connection = this.#connection
    const transactionsAreOurs = async (): Promise<never> => {
      throw new Error('A unit of work is one transaction already.')
    }
    return {
      init: async () => undefined,
      acquireConnection: async () => connection,
      beginTransaction: transactionsAreOurs,
      commitTransaction: transactionsAreOurs,
      rollbackTransaction: transactionsAreOurs,
      releaseConnection: async () => undefined,
      destroy: async () => undefined,
    }
  }

  createAdapter(): PostgresAdapter {
    return new PostgresAdapter()
  }

  createIntrospector(kysely: Kysely<unknown>): PostgresIntrospector {
    return new PostgresIntrospector(kysely)
  }

  createQueryCompiler(): PostgresQueryCompiler {
    return compiler
  }
}

export class UnitIsOver extends Error {
  override readonly name = 'UnitIsOver'

  constructor() {
    super('This unit of work is over.')
  }
}

/** Commands that return the number of changed rows. */
const changing = ['INSERT', 'UPDATE', 'DELETE', 'MERGE']

/** Sends all queries of the same tick to the database's socket in one system call. */
export function sendTogether(client: PoolClient, query: string | QueryConfig): Promise<pg.QueryResult> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
  return client.query(query)
}

/** Over a connection that the caller acquired and will release. */
export function dialectOfClient(client: PoolClient, isOver: () => boolean): Dialect {
  return new UnitDialect(async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    // Of parallel statements one may fail and end the unit while another continues; the connection may then belong to
    // another unit.
    if (isOver()) throw new UnitIsOver()
    const { command, rowCount, rows } = await sendTogether(client, { text: query.sql, values: [...query.parameters] })
    return changing.includes(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows }
  })
}

/** Over the batches of a transaction (database/batch.ts). */
export function dialectOfBatches(run: (query: CompiledQuery) => Promise<BatchAnswer>): Dialect {
  return new UnitDialect(async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    const answer = await run(query)
    const rows = answer.rows as Row[]
    const [command = '', ...counts] = answer.command.split(' ')
    return changing.includes(command) ? { numAffectedRows: BigInt(counts.at(-1) ?? 0), rows } : { rows }
  })
}

/** Over batched reads (database/batch.ts). */
export function dialectOfReads(read: (query: CompiledQuery) => Promise<unknown[]>): Dialect {
  return new UnitDialect(async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    return { rows: (await read(query)) as Row[] }
  })
}
