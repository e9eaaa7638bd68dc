import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished, type Readable } from 'node:stream'
import { flushFolder } from './store.ts'

/**
 * Random access to a file with few windows in memory, whatever its size; reads past the end are short. A full window is
 * valid until the next read; a shorter result is a copy that the caller owns.
 */
export type FileBytes = { sizeBytes: number; read(at: number, length: number): Promise<Buffer> }

/** A part of the stored file: a range of the original, or our own bytes. */
export type Piece = { from: number; to: number } | Buffer

export const windowBytes = 65_536
/** Read ahead for sequential windows, since each file read costs a round trip to a thread. */
const aheadBytes = 16 * windowBytes

export function bytesOf(content: Buffer): FileBytes {
  return {
    sizeBytes: content.length,
    read: async (at, length) => content.subarray(Math.min(at, content.length), at + length),
  }
}

/** Opens a file for the work and always closes it. */
export async function withBytes<Result>(path: string, work: (bytes: FileBytes) => Promise<Result>): Promise<Result> {
  const file = await open(path, 'r')
  const buffers: Buffer[] = []
  try {
    return await work(bytesOfFile(file, (await file.stat()).size, buffers))
  } finally {
    await file.close() // Waits for a read ahead.
    buffers.forEach(giveBack)
  }
}

type Held = { buffer: Buffer; at: number; length: number }

/**
 * Two buffers for each file: while work goes through one, the next bytes are read into the other. The caller frees them: those that
 * are left to the garbage collector make it run often, and its run costs more than an inspection.
 */
function bytesOfFile(file: FileHandle, sizeBytes: number, buffers: Buffer[]): FileBytes {
  const newBuffer = (): Buffer => {
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(sizeBytes, aheadBytes)))
    buffers.push(buffer)
    return buffer
  }
  const fill = async (buffer: Buffer, at: number, most = buffer.length): Promise<Held> => {
    const room = Math.max(0, Math.min(most, sizeBytes - at))
    return { buffer, at, length: room === 0 ? 0 : (await file.read(buffer, 0, room, at)).bytesRead }
  }
  let held: Held = { buffer: newBuffer(), at: 0, length: 0 }
  let next: { at: number; filled: Promise<Held> } | null = null
  let spare: Buffer | null = null

  /** The next window may begin before the held bytes end, so the last window of them is read again. */
  async function readNext(): Promise<void> {
    if (next) spare = (await next.filled).buffer
    next = null
    const heldTo = held.at + held.length
    if (heldTo >= sizeBytes) return
    const at = Math.max(held.at, heldTo - windowBytes)
    next = { at, filled: fill(spare ?? newBuffer(), at) }
    next.filled.catch(() => undefined) // Reported to whoever needs these bytes.
    spare = null
  }

  async function hold(at: number, to: number): Promise<void> {
    const heldTo = held.at + held.length
    if (next && at >= next.at && to <= next.at + aheadBytes) {
      const { buffer } = held
      held = await next.filled
      spare = buffer
      next = null
    } else {
      const isSequential = at >= held.at && at <= heldTo
      held = await fill(held.buffer, at, isSequential ? aheadBytes : windowBytes)
      // The first bytes alone often suffice.
      if (!isSequential || heldTo === 0) return
    }
    await readNext()
  }

  return {
    sizeBytes,
    async read(at, length) {
      if (length > windowBytes) {
        const { buffer, length: filled } = await fill(
          Buffer.allocUnsafe(Math.max(0, Math.min(length, sizeBytes - at))),
          at,
        )
        return buffer.subarray(0, filled)
      }
      const to = Math.min(at + length, sizeBytes)
      if (at < held.at || to > held.at + held.length) await hold(at, to)
      const from = at - held.at
      const content = held.buffer.subarray(from, Math.max(from, Math.min(from + length, held.length)))
      return length === windowBytes ? content : Buffer.from(content)
    },
  }
}

/** Reads the range in windows; each also says whether it is the last. */
export async function* windowsOf(bytes: FileBytes, from: number, to: number) {
  for (let at = from; at < to; at += windowBytes) {
    const content = await bytes.read(at, Math.min(windowBytes, to - at))
    yield { at, content, isLast: at + windowBytes >= to }
  }
}

/** The first position of the needle at or after `from`, or -1. */
export async function find(bytes: FileBytes, needle: Buffer, from = 0): Promise<number> {
  const step = windowBytes - needle.length + 1
  for (let at = from; at < bytes.sizeBytes; at += step) {
    const found = (await bytes.read(at, windowBytes)).indexOf(needle)
    if (found !== -1) return at + found
  }
  return -1
}

/** Merges adjacent pieces, so that a picture of a thousand parts becomes a few. */
export function addPiece(pieces: Piece[], from: number, to: number): void {
  const last = pieces.at(-1)
  if (last && !Buffer.isBuffer(last) && last.to === from) last.to = to
  else if (to > from) pieces.push({ from, to })
}

export const wholeOf = (bytes: FileBytes): Piece[] => [{ from: 0, to: bytes.sizeBytes }]

/** Whether the pieces are the whole file, which then need not be rewritten. */
export function isWhole(bytes: FileBytes, [first, ...others]: readonly Piece[]): boolean {
  return (
    others.length === 0 && first !== undefined && !Buffer.isBuffer(first) && first.to - first.from === bytes.sizeBytes
  )
}

async function* contentsOf(bytes: FileBytes, pieces: readonly Piece[]): AsyncIterable<Buffer> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece
    else for await (const { content } of windowsOf(bytes, piece.from, piece.to)) yield content
  }
}

/** Only for content whose size is limited elsewhere. */
export async function joinPieces(bytes: FileBytes, pieces: readonly Piece[]): Promise<Buffer> {
  const contents: Buffer[] = []
  for await (const content of contentsOf(bytes, pieces)) contents.push(Buffer.from(content))
  return Buffer.concat(contents)
}

export function digestOf(path: string): Promise<Written> {
  return withBytes(path, async (bytes) => {
    const hash = createHash('sha256')
    for await (const { content } of windowsOf(bytes, 0, bytes.sizeBytes)) hash.update(content)
    return { sizeBytes: bytes.sizeBytes, sha256: hash.digest() }
  })
}

/**
 * Passes on the chunks of a stream without copying: `for await` would copy waiting chunks, which the garbage collector
 * frees late. When the handler fails, the stream is destroyed without an error of its own, since the caller reports the
 * problem.
 */
export async function takeChunks(stream: Readable, take: Write): Promise<void> {
  try {
    await takeEach(stream, take, 'fail')
  } catch (problem) {
    stream.destroy()
    throw problem
  }
}

/**
 * The same for the body of a request. One that breaks off ends with what arrived; after a failure of the handler the rest is read, so
 * that the client can read our answer.
 */
export async function takeBody(body: Readable, take: Write): Promise<void> {
  try {
    await takeEach(body, take, 'end')
  } catch (problem) {
    body.resume()
    throw problem
  }
}

/** Pauses the stream only for a chunk that has to wait; the others need no promise. */
async function takeEach(stream: Readable, take: Write, whenBroken: 'fail' | 'end'): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let taking: Promise<void> | undefined
  const takeNext = (chunk: Buffer): void => {
    const taken = orRejected(() => take(chunk))
    if (!taken) return
    taking = taken
    stream.pause()
    taken.then(() => stream.resume(), reject)
  }
  stream.on('data', takeNext)
  finished(stream, { writable: false }, (problem) => {
    if (problem && whenBroken === 'fail') reject(problem)
    else Promise.resolve(taking).then(resolve, reject)
  })
  stream.resume()
  await promise.finally(() => stream.off('data', takeNext))
}

function orRejected(work: () => Promise<void> | undefined): Promise<void> | undefined {
  try {
    return work()
  } catch (problem) {
    return Promise.reject(problem)
  }
}

/** A write costs a round trip to a thread, which takes longer than the bytes do, so several chunks share one. */
const gatheredBytes = 8 * windowBytes
/**
 * A body in chunks of one byte must not hold a buffer for each of them. As many again are held while they are written, which together
 * stay below 500.
 */
const gatheredChunks = 200

/**
 * Writes the chunks to a new file, several at a time, and returns the size. Frees their memory immediately, since the garbage
 * collector frees the bytes of a body only when there are some 64 MB of them; it also frees chunks that share their memory.
 */
export async function writeNew(path: string, fill: Fill): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  return writeGathered(file, 0, fill).finally(() => file.close())
}

/** The same behind the first bytes of a file, or in a new one if there are none. What it wrote, and the new name, survive a power cut. */
export async function appendDurably(path: string, at: number, fill: Fill): Promise<number> {
  const file = await open(path, at === 0 ? 'wx' : 'r+', 0o600)
  try {
    const naming = at === 0 ? flushFolder(dirname(path)) : undefined
    naming?.catch(() => undefined) // Reported below.
    const { wrote, finish } = flushBehind(file)
    const sizeBytes = await writeGathered(file, at, fill, wrote)
    await Promise.all([finish(), naming])
    return sizeBytes
  } finally {
    await file.close()
  }
}

/** So much is written between two flushes of a body that still arrives, which leaves little to the last one. */
const flushedBytes = 4_000_000

/** Flushes while more is written, once at a time. The disk reports an error to one flush only, so none follows a failed one. */
function flushBehind(file: FileHandle) {
  let waitingBytes = 0
  let flushing: Promise<void> | undefined
  return {
    wrote(bytes: number): void {
      waitingBytes += bytes
      if (flushing || waitingBytes < flushedBytes) return
      waitingBytes = 0
      flushing = file.datasync().then(() => {
        flushing = undefined
      })
      flushing.catch(() => undefined) // Reported at the end.
    },
    async finish(): Promise<void> {
      await flushing
      await file.datasync()
    },
  }
}

/** Returns a promise if the next chunk has to wait. */
type Write = (chunk: Buffer) => Promise<void> | undefined
export type Fill = (write: Write) => Promise<void>

/**
 * Takes further chunks while the ones before are written, and returns once all are. After a failure a write may still be in progress,
 * for which closing the file waits.
 */
async function writeGathered(
  file: FileHandle,
  at: number,
  fill: Fill,
  wrote?: (bytes: number) => void,
): Promise<number> {
  let held: Buffer[] = []
  let [heldBytes, sizeBytes] = [0, 0]
  let writing: Promise<void> | undefined
  const startWriting = (): void => {
    const [chunks, extent] = [held, { bytes: heldBytes, at: at + sizeBytes - heldBytes }]
    held = []
    heldBytes = 0
    writing = writeAll(file, chunks, extent).then(() => {
      writing = undefined
      chunks.forEach(giveBack)
      wrote?.(extent.bytes)
    })
    // Its error is reported to whoever awaits it next.
    writing.catch(() => undefined)
  }
  await fill((chunk) => {
    held.push(chunk)
    heldBytes += chunk.length
    sizeBytes += chunk.length
    if (heldBytes < gatheredBytes && held.length < gatheredChunks) return undefined
    if (writing) return writing.then(startWriting)
    startWriting()
    return undefined
  })
  await writing
  if (heldBytes > 0) startWriting()
  await writing
  return sizeBytes
}

type Extent = { bytes: number; at: number }

/** A disk that is almost full writes a part without an error, so the rest is written until the error appears. */
async function writeAll(file: FileHandle, chunks: readonly Buffer[], { bytes, at }: Extent): Promise<void> {
  let { bytesWritten: done } = await file.writev(chunks, at)
  const whole = done < bytes ? Buffer.concat(chunks) : null
  while (whole && done < bytes) done += (await file.write(whole, done, bytes - done, at + done)).bytesWritten
}

function giveBack({ buffer, byteOffset, byteLength }: Buffer): void {
  const isAlone = buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength
  if (isAlone) buffer.transfer(0)
}

/** Like `writeNew`, and also returns the digest of the content. */
export async function writeDigested(path: string, fill: Fill): Promise<Written> {
  const hash = createHash('sha256')
  const sizeBytes = await writeNew(path, (write) =>
    fill((chunk) => {
      hash.update(chunk)
      return write(chunk)
    }),
  )
  return { sizeBytes, sha256: hash.digest() }
}

export type Written = { sizeBytes: number; sha256: Buffer }

/** Writes the pieces to a new file and returns its size and digest. */
export async function writePieces(path: string, bytes: FileBytes, pieces: readonly Piece[]): Promise<Written> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const content of contentsOf(bytes, pieces)) {
      hash.update(content)
      await file.appendFile(content)
      sizeBytes += content.length
    }
  } finally {
    await file.close()
  }
  return { sizeBytes, sha256: hash.digest() }
}
