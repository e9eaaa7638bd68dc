// spec: DK accounts
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readDifferenceSearch, withFilter } from './difference-search.ts'

describe('the address of the differences', () => {
  it('keeps what makes sense; what waits for a decision needs no word', () => {
    assert.deepEqual(readDifferenceSearch({ state: 'kept', kind: 'gone', platform: 'x' }), {
      state: 'kept',
      kind: 'gone',
    })
    assert.deepEqual(readDifferenceSearch({ state: 'open', kind: 'kept', before: '*' }), {})
  })

  it('begins at the first page with another filter', () => {
    assert.deepEqual(withFilter({ after: 'abc', state: 'kept' }, { kind: 'gone' }), { state: 'kept', kind: 'gone' })
    assert.deepEqual(withFilter({ state: 'kept' }, { state: 'open' }), {})
  })
})
