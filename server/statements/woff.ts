import { inflateSync } from 'node:zlib'

const headBytes = 44
const entryBytes = 20

/**
 * Extracts the plain font from a WOFF file. The font library does this too, in JavaScript and for each letter again,
 * which took fifteen seconds for one statement; the tables are the same (W3C WOFF 1.0, section 4).
 */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('This is no WOFF file')
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, index) => {
    const at = headBytes + index * entryBytes
    const [offset, packed, size] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field)) as [number, number, number]
    const body = woff.subarray(offset, offset + packed)
    return {
      tag: woff.subarray(at, at + 4),
      checksum: woff.readUInt32BE(at + 16),
      body: packed < size ? inflateSync(body) : body,
    }
  })
  const power = Math.floor(Math.log2(count))
  const head = Buffer.alloc(12 + count * 16)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(2 ** power * 16, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE((count - 2 ** power) * 16, 10)
  let offset = head.length
  const bodies = tables.map(({ tag, checksum, body }, index) => {
    const at = 12 + index * 16
    tag.copy(head, at)
    head.writeUInt32BE(checksum, at + 4)
    head.writeUInt32BE(offset, at + 8)
    head.writeUInt32BE(body.length, at + 12)
    // Every table begins at a multiple of four bytes.
    const padded = Buffer.alloc(Math.ceil(body.length / 4) * 4)
    body.copy(padded)
    offset += padded.length
    return padded
  })
  return Buffer.concat([head, ...bodies])
}
