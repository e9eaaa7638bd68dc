import type { Picture } from './png.ts'

type Segment = { marker: number; start: number; end: number }

const startOfScan = 0xda
const endOfImage = 0xd9

/**
 * A JPEG with only its picture, or null when it is not one from the first byte to the last. Left out: Exif (place and
 * device), XMP, IPTC and comments; kept: the colour profile, and from Exif which way is up.
 */
export function readJpeg(content: Buffer): Picture | null {
  if (content.readUInt16BE(0) !== 0xffd8) return null
  const pieces: Buffer[] = []
  let size: { width: number; height: number } | null = null
  let orientation = 1
  let offset = 2
  let hasPixels = false
  for (;;) {
    const segment = nextSegment(content, offset)
    if (!segment) return null
    const { marker, start, end } = segment
    if (marker === endOfImage) {
      if (!size || !hasPixels || !isCameraTrailer(content.subarray(end))) return null
      return { content: assemble(pieces, orientation), ...size }
    }
    if (isFrame(marker)) size ??= { height: content.readUInt16BE(start + 5), width: content.readUInt16BE(start + 7) }
    if (marker === 0xe1) orientation = readOrientation(content.subarray(start + 4, end)) ?? orientation
    const scanEnd = marker === startOfScan ? endOfScan(content, end) : end
    hasPixels ||= marker === startOfScan && scanEnd > end
    if (isKept(marker, content.subarray(start + 4, end))) pieces.push(content.subarray(start, scanEnd))
    offset = scanEnd
  }
}

function nextSegment(content: Buffer, from: number): Segment | null {
  let start = from
  if (content[start] !== 0xff) return null
  while (content[start + 1] === 0xff) start += 1
  const marker = content[start + 1]
  if (marker === undefined || marker === 0x00) return null
  if (marker === endOfImage) return { marker, start, end: start + 2 }
  if (start + 4 > content.length) return null
  const end = start + 2 + content.readUInt16BE(start + 2)
  const isShort = end < start + 4 || (isFrame(marker) && end < start + 9)
  return isShort || end > content.length ? null : { marker, start, end }
}

/** Where the coded pixels end: at the next marker that is neither a stuffed byte nor a restart. */
function endOfScan(content: Buffer, from: number): number {
  let offset = content.indexOf(0xff, from)
  while (offset !== -1) {
    const next = content[offset + 1] ?? 0
    const isInside = next === 0x00 || next === 0xff || (next >= 0xd0 && next <= 0xd7)
    if (!isInside) return offset
    offset = content.indexOf(0xff, offset + (next === 0xff ? 1 : 2))
  }
  return content.length
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

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

/**
 * Phones put more behind the picture: a second one (MPF), a short film, or Samsung's notes. It is cut away. Anything else
 * behind the end is no camera's doing, and the file is refused.
 */
function isCameraTrailer(rest: Buffer): boolean {
  if (rest.length === 0 || rest.every((byte) => byte === 0)) return true
  const isPicture = rest.length > 3 && rest.readUInt16BE(0) === 0xffd8
  const isFilm = rest.toString('latin1', 4, 8) === 'ftyp'
  return isPicture || isFilm || rest.toString('latin1', rest.length - 4) === 'SEFT'
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

function assemble(pieces: Buffer[], orientation: number): Buffer {
  const upright = orientation === 1 ? [] : [exifOf(orientation)]
  return Buffer.concat([Buffer.from('ffd8', 'hex'), ...upright, ...pieces, Buffer.from('ffd9', 'hex')])
}

/** An Exif block with nothing in it but the orientation. */
function exifOf(orientation: number): Buffer {
  const value = orientation.toString(16).padStart(4, '0')
  const directory = `0001${orientationTag.toString(16).padStart(4, '0')}000300000001${value}000000000000`
  const tiff = Buffer.from(`4d4d002a00000008${directory}`, 'hex')
  const body = Buffer.concat([Buffer.from(exifName, 'latin1'), tiff])
  const head = Buffer.from('ffe10000', 'hex')
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
