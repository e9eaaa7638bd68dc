import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type UploadPurpose, uploadPurposeNames, uploadPurposes } from '@atrium/contract/files/calls.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Multipart } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, refuse, refuseFields } from '../foundation/errors.ts'
import { takeChunks, type Written, windowBytes, writeDigested } from './file-bytes.ts'
import { cleanFileName, extensionOf } from './file-name.ts'
import { headBytes, kindOfHead } from './inspection/content-kind.ts'
import { canBe } from './inspection/inspect.ts'
import { isOffered, refuseTooLarge, refuseType } from './offered.ts'
import { asUnavailable } from './store.ts'

/** An upload on disk as received, not yet inspected. */
export type Spooled = Written & { path: string; name: string; purpose: UploadPurpose; remove(): Promise<void> }

/** Beside the file, at most the purpose and a few fields that a form library adds. */
const limits = { fields: 5, fieldNameSize: 100, fieldSize: 1_000, files: 1, parts: 6, headerPairs: 50 }

/**
 * A chunk of a connection has 64 kB, which would fill the usual buffer and pause the body each time. Much more would let a body in chunks
 * of one byte hold an object for each of them.
 */
const buffered = { highWaterMark: 2 * windowBytes, fileHwm: 2 * windowBytes }

/** A body slightly too large is read to its end, so that the client can read our answer. */
const drainBytesMax = 64_000_000

export function spoolFolder(dataDirectory: string): string {
  return join(dataDirectory, 'incoming')
}

/** Writes one part named `file` to disk and counts its bytes. Removes the file on any error. */
export async function spoolUpload(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  folder: string,
  asked: UploadPurpose,
): Promise<Spooled> {
  const path = join(folder, randomUUID())
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return await readParts(request, path, asked)
  } catch (problem) {
    await rm(path, { force: true })
    if (problem instanceof Refusal) await finishBody(request, reply)
    throw asUnavailable(problem)
  }
}

export type SpooledForm = {
  fields: (readonly [name: string, value: string])[]
  files: { field: string; file: Spooled }[]
}

type SpooledFormLimits = {
  purpose: UploadPurpose
  filesMax: number
  fieldsMax: number
  /** Limit for all fields together. */
  fieldsCharsMax: number
  /** The label of the field for the user. */
  nameOf(field: string): string
}

/** A form with files as received: fields as text, each file on disk under the name of its field. */
export async function spoolForm(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  folder: string,
  { purpose, filesMax, fieldsMax, fieldsCharsMax, nameOf }: SpooledFormLimits,
): Promise<SpooledForm> {
  const form: SpooledForm = { fields: [], files: [] }
  const most = {
    ...limits,
    ...{ fields: fieldsMax, fieldSize: fieldsCharsMax, files: filesMax, parts: fieldsMax + filesMax },
  }
  let charsLeft: number = fieldsCharsMax
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for await (const part of partsOf(request, uploadPurposes[purpose].sizeBytesMax, most)) {
      if (part.type === 'field') {
        const value = String(part.value)
        charsLeft -= value.length
        // All fields are in memory by now; each was limited on its own.
        if (charsLeft < 0) refuse('too_large', 'This is larger than allowed.')
        form.fields.push([part.fieldname, value])
        continue
      }
      const path = join(folder, randomUUID())
      const written = { sizeBytes: 0, sha256: Buffer.alloc(0) }
      const file = { ...written, path, name: part.filename, purpose, remove: () => rm(path, { force: true }) }
      form.files.push({ field: part.fieldname, file })
      await atField(nameOf(part.fieldname), async () => {
        Object.assign(file, await writeCounted(part.file, { path, name: part.filename, purpose }))
        if (file.sizeBytes === 0) refuseFields({ file: [fileTexts.fileEmpty] })
      })
    }
    return form
  } catch (problem) {
    for (const { file } of form.files) await file.remove()
    if (problem instanceof Refusal) await finishBody(request, reply)
    throw asUnavailable(problem)
  }
}

/** Reports a problem of a form's file at its own field. */
export async function atField<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (problem) {
    const said = problem instanceof Refusal ? problem.details.errors?.file : undefined
    if (!(problem instanceof Refusal) || !said) throw problem
    throw new Refusal(problem.code, problem.message, { ...problem.details, errors: { [name]: said } })
  }
}

async function readParts(request: FastifyRequest, path: string, asked: UploadPurpose): Promise<Spooled> {
  const widest = Math.max(...[asked, ...uploadPurposeNames].map((name) => uploadPurposes[name].sizeBytesMax))
  let purpose = asked
  let spooled: Spooled | null = null
  for await (const part of partsOf(request, widest)) {
    if (part.type === 'field') {
      if (part.fieldname === 'purpose') purpose = readPurpose(part.value)
      continue
    }
    if (part.fieldname !== 'file' || spooled) refuseFields({ file: [texts.fieldsMissing] })
    const written = await writeCounted(part.file, { path, name: part.filename, purpose })
    if (written.sizeBytes === 0) refuseFields({ file: [fileTexts.fileEmpty] })
    spooled = { ...written, path, name: part.filename, purpose, remove: () => rm(path, { force: true }) }
  }
  return spooled ?? refuseFields({ file: [texts.fieldsMissing] })
}

/** Allows one byte more than the widest purpose, so that our own count reports the problem. */
async function* partsOf(
  request: FastifyRequest,
  sizeBytesMax: number,
  most: typeof limits = limits,
): AsyncIterable<Multipart> {
  const parts = request.parts({ ...buffered, limits: { ...most, fileSize: sizeBytesMax + 1 } })
  try {
    for await (const part of parts) {
      if (!isNamed(part)) refuse('malformed', 'The upload could not be read.')
      yield part
    }
  } catch (problem) {
    if (problem instanceof Refusal) throw problem
    // Aborted, malformed or too many parts: the client may be gone already.
    refuse('malformed', 'The upload could not be read.')
  }
}

/** The library's types promise both names, which a part may lack: it takes binary content without a name for a file. */
export const isNamed = (part: Multipart): boolean =>
  part.fieldname !== undefined && (part.type === 'field' || part.filename !== undefined)

function readPurpose(value: unknown): UploadPurpose {
  const purpose = uploadPurposeNames.find((name) => name === value)
  return purpose ?? refuseFields({ purpose: [texts.fieldsMissing] })
}

type Named = { path: string; name: string; purpose: UploadPurpose }

/** Counts and inspects the first bytes while the rest arrives, so that an unacceptable file is refused early. */
async function writeCounted(file: Readable, { path, name, purpose }: Named): Promise<Written> {
  const { sizeBytesMax } = uploadPurposes[purpose]
  const extension = extensionOf(cleanFileName(name))
  let sizeBytes = 0
  let head: Buffer | null = Buffer.alloc(0)
  return writeDigested(path, (write) =>
    takeChunks(file, (chunk) => {
      sizeBytes += chunk.length
      if (sizeBytes > sizeBytesMax) refuseTooLarge(sizeBytesMax)
      if (!head) return write(chunk)
      return judgeHead(Buffer.concat([head, chunk]), { extension, purpose }).then((rest) => {
        head = rest
        return write(chunk)
      })
    }),
  )
}

/** Null once enough was checked. A file shorter than that is judged when it is complete. */
async function judgeHead(
  head: Buffer,
  { extension, purpose }: { extension: string; purpose: UploadPurpose },
): Promise<Buffer | null> {
  if (head.length < headBytes) return head
  if (purpose === 'download') return null
  if (!isOffered(purpose, extension)) return refuseType(purpose, extension)
  const found = await kindOfHead(head)
  return canBe(found, uploadPurposes[purpose].extensions, extension) ? null : refuseType(purpose, found)
}

async function finishBody({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return
  raw.unpipe()
  raw.resume()
  const announced = Number(raw.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (announced > drainBytesMax) {
    // Does not wait for an endless body.
    reply.header('connection', 'close')
    return
  }
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, 10_000)
    raw
      .once('close', resolve)
      .once('end', resolve)
      .once('error', () => resolve())
    raw.once('end', () => clearTimeout(timer))
    raw.once('close', () => clearTimeout(timer))
  })
}

/** Removes partly received files of killed processes. */
export async function removeStaleSpools(folder: string, before: Date): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  let removed = 0
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (!found || found.mtime >= before) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}
