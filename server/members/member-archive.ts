import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { FileStore } from '../files/store.ts'
import type { Actor } from '../foundation/actor.ts'
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
  const coming: Coming = { files: actor.ground.files, last: null }
  // Who breaks off is known by this alone: the file that was being read would stay open for good.
  content.once('close', () => coming.last?.destroy())
  const mtime = new Date(exported.exported_at)
  zip.addBuffer(Buffer.from(JSON.stringify(exported, null, 2)), 'everything.json', { mtime })
  zip.addBuffer(Buffer.from(describeMember(exported)), 'everything.html', { mtime })
  for (const { media_id, in_archive } of exported.files) {
    const row = exported.tables.media?.find((each) => each.media_id === media_id)
    if (row && in_archive) addFile(zip, coming, { key: String(row.storage_key), path: in_archive, mtime })
  }
  zip.end()
  const [{ customer_number = '' } = {}] = exported.tables.members ?? []
  return { name: `member-${String(customer_number).replace(/[^\w-]/g, '_')}.zip`, content }
}

/** One file after the other: the one that is read now, or was read last. */
type Coming = { files: FileStore; last: Readable | null }
type Adding = { key: string; path: string; mtime: Date }

function addFile(zip: ZipFile, coming: Coming, { key, path, mtime }: Adding): void {
  // Most are pictures and PDFs, which no deflating makes smaller.
  zip.addReadStreamLazy(path, { mtime, compress: false }, (done) => {
    coming.files.read(key).then(
      (found) => {
        coming.last = found ?? Readable.from(['This file is lost.'])
        if ((zip.outputStream as Readable).destroyed) coming.last.destroy()
        else done(null, coming.last)
      },
      (problem) => done(problem, Readable.from([])),
    )
  })
}
