import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countFilters, readRequestsSearch, writeRequestsSearch } from './requests-search.ts'

const start = { tab: 'requests', id: undefined, q: '', status: '', day: '', page: 1 }

describe('the address of requests', () => {
  it('is read as it was written', () => {
    const search = { tab: 'history', id: undefined, q: 'address', status: 'open', day: '2026-11-22', page: 3 } as const
    const written = writeRequestsSearch(search)
    assert.deepEqual(readRequestsSearch(written), search)
    assert.equal(countFilters(search), 3)
  })

  it('says nothing of what is so anyway', () => {
    assert.deepEqual(writeRequestsSearch(readRequestsSearch({})), {})
  })

  it('leaves out what makes no sense', () => {
    const odd = { tab: 'all', id: '1', status: 'lost', day: 'today', page: '-1', q: 'a'.repeat(500) }
    assert.deepEqual(readRequestsSearch(odd), start)
  })
})
