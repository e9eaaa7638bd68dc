import { type ErrorCode, errorCodes, type FieldErrors } from '@atrium/contract/error-codes.ts'
import { texts } from '@atrium/contract/texts.ts'

/**
 * `aborted`: it took too long; `unreachable`: no answer came at all. Neither says whether the server acted. `not_sent`: nothing
 * left this page, so nothing was done.
 */
export type FailureCode = ErrorCode | 'aborted' | 'unreachable' | 'not_sent'

type Failure = {
  code: FailureCode
  message: string
  fieldErrors?: FieldErrors
  status?: number
  isAnswered?: boolean
  retryAfterSeconds?: number | null
}

/** Everything that a call can end in other than its answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: FailureCode
  readonly fieldErrors: FieldErrors
  /** 0 when no answer came. */
  readonly status: number
  /** By a code that the server itself gave, not by a proxy's page in its place. */
  readonly isAnswered: boolean
  readonly retryAfterSeconds: number | null

  constructor(failure: Failure) {
    super(failure.message)
    this.code = failure.code
    this.fieldErrors = failure.fieldErrors ?? {}
    this.status = failure.status ?? 0
    this.isAnswered = failure.isAnswered ?? false
    this.retryAfterSeconds = failure.retryAfterSeconds ?? null
  }

  /** True when asking again may help without anything being changed first. */
  get isPassing(): boolean {
    return ['aborted', 'unreachable', 'not_sent', 'unavailable', 'fault', 'too_many_requests'].includes(this.code)
  }

  /** True when the server may have acted or not. What it refused by a code of its own, it did not do. */
  get isOutcomeUnknown(): boolean {
    return ['aborted', 'unreachable', 'fault'].includes(this.code) || (this.code === 'unavailable' && !this.isAnswered)
  }

  /** True when the connection broke, or a balancer spoke for a process that it had lost: nobody knows what was done. */
  get isLost(): boolean {
    return this.code === 'unreachable' || this.status === 502
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Messages by field; those of something inside a field stand under both names, with a dot between. */
function readFieldErrors(value: unknown): FieldErrors {
  if (!isRecord(value)) return {}
  const entries = Object.entries(value).flatMap(([field, messages]): [string, string[]][] => {
    if (isRecord(messages))
      return Object.entries(readFieldErrors(messages)).map(([inner, said]) => [`${field}.${inner}`, said])
    const said = (Array.isArray(messages) ? messages : [messages]).filter((message) => typeof message === 'string')
    return [[field, said]]
  })
  return Object.fromEntries(entries.filter(([, messages]) => messages.length > 0))
}

/** Answers that did not come from our server (a proxy's page, an empty body) still get a code that fits their status. */
function codeForStatus(status: number): ErrorCode {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'not_permitted'
  if (status === 404) return 'not_found'
  if (status === 409) return 'conflict'
  if (status === 413) return 'too_large'
  if (status === 415) return 'unsupported_type'
  if (status === 429) return 'too_many_requests'
  if (status === 502 || status === 503 || status === 504) return 'unavailable'
  return status >= 400 && status < 500 ? 'invalid_input' : 'fault'
}

/** `retry-after` as seconds: a number of them, or a date. */
export function readRetryAfter(header: string | null, nowMs = Date.now()): number | null {
  if (header === null || header.trim() === '') return null
  if (/^\d+$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000))
}

/** What is said of no field is the message once more. */
function withoutEcho({ form, ...fields }: FieldErrors, message: unknown): FieldErrors {
  const more = form?.filter((sentence) => sentence !== message) ?? []
  return more.length > 0 ? { ...fields, form: more } : fields
}

/** Reads an error answer of the one shape, and forgives whatever else a network may put in its place. */
export function readFailure(status: number, body: unknown, retryAfter: string | null): ApiError {
  const answer = isRecord(body) ? body : {}
  const known = errorCodes.find((code) => code === answer.code)
  return new ApiError({
    code: known ?? codeForStatus(status),
    message: typeof answer.error === 'string' && answer.error !== '' ? answer.error : texts.requestFailed,
    fieldErrors: withoutEcho(readFieldErrors(answer.errors), answer.error),
    status,
    isAnswered: known !== undefined,
    retryAfterSeconds: readRetryAfter(retryAfter),
  })
}

/** What fetch threw, as one of ours: our own time limit is the only thing that aborts. */
export function readThrown(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  const isTimeout = thrown instanceof DOMException && (thrown.name === 'TimeoutError' || thrown.name === 'AbortError')
  return new ApiError({ code: isTimeout ? 'aborted' : 'unreachable', message: texts.requestFailed })
}

export const isNotSent = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 'not_sent'

/** A change that was refused before anything left this page. */
export const notSent = (message: string): ApiError => new ApiError({ code: 'not_sent', message })
