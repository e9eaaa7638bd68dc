import { type Kysely, sql } from 'kysely'
import { type Actor, actorOf } from '../actor.ts'
import type { DB } from './database.generated.ts'
import { literal } from './scope.ts'

export type Writer = { kind: 'member' | 'staff'; id: string }

/** The writer, or the member in whose request the program wrote; the program by itself waits for no write. */
export function writerOf(actor: Actor): Writer | null {
  const by = actorOf(actor)
  if (by.kind === 'member') return { kind: 'member', id: by.memberId }
  return by.kind === 'staff' ? { kind: 'staff', id: by.staffId } : null
}

/** The table and columns that store it. */
function placeOf({ workspaceId }: Actor, { kind, id }: Writer) {
  return { table: `${kind}_writes`, column: `${kind}_id`, id: literal(id), workspace: literal(workspaceId) }
}

/** The last statement of a unit that wrote, so that no other lock is taken while this row is locked. */
export function notingWrite(actor: Actor, writer: Writer): string {
  const { table, column, id, workspace } = placeOf(actor, writer)
  return `insert into ${table} (workspace_id, ${column}, xid)
    select ${workspace}, ${id}, pg_current_xact_id() where pg_current_xact_id_if_assigned() is not null
    on conflict (workspace_id, ${column}) do update set xid = excluded.xid`
}

export async function lastWriteOf(tx: Kysely<DB>, actor: Actor): Promise<string | null> {
  const writer = writerOf(actor)
  if (!writer) return null
  const { table, column, id, workspace } = placeOf(actor, writer)
  const text = `select xid::text from ${table} where workspace_id = ${workspace} and ${column} = ${id}`
  return (await sql.raw<{ xid: string }>(text).execute(tx)).rows[0]?.xid ?? null
}

/**
 * Whether the replica has the row committed with the write; neither its snapshot, in which transactions under way count
 * as visible, nor the order of transaction ids can tell. Later reads see this moment or a later one.
 */
export async function hasReplicated(tx: Kysely<DB>, actor: Actor, xid: string | null): Promise<boolean> {
  return xid === null || (await lastWriteOf(tx, actor)) === xid
}
