// spec: MP 8
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { ApiError, readFailure, readRetryAfter, toApiError } from './api-error.ts'

describe('reading an error answer', () => {
  it('keeps the code, message, field messages and retry delay', () => {
    const error = readFailure(
      422,
      {
        status: 'error',
        code: 'invalid_input',
        error: 'Look again.',
        errors: { amount: ['Too much.'], comment: 'Missing.' },
      },
      null,
    )
    assert.equal(error.code, 'invalid_input')
    assert.equal(error.message, 'Look again.')
    assert.deepEqual(error.fieldErrors, { amount: ['Too much.'], comment: ['Missing.'] })
    assert.equal(error.status, 422)
    assert.equal(error.isPassing, false)
  })

  it('keeps messages of nested fields and does not repeat the form message', () => {
    const errors = { form: ['Look again.'], iban: { length: ['Too short.'], country: 'Unknown.' } }
    const error = readFailure(422, { code: 'invalid_input', error: 'Look again.', errors }, null)
    assert.deepEqual(error.fieldErrors, { 'iban.length': ['Too short.'], 'iban.country': ['Unknown.'] })
  })

  it('reads the retry delay of a rate limit', () => {
    const error = readFailure(429, { code: 'too_many_requests', error: 'Wait.' }, '120')
    assert.equal(error.retryAfterSeconds, 120)
    assert.equal(error.isPassing, true)
  })

  for (const [status, code] of [
    [401, 'unauthenticated'],
    [403, 'not_permitted'],
    [404, 'not_found'],
    [413, 'too_large'],
    [418, 'invalid_input'],
    [429, 'too_many_requests'],
    [500, 'fault'],
    [502, 'unavailable'],
    [504, 'unavailable'],
  ] as const) {
    it(`maps a foreign page to ${code} by its status ${status}`, () => {
      const error = readFailure(status, '<html>', null)
      assert.equal(error.code, code)
      assert.equal(error.message, texts.requestFailed)
    })
  }

  it('ignores unknown codes and messages of another shape', () => {
    const error = readFailure(
      409,
      { code: 'made_up', error: 7, errors: { amount: [1, null], comment: { a: 7 } } },
      null,
    )
    assert.equal(error.code, 'conflict')
    assert.equal(error.message, texts.requestFailed)
    assert.deepEqual(error.fieldErrors, {})
  })

  it('reads retry-after as seconds or as a date', () => {
    assert.equal(readRetryAfter('5'), 5)
    assert.equal(readRetryAfter('Thu, 01 Jan 1970 00:01:00 GMT', 30_000), 30)
    assert.equal(readRetryAfter('Thu, 01 Jan 1970 00:00:00 GMT', 30_000), 0)
    assert.equal(readRetryAfter('soon'), null)
    assert.equal(readRetryAfter(null), null)
  })
})

describe('reading what fetch threw', () => {
  it('distinguishes a timeout from an unreachable server', () => {
    assert.equal(toApiError(new DOMException('late', 'TimeoutError')).code, 'aborted')
    assert.equal(toApiError(new TypeError('fetch failed')).code, 'unreachable')
    assert.equal(toApiError(new TypeError('fetch failed')).message, texts.requestFailed)
  })

  it('returns an ApiError unchanged', () => {
    const error = new ApiError({ code: 'conflict', message: 'Twice.' })
    assert.equal(toApiError(error), error)
  })
})
