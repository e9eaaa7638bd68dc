import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import type { Ending } from '../../foundation/erasure.ts'
import type { Row } from './row.ts'

/** Tables with a `member_id` column, from the database's catalogue, so that new tables are included. */
export async function listMemberTables(tx: Tx): Promise<string[]> {
  const found = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'member_id' order by table_name`.execute(tx)
  return found.rows.map((row) => row.name)
}

/**
 * Tables that grow with trades, messages and transactions have no index on the member, so their rows are found through
 * their few owner rows: scanning a whole brokerage exceeds the statement timeout. `order` sorts the rows of one owner.
 */
const foundBy: Record<string, { owner: string; key: string; order?: readonly string[] }> = {
  account_figures: { owner: 'trading_accounts', key: 'account_id' },
  trade_deals: { owner: 'trading_accounts', key: 'account_id', order: ['at', 'deal_id'] },
  trade_histories: { owner: 'trading_accounts', key: 'account_id' },
  transaction_attachments: { owner: 'balance_transactions', key: 'transaction_id' },
  transaction_events: { owner: 'balance_transactions', key: 'transaction_id' },
  request_events: { owner: 'requests', key: 'request_id' },
  form_answer_files: { owner: 'form_answers', key: 'answers_id' },
  ticket_messages: { owner: 'tickets', key: 'ticket_id' },
  ticket_notes: { owner: 'tickets', key: 'ticket_id' },
}

/** An indexed condition for the rows of one member. */
export function isOfMember({ workspaceId }: Actor, table: string, memberId: string): RawBuilder<boolean> {
  const theirs = sql<boolean>`workspace_id = ${workspaceId}::uuid and member_id = ${memberId}::uuid`
  const { owner, key } = foundBy[table] ?? {}
  if (!owner || !key) return theirs
  // An array is evaluated first: with a join the planner may still scan the whole table.
  const keys = sql`array(select ${sql.ref(key)} from ${sql.table(owner)} where ${theirs})`
  return sql<boolean>`${theirs} and ${sql.ref(key)} = any (${keys})`
}

const isTableName = /^[a-z_]+$/

/** Rows read in one query of a large table: a longer query delays other requests. */
export const readAtOnce = 1_000

/** Rows in batches: at least one batch, which may be empty. */
export async function* rowsOf(
  tx: Tx,
  actor: Actor,
  { table, ending }: { table: string; ending: Ending | undefined },
  memberId: string,
): AsyncGenerator<Row[], void> {
  if (!isTableName.test(table)) throw new Error('This is not a table')
  if (ending?.do === 'remove' && ending.inPiecesBy) yield* piecesOf(tx, actor, table, memberId)
  else {
    const theirs = isOfMember(actor, table, memberId)
    yield (await sql<Row>`select * from ${sql.table(table)} where ${theirs} order by 1, 2, 3`.execute(tx)).rows
  }
}

/** Reads owner by owner, so that the index supplies the order and the first rows need no sort. */
async function* piecesOf(tx: Tx, actor: Actor, table: string, memberId: string): AsyncGenerator<Row[], void> {
  const { owner, key, order } = foundBy[table] ?? {}
  if (!owner || !key || !order) throw new Error(`${table} has no sort order`)
  const { rows: owners } = await sql<{ id: string }>`
    select ${sql.ref(key)} as id from ${sql.table(owner)} where ${isOfMember(actor, owner, memberId)} order by 1`.execute(
    tx,
  )
  yield []
  for (const { id } of owners) {
    await sql`
      declare pieces no scroll cursor for select * from ${sql.table(table)}
      where workspace_id = ${actor.workspaceId}::uuid and member_id = ${memberId}::uuid and ${sql.ref(key)} = ${id}::uuid
      order by ${sql.join(order.map((column) => sql.ref(column)))}`.execute(tx)
    let isMore = true
    while (isMore) {
      const { rows } = await sql<Row>`fetch forward ${sql.lit(readAtOnce)} from pieces`.execute(tx)
      yield rows
      isMore = rows.length === readAtOnce
    }
    await sql`close pieces`.execute(tx)
  }
}
