import { sql } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** The columns that bank accounts and other accounts share: owner and removal. */
export type BeneficiaryTable =
  | { name: 'bank_accounts'; key: 'bank_account_id' }
  | { name: 'fund_accounts'; key: 'fund_account_id' }

const own = ({ key }: BeneficiaryTable, member: Member, id: string) =>
  sql`workspace_id = ${member.workspaceId}::uuid and member_id = ${member.memberId}::uuid and ${sql.ref(key)} = ${id}::uuid`

export async function lockRow(tx: Tx, member: Member, table: BeneficiaryTable, id: string) {
  const found = await sql<{ removed: boolean }>`
    select removed_at is not null as removed from ${sql.table(table.name)}
    where ${own(table, member, id)} for no key update`.execute(tx)
  return found.rows[0] ?? null
}

/** Marks the row removed instead of deleting it: earlier withdrawals still refer to it. */
export async function removeRow(tx: Tx, member: Member, table: BeneficiaryTable, { id, at }: { id: string; at: Date }) {
  await sql`update ${sql.table(table.name)} set removed_at = ${at} where ${own(table, member, id)}`.execute(tx)
}
