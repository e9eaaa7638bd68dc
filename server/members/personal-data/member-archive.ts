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
 * Everything about one member as one archive: for machines (`everything.json`), for people (`everything.html`), and the files
 * as they were sent. Written while it is read: a file is opened when those before it are through. What the database said waits
 * for that packed, and a page to read has the last so many rows of a table.
 */
export async function packMember(actor: Actor, memberId: string, data: PersonalData): Promise<MemberArchive> {
  const { text, shown, about } = await gather(actor, memberId, data)
  const zip = new ZipFile()
  const content = zip.outputStream as Readable
  zip.on('error', (problem) => content.destroy(problem as Error))
  const coming: Coming = { zip, last: null, mtime: new Date(about.exported_at) }
  // Who breaks off is known by this alone: what was being read would stay open for good.
  content.once('close', () => coming.last?.destroy())
  addComing(coming, { path: 'everything.json', compress: true, open: async () => text() })
  zip.addBuffer(Buffer.from(describeMember({ ...about, ...shown })), 'everything.html', { mtime: coming.mtime })
  const lost = () => Readable.from(['This file is lost.'])
  for (const { media_id, in_archive: path } of about.files) {
    const row = shown.media.get(media_id)
    if (!row || path === null) continue
    // Most are pictures and PDFs, which no deflating makes smaller.
    const open = async () => (await actor.context.files.read(String(row.storage_key))) ?? lost()
    addComing(coming, { path, compress: false, open })
  }
  zip.end()
  const [{ customer_number = '' } = {}] = shown.tables.members ?? []
  return { name: `member-${String(customer_number).replace(/[^\w-]/g, '_')}.zip`, content }
}

/** `tables`: the last so many rows of each. */
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

/** The tables as JSON, a line for each row, as they come. */
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

/** One after the other: what is read now, or was read last. */
type Coming = { zip: ZipFile; last: Readable | null; mtime: Date }
type Adding = { path: string; compress: boolean; open: () => Promise<Readable> }

function addComing(coming: Coming, { path, compress, open }: Adding): void {
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
