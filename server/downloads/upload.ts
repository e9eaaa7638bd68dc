import { open } from 'node:fs/promises'
import { texts } from '@atrium/contract/texts.ts'
import pg from 'pg'
import { withBytes } from '../files/file-bytes.ts'
import { cleanFileName, extensionOf } from '../files/file-name.ts'
import { inspectFile } from '../files/inspection/inspect.ts'
import { removingOnFailure } from '../files/media.ts'
import { refuseType } from '../files/offered.ts'
import { scanUpload } from '../files/scanning.ts'
import type { Spooled } from '../files/spool.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { lockColleague } from '../foundation/database/member-lock.ts'
import { Refusal, refuse } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { fileUrl } from './queries.ts'

/** The magic bytes at the start of each file type; a disk image has its own at the end. */
const heads: Record<string, Buffer> = {
  exe: Buffer.from('MZ'),
  msi: Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  zip: Buffer.from('PK\u0003\u0004'),
  apk: Buffer.from('PK\u0003\u0004'),
  pkg: Buffer.from('xar!'),
}
const imageTrailer = Buffer.from('koly')
const trailerBytes = 512
/** Prevents browsers from opening the file, whatever its content. */
const opaque = 'application/octet-stream'

/** Stores a program for members. Writes the file before the row: a file without a row is swept, a row without a file would be broken. */
export async function keepDownloadFile(actor: Staff, spooled: Spooled) {
  authorizeStaff(actor, 'workspace.manage')
  const name = cleanFileName(spooled.name)
  if (!(await isWhatItSays(spooled, extensionOf(name)))) refuseType('download', null)
  // Members install it, so it is refused while it cannot be scanned.
  if ((await scanUpload(actor.context, spooled.path)) === 'waiting') refuse('unavailable', texts.requestFailed)
  const { files, clock } = actor.context
  const file_id = newId()
  const row = {
    workspace_id: actor.workspaceId,
    file_id,
    name,
    content_type: extensionOf(name) === 'pdf' ? 'application/pdf' : opaque,
    size_bytes: spooled.sizeBytes,
    sha256: spooled.sha256,
    storage_key: `${actor.workspaceId}/${file_id}`,
    created_at: clock.now(),
  }
  await removingOnFailure(files, { ...row, small_key: null }, () => files.write(row.storage_key, spooled))
  try {
    await inTransaction(actor, async (tx) => {
      // A body may take minutes to arrive: by now its sender may be locked or have another role.
      await lockColleague(tx, actor, 'workspace.manage')
      await tx.insertInto('platform_files').values(row).execute()
      const after = { name, size_bytes: row.size_bytes }
      await audit(tx, actor, {
        action: 'download.file-uploaded',
        subject: { kind: 'platform_file', id: file_id },
        after,
      })
    })
  } catch (problem) {
    if (problem instanceof Refusal || problem instanceof pg.DatabaseError) await files.remove(row.storage_key)
    throw problem
  }
  return { _id: file_id, name, size_bytes: row.size_bytes, url: fileUrl(file_id, name) }
}

async function isWhatItSays({ path, sizeBytes }: Spooled, extension: string): Promise<boolean> {
  if (extension === 'pdf') return withBytes(path, async (bytes) => !('problem' in (await inspectFile(bytes, 'pdf'))))
  if (extension === 'dmg') return imageTrailer.equals(await readAt(path, sizeBytes - trailerBytes, imageTrailer.length))
  const head = heads[extension]
  if (!head) return false
  return head.equals(await readAt(path, 0, head.length))
}

async function readAt(path: string, position: number, length: number): Promise<Buffer> {
  if (position < 0) return Buffer.alloc(0)
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
