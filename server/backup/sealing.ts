import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { BackupProblem, SealedOtherwise } from './problem.ts'

/** The key derived from ATRIUM_BACKUP_KEY. `mark` identifies the key without revealing it. */
export type BackupKey = { mark: string; secret: Buffer }

const magic = Buffer.from('ATRIUMB1')
const saltBytes = 32
const markBytes = 8
const headBytes = magic.length + markBytes + saltBytes
const tagBytes = 16
const frameBytes = 256 * 1024
/** Marks the last frame in its length field; the flag is authenticated as additional data. */
const lastBit = 0x8000_0000

export function makeBackupKey(text: string): BackupKey {
  const secret = derive(Buffer.from(text), Buffer.alloc(0), 'atrium backup')
  return {
    secret,
    mark: createHmac('sha256', secret)
      .update('mark')
      .digest('hex')
      .slice(0, 2 * markBytes),
  }
}

function derive(secret: Buffer, salt: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, purpose, 32))
}

/**
 * Encrypts a stream: a head with the salt of this object's key, then frames that authenticate their position, the
 * object's name and whether they are the last. So nothing can be truncated, moved or exchanged.
 */
export async function* sealed(key: BackupKey, name: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  const own = derive(key.secret, salt, 'atrium backup object')
  yield Buffer.concat([magic, Buffer.from(key.mark, 'hex'), salt])
  let place = 0
  for await (const { bytes, isLast } of framesOf(source)) {
    const cipher = createCipheriv('aes-256-gcm', own, nonceOf(place))
    cipher.setAAD(describeFrame(name, place, isLast))
    const body = cipher.update(bytes)
    cipher.final()
    const head = Buffer.alloc(4)
    head.writeUInt32BE((bytes.length | (isLast ? lastBit : 0)) >>> 0)
    yield Buffer.concat([head, body, cipher.getAuthTag()])
    place += 1
  }
}

/** Decrypts frame by frame. Throws at any frame that differs from what was written under this name. */
export async function* opened(key: BackupKey, name: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]()
  try {
    yield* openFrames(key, name, takeExactly(pieces, name))
  } finally {
    await pieces.return?.()
  }
}

async function* openFrames(key: BackupKey, name: string, take: Take): AsyncGenerator<Buffer> {
  const head = await take(headBytes)
  if (!head.subarray(0, magic.length).equals(magic)) throw new BackupProblem(`${name} is not a part of a backup.`)
  if (head.subarray(magic.length, magic.length + markBytes).toString('hex') !== key.mark)
    throw new SealedOtherwise(`${name} was encrypted with another ATRIUM_BACKUP_KEY.`)
  const own = derive(key.secret, head.subarray(-saltBytes), 'atrium backup object')
  for (let place = 0; ; place += 1) {
    const length = (await take(4)).readUInt32BE()
    const isLast = length >= lastBit
    const size = isLast ? length - lastBit : length
    if (size > frameBytes) throw damaged(name)
    const frame = await take(size + tagBytes)
    yield openFrame(own, { name, place, isLast, frame })
    if (isLast) break
  }
  if ((await take(1, true)).length > 0) throw damaged(name)
}

type Frame = { name: string; place: number; isLast: boolean; frame: Buffer }

function openFrame(own: Buffer, { name, place, isLast, frame }: Frame): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', own, nonceOf(place))
  decipher.setAAD(describeFrame(name, place, isLast))
  decipher.setAuthTag(frame.subarray(-tagBytes))
  const bytes = decipher.update(frame.subarray(0, -tagBytes))
  try {
    decipher.final()
  } catch {
    throw damaged(name)
  }
  return bytes
}

const damaged = (name: string) => new BackupProblem(`${name} is damaged or in the wrong place.`)

/** Each object has its own key, so a counter is a safe nonce. */
function nonceOf(place: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(place, 8)
  return nonce
}

const describeFrame = (name: string, place: number, isLast: boolean): Buffer =>
  Buffer.from(`${name}\n${place}\n${isLast ? 'last' : 'more'}`)

/** All frames are full except the last one, which may be empty. */
async function* framesOf(source: AsyncIterable<Buffer>): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    held.push(chunk)
    size += chunk.length
    if (size <= frameBytes) continue
    const all = Buffer.concat(held)
    let at = 0
    for (; size - at > frameBytes; at += frameBytes) yield { bytes: all.subarray(at, at + frameBytes), isLast: false }
    held = [all.subarray(at)]
    size -= at
  }
  yield { bytes: Buffer.concat(held), isLast: true }
}

type Take = (size: number, mayEnd?: boolean) => Promise<Buffer>

function takeExactly(pieces: AsyncIterator<Buffer>, name: string): Take {
  let held: Buffer = Buffer.alloc(0)
  return async function take(size, mayEnd = false) {
    const more: Buffer[] = [held]
    let has = held.length
    while (has < size) {
      const next = await pieces.next()
      if (next.done) {
        if (mayEnd) return Buffer.concat(more)
        throw new BackupProblem(`${name} is cut off.`)
      }
      more.push(next.value)
      has += next.value.length
    }
    const all = more.length === 1 ? held : Buffer.concat(more)
    held = all.subarray(size)
    return all.subarray(0, size)
  }
}
