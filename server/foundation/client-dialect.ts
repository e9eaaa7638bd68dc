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
import type { PoolClient, QueryConfig } from 'pg'
import { isKept } from './kept-statement.ts'

/** What keeps statements by name as long as the sessions of this database are ours from begin to end. */
export type Plans = { areKept: boolean }

/**
 * Kysely over something that carries out statements in a unit of work. Its own way of holding a connection waits for each
 * statement's answer before it sends the next; here whoever executes decides.
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
    return new PostgresQueryCompiler()
  }
}

/** The server does not know the name, or knows it already. */
export const lostPlan: readonly string[] = ['26000', '42P05']

function configOf(query: CompiledQuery, plans: Plans): QueryConfig {
  const config = { text: query.sql, values: [...query.parameters] }
  return plans.areKept && isKept(query) ? { ...config, name: query.keptAs } : config
}

/** Commands that answer how many rows they changed. */
const changing = ['INSERT', 'UPDATE', 'DELETE', 'MERGE']

/** Over one connection that somebody else took and will give back. */
export function dialectOfClient(client: PoolClient, plans: Plans, isOver: () => boolean): Dialect {
  return new UnitDialect(async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    // Of statements that run side by side one may fail and end the unit while another goes on to its next: the
    // connection belongs to somebody else by then.
    if (isOver()) throw new Error('This unit of work is over.')
    const { command, rowCount, rows } = await client.query(configOf(query, plans)).catch((problem) => {
      // Somebody between us and the database hands our transactions to other sessions, and did not say so.
      if (lostPlan.includes(problem.code)) plans.areKept = false
      throw problem
    })
    return changing.includes(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows }
  })
}

/** Over reads that travel together (read-batch.ts). */
export function dialectOfReads(read: (query: CompiledQuery) => Promise<unknown[]>): Dialect {
  return new UnitDialect(async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    return { rows: (await read(query)) as Row[] }
  })
}
