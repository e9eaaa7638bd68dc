import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Actor } from './actor.ts'
import { ClientDialect } from './client-dialect.ts'
import type { DB } from './database.generated.ts'

export type Database = { kysely: Kysely<DB>; pool: pg.Pool; close(): Promise<void> }

/** A transaction that has its workspace and actor set. Only `inTransaction` makes one. */
export type Tx = Kysely<DB>

type Options = { connectionsMax?: number; statementTimeoutMs?: number }

/** Opens the pool as the program role. Statements are cut off, so that one runaway read cannot hold a connection. */
export function openDatabase(url: string, options: Options = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax ?? 16,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: options.statementTimeoutMs ?? 5_000,
    lock_timeout: 4_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'atrium',
    // Begin and scope travel together with the first statement instead of a round trip ahead of it.
    pipeline: true,
  })
  // An idle connection that the server ends is taken out of the pool by pg itself; without a listener it would end us.
  pool.on('error', () => undefined)
  // So is one that is in use, between two statements: its next statement fails, and that is told where it was asked for.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  return { kysely, pool, close: () => kysely.destroy() }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Begin and scope go in one statement text, hence without parameters; ids that are not ids must not get into it. */
function literal(id: string): string {
  if (!uuid.test(id)) throw new Error('A scope takes UUIDs only')
  return `'${id}'`
}

function beginScoped(actor: Actor, readOnly: boolean): string {
  const member = actor.kind === 'member' ? literal(actor.memberId) : `''`
  return (
    `begin${readOnly ? ' read only' : ''}; select set_config('atrium.workspace_id', ${literal(actor.workspaceId)}, true), ` +
    `set_config('atrium.actor_kind', '${actor.kind}', true), set_config('atrium.member_id', ${member}, true)`
  )
}

async function run<Result>(actor: Actor, readOnly: boolean, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const client = await actor.ground.database.pool.connect()
  let broken: Error | undefined
  let isOver = false
  try {
    const begun = client.query(beginScoped(actor, readOnly))
    // Not awaited yet, on purpose: should it fail, no statement after it finds a transaction, and none has a scope.
    begun.catch(() => undefined)
    try {
      const result = await work(new Kysely<DB>({ dialect: new ClientDialect(client, () => isOver) }))
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
    client.release(broken)
  }
}

/**
 * One unit of work: begins, sets workspace, actor and member for exactly this transaction, runs, commits; rolls back on
 * anything thrown. Never call outside (platform, provider, mail, files) from within: a row lock would wait for a stranger.
 */
export function inTransaction<Result>(actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return run(actor, false, work)
}

/** The same for reading: the database refuses every write in it. Several reads of one request belong into one. */
export function reading<Result>(actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return run(actor, true, work)
}
