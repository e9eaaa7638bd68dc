import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Held until the transaction ends, by whoever gives the same name: for what has no row to hold before it is written. */
export async function holdName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}
