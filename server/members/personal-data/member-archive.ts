import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Actor } from '../../foundation/actor.ts'
import type { PersonalData } from '../../foundation/erasure.ts'
import { describeMember, shownAtMost } from '../member-page.ts'
import { readMember } from './export.ts'
import { openPackedText } from './packed-text.ts'
import type { Row } from './row.ts'

export type MemberArchive = { name: string; content: Readable }

/**
 * Packs everything about one member: `everything.json` for machines, `everything.html` for people with the last rows of
 * each table, and the original files. Streams while it is read, so that no more than one file is open; database rows
 * wait compressed.
 */
export async function packMember(actor: Actor, memberId: string, data: PersonalData): Promise<MemberArchive> {
  const { text, shown, about } = await gather(actor, memberId, data)
  const zip = new ZipFile()
  const content = zip.outputStream as Readable
  zip.on('error', (problem) => content.destroy(problem as Error))
  const coming: IncomingFiles = { zip, last: null, mtime: new Date(about.exported_at) }
  // An aborted download emits only `close`: without this the file being read stays open.
  content.once('close', () => coming.last?.destroy())
  addComing(coming, { path: 'everything.json', compress: true, open: async () => text() })
  zip.addBuffer(Buffer.from(describeMember({ ...about, ...shown })), 'everything.html', { mtime: coming.mtime })
  const lost = () => Readable.from(['This file no longer exists.'])
  for (const { media_id, in_archive: path } of about.files) {
    const row = shown.media.get(media_id)
    if (!row || path === null) continue
    // Most files are pictures and PDFs, which deflate does not shrink.
    const open = async () => (await actor.context.files.read(String(row.storage_key))) ?? lost()
    addComing(coming, { path, compress: false, open })
  }
  zip.end()
  const [{ customer_number = '' } = {}] = shown.tables.members ?? []
  return { name: `member-${String(customer_number).replace(/[^\w-]/g, '_')}.zip`, content }
}

/** `tables`: the last rows of each table, up to a limit. */
type Shown = { tables: Record<string, Row[]>; counts: Record<string, number>; media: Map<string, Row> }

async function gather(actor: Actor, memberId: string, data: PersonalData) {
  const shown: Shown = { tables: {}, counts: {}, media: new Map() }
  const text = openPackedText()
  const json = openTables(text.write)
  try {
    const about = await readMember(actor, memberId, data, async (table, rows) => {
      shown.counts[table] = (shown.counts[table] ?? 0) + rows.length
      shown.tables[table] = [...(shown.tables[table] ?? []), ...rows].slice(-shownAtMost)
      if (table === 'media') for (const row of rows) shown.media.set(String(row.media_id), row)
      await json.take(table, rows)
    })
    await json.end(about)
    return { text: await text.end(), shown, about }
  } catch (problem) {
    text.drop()
    throw problem
  }
}

/** Writes the tables as JSON, one row a line, as the rows arrive. */
function openTables(write: (text: string) => Promise<void>) {
  let current: string | null = null
  let rowCount = 0
  return {
    async take(table: string, rows: Row[]): Promise<void> {
      const lines: string[] = []
      if (table !== current) {
        lines.push(`${current === null ? '{"tables": {' : '],'}\n${JSON.stringify(table)}: [`)
        current = table
        rowCount = 0
      }
      for (const row of rows) lines.push(`${rowCount++ === 0 ? '' : ','}\n${JSON.stringify(row)}`)
      await write(lines.join(''))
    },
    end: (about: object) => write(`]},\n${JSON.stringify(about, null, 2).slice(1)}\n`),
  }
}

/** Entries are read in sequence; `last` is the entry read now or most recently. */
type IncomingFiles = { zip: ZipFile; last: Readable | null; mtime: Date }
type Adding = { path: string; compress: boolean; open: () => Promise<Readable> }

function addComing(coming: IncomingFiles, { path, compress, open }: Adding): void {
  const { zip, mtime } = coming
  zip.addReadStreamLazy(path, { mtime, compress }, (done) => {
    open().then(
      (found) => {
        coming.last = found
        if ((zip.outputStream as Readable).destroyed) found.destroy()
        else done(null, found)
      },
      (problem) => done(problem, Readable.from([])),
    )
  })
}
