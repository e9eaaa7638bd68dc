import { addPiece, type FileBytes, type Piece } from '../file-bytes.ts'

type Box = { type: string; start: number; bodyStart: number; end: number }

/** Boxes with metadata about place, time and device, or with arbitrary content. */
const metadataBoxes = new Set(['udta', 'meta', 'uuid'])
const containers = new Set(['moov', 'trak', 'mdia', 'moof', 'traf'])
/** A film recorded by a browser has a few boxes per second. */
const boxesMax = 50_000

/**
 * An MP4 or QuickTime film without metadata boxes, or null if the file is not entirely one. Offsets in such a file count from its
 * start, so removed boxes are replaced by empty ones of the same size.
 */
export async function readVideo(bytes: FileBytes): Promise<Piece[] | null> {
  const pieces: Piece[] = []
  const found = new Set<string>()
  let left = boxesMax
  const walk = async (from: number, to: number): Promise<boolean> => {
    let at = from
    while (at < to) {
      const box = await readBox(bytes, at, to)
      left -= 1
      if (!box || left < 0) return false
      if (from === 0 && at === 0 && box.type !== 'ftyp') return false
      found.add(box.type)
      if (metadataBoxes.has(box.type)) addEmptyBox(pieces, box)
      else if (containers.has(box.type)) {
        addPiece(pieces, box.start, box.bodyStart)
        if (!(await walk(box.bodyStart, box.end))) return false
      } else addPiece(pieces, box.start, box.end)
      at = box.end
    }
    return at === to
  }
  const isWhole = await walk(0, bytes.sizeBytes)
  return isWhole && found.has('moov') && found.has('mdat') ? pieces : null
}

async function readBox(bytes: FileBytes, start: number, to: number): Promise<Box | null> {
  const head = await bytes.read(start, 16)
  if (head.length < 8) return null
  const said = head.readUInt32BE(0)
  const type = head.toString('latin1', 4, 8)
  if (!/^[ -~\xa9]{4}$/.test(type)) return null
  const isLong = said === 1
  if (isLong && (head.length < 16 || head.readUInt32BE(8) !== 0)) return null
  const size = isLong ? head.readUInt32BE(12) : said
  const headBytes = isLong ? 16 : 8
  return size < headBytes || start + size > to ? null : { type, start, bodyStart: start + headBytes, end: start + size }
}

const zeros = Buffer.alloc(65_536)

function addEmptyBox(pieces: Piece[], { start, bodyStart, end }: Box): void {
  addPiece(pieces, start, start + 4)
  pieces.push(Buffer.from('free'))
  addPiece(pieces, start + 8, bodyStart)
  for (let room = end - bodyStart; room > 0; room -= zeros.length) pieces.push(zeros.subarray(0, room))
}

const headerId = 0x1a45dfa3
const segmentId = 0x18538067

/** Whether it is a WebM film: a header and one segment to the end of the file, of known or, as recorders write, unknown length. */
export async function isWebm(bytes: FileBytes): Promise<boolean> {
  const header = await readElement(bytes, 0)
  if (header?.id !== headerId || header.size === null || header.size > 1_000) return false
  const segment = await readElement(bytes, header.bodyStart + header.size)
  if (segment?.id !== segmentId) return false
  return segment.size === null || segment.bodyStart + segment.size === bytes.sizeBytes
}

async function readElement(bytes: FileBytes, start: number) {
  const head = await bytes.read(start, 12)
  if (head.length < 5) return null
  const first = head[4] ?? 0
  const length = Math.clz32(first) - 23
  if (length > 8 || head.length < 4 + length) return null
  const digits = [first & (0xff >> length), ...head.subarray(5, 4 + length)]
  const isOpen = digits.every((digit, at) => digit === (at === 0 ? 0xff >> length : 0xff))
  const size = digits.reduce((sum, digit) => sum * 256 + digit, 0)
  return { id: head.readUInt32BE(0), bodyStart: start + 4 + length, size: isOpen ? null : size }
}
