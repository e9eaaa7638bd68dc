import { sql } from 'kysely'
import type { System } from '../actor.ts'
import { systemActor } from '../actor.ts'
import type { Context } from '../context.ts'

export async function listWorkspaces(context: Context): Promise<System[]> {
  const found = await sql<{ id: string }>`select list_workspace_ids() as id`.execute(context.database.kysely)
  return found.rows.map((row) => systemActor(context, row.id))
}
