import { sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { assertState } from '../errors.ts'
import type { Tx } from './database.ts'

/**
 * The next number of a counter within the workspace. The row stays locked until the transaction ends, so take the
 * number late: concurrent calls wait for each other.
 */
export async function nextNumber(tx: Tx, actor: Actor, name: string): Promise<string> {
  const row = await tx
    .insertInto('counters')
    .values({ workspace_id: actor.workspaceId, name, value: 1001 })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'name']).doUpdateSet({ value: sql`counters.value + 1` }),
    )
    .returning('value')
    .executeTakeFirst()
  assertState(row, 'a counter without a number')
  return String(row.value)
}
