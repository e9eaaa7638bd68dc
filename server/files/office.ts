/** Of the zip container that new office files are. No part is unpacked here. */
const limitsOfZip = { entriesMax: 2_000, unpackedBytesMax: 200_000_000 }

type Entry = { name: string; packedBytes: number; unpackedBytes: number }

const endRecord = Buffer.from('504b0506', 'hex')
const endRecordBytes = 22
const commentBytesMax = 65_535

/** Macros, programs and packed foreign objects: how malware travels in office files. */
const activeParts =
  /(vbaProject\.bin|oleObject\d*\.bin|activeX.*|\.(exe|dll|js|jse|vbs|vbe|wsf|bat|cmd|ps1|scr|com|hta|html?|lnk|jar))$/i
const mainPart = { docx: 'word/document.xml', xlsx: 'xl/workbook.xml' } as const

export function isQuietOfficeZip(content: Buffer, extension: 'docx' | 'xlsx'): boolean {
  const entries = content.readUInt32BE(0) === 0x504b0304 ? readEntries(content) : null
  if (!entries) return false
  const names = entries.map((entry) => entry.name)
  const packed = entries.reduce((sum, entry) => sum + entry.packedBytes, 0)
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpackedBytes, 0)
  // Parts that lie over each other unpack to far more than the file holds: their packed sizes then exceed it.
  if (packed > content.length || unpacked > limitsOfZip.unpackedBytesMax) return false
  if (!names.includes('[Content_Types].xml') || !names.includes(mainPart[extension])) return false
  return !names.some((name) => activeParts.test(name) || name.includes('..') || name.startsWith('/'))
}

/** True when the bytes end as a zip does, whatever they begin as: readers of zip start from the end. */
export function endsAsZip(content: Buffer): boolean {
  return findEnd(content) !== -1
}

function findEnd(content: Buffer): number {
  const from = Math.max(0, content.length - endRecordBytes - commentBytesMax)
  for (
    let at = content.lastIndexOf(endRecord);
    at >= from && at !== -1;
    at = at === 0 ? -1 : content.lastIndexOf(endRecord, at - 1)
  ) {
    const isWhole = at + endRecordBytes <= content.length
    if (isWhole && at + endRecordBytes + content.readUInt16LE(at + 20) === content.length) return at
  }
  return -1
}

function readEntries(content: Buffer): Entry[] | null {
  const end = findEnd(content)
  if (end === -1) return null
  const count = content.readUInt16LE(end + 10)
  if (count === 0 || count > limitsOfZip.entriesMax) return null
  const entries: Entry[] = []
  let at = content.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > end || content.readUInt32BE(at) !== 0x504b0102) return null
    const nameEnd = at + 46 + content.readUInt16LE(at + 28)
    entries.push({
      name: content.toString('utf8', at + 46, nameEnd),
      packedBytes: content.readUInt32LE(at + 20),
      unpackedBytes: content.readUInt32LE(at + 24),
    })
    at = nameEnd + content.readUInt16LE(at + 30) + content.readUInt16LE(at + 32)
  }
  // The list must end where the end record begins, or more parts hide between.
  return at === end ? entries : null
}

const compoundSignature = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const wide = (name: string): Buffer => Buffer.from(name, 'utf16le')
const mainStream = { doc: [wide('WordDocument')], xls: [wide('Workbook'), wide('Book')] }
const activeStreams = ['_VBA_PROJECT', 'Ole10Native', 'EncryptedPackage'].map(wide)

/** The old office container, judged by the names in its directory (kept in UTF-16). */
export function isQuietOfficeCompound(content: Buffer, extension: 'doc' | 'xls'): boolean {
  if (!content.subarray(0, 8).equals(compoundSignature) || content.length < 1_536) return false
  if (!mainStream[extension].some((name) => content.includes(name))) return false
  return !activeStreams.some((name) => content.includes(name))
}
