import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { filterInput, isFiltered, readMemberSearch, withFilter } from './member-search.ts'

describe('the address of the members', () => {
  it('keeps what makes sense and leaves out the rest', () => {
    assert.deepEqual(readMemberSearch({ q: 100417, status: 'locked', order: 'newest' }), {
      q: '100417',
      status: 'locked',
    })
    assert.deepEqual(readMemberSearch({ status: 'x', from: 'yesterday', after: '../..', order: {}, q: '' }), {})
    assert.equal(readMemberSearch({ q: 'x'.repeat(500) }).q?.length, 100)
  })

  it('begins at the first page with another filter', () => {
    assert.deepEqual(withFilter({ after: 'abc', status: 'locked' }, { q: 'mara' }), { status: 'locked', q: 'mara' })
    assert.deepEqual(withFilter({ status: 'locked' }, { status: undefined }), {})
  })

  it('knows a filter from an order and a page', () => {
    assert.equal(isFiltered({ order: 'name', after: 'abc' }), false)
    assert.equal(isFiltered({ accounts: 'live' }), true)
    assert.deepEqual(filterInput({ q: 'a', after: 'abc' }), { q: 'a' })
  })
})
