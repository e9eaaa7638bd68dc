import { type FileBytes, find } from './file-bytes.ts'

/** Of the zip container that new office files are. No part is unpacked here. */
const limitsOfZip = { entriesMax: 2_000, unpackedBytesMax: 200_000_000, directoryBytesMax: 1_000_000 }

type Entry = { name: string; packedBytes: number; unpackedBytes: number }

const endRecord = Buffer.from('504b0506', 'hex')
const endRecordBytes = 22
const commentBytesMax = 65_535

/** Macros, programs and packed foreign objects: how malware travels in office files. */
const activeParts =
  /(vbaProject\.bin|oleObject\d*\.bin|activeX.*|\.(exe|dll|js|jse|vbs|vbe|wsf|bat|cmd|ps1|scr|com|hta|html?|lnk|jar))$/i
const mainPart = { docx: 'word/document.xml', xlsx: 'xl/workbook.xml' } as const

export async function isQuietOfficeZip(bytes: FileBytes, extension: 'docx' | 'xlsx'): Promise<boolean> {
  const head = await bytes.read(0, 4)
  const entries = head.length === 4 && head.readUInt32BE(0) === 0x504b0304 ? await readEntries(bytes) : null
  if (!entries) return false
  const names = entries.map((entry) => entry.name)
  const packed = entries.reduce((sum, entry) => sum + entry.packedBytes, 0)
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpackedBytes, 0)
  // Parts that lie over each other unpack to far more than the file holds: their packed sizes then exceed it.
  if (packed > bytes.sizeBytes || unpacked > limitsOfZip.unpackedBytesMax) return false
  if (!names.includes('[Content_Types].xml') || !names.includes(mainPart[extension])) return false
  return !names.some((name) => activeParts.test(name) || name.includes('..') || name.startsWith('/'))
}

/** True when the bytes end as a zip does, whatever they begin as: readers of zip start from the end. */
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

async function readEntries(bytes: FileBytes): Promise<Entry[] | null> {
  const end = await findEnd(bytes)
  if (!end) return null
  const count = end.record.readUInt16LE(10)
  const start = end.record.readUInt32LE(16)
  if (count === 0 || count > limitsOfZip.entriesMax) return null
  if (start >= end.at || end.at - start > limitsOfZip.directoryBytesMax) return null
  const directory = await bytes.read(start, end.at - start)
  const entries: Entry[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > directory.length || directory.readUInt32BE(at) !== 0x504b0102) return null
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28)
    entries.push({
      name: directory.toString('utf8', at + 46, nameEnd),
      packedBytes: directory.readUInt32LE(at + 20),
      unpackedBytes: directory.readUInt32LE(at + 24),
    })
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  // The list must end where the end record begins, or more parts hide between.
  return at === directory.length ? entries : null
}

const compoundSignature = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const wide = (name: string): Buffer => Buffer.from(name, 'utf16le')
const mainStream = { doc: [wide('WordDocument')], xls: [wide('Workbook'), wide('Book')] }
const activeStreams = ['_VBA_PROJECT', 'Ole10Native', 'EncryptedPackage'].map(wide)

/** The old office container, judged by the names in its directory (kept in UTF-16). */
export async function isQuietOfficeCompound(bytes: FileBytes, extension: 'doc' | 'xls'): Promise<boolean> {
  if (!(await bytes.read(0, 8)).equals(compoundSignature) || bytes.sizeBytes < 1_536) return false
  for (const name of activeStreams) if ((await find(bytes, name)) !== -1) return false
  for (const name of mainStream[extension]) if ((await find(bytes, name)) !== -1) return true
  return false
}
