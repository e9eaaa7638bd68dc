// spec: MP 8
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../api/api-error.ts'
import { warningsOf } from './reset-warnings.ts'

describe('the warnings of a refused reset', () => {
  it('show one warning per key, with all of its messages', () => {
    const fieldErrors = { code: ['Used.'], password: ['Too short.', 'No digit.'] }
    const error = new ApiError({ code: 'invalid_input', message: 'Please look again.', fieldErrors })
    assert.deepEqual(warningsOf(error), ['Used.', 'Too short. No digit.'])
  })

  it('show the message of an answer without keys, and of a request without an answer', () => {
    assert.deepEqual(warningsOf(new ApiError({ code: 'unreachable', message: 'Not there.' })), ['Not there.'])
    assert.deepEqual(warningsOf(new Error('Broken.')), ['Broken.'])
  })
})
