import type { Readable } from 'node:stream'
import { type UploadPurpose, uploadPurposeNames, uploadPurposes } from '@atrium/contract/files/calls.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { sql } from 'kysely'
import type { Member } from '../../foundation/actor.ts'
import { inTransaction, reading } from '../../foundation/database/database.ts'
import { Refusal, refuse, refuseFields, refuseNotFound } from '../../foundation/errors.ts'
import { cleanFileName, extensionOf } from '../file-name.ts'
import { headBytes, kindOfHead } from '../inspection/content-kind.ts'
import { canBe } from '../inspection/inspect.ts'
import type { MediaRow } from '../media.ts'
import { isOffered, refuseTooLarge, refuseType } from '../offered.ts'
import { findMedia } from '../queries.ts'
import { keepUpload, lockQuota } from '../upload.ts'
import { joinParts, type PartFiles, type PartPlace, type ReceivedPart, receivePart } from './part-files.ts'

/** Files for one upload: one per interruption and a margin. */
const partsMax = 1_000

type Arriving = { partFiles: PartFiles; body: Readable | null }

/**
 * The tus store of one member. Writes a part to the file store, then counts it only if it starts where the previous one ended: of
 * two processes with the same part only one succeeds, so no lock is needed.
 */
export class MemberUploads extends DataStore {
  readonly #member: Member
  readonly #arriving: Arriving
  /** The upload as this request found it; later changes are detected when the part is counted. */
  #found: Found | undefined

  constructor(member: Member, arriving: Arriving) {
    super()
    this.#member = member
    this.#arriving = arriving
    this.extensions = ['creation', 'termination', 'expiration']
  }

  override async create(upload: Upload): Promise<Upload> {
    await startUpload(this.#member, upload)
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await findUpload(this.#member, id)
    if (!row) throw ERRORS.FILE_NOT_FOUND
    this.#found = row
    return new Upload({ id, size: Number(row.size_bytes), offset: Number(row.received_bytes) })
  }

  /** Reads the body itself: the library would pass each chunk through five streams. */
  override async write(_stream: Readable, id: string, offset: number): Promise<number> {
    const upload = this.#found ?? (await findUpload(this.#member, id))
    if (!upload) throw ERRORS.FILE_NOT_FOUND
    const { body, partFiles } = this.#arriving
    return body ? takePart(this.#member, { upload, offset }, body, partFiles) : offset
  }

  override async remove(id: string): Promise<void> {
    if (!(await dropUpload(this.#member, id))) throw ERRORS.FILE_NOT_FOUND
  }
}

async function startUpload(member: Member, { id, size, metadata }: Upload): Promise<void> {
  const purpose = uploadPurposeNames.find((name) => name === (metadata?.purpose ?? 'document'))
  if (!purpose) refuseFields({ purpose: [texts.fieldsMissing] })
  const name = cleanFileName(metadata?.filename ?? '')
  const extension = extensionOf(name)
  if (!isOffered(purpose, extension)) refuseType(purpose, extension)
  const { sizeBytesMax } = uploadPurposes[purpose]
  if (!size) refuseFields({ file: [fileTexts.fileEmpty] })
  if (size > sizeBytesMax) refuseTooLarge(sizeBytesMax)
  const now = member.context.clock.now()
  await inTransaction(member, async (tx) => {
    await lockQuota(tx, member, size)
    await tx
      .insertInto('uploads')
      .values({
        workspace_id: member.workspaceId,
        upload_id: id,
        member_id: member.memberId,
        purpose,
        name,
        size_bytes: String(size),
        created_at: now,
        touched_at: now,
      })
      .execute()
  })
}

function findUpload(member: Member, id: string) {
  return reading(member, (tx) =>
    tx
      .selectFrom('uploads')
      .selectAll()
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('upload_id', '=', id)
      .executeTakeFirst(),
  )
}

type Found = NonNullable<Awaited<ReturnType<typeof findUpload>>>

/** Stores what arrived, also if the connection broke: the stream then ends early. */
async function takePart(member: Member, place: PartPlace, body: Readable, partFiles: PartFiles): Promise<number> {
  const { upload, offset } = place
  if (upload.part_keys.length >= partsMax) refuse('malformed', 'The upload could not be read.')
  const part = await receivePart(member, place, body, partFiles)
  try {
    if (offset === 0) await judgeStart(upload, part)
    if (part.sizeBytes > 0) await part.store()
  } catch (problem) {
    await part.drop().catch(() => undefined) // The sweep removes what stays, and the caller learns the first problem.
    if (problem instanceof Refusal) await dropUpload(member, upload.upload_id)
    throw problem
  }
  // A count that fails may have been a commit, so the part then stays.
  const isCounted = part.sizeBytes > 0 && (await countPart(member, place, part))
  if (isCounted) part.counted()
  else await part.drop()
  // Another request stored the next part first, which counts.
  if (part.sizeBytes > 0 && !isCounted) throw ERRORS.INVALID_OFFSET
  return offset + part.sizeBytes
}

async function judgeStart({ name, purpose: chosen, size_bytes }: Found, part: ReceivedPart): Promise<void> {
  const purpose = chosen as UploadPurpose
  const isEnough = part.sizeBytes >= headBytes || part.sizeBytes === Number(size_bytes)
  if (!isEnough) return
  const found = await kindOfHead(part.head)
  if (!canBe(found, uploadPurposes[purpose].extensions, extensionOf(name))) refuseType(purpose, found)
}

/**
 * The commit does not wait for the disk: a crash of the database may forget the last counts, and the client then sends those parts
 * again from the offset that it is told.
 */
async function countPart(member: Member, { upload, offset }: PartPlace, part: ReceivedPart): Promise<boolean> {
  // After a count that the database forgot, the same offset may be in another file.
  const isBehind = part.isNew ? sql<boolean>`true` : sql<boolean>`part_keys[cardinality(part_keys)] = ${part.key}`
  const [counted] = await inTransaction(member, (tx) =>
    Promise.all([
      tx
        .updateTable('uploads')
        .set({
          received_bytes: String(offset + part.sizeBytes),
          ...(part.isNew && { part_keys: sql`part_keys || ${part.key}::text` }),
          touched_at: member.context.clock.now(),
        })
        .where('workspace_id', '=', member.workspaceId)
        .where('member_id', '=', member.memberId)
        .where('upload_id', '=', upload.upload_id)
        .where('received_bytes', '=', String(offset))
        .where(isBehind)
        .executeTakeFirst(),
      sql`set local synchronous_commit = off`.execute(tx),
    ]),
  )
  return counted.numUpdatedRows === 1n
}

async function dropUpload(member: Member, id: string): Promise<boolean> {
  const gone = await inTransaction(member, (tx) =>
    tx
      .deleteFrom('uploads')
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('upload_id', '=', id)
      .returning('part_keys')
      .executeTakeFirst(),
  )
  for (const key of gone?.part_keys ?? []) await member.context.files.remove(key)
  return gone !== undefined
}

/**
 * Makes a file of the received parts. The file has the upload's id, so that repeated or concurrent calls make one file and get the
 * same answer.
 */
export async function finishUpload(member: Member, id: string, partFiles: PartFiles): Promise<MediaRow> {
  const upload = await findUpload(member, id)
  if (!upload) return (await findMedia(member, id)) ?? refuseNotFound()
  if (upload.received_bytes !== upload.size_bytes) refuse('conflict', 'The upload is not complete yet.')
  const spooled = await joinParts(member, upload, partFiles)
  if (!spooled) return (await findMedia(member, id)) ?? refuseNotFound()
  try {
    const row = await keepUpload(member, spooled, id)
    partFiles.forget(id)
    for (const key of upload.part_keys) await member.context.files.remove(key)
    return row
  } catch (problem) {
    if (problem instanceof Refusal && problem.code === 'invalid_input') await dropUpload(member, id)
    throw problem
  } finally {
    await spooled.remove()
  }
}
