import type { Readable } from 'node:stream'
import { type UploadPurpose, uploadPurposeNames, uploadPurposes } from '@atrium/contract/files/calls.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { sql } from 'kysely'
import type { Member } from '../../foundation/actor.ts'
import { inPreparedTransaction, inTransaction, reading, type Tx } from '../../foundation/database/database.ts'
import { Refusal, refuse, refuseFields, refuseNotFound } from '../../foundation/errors.ts'
import { cleanFileName, extensionOf } from '../file-name.ts'
import { headBytes, kindOfHead } from '../inspection/content-kind.ts'
import { canBe } from '../inspection/inspect.ts'
import type { MediaRow } from '../media.ts'
import { isOffered, refuseTooLarge, refuseType } from '../offered.ts'
import { findMedia } from '../queries.ts'
import { keepUpload, lockQuota } from '../upload.ts'
import {
  joinParts,
  type PartFiles,
  type PartPlace,
  type ReceivedPart,
  recallUpload,
  receivePart,
  type UploadState,
} from './part-files.ts'

/** Files for one upload: in a bucket one for each part, and otherwise one per interruption and a margin. */
export const partsMax = 1_000

/** `offset`: where the sender of the body says that it begins. */
type Arriving = { partFiles: PartFiles; body: Readable | null; offset: number }

/**
 * The tus store of one member. Writes a part to the file store, then counts it only if it starts where the previous one ended: of
 * two processes with the same part only one succeeds, so no lock is needed.
 */
export class MemberUploads extends DataStore {
  readonly #member: Member
  readonly #arriving: Arriving
  /** The upload as this request, or the one before it, found it; later changes are detected when the part is counted. */
  #found: UploadState | undefined

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
    const { body, partFiles, offset } = this.#arriving
    const recalled = body && recallUpload(partFiles, this.#member, { id, offset })
    const row = recalled ?? (await findState(this.#member, id))
    if (!row) throw ERRORS.FILE_NOT_FOUND
    this.#found = row
    return new Upload({ id, size: Number(row.size_bytes), offset: Number(row.received_bytes) })
  }

  /** Reads the body itself: the library would pass each chunk through five streams. */
  override async write(_stream: Readable, id: string, offset: number): Promise<number> {
    const upload = this.#found ?? (await findState(this.#member, id))
    if (!upload) throw ERRORS.FILE_NOT_FOUND
    const { body, partFiles } = this.#arriving
    if (!body) return offset
    try {
      return await takePart(this.#member, { upload, offset }, body, partFiles)
    } catch (problem) {
      // A recalled upload may have been deleted, or finished, by another process.
      if (problem === ERRORS.INVALID_OFFSET && !(await findState(this.#member, id))) throw ERRORS.FILE_NOT_FOUND
      throw problem
    }
  }

  override async remove(id: string): Promise<void> {
    if (!(await dropUpload(this.#member, id, this.#arriving.partFiles))) throw ERRORS.FILE_NOT_FOUND
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
  await inPreparedTransaction(member, async (tx, commitWith) => {
    await lockQuota(tx, member, size)
    const insert = tx.insertInto('uploads').values({
      workspace_id: member.workspaceId,
      upload_id: id,
      member_id: member.memberId,
      purpose,
      name,
      size_bytes: String(size),
      created_at: now,
      touched_at: now,
    })
    await commitWith(() => insert.execute())
  })
}

const ownUpload = (tx: Tx, member: Member, id: string) =>
  tx
    .selectFrom('uploads')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('upload_id', '=', id)

const stateColumns = [
  'workspace_id',
  'member_id',
  'upload_id',
  'purpose',
  'name',
  'size_bytes',
  'received_bytes',
  sql<string | null>`part_keys[cardinality(part_keys)]`.as('last_key'),
  sql<number>`cardinality(part_keys)`.as('parts'),
] as const

const findState = (member: Member, id: string): Promise<UploadState | undefined> =>
  reading(member, (tx) => ownUpload(tx, member, id).select(stateColumns).executeTakeFirst())

/** Stores what arrived, also if the connection broke: the stream then ends early. */
async function takePart(member: Member, place: PartPlace, body: Readable, partFiles: PartFiles): Promise<number> {
  const { upload, offset } = place
  if (upload.parts >= partsMax) refuse('malformed', 'The upload could not be read.')
  const part = await receivePart(member, place, body, partFiles)
  try {
    if (offset === 0) await judgeStart(upload, part)
    if (part.sizeBytes > 0) await part.store()
  } catch (problem) {
    await part.drop().catch(() => undefined) // The sweep removes what stays, and the caller learns the first problem.
    if (problem instanceof Refusal) await dropUpload(member, upload.upload_id, partFiles)
    throw problem
  }
  // A count that fails may have been a commit, so the part then stays.
  const counted = part.sizeBytes > 0 ? await countPart(member, place, part) : undefined
  if (counted) part.counted(counted)
  else await part.drop()
  // Another request stored the next part first, which counts. An empty part is not counted, so it is compared.
  if (!counted && (part.sizeBytes > 0 || !(await isNext(member, place)))) throw ERRORS.INVALID_OFFSET
  return offset + part.sizeBytes
}

async function isNext(member: Member, { upload, offset }: PartPlace): Promise<boolean> {
  const now = await findState(member, upload.upload_id)
  return now !== undefined && Number(now.received_bytes) === offset
}

async function judgeStart({ name, purpose: chosen, size_bytes }: UploadState, part: ReceivedPart): Promise<void> {
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
async function countPart(
  member: Member,
  { upload, offset }: PartPlace,
  part: ReceivedPart,
): Promise<UploadState | undefined> {
  // After a count that the database forgot, the same offset may be in another file.
  const isBehind = part.isNew ? sql<boolean>`true` : sql<boolean>`part_keys[cardinality(part_keys)] = ${part.key}`
  const [counted] = await inPreparedTransaction(member, (tx, commitWith) =>
    commitWith(() =>
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
          .returning(stateColumns)
          .executeTakeFirst(),
        sql`set local synchronous_commit = off`.execute(tx),
      ]),
    ),
  )
  return counted
}

async function dropUpload(member: Member, id: string, partFiles: PartFiles): Promise<boolean> {
  const gone = await inTransaction(member, (tx) =>
    tx
      .deleteFrom('uploads')
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('upload_id', '=', id)
      .returning('part_keys')
      .executeTakeFirst(),
  )
  // Another member's upload stays remembered.
  if (!gone) return false
  partFiles.forget(id)
  for (const key of gone.part_keys) await member.context.files.remove(key)
  return true
}

/**
 * Makes a file of the received parts. The file has the upload's id, so that repeated or concurrent calls make one file and get the
 * same answer.
 */
export async function finishUpload(member: Member, id: string, partFiles: PartFiles): Promise<MediaRow> {
  const upload = await reading(member, (tx) => ownUpload(tx, member, id).selectAll().executeTakeFirst())
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
    if (problem instanceof Refusal && problem.code === 'invalid_input') await dropUpload(member, id, partFiles)
    throw problem
  } finally {
    await spooled.remove()
  }
}
