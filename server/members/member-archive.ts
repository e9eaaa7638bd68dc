import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Actor } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import { exportMember } from './export.ts'
import { describeMember } from './member-page.ts'

export type MemberArchive = { name: string; content: Readable }

/**
 * Everything about one member as one archive: for machines (`everything.json`), for people (`everything.html`), and the files
 * as they were sent. Written while it is read: a file is opened when those before it are through.
 */
export async function packMember(actor: Actor, memberId: string): Promise<MemberArchive> {
  const exported = await exportMember(actor, memberId)
  const zip = new ZipFile()
  const content = zip.outputStream as Readable
  zip.on('error', (problem) => content.destroy(problem as Error))
  const mtime = new Date(exported.exported_at)
  zip.addBuffer(Buffer.from(JSON.stringify(exported, null, 2)), 'everything.json', { mtime })
  zip.addBuffer(Buffer.from(describeMember(exported)), 'everything.html', { mtime })
  for (const { media_id, in_archive } of exported.files) {
    const row = exported.tables.media?.find((each) => each.media_id === media_id)
    if (row && in_archive) addFile(zip, actor.ground, { key: String(row.storage_key), path: in_archive, mtime })
  }
  zip.end()
  const [{ customer_number = '' } = {}] = exported.tables.members ?? []
  return { name: `member-${String(customer_number).replace(/[^\w-]/g, '_')}.zip`, content }
}

type Adding = { key: string; path: string; mtime: Date }

function addFile(zip: ZipFile, { files }: Ground, { key, path, mtime }: Adding): void {
  // Most are pictures and PDFs, which no deflating makes smaller.
  zip.addReadStreamLazy(path, { mtime, compress: false }, (done) => {
    files.read(key).then(
      (content) => done(null, content ?? Readable.from(['This file is lost.'])),
      (problem) => done(problem, Readable.from([])),
    )
  })
}
