import { rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { makeConcurrencyLimiter } from '../foundation/concurrency-limiter.ts'
import type { JpegCoding } from './inspection/jpeg.ts'
import { asUnavailable } from './store.ts'

/** From one file to two. `coding` comes from the header of a JPEG; other formats have none. */
type Redrawing = { from: string; to: string; smallTo: string; format: 'png' | 'jpeg'; coding?: JpegCoding | undefined }
export type PictureTask = Redrawing & { smallSideMax: number; pixelsMax: number }

type Size = { width: number; height: number }
type Drawn = Size & { problem: string | null }

/** The width of a list on a screen at twice the pixels. */
const smallSideMax = 480
/** The largest accepted picture needs a tenth of this on an idle machine. */
const drawingMsMax = 60_000
/** A4 at 400 dpi: larger pictures are reduced, which preserves every detail of a KYC document and fits into memory. */
const drawnPixelsMax = 16_000_000
/** Re-encoding takes some hundreds of megabytes, so pictures queue; when the queue is full, the client is asked to retry. */
const line = { waitingMax: 40, retryAfterSeconds: 5 }

export type Pictures = { redraw(task: Redrawing): Promise<Size | null> }

export function openPictures(): Pictures {
  const oneByOne = makeConcurrencyLimiter(1, line)
  return { redraw: (task) => oneByOne(() => redraw(task)) }
}

/**
 * Re-encodes a picture: the result has its visible pixels and no other data of the upload; null if it cannot be decoded
 * in time. Each picture has its own thread, so that no damage to a decoder affects another one.
 */
async function redraw(task: Redrawing): Promise<Size | null> {
  const drawn = await run({ ...task, smallSideMax, pixelsMax: drawnPixelsMax })
  if (!drawn || drawn.problem) await Promise.all([task.to, task.smallTo].map((path) => rm(path, { force: true })))
  if (drawn?.problem) throw asUnavailable(Object.assign(new Error('A picture was not kept'), { code: drawn.problem }))
  return drawn && { width: drawn.width, height: drawn.height }
}

function run(task: PictureTask): Promise<Drawn | null> {
  const worker = new Worker(new URL('./picture-worker.ts', import.meta.url), {
    workerData: task,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  return new Promise((resolve) => {
    let drawn: Drawn | null = null
    const timer = setTimeout(() => worker.terminate(), drawingMsMax)
    worker.once('message', (said: Drawn) => {
      drawn = said
    })
    // A crashed decoder emits an error: the picture is unreadable.
    worker.once('error', () => undefined)
    worker.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0 ? drawn : null)
    })
  })
}
