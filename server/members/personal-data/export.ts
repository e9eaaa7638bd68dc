import { isHeld } from '@atrium/contract/files/calls.ts'
import { type Actor, authorizeStaff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import type { PersonalData } from '../../foundation/erasure.ts'
import { refuseNotFound } from '../../foundation/errors.ts'
import { exportRow, withheldTables } from './data-export.ts'
import { joinedRowsOf } from './joined-tables.ts'
import { listMemberTables, rowsOf } from './member-tables.ts'
import type { Row } from './row.ts'

export type Exported = {
  exported_at: string
  member_id: string
  /** Rows by table as stored, without withheld columns. */
  tables: Record<string, Row[]>
  /** Tables and columns left out, the columns in every row or in rows of staff only. */
  withheld: string[]
  /** `in_archive` is the path within the archive (member-archive.ts); null if the file is infected or not yet scanned. */
  files: {
    media_id: string
    name: string
    type: string
    size_bytes: number
    address: string
    in_archive: string | null
  }[]
}

/** Receives the rows of a table, possibly in several parts, one table after another; once for an empty table. */
type Take = (table: string, rows: Row[]) => Promise<void> | void

/**
 * Reads everything stored about one member, for the member: their data and actions, and decisions about them. The database catalogue
 * gives the tables with a member column, so that a new one is included, the domains name tables that refer to a member's rows, and
 * data-export.ts names what is left out. The proof that an unattended session lacks is required by the table route of the call.
 */
export async function readMember(
  actor: Actor,
  memberId: string,
  data: PersonalData,
  take: Take,
): Promise<Omit<Exported, 'tables'>> {
  if (actor.kind === 'staff') authorizeStaff(actor, 'members.lock')
  return inTransaction(actor, async (tx) => {
    const withheld = new Set(Object.keys(withheldTables))
    const files: Exported['files'] = []
    const hand = async (table: string, rows: Row[]): Promise<void> => {
      const open = rows.map((row) => exportRow(table, row, withheld))
      if (table === 'media') files.push(...open.map(fileOf))
      await take(table, open)
    }
    for (const table of await listMemberTables(tx)) {
      if (table in withheldTables) continue
      for await (const rows of rowsOf(tx, actor, { table, ending: data.tables[table] }, memberId)) {
        if (table === 'members' && rows.length === 0) refuseNotFound()
        await hand(table, rows)
      }
    }
    for (const joined of Object.entries(data.joined))
      if (!(joined[0] in withheldTables)) await hand(joined[0], (await joinedRowsOf(tx, actor, joined, memberId)).rows)
    await audit(tx, actor, { action: 'member.exported', subject: { kind: 'member', id: memberId }, memberId })
    const exported_at = actor.context.clock.now().toISOString()
    return { exported_at, member_id: memberId, withheld: [...withheld].sort(), files }
  })
}

/** Holds everything in memory; for a member with very many trades, member-archive.ts needs less. */
export async function exportMember(actor: Actor, memberId: string, data: PersonalData): Promise<Exported> {
  const tables: Exported['tables'] = {}
  const { withheld, files, ...about } = await readMember(actor, memberId, data, (table, rows) => {
    tables[table] ??= []
    tables[table].push(...rows)
  })
  return { ...about, tables, withheld, files }
}

function fileOf(row: Row, index: number): Exported['files'][number] {
  const [media_id, name, type] = [String(row.media_id), String(row.name), String(row.content_type)]
  const address = `/cp/private/files/${media_id}/${encodeURIComponent(name)}`
  // Cuts before replacing: cutting through a surrogate pair leaves a lone surrogate, which is then replaced.
  const path = `files/${index + 1}-${name.slice(-100).replace(/[\\/:*?"<>|\p{C}]/gu, '_')}`
  const in_archive = isHeld(String(row.scan)) ? null : path
  return { media_id, name, type, size_bytes: Number(row.size_bytes), address, in_archive }
}
