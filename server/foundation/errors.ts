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
 * An expected no: wrong input, not permitted, not there, already decided. It ends the unit of work it is thrown in
 * (nothing of it is stored) and becomes an honest 4xx with a stable code. Anything else that is thrown is a fault.
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

/** What a unit of work stands on is out of reach for now (a disk that is full, a storage that does not answer): come again. */
export class Unavailable extends Error {
  constructor(what: string, cause?: unknown) {
    super(what, { cause })
  }
}

export function refuse(code: ErrorCode, sentence: string, details?: RefusalDetails): never {
  throw new Refusal(code, sentence, details)
}

/** Wrong fields, each with its sentence. The first one is also the answer's own sentence. */
export function refuseFields(errors: FieldErrors): never {
  const first = Object.values(errors).flat()[0] ?? 'Please fill all required fields.'
  throw new Refusal('invalid_input', first, { errors })
}

/** Unknown and somebody else's look the same from outside, to the byte. */
export function refuseNotFound(): never {
  throw new Refusal('not_found', 'There is nothing here.')
}

/** A state that cannot be. Loud, because going on would make it worse. */
export function assertState(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Impossible state: ${what}`)
}

/** Messages under the top-level field that they belong to: what a form can show. */
export function errorsByField(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors = new Map<string, string[]>()
  for (const issue of issues) {
    const field = String(issue.path[0] ?? 'form')
    errors.set(field, [...new Set([...(errors.get(field) ?? []), issue.message])])
  }
  return Object.fromEntries(errors)
}
