import { crc32 } from 'node:zlib'

export type Picture = { content: Buffer; width: number; height: number }

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * Chunks that say how the picture looks. All others are left out on the way in: `eXIf` and text chunks carry where it was
 * taken and whatever else somebody hid in them.
 */
const kept = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs acTL fcTL fdAT'.split(' '))

/**
 * A PNG with only its picture, or null when it is not one from the first byte to the last: every chunk whole with its
 * checksum, `IHDR` first, `IEND` last, nothing behind it.
 */
export function readPng(content: Buffer): Picture | null {
  if (!content.subarray(0, 8).equals(signature)) return null
  const chunks: Buffer[] = [signature]
  let offset = 8
  let hasPixels = false
  while (offset + 12 <= content.length) {
    const length = content.readUInt32BE(offset)
    const end = offset + 12 + length
    if (end > content.length) return null
    const type = content.toString('latin1', offset + 4, offset + 8)
    if (offset === 8 && (type !== 'IHDR' || length !== 13)) return null
    if (crc32(content.subarray(offset + 4, end - 4)) !== content.readUInt32BE(end - 4)) return null
    if (kept.has(type)) chunks.push(content.subarray(offset, end))
    if (type === 'IDAT') hasPixels = true
    offset = end
    if (type === 'IEND') break
  }
  const last = chunks.at(-1)?.toString('latin1', 4, 8)
  if (offset !== content.length || last !== 'IEND' || !hasPixels) return null
  return { content: Buffer.concat(chunks), width: content.readUInt32BE(16), height: content.readUInt32BE(20) }
}
