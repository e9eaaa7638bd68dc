import type { PersonalData } from '../../foundation/erasure.ts'
import type { Row } from './row.ts'

/** Tables about a member that the archive leaves out, each with the reason. */
export const withheldTables: Record<string, string> = {
  ticket_notes: 'Colleagues write them to each other, and are told that no member reads them.',
  ticket_reads: 'How far a colleague has read.',
  audit_links: 'Fingerprints of the entries of the log.',
  payment_notifications:
    "Bodies as a provider sent them may hold what is other people's and the provider's, and are cleared after the days that the brokerage chose. What was made of each stands with the order.",
  identity_notifications: 'The same of a vendor; what was made of each stands with the identity check.',
  platform_intents: 'How often a platform was called. What came of it stands with the transaction.',
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
  // The member received notes about documents, but not the note on documents seen elsewhere.
  document_events: (row) => (row.document_id === null && row.document_request_id === null ? ['note'] : []),
  audit_log: (row) => (row.actor_kind === 'member' ? [] : ['address']),
}

/** Staff's reasons in the log. What the member was notified of is in the table concerned. */
const internalWords = ['reason', 'note']

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
  return Object.fromEntries(Object.entries(value).filter(([key]) => !internalWords.includes(key)))
}
