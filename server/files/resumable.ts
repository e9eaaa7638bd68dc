import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type UploadPurpose, uploadPurposeNames, uploadPurposes } from '@atrium/contract/files/calls.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { sql } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { assertState, Refusal, refuse, refuseFields, refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { takeChunks, writeDigested, writeNew } from './file-bytes.ts'
import { cleanFileName, extensionOf } from './file-name.ts'
import { headBytes, kindOfHead } from './inspection/content-kind.ts'
import { canBe } from './inspection/inspect.ts'
import type { MediaRow } from './media.ts'
import { isOffered, refuseTooLarge, refuseType } from './offered.ts'
import { findMedia } from './queries.ts'
import { type Spooled, spoolFolder } from './spool.ts'
import { asUnavailable } from './store.ts'
import { checkQuota, keepUpload } from './upload.ts'

/** One part per interruption and a margin, against clients that send a byte at a time. */
const partsMax = 1_000

/**
 * The tus store of one member. Writes a part to the file store, then counts it only if it starts where the previous one ended: of
 * two processes with the same part only one succeeds, so no lock is needed.
 */
export class MemberUploads extends DataStore {
  readonly #member: Member
  /** The upload as this request found it; later changes are detected when the part is counted. */
  #found: Found | undefined

  constructor(member: Member) {
    super()
    this.#member = member
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

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const upload = this.#found ?? (await findUpload(this.#member, id))
    if (!upload) throw ERRORS.FILE_NOT_FOUND
    return takePart(this.#member, { upload, offset }, stream)
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
    await checkQuota(tx, member, size)
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
type Part = { upload: Found; offset: number }

/** Stores what arrived, also if the connection broke: the stream then ends early. */
async function takePart(member: Member, { upload, offset }: Part, stream: Readable): Promise<number> {
  if (upload.part_keys.length >= partsMax) refuse('malformed', 'The upload could not be read.')
  const spooled = await spoolPart(member, stream)
  try {
    if (offset === 0) await judgeStart(upload, spooled)
    if (spooled.sizeBytes > 0) await keepPart(member, { upload, offset }, spooled)
    return offset + spooled.sizeBytes
  } catch (problem) {
    if (problem instanceof Refusal) await dropUpload(member, upload.upload_id)
    throw problem
  } finally {
    await rm(spooled.path, { force: true })
  }
}

type SpooledPart = { path: string; sizeBytes: number; head: Buffer }

async function spoolPart(member: Member, stream: Readable): Promise<SpooledPart> {
  const folder = spoolFolder(member.context.config.dataDirectory)
  const path = join(folder, randomUUID())
  let head = Buffer.alloc(0)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const sizeBytes = await writeNew(path, (write) =>
      takeChunks(stream, async (chunk) => {
        if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
        await write(chunk)
      }),
    )
    return { path, sizeBytes, head }
  } catch (problem) {
    await rm(path, { force: true })
    throw asUnavailable(problem)
  }
}

async function judgeStart(upload: { name: string; purpose: string; size_bytes: string }, part: SpooledPart) {
  const purpose = upload.purpose as UploadPurpose
  const isEnough = part.sizeBytes >= headBytes || part.sizeBytes === Number(upload.size_bytes)
  if (!isEnough) return
  const found = await kindOfHead(part.head)
  if (!canBe(found, uploadPurposes[purpose].extensions, extensionOf(upload.name))) refuseType(purpose, found)
}

async function keepPart(member: Member, { upload, offset }: Part, part: SpooledPart): Promise<void> {
  const id = upload.upload_id
  const { files, clock } = member.context
  const key = `${member.workspaceId}/parts/${id}/${randomUUID().slice(0, 8)}`
  await files.write(key, { path: part.path })
  const counted = await inTransaction(member, (tx) =>
    tx
      .updateTable('uploads')
      .set({
        received_bytes: String(offset + part.sizeBytes),
        part_keys: sql`part_keys || ${key}::text`,
        touched_at: clock.now(),
      })
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('upload_id', '=', id)
      .where('received_bytes', '=', String(offset))
      .executeTakeFirst(),
  )
  if (counted.numUpdatedRows === 1n) return
  // Another request stored the next part first, which counts.
  await files.remove(key)
  throw ERRORS.INVALID_OFFSET
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
export async function finishUpload(member: Member, id: string): Promise<MediaRow> {
  const upload = await findUpload(member, id)
  if (!upload) return (await findMedia(member, id)) ?? refuseNotFound()
  if (upload.received_bytes !== upload.size_bytes) refuse('conflict', 'The upload is not complete yet.')
  const spooled = await joinParts(member, upload)
  if (!spooled) return (await findMedia(member, id)) ?? refuseNotFound()
  try {
    const row = await keepUpload(member, spooled, id)
    for (const key of upload.part_keys) await member.context.files.remove(key)
    return row
  } catch (problem) {
    if (problem instanceof Refusal && problem.code === 'invalid_input') await dropUpload(member, id)
    throw problem
  } finally {
    await spooled.remove()
  }
}

type Received = { name: string; purpose: string; size_bytes: string; part_keys: string[] }

/** The chunk size for reading a part from this machine's disk. */
const chunkBytes = 1_000_000

class PartGone extends Error {}

/** Null if the parts are gone: a concurrent request has made the file. */
async function joinParts(member: Member, upload: Received): Promise<Spooled | null> {
  const folder = spoolFolder(member.context.config.dataDirectory)
  const path = join(folder, newId())
  const remove = () => rm(path, { force: true })
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const written = await writeDigested(path, async (write) => {
      for (const key of upload.part_keys) {
        const part = await member.context.files.read(key, undefined, chunkBytes)
        if (!part) throw new PartGone()
        await takeChunks(part, write)
      }
    })
    assertState(written.sizeBytes === Number(upload.size_bytes), 'the parts of an upload are what was counted')
    return { ...written, path, name: upload.name, purpose: upload.purpose as UploadPurpose, remove }
  } catch (problem) {
    await remove()
    if (problem instanceof PartGone) return null
    throw asUnavailable(problem)
  }
}
