import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { filterOf, readClientsSearch, writeClientsSearch } from './clients-search.ts'

describe('the query string of the list of clients', () => {
  it('omits default values', () => {
    const search = readClientsSearch({ q: 'Borg', status: 'locked', sort: 'live_count', order: 'desc', page: '3' })
    assert.deepEqual(writeClientsSearch(search), {
      q: 'Borg',
      status: 'locked',
      sort: 'live_count',
      order: 'desc',
      page: 3,
    })
    assert.deepEqual(writeClientsSearch(readClientsSearch({})), {})
  })

  it('treats an invalid value as absent', () => {
    const odd = { q: {}, status: 'rich', sort: 'balance', order: 'up', page: '-1' }
    assert.deepEqual(readClientsSearch(odd), readClientsSearch({}))
    assert.deepEqual(filterOf(readClientsSearch({ q: '  ' })), { sort: 'name', order: 'asc' })
  })
})
