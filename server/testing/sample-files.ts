import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** Files made from scratch for tests: whole ones, and ones that only pretend. */
type Chunk = [type: string, data: Buffer]

function pngChunk([type, data]: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, tail])
}

type PngOptions = { width?: number; height?: number; extra?: Chunk[]; isNoise?: boolean }

export function makePng({ width = 2, height = 2, extra = [], isNoise = false }: PngOptions = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, isNoise ? 0 : 2, 0, 0, 0], 8)
  // Whole pictures, as long as they are small enough for that to be worth it.
  const isWhole = width * height <= 2_000_000
  const plain = Buffer.alloc(isWhole ? height * (1 + width * 3) : 1_000)
  const pixels = deflateSync(isNoise ? makeNoise(width, height) : plain)
  const chunks: Chunk[] = [['IHDR', header], ...extra, ['IDAT', pixels]]
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    ...[...chunks, ['IEND', Buffer.alloc(0)] as Chunk].map(pngChunk),
  ])
}

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

type JpegOptions = {
  width?: number
  height?: number
  segments?: [marker: number, body: Buffer][]
  scan?: Buffer
  tail?: Buffer
}

/** One length of code with one symbol: each block of the picture then is two bits. */
const huffmanTable = (id: number): Buffer => Buffer.from([id, 1, ...Array.from({ length: 15 }, () => 0), 0])

function greyScan(width: number, height: number): Buffer {
  const bits = Math.ceil(width / 8) * Math.ceil(height / 8) * 2
  const bytes = Buffer.alloc(Math.min(Math.ceil(bits / 8), 100_000))
  if (bits % 8 > 0) bytes[bytes.length - 1] = 0xff >> (bits % 8)
  return bytes
}

/** A grey JPEG. */
export function makeJpeg(options: JpegOptions = {}): Buffer {
  const { width = 16, height = 16, segments = [], tail = Buffer.alloc(0) } = options
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...segments.map(([marker, body]) => segment(marker, body)),
    segment(0xdb, Buffer.from([0, ...Array.from({ length: 64 }, () => 1)])),
    segment(0xc0, frame),
    segment(0xc4, huffmanTable(0x00)),
    segment(0xc4, huffmanTable(0x10)),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    options.scan ?? greyScan(width, height),
    Buffer.from('ffd9', 'hex'),
    tail,
  ])
}

/** Exif as cameras write it: which way is up, and a mark that stands for the place. */
export function makeExif(orientation: number, byteOrder: 'II' | 'MM' = 'II'): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write(byteOrder === 'II' ? 'II*\0' : 'MM\0*', 'latin1')
  const write16 = (value: number, at: number) =>
    byteOrder === 'II' ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at)
  const write32 = (value: number, at: number) =>
    byteOrder === 'II' ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at)
  write32(8, 4)
  write16(1, 8)
  write16(0x0112, 10)
  write16(3, 12)
  write32(1, 14)
  write16(orientation, 18)
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from('GPS 51.5074N', 'latin1')])
}

/** A PDF of exactly so many bytes. */
export function makePdfOfSize(sizeBytes: number): Buffer {
  return makePdf(' '.repeat(sizeBytes - makePdf('').length))
}

export function makePdf(body = '1 0 obj<</Type/Catalog>>endobj', tail = '\n'): Buffer {
  return Buffer.from(`%PDF-1.7\n${body}\nstartxref\n9\n%%EOF${tail}`, 'latin1')
}

type ZipEntry = { name: string; content?: Buffer; claimedBytes?: number }

/** Grey, and no point tells anything of the next: it is as small as it gets. */
function makeNoise(width: number, height: number): Buffer {
  const lines = randomBytes(height * (1 + width))
  for (let line = 0; line < height; line += 1) lines[line * (1 + width)] = 0
  return lines
}

/** A zip with stored entries; `claimedBytes` is what its list says that an entry unpacks to. */
export function makeZip(entries: ZipEntry[]): Buffer {
  const files: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const { name, content = Buffer.from('<x/>'), claimedBytes = content.length } of entries) {
    const local = Buffer.alloc(30)
    local.writeUInt32BE(0x504b0304, 0)
    local.writeUInt32LE(crc32(content), 14)
    local.writeUInt32LE(content.length, 18)
    local.writeUInt32LE(claimedBytes, 22)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    const central = Buffer.alloc(46)
    central.writeUInt32BE(0x504b0102, 0)
    central.writeUInt32LE(crc32(content), 16)
    central.writeUInt32LE(content.length, 20)
    central.writeUInt32LE(claimedBytes, 24)
    central.writeUInt16LE(Buffer.byteLength(name), 28)
    central.writeUInt32LE(offset, 42)
    files.push(local, Buffer.from(name), content)
    list.push(central, Buffer.from(name))
    offset += local.length + Buffer.byteLength(name) + content.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32BE(0x504b0506, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(list).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, ...list, end])
}

export function makeOffice(main: string, more: ZipEntry[] = []): Buffer {
  return makeZip([{ name: '[Content_Types].xml' }, { name: '_rels/.rels' }, { name: main }, ...more])
}

export function makeCompound(streams: string[]): Buffer {
  const directory = Buffer.concat(
    streams.map((name) => Buffer.concat([Buffer.from(name, 'utf16le'), Buffer.alloc(64)])),
  )
  return Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_528), directory])
}

function filmBox(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(body.length + 8)
  return Buffer.concat([head, Buffer.from(type, 'latin1'), body])
}

type FilmOptions = { brand?: string; tail?: Buffer }

/** The boxes of a film, with a place in it as phones write one; no pictures that could be shown. */
export function makeFilm({ brand = 'isom', tail = Buffer.alloc(0) }: FilmOptions = {}): Buffer {
  const place = filmBox('udta', filmBox('\xa9xyz', Buffer.from('+59.4370+024.7536/', 'latin1')))
  const track = filmBox(
    'trak',
    Buffer.concat([filmBox('tkhd', Buffer.alloc(84)), filmBox('meta', Buffer.from('Phone 12'))]),
  )
  return Buffer.concat([
    filmBox('ftyp', Buffer.from(`${brand}\0\0\x02\0${brand}`, 'latin1')),
    filmBox('moov', Buffer.concat([filmBox('mvhd', Buffer.alloc(100)), track, place])),
    filmBox('mdat', Buffer.alloc(200, 7)),
    tail,
  ])
}

/** The head of a film as browsers record it: a segment of a length that is left open. */
export function makeWebm(tail: Buffer = Buffer.alloc(100)): Buffer {
  const head = Buffer.from(
    '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff',
    'hex',
  )
  return Buffer.concat([head, tail])
}
