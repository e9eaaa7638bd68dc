import { problemOfScan } from '../files/scanning.ts'
import { type Actor, authorizeStaff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction } from '../foundation/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { listMemberTables, rowsOf } from './member-tables.ts'

/** Of no use to the person and of much to a thief: fingerprints of passwords and tokens, and what is sealed. */
const secretColumns = /(^|_)(hash|secret|token|sealed)(_|$)/

export type Exported = {
  exported_at: string
  member_id: string
  /** Rows by table, as they are stored. */
  tables: Record<string, Record<string, unknown>[]>
  /** Columns that are left out of every row. */
  withheld: string[]
  /** `in_archive` is where it lies beside this (member-archive.ts); null where something was found in it, or may yet be. */
  files: {
    media_id: string
    name: string
    type: string
    size_bytes: number
    address: string
    in_archive: string | null
  }[]
}

/**
 * Everything that is kept about one member. The catalogue says which tables there are, so a table that came later is in it
 * without being named here.
 */
export async function exportMember(actor: Actor, memberId: string): Promise<Exported> {
  if (actor.kind === 'staff') authorizeStaff(actor, 'members.lock')
  return inTransaction(actor, async (tx) => {
    const tables: Exported['tables'] = {}
    const withheld = new Set<string>()
    for (const table of await listMemberTables(tx)) {
      const { rows } = await rowsOf(tx, actor, table, memberId)
      if (table === 'members' && rows.length === 0) refuseNotFound()
      tables[table] = rows.map((row) => withoutSecrets(table, row, withheld))
    }
    await audit(tx, actor, { action: 'member.exported', subject: { kind: 'member', id: memberId }, memberId })
    const exported_at = actor.ground.clock.now().toISOString()
    const files = (tables.media ?? []).map(fileOf)
    return { exported_at, member_id: memberId, tables, withheld: [...withheld].sort(), files }
  })
}

function withoutSecrets(table: string, row: Record<string, unknown>, withheld: Set<string>): Record<string, unknown> {
  const open = Object.entries(row).filter(([column, value]) => {
    const isSecret = secretColumns.test(column) || Buffer.isBuffer(value)
    if (isSecret) withheld.add(`${table}.${column}`)
    return !isSecret
  })
  return Object.fromEntries(open)
}

function fileOf(row: Record<string, unknown>, index: number): Exported['files'][number] {
  const [media_id, name, type] = [String(row.media_id), String(row.name), String(row.content_type)]
  const address = `/cp/private/files/${media_id}/${encodeURIComponent(name)}`
  // Cut first: a sign of two halves that the cut goes through is none, and one of those that are replaced.
  const path = `files/${index + 1}-${name.slice(-100).replace(/[\\/:*?"<>|\p{C}]/gu, '_')}`
  const in_archive = problemOfScan(String(row.scan)) ? null : path
  return { media_id, name, type, size_bytes: Number(row.size_bytes), address, in_archive }
}
