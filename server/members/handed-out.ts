import { sql } from 'kysely'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'
import { memberTables } from './member-tables.ts'

/** Hangs on a member and is left out of the archive whole, and why. */
export const withheldTables: Record<string, string> = {
  ticket_notes: 'Colleagues write them to each other, and are told that no member reads them.',
  ticket_reads: 'How far a colleague has read.',
  audit_links: 'Fingerprints of the entries of the log.',
  payment_notifications:
    "Bodies as a provider sent them may hold what is other people's and the provider's, and are cleared after the days that the brokerage chose. What was made of each stands with the order.",
  identity_notifications: 'The same of a vendor; what was made of each stands with the identity check.',
  platform_intents: 'How often a platform was called. What came of it stands with the transaction.',
}

/** No member stands in these, and their rows are about one all the same: by what they hang on which of the member's rows. */
export const joinedTables: Record<string, { owner: string; by: readonly string[] }> = {
  // By the number too: who stood at the platform was noted before the account was taken in.
  account_differences: { owner: 'trading_accounts', by: ['platform_id', 'platform_login'] },
  payment_cases: { owner: 'deposit_orders', by: ['order_id'] },
  payment_credits: { owner: 'balance_transactions', by: ['transaction_id'] },
  platform_operations: { owner: 'trading_accounts', by: ['account_id'] },
  reconciliation_differences: { owner: 'trading_accounts', by: ['account_id'] },
  withdrawal_approvals: { owner: 'balance_transactions', by: ['transaction_id'] },
}

/** In the order of the archive: what a test asks a heading for. */
export const handedTables: readonly string[] = [...Object.keys(memberTables), ...Object.keys(joinedTables)].filter(
  (table) => !(table in withheldTables),
)

export type Row = Record<string, unknown>

/** Each owner's row has a key that the others do not share, so nothing comes twice. */
export function joinedRowsOf(tx: Tx, actor: Actor, table: string, memberId: string) {
  const hangs = joinedTables[table]
  if (!hangs) throw new Error(`${table} hangs on nothing of a member`)
  const keys = ['workspace_id', ...hangs.by].map((key) => sql`${sql.ref(`part.${key}`)} = ${sql.ref(`own.${key}`)}`)
  return sql<Row>`
    select part.* from ${sql.table(hangs.owner)} as own join ${sql.table(table)} as part on ${sql.join(keys, sql` and `)}
    where own.workspace_id = ${actor.workspaceId}::uuid and own.member_id = ${memberId}::uuid
    order by 1, 2, 3`.execute(tx)
}

/** Of no use to the person and of much to a thief: fingerprints of passwords and tokens, and what is sealed. */
const secretColumns = /(^|_)(hash|secret|token|sealed)(_|$)/

/** Written for colleagues, who were told that the member does not see it; and where staff sit, which is theirs. */
const internalColumns: Record<string, (row: Row) => readonly string[]> = {
  member_locks: () => ['reason'],
  payment_cases: () => ['note'],
  reconciliation_differences: () => ['note'],
  // A word about a paper went to the member; why papers count as seen elsewhere did not.
  document_events: (row) => (row.document_id === null && row.document_request_id === null ? ['note'] : []),
  audit_log: (row) => (row.actor_kind === 'member' ? [] : ['address']),
}

/** In the values of the log: why staff did something. What the member was told of it stands in the table that it is about. */
const internalWords = ['reason', 'note']

export function handOut(table: string, row: Row, withheld: Set<string>): Row {
  const internal = internalColumns[table]?.(row) ?? []
  const open = Object.entries(row).filter(([column, value]) => {
    const isOut = secretColumns.test(column) || Buffer.isBuffer(value) || internal.includes(column)
    if (isOut) withheld.add(`${table}.${column}`)
    return !isOut
  })
  const handed = Object.fromEntries(open)
  if (table !== 'audit_log' || row.actor_kind === 'member') return handed
  return { ...handed, before: withoutWords(row.before), after: withoutWords(row.after) }
}

function withoutWords(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !internalWords.includes(key)))
}
