import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** An advisory lock by name until the transaction ends, for rows that do not exist yet. */
export async function holdName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}
