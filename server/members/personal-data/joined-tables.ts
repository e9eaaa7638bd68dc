import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database.ts'
import type { Ending } from './ending.ts'

type Joined = {
  /** By what they hang on which of the member's rows. */
  owner: string
  by: readonly string[]
  /** What becomes of them when the member is erased. */
  ending: Exclude<Ending, { do: 'remove' }>
}

const ledger = 'Books of account are kept by law.'

/**
 * No member stands in these, and their rows are about one all the same. A test reads the catalogue and fails for a table that
 * hangs on a member's rows and does not stand here.
 */
export const joinedTables: Record<string, Joined> = {
  // By the number too: who stood at the platform was noted before the account was taken in.
  account_differences: {
    ...{ owner: 'trading_accounts', by: ['platform_id', 'platform_login'] },
    ending: { do: 'apart', where: 'erasure.ts: that something is to be settled stays, whom the platform names goes' },
  },
  audit_links: {
    ...{ owner: 'audit_log', by: ['audit_id'] },
    ending: { do: 'keep', why: 'Hashes, by which the log proves that nothing else was changed.' },
  },
  identity_notifications: {
    ...{ owner: 'identity_checks', by: ['check_id'] },
    ending: { do: 'apart', where: 'documents/identity-clearing.ts' },
  },
  payment_cases: {
    ...{ owner: 'deposit_orders', by: ['order_id'] },
    ending: { do: 'blank', columns: { note: null, outside_reference: null }, why: ledger },
  },
  payment_credits: { owner: 'balance_transactions', by: ['transaction_id'], ending: { do: 'keep', why: ledger } },
  payment_notifications: {
    ...{ owner: 'deposit_orders', by: ['order_id'] },
    ending: { do: 'apart', where: 'payments/notification-clearing.ts, those of payouts too' },
  },
  platform_intents: {
    ...{ owner: 'balance_transactions', by: ['transaction_id'] },
    ending: { do: 'blank', columns: { platform_text: null, last_problem: null }, why: ledger },
  },
  platform_operations: { owner: 'trading_accounts', by: ['account_id'], ending: { do: 'keep', why: ledger } },
  reconciliation_differences: {
    ...{ owner: 'trading_accounts', by: ['account_id'] },
    ending: { do: 'blank', columns: { note: 'Erased' }, why: ledger },
  },
  ticket_reads: { owner: 'tickets', by: ['ticket_id'], ending: { do: 'keep', why: 'How far a colleague has read.' } },
  withdrawal_approvals: { owner: 'balance_transactions', by: ['transaction_id'], ending: { do: 'keep', why: ledger } },
}

/** That `part` hangs on a row of the member's, `own`. Each owner's row has a key that the others do not share. */
function hangsOn({ workspaceId }: Actor, { by }: Joined, memberId: string): RawBuilder<boolean> {
  const keys = ['workspace_id', ...by].map((key) => sql`${sql.ref(`part.${key}`)} = ${sql.ref(`own.${key}`)}`)
  const theirs = sql`own.workspace_id = ${workspaceId}::uuid and own.member_id = ${memberId}::uuid`
  return sql<boolean>`${theirs} and ${sql.join(keys, sql` and `)}`
}

/** Each once. */
export function joinedRowsOf(tx: Tx, actor: Actor, table: string, memberId: string) {
  const joined = joinedTables[table]
  if (!joined) throw new Error(`${table} hangs on nothing of a member`)
  return sql<Record<string, unknown>>`
    select part.* from ${sql.table(joined.owner)} as own, ${sql.table(table)} as part
    where ${hangsOn(actor, joined, memberId)} order by 1, 2, 3`.execute(tx)
}

/** Takes out of them what was said about an erased member. Where nothing was said nothing is. */
export async function emptyJoined(tx: Tx, actor: Actor, memberId: string): Promise<void> {
  for (const [table, joined] of Object.entries(joinedTables)) {
    if (joined.ending.do !== 'blank') continue
    const columns = Object.entries(joined.ending.columns)
    const sets = columns.map(
      ([column, value]) =>
        sql`${sql.ref(column)} = case when ${sql.ref(`part.${column}`)} is not null then ${value}::text end`,
    )
    const said = columns.map(([column]) => sql`${sql.ref(`part.${column}`)} is not null`)
    await sql`
      update ${sql.table(table)} as part set ${sql.join(sets)} from ${sql.table(joined.owner)} as own
      where ${hangsOn(actor, joined, memberId)} and (${sql.join(said, sql` or `)})`.execute(tx)
  }
}
