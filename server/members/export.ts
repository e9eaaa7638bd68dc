import { problemOfScan } from '../files/scanning.ts'
import { type Actor, authorizeStaff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction } from '../foundation/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { handOut, type Row, withheldTables } from './handed-out.ts'
import { joinedRowsOf, joinedTables } from './joined-tables.ts'
import { listMemberTables, rowsOf } from './member-tables.ts'

export type Exported = {
  exported_at: string
  member_id: string
  /** Rows by table, as they are stored but for what is withheld. */
  tables: Record<string, Row[]>
  /** Tables that are left out, and columns: out of every row, or of those that are staff's. */
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
 * What is kept about one member, for the member: what they gave and did, and what was decided about them. The catalogue says
 * which tables have a member in them, so one that came later is in it without being named; joined-tables.ts has those that hang
 * on a member's rows, handed-out.ts what is left out.
 */
export async function exportMember(actor: Actor, memberId: string): Promise<Exported> {
  if (actor.kind === 'staff') authorizeStaff(actor, 'members.lock')
  return inTransaction(actor, async (tx) => {
    const tables: Exported['tables'] = {}
    const withheld = new Set(Object.keys(withheldTables))
    const take = (table: string, rows: Row[]) => {
      tables[table] = rows.map((row) => handOut(table, row, withheld))
    }
    for (const table of await listMemberTables(tx)) {
      if (table in withheldTables) continue
      const { rows } = await rowsOf(tx, actor, table, memberId)
      if (table === 'members' && rows.length === 0) refuseNotFound()
      take(table, rows)
    }
    for (const table of Object.keys(joinedTables))
      if (!(table in withheldTables)) take(table, (await joinedRowsOf(tx, actor, table, memberId)).rows)
    await audit(tx, actor, { action: 'member.exported', subject: { kind: 'member', id: memberId }, memberId })
    const exported_at = actor.ground.clock.now().toISOString()
    const files = (tables.media ?? []).map(fileOf)
    return { exported_at, member_id: memberId, tables, withheld: [...withheld].sort(), files }
  })
}

function fileOf(row: Row, index: number): Exported['files'][number] {
  const [media_id, name, type] = [String(row.media_id), String(row.name), String(row.content_type)]
  const address = `/cp/private/files/${media_id}/${encodeURIComponent(name)}`
  // Cut first: a sign of two halves that the cut goes through is none, and one of those that are replaced.
  const path = `files/${index + 1}-${name.slice(-100).replace(/[\\/:*?"<>|\p{C}]/gu, '_')}`
  const in_archive = problemOfScan(String(row.scan)) ? null : path
  return { media_id, name, type, size_bytes: Number(row.size_bytes), address, in_archive }
}
