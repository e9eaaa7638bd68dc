import { crc32 } from 'node:zlib'
import { addPiece, type FileBytes, type Piece, windowsOf } from '../file-bytes.ts'

/** `end` is the position of the picture's end in the file. */
export type Picture = { pieces: Piece[]; width: number; height: number; end: number }

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * Chunks that affect the picture's look. All others are removed: `eXIf` and text chunks hold the place and possibly hidden data.
 */
const visibleChunks = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
)
/** Encoders write some kilobytes per chunk; more chunks than this only cost time. */
const chunksMax = 100_000

/**
 * A PNG reduced to its picture, or null if it is none: every chunk is complete with a valid checksum, `IHDR` first, `IEND` last.
 * Removes everything after it.
 */
export async function readPng(bytes: FileBytes): Promise<Picture | null> {
  const head = await bytes.read(0, 33)
  if (head.length < 33 || !head.subarray(0, 8).equals(signature)) return null
  const pieces: Piece[] = [{ from: 0, to: 8 }]
  let offset = 8
  let hasPixels = false
  let last = ''
  for (let count = 0; offset + 12 <= bytes.sizeBytes && last !== 'IEND'; count += 1) {
    const chunk = await bytes.read(offset, 8)
    const length = chunk.readUInt32BE(0)
    const end = offset + 12 + length
    if (end > bytes.sizeBytes || count > chunksMax) return null
    last = chunk.toString('latin1', 4, 8)
    if (offset === 8 && (last !== 'IHDR' || length !== 13)) return null
    if (!(await isWhole(bytes, offset, end))) return null
    if (visibleChunks.has(last)) addPiece(pieces, offset, end)
    if (last === 'IDAT') hasPixels = true
    offset = end
  }
  if (last !== 'IEND' || !hasPixels) return null
  return { pieces, end: offset, width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

async function isWhole(bytes: FileBytes, from: number, end: number): Promise<boolean> {
  let sum = 0
  for await (const { content } of windowsOf(bytes, from + 4, end - 4)) sum = crc32(content, sum)
  return sum === (await bytes.read(end - 4, 4)).readUInt32BE(0)
}
