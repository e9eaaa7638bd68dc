/**
 * Decodes one picture, re-encodes it and makes a thumbnail. The decoders are WebAssembly: an exploit stays within their memory, which
 * ends with this thread.
 */

import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { PictureTask } from './picture.ts'

type Pixels = { data: Uint8ClampedArray; width: number; height: number }
/** The output of the JavaScript decoder: three bytes per pixel, or four. */
type Decoded = Pixels & { channels: 3 | 4; orientation: number }

/** The libraries exchange pixels as a browser's ImageData. */
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
const pixels = upright(await decodeToFit(await readFile(task.from)))
const { width, height } = pixels
const smallShare = Math.min(1, task.smallSideMax / Math.max(width, height))
const small = await encodeJpeg(resize(pixels, smallShare, 'on-white'), 78)
const drawn = task.format === 'png' ? await encodePng(pixels) : await encodeJpeg(pixels, 90)
const problem = await keep([task.to, drawn], [task.smallTo, small])
parentPort?.postMessage({ width, height, problem })

/** Returns the disk's error code instead of throwing, since a disk error is not the picture's fault. */
async function keep(...files: [string, Uint8Array][]): Promise<string | null> {
  try {
    for (const [path, content] of files) await writeFile(path, content)
    return null
  } catch (problem) {
    return problem instanceof Error && 'code' in problem ? String(problem.code) : 'EIO'
  }
}

async function decode(content: Buffer): Promise<Decoded> {
  const bytes = content.buffer.slice(content.byteOffset, content.byteOffset + content.length) as ArrayBuffer
  if (task.format === 'png') {
    const { default: decodePng, init } = await import('@jsquash/png/decode.js')
    await init(await load('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
    return asDecoded(await decodePng(bytes))
  }
  if (task.coding?.isCmyk || task.coding?.isLarge) return decodeByScript(content)
  const { default: decodeJpeg, init } = await import('@jsquash/jpeg/decode.js')
  const decoder = await load('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm')
  await init(decoder)
  const pixels = await decodeJpeg(bytes, { preserveOrientation: true })
  if (task.coding?.isCutShort) {
    const digest = digestOf(pixels)
    const longer = await decodeJpeg(goingOn(content), { preserveOrientation: true })
    // The decoder fills in missing pixels: if more data changes the picture, some were missing.
    if (digestOf(longer) !== digest) throw new Error('A picture without its end')
  }
  // WebAssembly memory never shrinks: a new instance frees the old one before the picture is encoded.
  await init(decoder)
  return asDecoded(pixels)
}

function asDecoded(pixels: Pixels): Decoded {
  return { ...pixels, channels: 4, orientation: 1 }
}

function digestOf({ data }: Pixels): string {
  return createHash('sha1').update(data).digest('hex')
}

/** The picture with extra data before its end mark, and without a partial marker at its end. */
function goingOn(content: Buffer): ArrayBuffer {
  let end = content.length - 2
  while (content[end - 1] === 0xff) end -= 1
  const longer = Buffer.concat([content.subarray(0, end), Buffer.alloc(512, 0x5a), Buffer.from('ffd9', 'hex')])
  return longer.buffer.slice(longer.byteOffset, longer.byteOffset + longer.length) as ArrayBuffer
}

/**
 * Decodes CMYK pictures, which the other decoder does not support, and large ones, for which it needs more than twice the memory.
 * Uses pdf.js, whose decoder is plain JavaScript.
 */
async function decodeByScript(content: Buffer): Promise<Decoded> {
  const { JpegImage } = await import('pdfjs-dist/image_decoders/pdf.image_decoders.mjs')
  const read = (bytes: Uint8Array): Decoded => {
    const picture = new JpegImage()
    picture.parse(bytes)
    const { width, height } = picture
    const data = picture.getData({ width, height, forceRGB: true })
    return { data, width, height, channels: 3, orientation: task.coding?.orientation ?? 1 }
  }
  if (!task.coding?.isCutShort) return read(content)
  const digest = digestOf(read(new Uint8Array(goingOn(content))))
  const decoded = read(content)
  if (digestOf(decoded) !== digest) throw new Error('A picture without its end')
  return decoded
}

async function encodePng(picture: Pixels): Promise<Uint8Array> {
  const { default: encode } = await import('@jsquash/png/encode.js')
  return new Uint8Array(await encode(picture as Parameters<typeof encode>[0]))
}

async function encodeJpeg(picture: Pixels, quality: number): Promise<Uint8Array> {
  const { default: encode, init } = await import('@jsquash/jpeg/encode.js')
  await init(await load('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))
  // Progressive or better compressed files would take several times as long.
  return new Uint8Array(
    await encode(picture as Parameters<typeof encode>[0], { quality, baseline: true, progressive: false }),
  )
}

async function load(name: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL(import.meta.resolve(name))))
}

/** Frees the decoded picture before anything is encoded. */
async function decodeToFit(content: Buffer): Promise<Decoded> {
  const picture = await decode(content)
  const { width, height, channels, orientation } = picture
  const share = Math.min(1, Math.sqrt(task.pixelsMax / (width * height)))
  return share === 1 && channels === 4 ? picture : { ...resize(picture, share), channels: 4, orientation }
}

/** Applies the Exif orientation (1 to 8); the other decoder's pixels are upright already. */
function upright({ data, width, height, orientation }: Decoded): Pixels {
  if (orientation === 1) return { data, width, height }
  const isTurned = orientation >= 5
  const [outWidth, outHeight] = isTurned ? [height, width] : [width, height]
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const to = new Uint32Array(width * height)
  const [fromRight, fromBottom] = [[2, 3, 7, 8].includes(orientation), [3, 4, 6, 7].includes(orientation)]
  for (let y = 0; y < outHeight; y += 1)
    for (let x = 0; x < outWidth; x += 1) {
      const [column, row] = isTurned ? [y, x] : [x, y]
      const at = (fromBottom ? height - 1 - row : row) * width + (fromRight ? width - 1 - column : column)
      to[y * outWidth + x] = from[at] ?? 0
    }
  return { data: new Uint8ClampedArray(to.buffer), width: outWidth, height: outHeight }
}

/**
 * Each target pixel is the mean of its source pixels, weighted by the covered area; transparency is preserved or put on
 * white. Works on one line at a time, so that it needs no second buffer of the picture's size.
 */
function resize(source: Source, scale: number, context: 'clear' | 'on-white' = 'clear'): Pixels {
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
    for (const [x, cover] of columns.entries()) writeMean(data, (y * width + x) * 4, { line, cover, area, context })
  }
  return { data, width, height }
}

type Source = Pixels & { channels?: 3 | 4 }

/** The source range of one of `count` lines or columns, and the whole pixels that it touches. */
type Cover = { from: number; to: number; first: number; end: number }

function coverOf(at: number, count: number, sourceCount: number): Cover {
  const from = (at * sourceCount) / count
  const to = ((at + 1) * sourceCount) / count
  return { from, to, first: Math.floor(from), end: Math.min(sourceCount, Math.ceil(to)) }
}

function shareOf({ from, to }: Cover, at: number): number {
  return Math.max(0, Math.min(to, at + 1) - Math.max(from, at))
}

/** Adds a row of the source, with colours weighted by their opacity. */
function addRow(line: Float64Array, { data, width, channels = 4 }: Source, row: number, share: number): void {
  let from = row * width * channels
  for (let at = 0; at < line.length; at += 4, from += channels) {
    const seen = channels === 3 ? share : ((data[from + 3] ?? 0) / 255) * share
    line[at] = (line[at] ?? 0) + (data[from] ?? 0) * seen
    line[at + 1] = (line[at + 1] ?? 0) + (data[from + 1] ?? 0) * seen
    line[at + 2] = (line[at + 2] ?? 0) + (data[from + 2] ?? 0) * seen
    line[at + 3] = (line[at + 3] ?? 0) + seen
  }
}

type Mean = { line: Float64Array; cover: Cover; area: number; context: 'clear' | 'on-white' }

function writeMean(data: Uint8ClampedArray, to: number, { line, cover, area, context }: Mean): void {
  let [red, green, blue, seen] = [0, 0, 0, 0]
  for (let column = cover.first; column < cover.end; column += 1) {
    const share = shareOf(cover, column)
    red += (line[column * 4] ?? 0) * share
    green += (line[column * 4 + 1] ?? 0) * share
    blue += (line[column * 4 + 2] ?? 0) * share
    seen += (line[column * 4 + 3] ?? 0) * share
  }
  const white = context === 'on-white' ? 255 * (area - seen) : 0
  const weight = context === 'on-white' ? area : Math.max(seen, Number.EPSILON)
  data[to] = (red + white) / weight
  data[to + 1] = (green + white) / weight
  data[to + 2] = (blue + white) / weight
  data[to + 3] = context === 'on-white' ? 255 : (255 * seen) / area
}
