import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type UploadPurpose, uploadPurposes } from '@atrium/contract/files.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { sql } from 'kysely'
import pg from 'pg'
import type { Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database.ts'
import { Refusal, refuse, refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { cleanFileName, extensionOf } from './file-name.ts'
import { type Inspected, inspectFile } from './inspect.ts'
import type { MediaRow } from './media.ts'
import { isUnattached } from './queries.ts'
import type { Spooled } from './spool.ts'

/** What one member may have lying around that no deposit or document uses yet, within a day. */
export const unattachedMax = { files: 50, bytes: 200_000_000, windowMs: 24 * 3_600_000 }

/**
 * Keeps one upload: looks into it, writes it to the store, then makes its row. The file comes first, since a file without a
 * row is swept away and a row without a file would be a promise broken.
 */
export async function keepUpload(member: Member, spooled: Spooled): Promise<MediaRow> {
  const name = cleanFileName(spooled.name)
  const extension = extensionOf(name)
  const inspected = await look(spooled, extension)
  const row = makeRow(member, { name, extension, purpose: spooled.purpose, inspected })
  const { files } = member.ground
  await files.write(row.storage_key, inspected.content)
  try {
    await inTransaction(member, async (tx) => {
      await checkQuota(tx, member, inspected.content.length)
      await tx.insertInto('media').values(row).execute()
      const after = { purpose: row.purpose, extension, size_bytes: row.size_bytes }
      await audit(tx, member, { action: 'file.uploaded', subject: { kind: 'media', id: row.media_id }, after })
    })
  } catch (problem) {
    // Only where the row is not there for certain: a commit that nobody answered may have been one, and a file too many is swept.
    if (problem instanceof Refusal || problem instanceof pg.DatabaseError) await files.remove(row.storage_key)
    throw problem
  }
  return row
}

async function look(spooled: Spooled, extension: string): Promise<Inspected> {
  const { extensions } = uploadPurposes[spooled.purpose]
  const isOffered = (extensions as readonly string[]).includes(extension)
  const inspection = isOffered ? await inspectFile(await readFile(spooled.path), extension) : null
  if (inspection && 'content' in inspection) {
    if (spooled.purpose === 'picture' && !isSmallSquare(inspection)) refuseFields({ file: [notSquare] })
    return inspection
  }
  if (inspection?.problem === 'too-many-pixels') refuseFields({ file: ['This image has too many pixels.'] })
  refuseFields({ file: [texts.fileTypes.replace('{{types}}', extensions.join(', '))] })
}

const notSquare = texts.pictureNotSquare.replace('{{count}}', String(limits.pictureSidePixelsMax))

/** Cut by whoever sends it: what is shown small and often is never decoded, let alone shrunk, here. */
function isSmallSquare({ size }: Inspected): boolean {
  return size !== undefined && size.width === size.height && size.width <= limits.pictureSidePixelsMax
}

type Kept = { name: string; extension: string; purpose: UploadPurpose; inspected: Inspected }

function makeRow(member: Member, { name, extension, purpose, inspected }: Kept): MediaRow {
  const media_id = newId()
  return {
    workspace_id: member.workspaceId,
    media_id,
    member_id: member.memberId,
    purpose,
    kind: inspected.kind,
    name,
    extension,
    content_type: inspected.contentType,
    size_bytes: String(inspected.content.length),
    sha256: createHash('sha256').update(inspected.content).digest(),
    storage_key: `${member.workspaceId}/${media_id}`,
    created_at: member.ground.clock.now(),
  }
}

/** Asked before a body is read, so that a full quota costs nothing; asked again, under a lock, when the row is made. */
export async function checkQuota(tx: Tx, member: Member, bytesMore: number): Promise<void> {
  if (bytesMore > 0) await lockMember(tx, member)
  const since = new Date(member.ground.clock.now().getTime() - unattachedMax.windowMs)
  const lying = await tx
    .selectFrom('media')
    .select([sql<string>`count(*)`.as('files'), sql<string>`coalesce(sum(size_bytes), 0)`.as('bytes')])
    .where('media.workspace_id', '=', member.workspaceId)
    .where('media.member_id', '=', member.memberId)
    .where('media.created_at', '>', since)
    .where(isUnattached)
    .executeTakeFirstOrThrow()
  if (Number(lying.files) < unattachedMax.files && Number(lying.bytes) + bytesMore <= unattachedMax.bytes) return
  const sentence = 'You have uploaded many files that are not used yet. Please try again tomorrow.'
  refuse('too_many_requests', sentence, { errors: { file: [sentence] }, retryAfterSeconds: 3_600 })
}

/** Uploads of one member at the same instant count one after another; nothing else waits for this lock. */
async function lockMember(tx: Tx, member: Member): Promise<void> {
  await tx
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .forNoKeyUpdate()
    .execute()
}
