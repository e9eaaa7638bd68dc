import { sql } from 'kysely'
import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** More transactions than share one reference in practice. */
const foundMax = 100

/** Finds transactions by the provider's payment reference, our attempt number, or the payout's reference. */
export async function findByReference(tx: Tx, { workspaceId }: Staff, q: string): Promise<string[]> {
  if (/\s/.test(q)) return []
  // Joins via providers: the indexes on references are prefixed by provider_id.
  const atProviders = (table: string, number: string) => sql`
    select numbered.transaction_id from payment_providers as provider
    join ${sql.table(table)} as numbered
      on numbered.workspace_id = provider.workspace_id and numbered.provider_id = provider.provider_id
    where provider.workspace_id = ${workspaceId}::uuid and numbered.${sql.ref(number)} = ${q}`
  const { rows } = await sql<{ transaction_id: string }>`
    ${atProviders('deposit_orders', 'reference')} union ${atProviders('deposit_orders', 'attempt')}
    union ${atProviders('payout_orders', 'reference')} union ${atProviders('payout_orders', 'attempt')}
    union ${atProviders('payment_credits', 'payment')}
    union select transaction_id from balance_transactions
      where workspace_id = ${workspaceId}::uuid and payout_reference = ${q}
    limit ${foundMax}`.execute(tx)
  return rows.map((row) => row.transaction_id)
}
