import { type ErrorCode, errorCodes, type FieldErrors } from '@atrium/contract/error-codes.ts'
import { texts } from '@atrium/contract/texts.ts'

/**
 * With `aborted` (the request timed out) and `unreachable` (no answer came) the outcome is unknown; a request that is
 * `not_sent` never left this page.
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

/** Any failure of a call. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: FailureCode
  readonly fieldErrors: FieldErrors
  /** 0 without an answer. */
  readonly status: number
  /** True when our server sent the error code; false for a page from a proxy. */
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

  /** True when a retry without changes may succeed. */
  get isPassing(): boolean {
    return ['aborted', 'unreachable', 'not_sent', 'unavailable', 'fault', 'too_many_requests'].includes(this.code)
  }

  /** True when the server may have acted. A refusal with one of its own codes means that it did not. */
  get isOutcomeUnknown(): boolean {
    return ['aborted', 'unreachable', 'fault'].includes(this.code) || (this.code === 'unavailable' && !this.isAnswered)
  }

  /** True when the connection broke or a load balancer answered for a dead process: the outcome is unknown. */
  get isLost(): boolean {
    return this.code === 'unreachable' || this.status === 502
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Messages by field; messages of a nested field appear under both its dotted names. */
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

/** Maps the status of an answer without one of our codes (a proxy's page, an empty body). */
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

/** `retry-after` in seconds, from either a number of seconds or a date. */
export function readRetryAfter(header: string | null, nowMs = Date.now()): number | null {
  if (header === null || header.trim() === '') return null
  if (/^\d+$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000))
}

/** Drops the `form` message when it repeats the main message. */
function withoutEcho({ form, ...fields }: FieldErrors, message: unknown): FieldErrors {
  const more = form?.filter((sentence) => sentence !== message) ?? []
  return more.length > 0 ? { ...fields, form: more } : fields
}

/** Reads an error answer and tolerates any other body, such as a proxy's page. */
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

/** Converts what fetch threw to an ApiError; only our own timeout aborts a request. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  const isTimeout = thrown instanceof DOMException && (thrown.name === 'TimeoutError' || thrown.name === 'AbortError')
  return new ApiError({ code: isTimeout ? 'aborted' : 'unreachable', message: texts.requestFailed })
}

/** True when somebody else saved first: nothing was overwritten. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict'

export const isNotSent = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 'not_sent'

/** A change that was refused before it was sent. */
export const notSent = (message: string): ApiError => new ApiError({ code: 'not_sent', message })
