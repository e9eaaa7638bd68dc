import type { CallAnswer } from '@atrium/contract/call.ts'
import {
  finishUpload,
  inPartsOverBytes,
  type UploadPurpose,
  uploadFile,
  uploadImage,
  uploadVideo,
} from '@atrium/contract/files/calls.ts'
import { firstPartBytes, makePartSizer } from '@atrium/contract/files/part-size.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import type { Upload } from 'tus-js-client'
import { apiOrigin } from './address.ts'
import { ApiError, readFailure, toApiError } from './api-error.ts'
import { authorization, call, noteFailure } from './transport.ts'
import { upload } from './upload.ts'

export type Media = CallAnswer<typeof finishUpload>['file']

export type SendOptions = {
  purpose: Exclude<UploadPurpose, 'download'>
  signal: AbortSignal
  /** A share from 0 to 1. */
  onProgress: (share: number) => void
}

/** Pauses before a part is retried; after a longer outage the user presses "Go on". */
const retryDelaysMs = [500, 1_000, 3_000, 5_000, 10_000, 20_000]
const retryDelaySecondsMax = 20

/**
 * Uploads a file, a larger one in resumable parts, and returns the result. The `resumeAt` of a thrown error lets a
 * second attempt with the same file continue.
 */
export async function sendFile(file: File, options: SendOptions, resumeAt?: string): Promise<Media> {
  if (file.size <= inPartsOverBytes) return goingOn(null, () => sendWhole(file, options))
  const url = await sendParts(file, options, resumeAt)
  const upload = url.slice(url.lastIndexOf('/') + 1)
  return goingOn(url, async () => (await call(finishUpload, { upload })).file)
}

async function goingOn<Result>(resumeAt: string | null, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (problem) {
    throw problem instanceof ApiError && isNetworkFailure(problem) ? new BrokenUpload(problem, resumeAt) : problem
  }
}

/** True when a retry may help. A rate limit with a long wait is shown to the user instead of being retried. */
function isNetworkFailure({ isPassing, code, retryAfterSeconds }: ApiError): boolean {
  return isPassing && (code !== 'too_many_requests' || (retryAfterSeconds ?? 0) <= retryDelaySecondsMax)
}

/** The connection was lost for longer than the retries; the server keeps the received parts for a day. */
export class BrokenUpload extends ApiError {
  readonly resumeAt: string | null

  constructor({ code, message, status }: ApiError, resumeAt: string | null) {
    const isCut = code === 'unreachable' || code === 'aborted'
    super({ code, message: isCut && resumeAt !== null ? fileTexts.uploadBroken : message, status })
    this.resumeAt = resumeAt
  }
}

async function sendWhole(file: File, options: SendOptions): Promise<Media> {
  if (options.purpose === 'video') return (await upload(uploadVideo, file, options)).video
  if (/\.(png|jpe?g)$/i.test(file.name)) return (await upload(uploadImage, file, options)).image
  return (await upload(uploadFile, file, options)).file
}

/** Returns the URL of the completed upload. */
async function sendParts(file: File, options: SendOptions, resumeAt?: string): Promise<string> {
  // Loads the library with the first large file.
  const tus = await import('tus-js-client').catch((problem) => {
    throw new BrokenUpload(toApiError(problem), resumeAt ?? null)
  })
  if (options.signal.aborted) throw cancelled()
  const settled = new AbortController()
  return new Promise<string>((resolve, reject) => {
    const sizer = makePartSizer(() => performance.now())
    const sending: Upload = new tus.Upload(file, {
      endpoint: `${apiOrigin()}/media/uploads`,
      ...(resumeAt && { uploadUrl: resumeAt }),
      chunkSize: firstPartBytes,
      retryDelays: retryDelaysMs,
      metadata: { filename: file.name, purpose: options.purpose },
      storeFingerprintForResuming: false,
      onBeforeRequest: (request) => {
        if (request.getMethod() === 'PATCH') sizer.partSent()
        for (const [name, value] of Object.entries(authorization())) request.setHeader(name, value)
        ;(request.getUnderlyingObject() as XMLHttpRequest).withCredentials = true
      },
      // The library reads the size before each part.
      onChunkComplete: (sizeBytes) => {
        sending.options.chunkSize = sizer.partArrived(sizeBytes)
      },
      onShouldRetry: (problem) => {
        const isTooLarge = problem.originalResponse?.getStatus() === 413
        const sizeBytes = isTooLarge ? sizer.partTooLarge() : sizer.partFailed()
        if (sizeBytes !== null) sending.options.chunkSize = sizeBytes
        return isTooLarge ? sizeBytes !== null : mayRetry(problem.originalResponse)
      },
      onProgress: (sent, total) => options.onProgress(sent / total),
      onSuccess: () => (sending.url ? resolve(sending.url) : reject(toApiError(new Error('No address')))),
      onError: (problem) => reject(readProblem(problem, sending)),
    })
    const giveUp = () => {
      // Also deletes the received parts; if that fails, the server removes them after a day.
      sending.abort(true).catch(() => undefined)
      reject(cancelled())
    }
    options.signal.addEventListener('abort', giveUp, { signal: settled.signal })
    sending.start()
  }).finally(() => settled.abort())
}

const cancelled = () => toApiError(new DOMException('Cancelled', 'AbortError'))

/** Retries a part that another attempt already delivered (409); does not retry a refused part. */
function mayRetry(response: Responded | null): boolean {
  const status = response?.getStatus() ?? 0
  if (status === 429) return Number(response?.getHeader('retry-after') ?? 0) <= retryDelaySecondsMax
  return status === 0 || status === 409 || status >= 500
}

function readProblem(problem: Error, sending: Upload): ApiError {
  const response = 'originalResponse' in problem ? (problem.originalResponse as Responded | null) : null
  if (!response) return new BrokenUpload(toApiError(new TypeError(problem.message)), sending.url)
  const failure = readFailure(
    response.getStatus(),
    readJson(response.getBody()),
    response.getHeader('retry-after') ?? null,
  )
  noteFailure(failure)
  return isNetworkFailure(failure) ? new BrokenUpload(failure, sending.url) : failure
}

type Responded = { getStatus(): number; getBody(): string; getHeader(name: string): string | undefined }

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
