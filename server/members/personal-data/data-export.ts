import type { PersonalData } from '../../foundation/erasure.ts'
import type { Row } from './row.ts'

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

/** In the order of the archive: what a test asks a heading for. */
export const handedTables = ({ tables, joined }: PersonalData): string[] =>
  [...Object.keys(tables), ...Object.keys(joined)].filter((table) => !(table in withheldTables))

/** Of no use to the person and of much to a thief: fingerprints of passwords and tokens, and what is sealed. */
const secretColumns = /(^|_)(hash|secret|token|sealed)(_|$)/

/** Written for colleagues, who were told that the member does not see it; and where staff sit, which is theirs. */
const internalColumns: Record<string, (row: Row) => readonly string[]> = {
  member_locks: () => ['reason'],
  payment_cases: () => ['note'],
  reconciliation_differences: () => ['note'],
  // A word about a KYC document went to the member; why KYC documents count as seen elsewhere did not.
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
