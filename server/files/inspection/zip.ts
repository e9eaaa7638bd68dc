import { crc32, createInflateRaw } from 'node:zlib'
import { type FileBytes, windowsOf } from '../file-bytes.ts'

export type ZipEntry = {
  name: string
  isPacked: boolean
  packedBytes: number
  unpackedBytes: number
  bodyAt: number
  crc: number
}

/** Limits for the zip container of modern office files. */
const limitsOfZip = { entriesMax: 2_000, unpackedBytesMax: 200_000_000, directoryBytesMax: 1_000_000 }

const [endRecord, directoryMark, entryMark] = ['504b0506', '504b0102', '504b0304'].map((hex) =>
  Buffer.from(hex, 'hex'),
) as [Buffer, Buffer, Buffer]
const [longEndRecord, longEndLocator] = ['504b0606', '504b0607'].map((hex) => Buffer.from(hex, 'hex')) as [
  Buffer,
  Buffer,
]
const endRecordBytes = 22
const longEndRecordBytes = 56
const longEndLocatorBytes = 20
/** Marks a 16 or 32 bit field whose value is in the zip64 record instead. */
const elsewhere = { of16: 0xffff, of32: 0xffffffff }
const longSizesId = 1
const commentBytesMax = 65_535
/** The longest data descriptor, which may stand between two entries. */
const descriptorBytesMax = 24
const methods = { stored: 0, deflated: 8 }

/** Whether the bytes end like a zip, however they begin: zip readers start from the end. */
export async function endsAsZip(bytes: FileBytes): Promise<boolean> {
  return (await findEnd(bytes)) !== null
}

type End = { at: number; record: Buffer }

async function findEnd(bytes: FileBytes): Promise<End | null> {
  const from = Math.max(0, bytes.sizeBytes - endRecordBytes - commentBytesMax)
  const tail = await bytes.read(from, bytes.sizeBytes - from)
  for (let at = tail.lastIndexOf(endRecord); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(endRecord, at - 1)) {
    const isWhole = at + endRecordBytes <= tail.length
    if (isWhole && at + endRecordBytes + tail.readUInt16LE(at + 20) === tail.length)
      return { at: from + at, record: Buffer.from(tail.subarray(at)) }
  }
  return null
}

/**
 * All entries of a zip that every reader reads alike, or null. Requires that directory and local headers agree, that entries neither
 * overlap nor leave gaps, that names are unique and stay inside the folder, and that nothing is encrypted.
 */
export async function readZip(bytes: FileBytes): Promise<ZipEntry[] | null> {
  const listed = await readDirectory(bytes)
  if (!listed) return null
  const { entries, directoryAt } = listed
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpackedBytes, 0)
  if (unpacked > limitsOfZip.unpackedBytesMax) return null
  if (new Set(entries.map(({ name }) => name.toLowerCase())).size < entries.length) return null
  if (entries.some(({ name }) => leadsOut(name))) return null
  const found: ZipEntry[] = []
  let end = 0
  for (const entry of entries.toSorted((one, other) => one.headAt - other.headAt)) {
    const bodyAt = await bodyOf(bytes, entry)
    const gap = entry.headAt - end
    if (bodyAt === null || gap < 0 || gap > (end === 0 ? 0 : descriptorBytesMax)) return null
    end = bodyAt + entry.packedBytes
    found.push({ ...entry, bodyAt })
  }
  return end <= directoryAt && directoryAt - end <= descriptorBytesMax ? found : null
}

const leadsOut = (name: string): boolean => /^[\\/]|^[a-z]:/i.test(name) || name.split(/[\\/]/).includes('..')

type Listed = Omit<ZipEntry, 'bodyAt'> & { headAt: number; rawName: Buffer }

async function readDirectory(bytes: FileBytes): Promise<{ entries: Listed[]; directoryAt: number } | null> {
  const end = await findEnd(bytes)
  if (!end) return null
  const place = await placeOfDirectory(bytes, end)
  if (!place) return null
  const { count, start, directoryEnd } = place
  if (count === 0 || count > limitsOfZip.entriesMax) return null
  if (start >= directoryEnd || directoryEnd - start > limitsOfZip.directoryBytesMax) return null
  const directory = await bytes.read(start, directoryEnd - start)
  const entries: Listed[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > directory.length || !directory.subarray(at, at + 4).equals(directoryMark)) return null
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28)
    const method = directory.readUInt16LE(at + 10)
    const isEncrypted = (directory.readUInt16LE(at + 8) & 1) !== 0
    if (isEncrypted || (method !== methods.stored && method !== methods.deflated)) return null
    const rawName = Buffer.from(directory.subarray(at + 46, nameEnd))
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30)
    const sizes = [24, 20, 42].map((field) => directory.readUInt32LE(at + field))
    const long = longSizes(sizes, directory.subarray(nameEnd, extraEnd))
    if (!long) return null
    const [unpackedBytes = 0, packedBytes = 0, headAt = 0] = long
    entries.push({
      name: rawName.toString('utf8'),
      rawName,
      isPacked: method === methods.deflated,
      crc: directory.readUInt32LE(at + 16),
      packedBytes,
      unpackedBytes,
      headAt,
    })
    at = extraEnd + directory.readUInt16LE(at + 32)
  }
  // The directory must end where the end record begins, or data could hide between them.
  return at === directory.length ? { entries, directoryAt: start } : null
}

type Place = { count: number; start: number; directoryEnd: number }

/** Reads the zip64 end record, which comes before the short one; values given in both must agree. */
async function placeOfDirectory(bytes: FileBytes, { at, record }: End): Promise<Place | null> {
  const short = { count: record.readUInt16LE(10), start: record.readUInt32LE(16) }
  const locator = at < longEndLocatorBytes ? null : await bytes.read(at - longEndLocatorBytes, longEndLocatorBytes)
  if (!locator?.subarray(0, 4).equals(longEndLocator)) return { ...short, directoryEnd: at }
  const locatorAt = at - longEndLocatorBytes
  const recordAt = numberAt(locator, 8)
  if (recordAt === null) return null
  const long = await bytes.read(recordAt, longEndRecordBytes)
  if (long.length < longEndRecordBytes || !long.subarray(0, 4).equals(longEndRecord)) return null
  const [sizeBytes, count, start] = [numberAt(long, 4), numberAt(long, 32), numberAt(long, 48)]
  if (sizeBytes !== longEndRecordBytes - 12 || recordAt + longEndRecordBytes !== locatorAt) return null
  if (count === null || start === null) return null
  const isSameCount = short.count === elsewhere.of16 || short.count === count
  const isSameStart = short.start === elsewhere.of32 || short.start === start
  return isSameCount && isSameStart ? { count, start, directoryEnd: recordAt } : null
}

/** Null for a position too large to be one in any file. */
function numberAt(buffer: Buffer, at: number): number | null {
  const value = buffer.readBigUInt64LE(at)
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null
}

/** The sizes of an entry, with those over 32 bits from its zip64 field; null if one is missing there. */
function longSizes(sizes: readonly number[], extra: Buffer): number[] | null {
  if (!sizes.includes(elsewhere.of32)) return [...sizes]
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== longSizesId) continue
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
    let next = 0
    const long = sizes.map((size) => {
      if (size !== elsewhere.of32) return size
      next += 8
      return next <= field.length ? numberAt(field, next - 8) : null
    })
    return long.every((size) => size !== null) ? long : null
  }
  return null
}

/** The position of an entry's data, if its local header agrees with the directory: readers differ in which they trust. */
async function bodyOf(bytes: FileBytes, entry: Listed): Promise<number | null> {
  const head = await bytes.read(entry.headAt, 30 + entry.rawName.length)
  if (head.length < 30 + entry.rawName.length || !head.subarray(0, 4).equals(entryMark)) return null
  const bodyAt = entry.headAt + head.length + head.readUInt16LE(28)
  const extra = await bytes.read(entry.headAt + head.length, bodyAt - entry.headAt - head.length)
  const isSaidLater = (head.readUInt16LE(6) & 8) !== 0
  const said = longSizes([head.readUInt32LE(22), head.readUInt32LE(18)], extra)
  const isLater = isSaidLater && said?.[0] === 0 && said[1] === 0
  const isSame = said?.[0] === entry.unpackedBytes && said[1] === entry.packedBytes
  const method = entry.isPacked ? methods.deflated : methods.stored
  if (head.readUInt16LE(8) !== method || !(isLater || isSame)) return null
  if (!head.subarray(30).equals(entry.rawName)) return null
  if (!entry.isPacked && entry.packedBytes !== entry.unpackedBytes) return null
  return bodyAt
}

/**
 * Unpacks an entry chunk by chunk and compares it with the directory. Stops at the first byte over the stated size, however much
 * follows.
 */
export async function unpackEntry(bytes: FileBytes, entry: ZipEntry, take: (chunk: Buffer) => void): Promise<boolean> {
  let length = 0
  let crc = 0
  const count = (chunk: Buffer): boolean => {
    length += chunk.length
    if (length > entry.unpackedBytes) return false
    crc = crc32(chunk, crc)
    take(chunk)
    return true
  }
  const packed = windowsOf(bytes, entry.bodyAt, entry.bodyAt + entry.packedBytes)
  if (!entry.isPacked || entry.packedBytes === 0) {
    for await (const { content } of packed) if (!count(content)) return false
  } else if (!(await inflateInto(packed, count))) return false
  return length === entry.unpackedBytes && crc === entry.crc
}

async function inflateInto(
  packed: AsyncIterable<{ content: Buffer }>,
  take: (chunk: Buffer) => boolean,
): Promise<boolean> {
  const inflating = createInflateRaw({ chunkSize: 65_536 })
  try {
    const feeding = (async () => {
      for await (const { content } of packed) {
        if (inflating.destroyed) return
        await new Promise<void>((done) => inflating.write(Buffer.from(content), () => done()))
      }
      inflating.end()
    })()
    feeding.catch((problem: unknown) => inflating.destroy(problem instanceof Error ? problem : undefined))
    for await (const chunk of inflating) if (!take(chunk as Buffer)) return false
    return true
  } catch {
    return false
  } finally {
    inflating.destroy()
  }
}

/** The whole entry, or null if it is larger than the limit or differs from the directory. */
export async function entryContent(bytes: FileBytes, entry: ZipEntry, bytesMax: number): Promise<Buffer | null> {
  if (entry.unpackedBytes > bytesMax) return null
  const chunks: Buffer[] = []
  const isWhole = await unpackEntry(bytes, entry, (chunk) => chunks.push(Buffer.from(chunk)))
  return isWhole ? Buffer.concat(chunks) : null
}
