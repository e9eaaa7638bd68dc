import { addPiece, type FileBytes, type Piece, windowsOf } from '../file-bytes.ts'
import type { Picture } from './png.ts'

/** Facts that decoding needs: whether colours are CMYK, whether the end is missing, and the orientation. */
export type JpegCoding = {
  isCmyk: boolean
  isCutShort: boolean
  orientation?: number
  /** Has more pixels than the usual decoder has memory for. */
  isLarge?: boolean
}

type Segment = { marker: number; start: number; end: number }

const startOfScan = 0xda
const endOfImage = 0xd9
/** A progressive picture has some dozens. */
const segmentsMax = 5_000
const fillBytesMax = 1_000

/**
 * A JPEG reduced to its picture, colour profile and orientation, or null if it is none: without Exif, XMP, IPTC,
 * comments and anything after its end. Adds a missing end mark; decoding finds out whether pixels are missing too.
 */
export async function readJpeg(bytes: FileBytes): Promise<(Picture & { coding: JpegCoding }) | null> {
  const start = await bytes.read(0, 2)
  if (start.length < 2 || start.readUInt16BE(0) !== 0xffd8) return null
  const pieces: Piece[] = []
  let size: { width: number; height: number } | null = null
  let orientation = 1
  let isCmyk = false
  let offset = 2
  let hasPixels = false
  for (let count = 0; count < segmentsMax; count += 1) {
    const isCutShort = hasPixels && bytes.sizeBytes - offset < 2
    const segment = isCutShort ? endAt(bytes.sizeBytes) : await nextSegment(bytes, offset)
    if (!segment) return null
    const { marker, start, end } = segment
    if (marker === endOfImage) {
      if (!size || !hasPixels) return null
      return { pieces: assemble(pieces, orientation), end, coding: { isCmyk, isCutShort, orientation }, ...size }
    }
    const body = await bytes.read(start + 4, Math.min(end - start - 4, 65_533))
    if (!holdsWhatItSays(marker, body)) return null
    if (isFrame(marker)) {
      // Decoders differ in which of two frames they use.
      if (size) return null
      size = { height: body.readUInt16BE(1), width: body.readUInt16BE(3) }
      isCmyk = body[5] === 4
    }
    if (marker === 0xe1) orientation = readOrientation(body) ?? orientation
    const isPart = isKept(marker, body)
    const scanEnd = marker === startOfScan ? await endOfScan(bytes, end) : end
    if (scanEnd > end) hasPixels = true
    if (isPart) addPiece(pieces, start, scanEnd)
    offset = scanEnd
  }
  return null
}

const endAt = (at: number): Segment => ({ marker: endOfImage, start: at, end: at })

async function nextSegment(bytes: FileBytes, from: number): Promise<Segment | null> {
  let start = from
  let head = await bytes.read(start, 4)
  if (head[0] !== 0xff) return null
  for (let fill = 0; head[1] === 0xff; fill += 1) {
    if (fill > fillBytesMax) return null
    start += 1
    head = await bytes.read(start, 4)
  }
  const marker = head[1]
  if (marker === undefined || marker === 0x00) return null
  if (marker === endOfImage) return { marker, start, end: start + 2 }
  if (head.length < 4) return null
  const end = start + 2 + head.readUInt16BE(2)
  const isShort = end < start + 4 || (isFrame(marker) && end < start + 9)
  return isShort || end > bytes.sizeBytes ? null : { marker, start, end }
}

/** The end of the coded pixels: the next marker that is neither a stuffed byte nor a restart. */
async function endOfScan(bytes: FileBytes, from: number): Promise<number> {
  let isMarked = false
  for await (const { at, content } of windowsOf(bytes, from, bytes.sizeBytes)) {
    for (let index = 0; index < content.length; index += 1) {
      const byte = content[index] ?? 0
      const isInside = byte === 0x00 || byte === 0xff || (byte >= 0xd0 && byte <= 0xd7)
      if (isMarked && !isInside) return at + index - 1
      if (!isMarked) {
        const next = content.indexOf(0xff, index)
        if (next === -1) break
        index = next
      }
      isMarked = content[index] === 0xff
    }
  }
  return bytes.sizeBytes
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

const componentsMax = 4
const [quantizationTables, huffmanTables, restartInterval, numberOfLines] = [0xdb, 0xc4, 0xdd, 0xdc]

/**
 * Whether a segment's length matches its own counts: a decoder that follows the counts would otherwise read a size in
 * another segment that was never checked. Refuses a number of lines given after the pixels, which a decoder would also
 * use.
 */
function holdsWhatItSays(marker: number, body: Buffer): boolean {
  if (isFrame(marker)) {
    const components = body[5] ?? 0
    return components >= 1 && components <= componentsMax && body.length === 6 + 3 * components
  }
  if (marker === startOfScan) return body.length === 4 + 2 * (body[0] ?? 0)
  if (marker === restartInterval) return body.length === 2
  if (marker === quantizationTables) return isFilled(body, (at) => ((body[at] ?? 0) < 0x10 ? 65 : 129))
  if (marker === huffmanTables) return isFilled(body, (at) => sumOf(body.subarray(at + 1, at + 17)) + 17)
  return marker !== numberOfLines
}

function isFilled(body: Buffer, lengthAt: (at: number) => number): boolean {
  let at = 0
  while (at < body.length) at += lengthAt(at)
  return at === body.length
}

const sumOf = (bytes: Buffer): number => bytes.reduce((sum, byte) => sum + byte, 0)

function isKept(marker: number, body: Buffer): boolean {
  const isApplication = marker >= 0xe0 && marker <= 0xef
  if (!isApplication) return marker !== 0xfe
  const name = body.toString('latin1', 0, 12)
  return (
    (marker === 0xe0 && name.startsWith('JFIF\0')) ||
    (marker === 0xe2 && name === 'ICC_PROFILE\0') ||
    (marker === 0xee && name.startsWith('Adobe'))
  )
}

const exifName = 'Exif\0\0'
const orientationTag = 0x0112

function readOrientation(body: Buffer): number | null {
  if (body.toString('latin1', 0, 6) !== exifName || body.length < 16) return null
  const tiff = body.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return null
  for (let entry = 0; entry < read16(directory); entry += 1) {
    const at = directory + 2 + entry * 12
    if (at + 12 > tiff.length) return null
    if (read16(at) !== orientationTag) continue
    const value = read16(at + 8)
    return value >= 1 && value <= 8 ? value : null
  }
  return null
}

function assemble(pieces: Piece[], orientation: number): Piece[] {
  const upright = orientation === 1 ? [] : [exifOf(orientation)]
  return [Buffer.from('ffd8', 'hex'), ...upright, ...pieces, Buffer.from('ffd9', 'hex')]
}

/** An Exif block that holds the orientation only. */
function exifOf(orientation: number): Buffer {
  const value = orientation.toString(16).padStart(4, '0')
  const directory = `0001${orientationTag.toString(16).padStart(4, '0')}000300000001${value}000000000000`
  const tiff = Buffer.from(`4d4d002a00000008${directory}`, 'hex')
  const body = Buffer.concat([Buffer.from(exifName, 'latin1'), tiff])
  const head = Buffer.from('ffe10000', 'hex')
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
