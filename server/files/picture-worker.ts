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
const pixels = await decode(await readFile(task.from))
const small = await encodeJpeg(shrink(pixels, task.smallSideMax), 78)
const { width, height } = pixels
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
  const { default: decodeJpeg, init } = await import('@jsquash/jpeg/decode.js')
  await init(await load('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'))
  return decodeJpeg(bytes, { preserveOrientation: true })
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

/** Each small pixel is the mean of those it stands for, on white where the picture lets something shine through. */
function shrink(picture: Pixels, sideMax: number): Pixels {
  const scale = Math.min(1, sideMax / Math.max(picture.width, picture.height))
  const width = Math.max(1, Math.round(picture.width * scale))
  const height = Math.max(1, Math.round(picture.height * scale))
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y += 1) {
    const rows = spanOf(y, height, picture.height)
    for (let x = 0; x < width; x += 1) {
      data.set(meanOf(picture, spanOf(x, width, picture.width), rows), (y * width + x) * 4)
    }
  }
  return { data, width, height }
}

type Span = { from: number; to: number }

function spanOf(at: number, count: number, sourceCount: number): Span {
  const from = Math.floor((at * sourceCount) / count)
  return { from, to: Math.max(from + 1, Math.floor(((at + 1) * sourceCount) / count)) }
}

function meanOf({ data, width }: Pixels, columns: Span, rows: Span): number[] {
  let red = 0
  let green = 0
  let blue = 0
  for (let y = rows.from; y < rows.to; y += 1) {
    for (let at = (y * width + columns.from) * 4; at < (y * width + columns.to) * 4; at += 4) {
      const share = (data[at + 3] ?? 255) / 255
      const white = 255 * (1 - share)
      red += (data[at] ?? 0) * share + white
      green += (data[at + 1] ?? 0) * share + white
      blue += (data[at + 2] ?? 0) * share + white
    }
  }
  const count = (columns.to - columns.from) * (rows.to - rows.from)
  return [red / count, green / count, blue / count, 255]
}
