import { createHash, type Hash, randomUUID } from 'node:crypto'
import { link, mkdir, rm, truncate, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { UploadPurpose } from '@atrium/contract/files/calls.ts'
import { ERRORS } from '@tus/server'
import type { Selectable } from 'kysely'
import type { Member } from '../../foundation/actor.ts'
import type { Uploads } from '../../foundation/database/database.generated.ts'
import { keepRecent, type Recent } from '../../foundation/database/recent.ts'
import { assertState } from '../../foundation/errors.ts'
import { newId } from '../../foundation/ids.ts'
import {
  appendDurably,
  digestOf,
  type Fill,
  takeBody,
  takeChunks,
  type Written,
  writeDigested,
  writeNew,
} from '../file-bytes.ts'
import { headBytes } from '../inspection/content-kind.ts'
import { type Spooled, spoolFolder } from '../spool.ts'
import { asUnavailable, type ByteRange, type FileStore, isAbsent, nullIfAbsent } from '../store.ts'

/** What a part needs to know of its upload: the last key and their number, since there may be a thousand. */
export type UploadState = Omit<Selectable<Uploads>, 'part_keys' | 'created_at' | 'touched_at'> & {
  last_key: string | null
  parts: number
}

/**
 * A file that this process began, and its upload as this process last counted it; `hash` is the digest so far if the file begins
 * the upload.
 */
type PartFile = { key: string; sizeBytes: number; hash: Hash | null; upload: UploadState }

/**
 * The files that this process may continue, by upload; a file in use is not among them, so it has one writer at a time
 * without a lock. After a failure, and on another process, the next part begins a new file.
 */
export type PartFiles = Recent<PartFile>
export const keepPartFiles = (): PartFiles => keepRecent(1_000)

export type PartPlace = { upload: UploadState; offset: number }

/** The upload of a member who sends the part behind the last one that this process counted. */
export function recallUpload(partFiles: PartFiles, member: Member, { id, offset }: { id: string; offset: number }) {
  const upload = partFiles.find(id)?.upload
  const isOwn = upload?.workspace_id === member.workspaceId && upload.member_id === member.memberId
  return isOwn && Number(upload.received_bytes) === offset ? upload : null
}

/** A part on disk that is not counted yet. */
export type ReceivedPart = {
  key: string
  /** The key is not one of the upload's yet. */
  isNew: boolean
  sizeBytes: number
  /** The first bytes. */
  head: Buffer
  /** Stores the part where any process can read it. */
  store(): Promise<void>
  drop(): Promise<void>
  /** Takes the upload with this part. */
  counted(upload: UploadState): void
}

/** Takes what arrives, also if the connection breaks. */
export function receivePart(
  member: Member,
  place: PartPlace,
  body: Readable,
  partFiles: PartFiles,
): Promise<ReceivedPart> {
  const { pathOf, makeFolderOf } = member.context.files
  return pathOf && makeFolderOf
    ? appendPart(member, place, body, { partFiles, pathOf, makeFolderOf })
    : spoolPart(member, place, body)
}

/** The offset in the key tells a reader where the part before ends: a failed write may have left more behind it. */
function newKey(member: Member, { upload, offset }: PartPlace): string {
  return `${member.workspaceId}/parts/${upload.upload_id}-${offset}-${randomUUID().slice(0, 8)}`
}

/** Null for a key of an earlier version, whose file is one part. */
function offsetOf(key: string | undefined): number | null {
  const offset = /-(\d+)-[0-9a-f]{8}$/.exec(key ?? '')?.[1]
  return offset === undefined ? null : Number(offset)
}

function takeFile(partFiles: PartFiles, { upload, offset }: PartPlace): PartFile | null {
  const file = partFiles.find(upload.upload_id)
  if (!file || file.key !== upload.last_key || (offsetOf(file.key) ?? 0) + file.sizeBytes !== offset) return null
  partFiles.forget(upload.upload_id)
  return file
}

type InPlace = { partFiles: PartFiles } & Required<Pick<FileStore, 'pathOf' | 'makeFolderOf'>>

/** Writes behind the part before, in the file that the finished upload will be. */
async function appendPart(
  member: Member,
  place: PartPlace,
  body: Readable,
  { partFiles, pathOf, makeFolderOf }: InPlace,
): Promise<ReceivedPart> {
  const continued = takeFile(partFiles, place)
  const hash = place.offset === 0 ? createHash('sha256') : null
  const { key, ...file } = continued ?? { key: newKey(member, place), sizeBytes: 0, hash }
  const path = pathOf(key)
  const drop = async (): Promise<void> => {
    if (continued) await truncate(path, file.sizeBytes).catch(nullIfAbsent)
    else await rm(path, { force: true })
  }
  try {
    if (!continued) await makeFolderOf(key)
    const { sizeBytes, head } = await takePart(body, { place, hash: file.hash }, (fill) =>
      appendDurably(path, file.sizeBytes, fill),
    )
    return {
      ...{ key, isNew: !continued, sizeBytes, head, drop },
      store: async () => undefined,
      counted: (upload) =>
        partFiles.keep(upload.upload_id, { ...file, key, sizeBytes: file.sizeBytes + sizeBytes, upload }),
    }
  } catch (problem) {
    await drop().catch(() => undefined)
    // The upload was cancelled, or finished by another request.
    if (continued && isAbsent(problem)) throw ERRORS.INVALID_OFFSET
    throw asUnavailable(problem)
  }
}

/** For a bucket, which takes whole files only. */
async function spoolPart(member: Member, place: PartPlace, body: Readable): Promise<ReceivedPart> {
  const { config, files } = member.context
  const key = newKey(member, place)
  const path = await newSpool(config.dataDirectory)
  const unspool = () => rm(path, { force: true })
  let isSent = false
  try {
    return {
      ...{ key, isNew: true, ...(await takePart(body, { place, hash: null }, (fill) => writeNew(path, fill))) },
      store() {
        isSent = true
        return files.write(key, { path }).finally(unspool)
      },
      async drop() {
        await unspool()
        if (isSent) await files.remove(key)
      },
      counted: () => undefined,
    }
  } catch (problem) {
    await unspool()
    throw asUnavailable(problem)
  }
}

async function newSpool(dataDirectory: string): Promise<string> {
  const folder = spoolFolder(dataDirectory)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return join(folder, newId())
}

type Taking = { place: PartPlace; hash: Hash | null }

async function takePart(
  body: Readable,
  { place: { upload, offset }, hash }: Taking,
  writeWith: (fill: Fill) => Promise<number>,
) {
  let bytesLeft = Number(upload.size_bytes) - offset
  let head = Buffer.alloc(0)
  const sizeBytes = await writeWith((write) =>
    takeBody(body, (chunk) => {
      bytesLeft -= chunk.length
      if (bytesLeft < 0) throw ERRORS.ERR_SIZE_EXCEEDED
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
      hash?.update(chunk)
      return write(chunk)
    }),
  )
  return { sizeBytes, head }
}

class PartGone extends Error {}

/** The received upload as a local file; null if the parts are gone, because a concurrent request has made the file. */
export async function joinParts(
  member: Member,
  upload: Selectable<Uploads>,
  partFiles: PartFiles,
): Promise<Spooled | null> {
  const { config, files } = member.context
  const path = await newSpool(config.dataDirectory)
  const remove = () => rm(path, { force: true })
  try {
    const written = (await linkWhole(files, upload, { partFiles, path })) ?? (await copyParts(files, upload, path))
    assertState(written.sizeBytes === Number(upload.size_bytes), 'the parts of an upload differ from its counted size')
    return { ...written, path, name: upload.name, purpose: upload.purpose as UploadPurpose, remove }
  } catch (problem) {
    await remove()
    if (problem instanceof PartGone) return null
    throw asUnavailable(problem)
  }
}

type To = { partFiles: PartFiles; path: string }

/** A single file needs no copy. Null for several, for a bucket, and for a folder on another disk. */
async function linkWhole(
  files: FileStore,
  upload: Selectable<Uploads>,
  { partFiles, path }: To,
): Promise<Written | null> {
  const [key, ...others] = upload.part_keys
  if (!files.pathOf || key === undefined || others.length > 0) return null
  const isLinked = await link(files.pathOf(key), path).then(
    () => true,
    () => false,
  )
  if (!isLinked) return null
  // The sweeps judge by the time, and the last part may be a day old.
  const now = new Date()
  await utimes(path, now, now)
  const known = partFiles.find(upload.upload_id)
  return known?.key === key && known.hash
    ? { sizeBytes: known.sizeBytes, sha256: known.hash.copy().digest() }
    : digestOf(path)
}

/** The chunk size for reading a part from this machine's disk. */
const chunkBytes = 1_000_000

function copyParts(files: FileStore, { part_keys: keys }: Selectable<Uploads>, path: string): Promise<Written> {
  return writeDigested(path, async (write) => {
    for (const [at, key] of keys.entries()) {
      const part = await files.read(key, countedRange(key, keys[at + 1]), chunkBytes)
      if (!part) throw new PartGone()
      await takeChunks(part, write)
    }
  })
}

/** A write that failed may have left bytes behind the counted ones. */
function countedRange(key: string, next: string | undefined): ByteRange | undefined {
  const [from, to] = [offsetOf(key), offsetOf(next)]
  return from === null || to === null ? undefined : { from: 0, to: to - from - 1 }
}
