import { fileReleased } from '../../documents/history.ts'
import type { PersonalData } from '../../foundation/erasure.ts'
import { reportAfterEnd } from '../../funding/transaction.ts'
import type { Row } from './row.ts'

/** Tables about a member that the archive leaves out, each with the reason. */
export const withheldTables: Record<string, string> = {
  ticket_notes: 'Internal notes of staff, which members do not read.',
  ticket_reads: 'Records how far a staff member has read, and nothing about the member.',
  audit_links: 'Hashes of the log entries.',
  payment_notifications:
    'Messages of payment providers may contain data of other people and of the provider, and are cleared after the retention time of the brokerage. The result of each is part of the order.',
  identity_notifications:
    'Messages of identity vendors, for the same reason. The result of each is part of the identity check.',
  platform_intents: 'Calls to the trading platform. The result is part of the transaction.',
}

/** The exported tables in the order of the archive; a test requires a heading for each. */
export const exportedTables = ({ tables, joined }: PersonalData): string[] =>
  [...Object.keys(tables), ...Object.keys(joined)].filter((table) => !(table in withheldTables))

/** Useless to the member and valuable to a thief: hashes of passwords and tokens, and sealed secrets. */
const secretColumns = /(^|_)(hash|secret|token|sealed)(_|$)/

/** Texts that staff wrote for each other under the promise that members do not see them, and the IP addresses of staff. */
const internalColumns: Record<string, (row: Row) => readonly string[]> = {
  member_locks: () => ['reason'],
  payment_cases: () => ['note'],
  reconciliation_differences: () => ['note'],
  // The member received notes about documents, but not those on documents verified outside the portal and released files.
  document_events: (row) =>
    (row.document_id === null && row.document_request_id === null) || row.event === fileReleased ? ['note'] : [],
  // The portal leaves these events out, for their notes are for the desk.
  transaction_events: ({ event }) => (event === reportAfterEnd ? ['note'] : []),
  audit_log: (row) => (row.actor_kind === 'member' ? [] : ['address']),
}

/** Staff's reasons in the log. What the member was notified of is in the table concerned. */
const internalFields = ['reason', 'note']

export function exportRow(table: string, row: Row, withheld: Set<string>): Row {
  const internal = internalColumns[table]?.(row) ?? []
  const open = Object.entries(row).filter(([column, value]) => {
    const isOut = secretColumns.test(column) || Buffer.isBuffer(value) || internal.includes(column)
    if (isOut) withheld.add(`${table}.${column}`)
    return !isOut
  })
  const exported = Object.fromEntries(open)
  if (table !== 'audit_log' || row.actor_kind === 'member') return exported
  return { ...exported, before: withoutWords(row.before), after: withoutWords(row.after) }
}

function withoutWords(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !internalFields.includes(key)))
}
