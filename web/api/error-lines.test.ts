// spec: AO 8
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { errorLines } from './error-lines.ts'

describe('the lines of an error map', () => {
  it('lists each translated message and prefixes nested ones with their field', () => {
    const errors = { amount: ['Too much.', 'Too late.'], 'files.0': ['Unknown.'], destination: [] }
    assert.deepEqual(
      errorLines(errors, (text) => text.toUpperCase()),
      ['TOO MUCH.', 'TOO LATE.', 'Files UNKNOWN.'],
    )
  })
})
