import { problemOfScan } from '../../files/scanning.ts'
import { type Actor, authorizeStaff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import type { PersonalData } from '../../foundation/erasure.ts'
import { refuseNotFound } from '../../foundation/errors.ts'
import { handOut, withheldTables } from './data-export.ts'
import { joinedRowsOf } from './joined-tables.ts'
import { listMemberTables, rowsOf } from './member-tables.ts'
import type { Row } from './row.ts'

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

/** The rows of a table as they come: those of one come one after another, maybe in pieces, and a table without any comes once. */
type Take = (table: string, rows: Row[]) => Promise<void> | void

/**
 * What is kept about one member, for the member: what they gave and did, and what was decided about them. The catalogue says
 * which tables have a member in them, so one that came later is in it without being named, the domains name those that hang
 * on a member's rows, and handed-out.ts has what is left out.
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
      const open = rows.map((row) => handOut(table, row, withheld))
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

/** All of it at once; of a member with very many trades member-archive.ts holds less of it. */
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
  // Cut first: a sign of two halves that the cut goes through is none, and one of those that are replaced.
  const path = `files/${index + 1}-${name.slice(-100).replace(/[\\/:*?"<>|\p{C}]/gu, '_')}`
  const in_archive = problemOfScan(String(row.scan)) ? null : path
  return { media_id, name, type, size_bytes: Number(row.size_bytes), address, in_archive }
}
