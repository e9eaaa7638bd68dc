import {
  type ErrorAnswer,
  type ErrorCode,
  type FieldErrors,
  httpStatusOf,
  type TermsAsked,
} from '@atrium/contract/error-codes.ts'
import type { z } from 'zod'

type RefusalDetails = { errors?: FieldErrors; retryAfterSeconds?: number; terms?: readonly TermsAsked[] }

/**
 * An expected refusal (invalid input, not permitted, not found, already decided): rolls back its unit of work and
 * becomes a 4xx response with a stable code. Any other error is a fault.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly details: RefusalDetails

  constructor(code: ErrorCode, sentence: string, details: RefusalDetails = {}) {
    super(sentence)
    this.code = code
    this.details = details
  }

  get httpStatus(): number {
    return httpStatusOf[this.code]
  }

  answer(requestId: string): ErrorAnswer {
    const { errors = { form: [this.message] }, terms } = this.details
    const more = terms && { terms }
    return { status: 'error', code: this.code, error: this.message, errors, ...more, request_id: requestId }
  }
}

/** A resource is unavailable for now (disk full, storage not answering): the client may retry. */
export class Unavailable extends Error {
  constructor(what: string, cause?: unknown) {
    super(what, { cause })
  }
}

export function refuse(code: ErrorCode, sentence: string, details?: RefusalDetails): never {
  throw new Refusal(code, sentence, details)
}

/** Field errors, each with its message. The first is also the message of the response. */
export function refuseFields(errors: FieldErrors): never {
  const first = Object.values(errors).flat()[0] ?? 'Please fill all required fields.'
  throw new Refusal('invalid_input', first, { errors })
}

/** Unknown ids and those of others get byte-identical responses. */
export function refuseNotFound(): never {
  throw new Refusal('not_found', 'There is nothing here.')
}

/** An impossible state. Throws, because continuing would make it worse. */
export function assertState(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Impossible state: ${what}`)
}

/** Messages grouped by top-level field, as forms show them. */
export function errorsByField(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors = new Map<string, string[]>()
  for (const issue of issues) {
    const field = String(issue.path[0] ?? 'form')
    errors.set(field, [...new Set([...(errors.get(field) ?? []), issue.message])])
  }
  return Object.fromEntries(errors)
}
