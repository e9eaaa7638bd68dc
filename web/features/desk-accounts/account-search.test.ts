import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFiltered, readAccountSearch, withFilter } from './account-search.ts'

test('the address of the accounts keeps what makes sense, and begins at the first page with another filter', () => {
  const odd = { q: 700123, access: 'full|disabled', kind: ['live'], order: 'up', platform: 'x', after: '../..' }
  assert.deepEqual(readAccountSearch(odd), { q: '700123' })
  assert.deepEqual(withFilter({ after: 'abc', kind: 'live' }, { access: 'read_only' }), {
    kind: 'live',
    access: 'read_only',
  })
  assert.deepEqual([isFiltered({ order: 'login', after: 'abc' }), isFiltered({ state: 'closed' })], [false, true])
})
