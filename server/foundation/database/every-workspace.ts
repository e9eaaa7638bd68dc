import { sql } from 'kysely'
import type { System } from '../actor.ts'
import { systemActor } from '../actor.ts'
import type { Ground } from '../ground.ts'

export async function listWorkspaces(ground: Ground): Promise<System[]> {
  const found = await sql<{ id: string }>`select list_workspace_ids() as id`.execute(ground.database.kysely)
  return found.rows.map((row) => systemActor(ground, row.id))
}
