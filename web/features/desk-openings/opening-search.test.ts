// spec: DK accounts
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { filtersOf, readOpeningSearch, withFilter } from './opening-search.ts'

describe('the address of the openings', () => {
  it('keeps what makes sense and leaves out the rest', () => {
    assert.deepEqual(readOpeningSearch({ q: 100417, state: 'unknown', kind: 'demo', page: '2' }), {
      q: '100417',
      state: 'unknown',
      kind: 'demo',
    })
    assert.deepEqual(
      readOpeningSearch({ state: 'unknown|done', kind: [], platform: 'x', after: '../..', q: 'x'.repeat(101) }),
      {},
    )
  })

  it('begins at the first page with another filter', () => {
    assert.deepEqual(withFilter({ after: 'abc', state: 'done' }, { kind: 'live' }), { state: 'done', kind: 'live' })
    assert.deepEqual(withFilter({ state: 'done' }, { state: null }), {})
    assert.deepEqual(filtersOf({ q: 'mara', before: 'abc' }), { q: 'mara' })
  })
})
