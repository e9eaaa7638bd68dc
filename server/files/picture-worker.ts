import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { PictureTask } from './picture.ts'

/**
 * Decodes one picture and writes it anew, beside it a small one. The decoders are WebAssembly: whatever a picture does to
 * one, it stays within memory of its own, and all of that ends with this thread.
 */
type Pixels = { data: Uint8ClampedArray; width: number; height: number }

/** The libraries hand pixels about in what a browser has for them. */
Object.assign(globalThis, {
  ImageData: class {
    readonly data: Uint8ClampedArray
    readonly width: number
    readonly height: number
    constructor(data: Uint8ClampedArray, width: number, height: number) {
      this.data = data
      this.width = width
      this.height = height
    }
  },
})

const task = workerData as PictureTask
const pixels = fit(await decode(await readFile(task.from)))
const { width, height } = pixels
const smallShare = Math.min(1, task.smallSideMax / Math.max(width, height))
const small = await encodeJpeg(resize(pixels, smallShare, 'on-white'), 78)
const drawn = task.format === 'png' ? await encodePng(pixels) : await encodeJpeg(pixels, 90)
const problem = await keep([task.to, drawn], [task.smallTo, small])
parentPort?.postMessage({ width, height, problem })

/** The disk is to blame, not the picture: its word for it is passed on. */
async function keep(...files: [string, Uint8Array][]): Promise<string | null> {
  try {
    for (const [path, content] of files) await writeFile(path, content)
    return null
  } catch (problem) {
    return problem instanceof Error && 'code' in problem ? String(problem.code) : 'EIO'
  }
}

async function decode(content: Buffer): Promise<Pixels> {
  const bytes = content.buffer.slice(content.byteOffset, content.byteOffset + content.length) as ArrayBuffer
  if (task.format === 'png') {
    const { default: decodePng, init } = await import('@jsquash/png/decode.js')
    await init(await load('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
    return decodePng(bytes)
  }
  if (task.coding?.isCmyk) return decodeCmyk(content)
  const { default: decodeJpeg, init } = await import('@jsquash/jpeg/decode.js')
  const decoder = await load('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm')
  await init(decoder)
  const pixels = await decodeJpeg(bytes, { preserveOrientation: true })
  if (task.coding?.isCutShort) {
    const digest = digestOf(pixels)
    const longer = await decodeJpeg(goingOn(content), { preserveOrientation: true })
    // The decoder paints what is missing: where more data makes another picture, some was missing.
    if (digestOf(longer) !== digest) throw new Error('A picture without its end')
  }
  // Its memory never shrinks: a new one takes its place, so that this one is let go before the picture is written.
  await init(decoder)
  return pixels
}

function digestOf({ data }: Pixels): string {
  return createHash('sha1').update(data).digest('hex')
}

/** The picture with more data before its end mark; half a mark at the end of what came is none of it. */
function goingOn(content: Buffer): ArrayBuffer {
  let end = content.length - 2
  while (content[end - 1] === 0xff) end -= 1
  const longer = Buffer.concat([content.subarray(0, end), Buffer.alloc(512, 0x5a), Buffer.from('ffd9', 'hex')])
  return longer.buffer.slice(longer.byteOffset, longer.byteOffset + longer.length) as ArrayBuffer
}

/** Colours of print, which the other decoder does not know: read by pdf.js, which meets them in PDFs. It is plain script. */
async function decodeCmyk(content: Buffer): Promise<Pixels> {
  const { JpegImage } = await import('pdfjs-dist/image_decoders/pdf.image_decoders.mjs')
  const picture = new JpegImage()
  picture.parse(new Uint8Array(content))
  const { width, height } = picture
  const rgb = picture.getData({ width, height, forceRGB: true })
  const data = new Uint8ClampedArray(width * height * 4)
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    data[to] = rgb[from] ?? 0
    data[to + 1] = rgb[from + 1] ?? 0
    data[to + 2] = rgb[from + 2] ?? 0
    data[to + 3] = 255
  }
  return { data, width, height }
}

async function encodePng(picture: Pixels): Promise<Uint8Array> {
  const { default: encode } = await import('@jsquash/png/encode.js')
  return new Uint8Array(await encode(picture as Parameters<typeof encode>[0]))
}

async function encodeJpeg(picture: Pixels, quality: number): Promise<Uint8Array> {
  const { default: encode, init } = await import('@jsquash/jpeg/encode.js')
  await init(await load('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))
  // Smaller files would take several times as long.
  return new Uint8Array(
    await encode(picture as Parameters<typeof encode>[0], { quality, baseline: true, progressive: false }),
  )
}

async function load(name: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL(import.meta.resolve(name))))
}

function fit(picture: Pixels): Pixels {
  const share = Math.sqrt(task.pixelsMax / (picture.width * picture.height))
  return share >= 1 ? picture : resize(picture, share)
}

/**
 * Each pixel is the mean of the ones it stands for, counted by how much of each it covers. Where the picture lets something shine
 * through, that stays so or is put on white. One line is worked on at a time, so that nothing as large as the picture is added.
 */
function resize(source: Pixels, scale: number, ground: 'clear' | 'on-white' = 'clear'): Pixels {
  const width = Math.max(1, Math.round(source.width * scale))
  const height = Math.max(1, Math.round(source.height * scale))
  const data = new Uint8ClampedArray(width * height * 4)
  const line = new Float64Array(source.width * 4)
  const columns = Array.from({ length: width }, (_, x) => coverOf(x, width, source.width))
  const area = (source.width / width) * (source.height / height)
  for (let y = 0; y < height; y += 1) {
    line.fill(0)
    const rows = coverOf(y, height, source.height)
    for (let row = rows.first; row < rows.end; row += 1) addRow(line, source, row, shareOf(rows, row))
    for (const [x, cover] of columns.entries()) writeMean(data, (y * width + x) * 4, { line, cover, area, ground })
  }
  return { data, width, height }
}

/** The stretch of the source that one of `count` lines or columns stands for, and the whole ones that it touches. */
type Cover = { from: number; to: number; first: number; end: number }

function coverOf(at: number, count: number, sourceCount: number): Cover {
  const from = (at * sourceCount) / count
  const to = ((at + 1) * sourceCount) / count
  return { from, to, first: Math.floor(from), end: Math.min(sourceCount, Math.ceil(to)) }
}

function shareOf({ from, to }: Cover, at: number): number {
  return Math.max(0, Math.min(to, at + 1) - Math.max(from, at))
}

/** Adds a row of the source, its colours weighed by how much one sees of them. */
function addRow(line: Float64Array, { data, width }: Pixels, row: number, share: number): void {
  const start = row * width * 4
  for (let at = 0; at < line.length; at += 4) {
    const seen = ((data[start + at + 3] ?? 0) / 255) * share
    line[at] = (line[at] ?? 0) + (data[start + at] ?? 0) * seen
    line[at + 1] = (line[at + 1] ?? 0) + (data[start + at + 1] ?? 0) * seen
    line[at + 2] = (line[at + 2] ?? 0) + (data[start + at + 2] ?? 0) * seen
    line[at + 3] = (line[at + 3] ?? 0) + seen
  }
}

type Mean = { line: Float64Array; cover: Cover; area: number; ground: 'clear' | 'on-white' }

function writeMean(data: Uint8ClampedArray, to: number, { line, cover, area, ground }: Mean): void {
  let [red, green, blue, seen] = [0, 0, 0, 0]
  for (let column = cover.first; column < cover.end; column += 1) {
    const share = shareOf(cover, column)
    red += (line[column * 4] ?? 0) * share
    green += (line[column * 4 + 1] ?? 0) * share
    blue += (line[column * 4 + 2] ?? 0) * share
    seen += (line[column * 4 + 3] ?? 0) * share
  }
  const white = ground === 'on-white' ? 255 * (area - seen) : 0
  const weight = ground === 'on-white' ? area : Math.max(seen, Number.EPSILON)
  data[to] = (red + white) / weight
  data[to + 1] = (green + white) / weight
  data[to + 2] = (blue + white) / weight
  data[to + 3] = ground === 'on-white' ? 255 : (255 * seen) / area
}
