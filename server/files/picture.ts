import { rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { makeConcurrencyLimiter } from '../foundation/concurrency-limiter.ts'
import type { JpegCoding } from './inspection/jpeg.ts'
import { asUnavailable } from './store.ts'

/** From one file to two. What a JPEG is coded like is known from its header, and absent for others. */
type Redrawing = { from: string; to: string; smallTo: string; format: 'png' | 'jpeg'; coding?: JpegCoding | undefined }
export type PictureTask = Redrawing & { smallSideMax: number; pixelsMax: number }

type Size = { width: number; height: number }
type Drawn = Size & { problem: string | null }

/** A screen's width of a list, at twice the pixels. */
const smallSideMax = 480
/** The largest picture that is taken needs a tenth of it on an idle machine. */
const drawingMsMax = 60_000
/** A4 at 400 dots an inch: larger pictures are drawn smaller, which shows all that a KYC document has and fits into memory. */
const drawnPixelsMax = 16_000_000
/** Some hundreds of megabytes while one is drawn, so pictures stand in line; who comes when that is long is asked to come again. */
const line = { waitingMax: 40, retryAfterSeconds: 5 }

export type Pictures = { redraw(task: Redrawing): Promise<Size | null> }

export function openPictures(): Pictures {
  const oneByOne = makeConcurrencyLimiter(1, line)
  return { redraw: (task) => oneByOne(() => redraw(task)) }
}

/**
 * Draws a picture anew: what comes out has the pixels that one sees and nothing else of what was sent. Null where it cannot be
 * decoded, or not within the time; a full disk is no fault of the picture's. A thread for each: what one picture does to its
 * decoder, no other meets.
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
    // A decoder that gives up throws: the picture is none.
    worker.once('error', () => undefined)
    worker.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0 ? drawn : null)
    })
  })
}
