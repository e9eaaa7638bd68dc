import { rm } from 'node:fs/promises'
import { type Scan, uploadPurposes } from '@atrium/contract/files/calls.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { profileTexts } from '@atrium/contract/members/texts.ts'
import { sql } from 'kysely'
import pg from 'pg'
import type { Member, Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inPreparedTransaction, inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { lockOwnMember } from '../foundation/database/member-lock.ts'
import { prepareStatement } from '../foundation/database/prepared-statement.ts'
import { Refusal, refuse, refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { digestOf, isWhole, type Written, withBytes, writePieces } from './file-bytes.ts'
import { cleanFileName, extensionOf, namedAs } from './file-name.ts'
import { type Inspected, inspectFile } from './inspection/inspect.ts'
import { type MediaRow, removeFiles, removingOnFailure } from './media.ts'
import { isOffered, refuseContent, refuseType } from './offered.ts'
import { isUnattached } from './queries.ts'
import { scanUpload } from './scanning.ts'
import type { Spooled } from './spool.ts'
import type { FileStore } from './store.ts'

/** A member's quota of files that nothing uses yet, per day. */
export const unattachedMax = { files: 50, bytes: 200_000_000, windowMs: 24 * 3_600_000 }
/** And of all files: what is attached to a deposit or a ticket stays for years, and no longer counts as unused. */
export const dailyMax = { files: 300, bytes: 2_000_000_000 }

/** Stores one upload of the member. */
export function keepUpload(member: Member, spooled: Spooled, mediaId = newId()): Promise<MediaRow> {
  const keep = (row: MediaRow) => inPreparedTransaction(member, (tx) => keepRow(tx, member, row))
  return storeUpload(member, spooled, { mediaId, keep })
}

/** The owner of the new file; staff may send it for them. */
type Owner = Pick<Member, 'context' | 'workspaceId' | 'memberId'>
type Keeping = {
  mediaId: string
  /** Inserts the row; returns false if the file is not needed after all. */
  keep: (row: MediaRow) => Promise<boolean>
}

/**
 * Inspects an upload, stores the file, then inserts its row. The file comes first: a file without a row is swept, a row without a
 * file would be broken.
 */
export async function storeUpload(owner: Owner, spooled: Spooled, { mediaId, keep }: Keeping): Promise<MediaRow> {
  const name = cleanFileName(spooled.name)
  const { files } = owner.context
  const made: string[] = []
  const beside = (what: 'kept' | 'drawn' | 'small'): string => {
    const path = `${spooled.path}-${what}`
    made.push(path)
    return path
  }
  try {
    const extension = extensionOf(name)
    // A picture is stored as a redrawn copy, so its original needs no flush.
    const flushing = isPicture(extension) ? undefined : files.settle?.(spooled.path)
    // Its error is reported below, once nothing is written any more, and not at all for a refused file.
    flushing?.catch(() => undefined)
    const inspected = await inspectUpload(owner, spooled, { extension, beside })
    await flushing
    const scan = await scanUpload(owner.context, spooled.path)
    const row = makeRow(owner, { scan, mediaId, name, spooled, inspected })
    const { path, smallPath } = inspected
    await removingOnFailure(files, row, async () => {
      if (row.small_key && smallPath) await files.write(row.small_key, { path: smallPath })
      await files.write(row.storage_key, { path, isFlushed: path === spooled.path && flushing !== undefined })
    })
    await keepOrRemove(files, row, keep)
    return row
  } finally {
    for (const path of made) await rm(path, { force: true })
  }
}

const isPicture = (extension: string): boolean => ['png', 'jpg', 'jpeg'].includes(extension)

async function keepOrRemove(files: FileStore, row: MediaRow, keep: Keeping['keep']): Promise<void> {
  try {
    if (!(await keep(row))) await removeFiles(files, [row])
  } catch (problem) {
    // Only where the row certainly does not exist: a commit of unknown outcome may have succeeded, and an extra file is swept.
    if (problem instanceof Refusal || problem instanceof pg.DatabaseError) await removeFiles(files, [row])
    throw problem
  }
}

async function keepRow(tx: Tx, member: Member, row: MediaRow): Promise<boolean> {
  // Sent together, like the statements below: the database runs them in this order, under the lock.
  const [, isThere, quota] = await Promise.all([
    lockOwnMember(tx, member),
    isStored(tx, member, row.media_id),
    readQuota(tx, member, row.media_id),
  ])
  // A concurrent request stored the same file, to which no quota applies again.
  if (isThere) return false
  refuseOverQuota(quota, Number(row.size_bytes))
  await Promise.all([
    tx.insertInto('media').values(row).execute(),
    // The parts of a resumable upload are complete.
    tx
      .deleteFrom('uploads')
      .where('workspace_id', '=', member.workspaceId)
      .where('upload_id', '=', row.media_id)
      .execute(),
    recordUpload(tx, member, row),
  ])
  return true
}

async function isStored(tx: Tx, member: Member, mediaId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('media')
    .select('media_id')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('media_id', '=', mediaId)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes files stored for a request that was then refused; files attached meanwhile stay. */
export async function dropUploads(member: Member, mediaIds: readonly string[]): Promise<void> {
  if (mediaIds.length === 0) return
  const gone = await inTransaction(member, async (tx) => {
    await lockOwnMember(tx, member)
    return tx
      .deleteFrom('media')
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('media_id', 'in', [...mediaIds])
      .where(isUnattached)
      .returning(['storage_key', 'small_key'])
      .execute()
  })
  await removeFiles(member.context.files, gone)
}

/** The audit entry and the scan job of a new file, for every sender. */
export async function recordUpload(tx: Tx, by: Member | Staff, row: MediaRow): Promise<void> {
  if (row.scan === 'waiting')
    await by.context.jobs.enqueue(tx, 'files.scan', { workspaceId: row.workspace_id, id: row.media_id })
  const after = { purpose: row.purpose, extension: row.extension, size_bytes: row.size_bytes }
  const memberId = row.member_id
  await audit(tx, by, { action: 'file.uploaded', subject: { kind: 'media', id: row.media_id }, memberId, after })
}

type InspectedUpload = Pick<Inspected, 'kind' | 'contentType' | 'extension'> &
  Written & { path: string; smallPath?: string; size?: Inspected['size'] }
/** `beside`: the path of a new file. */
type Places = { extension: string; beside(what: 'kept' | 'drawn' | 'small'): string }

/**
 * The file to store: as it came, or written beside the upload. None is ever whole in memory, except a picture while it is re-encoded.
 */
async function inspectUpload(
  { context }: Owner,
  spooled: Spooled,
  { extension, beside }: Places,
): Promise<InspectedUpload> {
  if (!isOffered(spooled.purpose, extension)) refuseType(spooled.purpose, extension)
  const { path, written, coding, ...found } = await withBytes(spooled.path, async (bytes) => {
    const inspection = await inspectFile(bytes, extension, uploadPurposes[spooled.purpose].extensions)
    if ('problem' in inspection) return refuseContent(spooled.purpose, inspection)
    if (spooled.purpose === 'picture' && !isSmallSquare(inspection)) refuseFields({ file: [notSquare] })
    if (isWhole(bytes, inspection.pieces)) return { ...inspection, path: spooled.path, written: spooled }
    const path = beside('kept')
    return { ...inspection, path, written: await writePieces(path, bytes, inspection.pieces) }
  })
  const content = { kind: found.kind, contentType: found.contentType, extension: found.extension }
  const { sizeBytes, sha256 } = written
  if (content.kind !== 'image') return { ...content, path, sizeBytes, sha256 }
  const format = content.extension === 'png' ? 'png' : 'jpeg'
  const [to, smallTo] = [beside('drawn'), beside('small')]
  const size = await context.pictures.redraw({ from: path, to, smallTo, format, coding })
  if (!size) return refuseFields({ file: [fileTexts.imageUnreadable] })
  return { ...content, path: to, smallPath: smallTo, size, ...(await digestOf(to)) }
}

const notSquare = profileTexts.pictureNotSquare.replace('{{count}}', String(limits.pictureSidePixelsMax))

/** The client must crop and reduce it: a picture that is shown often is not reduced here. */
function isSmallSquare({ size }: Inspected): boolean {
  return size !== undefined && size.width === size.height && size.width <= limits.pictureSidePixelsMax
}

const nobody = '00000000-0000-0000-0000-000000000000'

type StoredUpload = { scan: Scan; mediaId: string; name: string; spooled: Spooled; inspected: InspectedUpload }

function makeRow(owner: Owner, { scan, mediaId, name: given, spooled, inspected }: StoredUpload): MediaRow {
  const name = namedAs(given, inspected.extension)
  // Of this attempt alone: one that fails removes its file, and another attempt with the same id may have stored the row.
  const key = newId()
  return {
    workspace_id: owner.workspaceId,
    media_id: mediaId,
    member_id: owner.memberId,
    purpose: spooled.purpose,
    kind: inspected.kind,
    name,
    extension: extensionOf(name),
    content_type: inspected.contentType,
    size_bytes: String(inspected.sizeBytes),
    sent_bytes: String(spooled.sizeBytes),
    sha256: inspected.sha256,
    scan,
    storage_key: `${owner.workspaceId}/${key}`,
    width: inspected.size?.width ?? null,
    height: inspected.size?.height ?? null,
    small_key: inspected.size ? `${owner.workspaceId}/small/${key}` : null,
    created_at: owner.context.clock.now(),
  }
}

type Used = { files: number; bytes: number }
type Quota = { unattached: Used; all: Used }
type Of = Pick<Member, 'workspaceId' | 'memberId'>

const sums = [sql<string>`count(*)`.as('files'), sql<string>`coalesce(sum(size_bytes), 0)`.as('bytes')] as const

const uploadsOf = prepareStatement('quota_of_uploads', (tx: Tx, { workspaceId, memberId, but }: Of & { but: string }) =>
  tx
    .selectFrom('uploads')
    .select(sums)
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', memberId)
    .where('upload_id', '!=', but),
)

const filesOf = prepareStatement('quota_of_files', (tx: Tx, { workspaceId, memberId, since }: Of & { since: Date }) =>
  tx
    .selectFrom('media')
    .select(sums)
    .where('media.workspace_id', '=', workspaceId)
    .where('media.member_id', '=', memberId)
    .where('media.created_at', '>', since)
    .where(isUnattached),
)

const allFilesOf = prepareStatement('quota_of_all', (tx: Tx, { workspaceId, memberId, since }: Of & { since: Date }) =>
  tx
    .selectFrom('media')
    .select(sums)
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', memberId)
    .where('created_at', '>', since),
)

/** Unfinished resumable uploads count with their announced size, except the one in question. */
async function readQuota(tx: Tx, { context, workspaceId, memberId }: Member, but = nobody): Promise<Quota> {
  const since = new Date(context.clock.now().getTime() - unattachedMax.windowMs)
  const [uploads, unattached, all] = await Promise.all([
    uploadsOf(tx, { workspaceId, memberId, but }),
    filesOf(tx, { workspaceId, memberId, since }),
    allFilesOf(tx, { workspaceId, memberId, since }),
  ])
  return { unattached: sumOf([uploads, unattached]), all: sumOf([uploads, all]) }
}

function sumOf(read: readonly { rows: readonly Record<keyof Used, string>[] }[]): Used {
  const counted = read.flatMap(({ rows }) => rows)
  const sum = (name: keyof Used) => counted.reduce((all, row) => all + Number(row[name]), 0)
  return { files: sum('files'), bytes: sum('bytes') }
}

const hasRoom = ({ files, bytes }: Used, most: Used, bytesMore: number): boolean =>
  files < most.files && bytes + bytesMore <= most.bytes

function refuseOverQuota({ unattached, all }: Quota, bytesMore: number): void {
  if (!hasRoom(unattached, unattachedMax, bytesMore))
    refuseForToday('You have uploaded many files that are not used yet. Please try again tomorrow.')
  if (!hasRoom(all, dailyMax, bytesMore))
    refuseForToday('You have uploaded many files today. Please try again tomorrow.')
}

function refuseForToday(sentence: string): never {
  refuse('too_many_requests', sentence, { errors: { file: [sentence] }, retryAfterSeconds: 3_600 })
}

/** Before a body is read, so that a full quota costs nothing. It is checked again under the member's lock. */
export async function checkQuota(member: Member): Promise<void> {
  refuseOverQuota(await reading(member, (tx) => readQuota(tx, member)), 0)
}

/** Locks the member, so that concurrent uploads cannot each take the rest of the quota. */
export async function lockQuota(tx: Tx, member: Member, bytesMore: number): Promise<void> {
  // Sent together: the database reads the quota once it has the lock.
  const [, quota] = await Promise.all([lockOwnMember(tx, member), readQuota(tx, member)])
  refuseOverQuota(quota, bytesMore)
}
