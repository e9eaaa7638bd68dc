import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { depositsList } from '@atrium/contract/funding/desk-list.ts'
import { choice, choiceOr, day, declareList, id, order, search, text } from '@atrium/contract/list.ts'
import { askedOf, countFilters, filtersOf, readListSearch, withFilter, withoutFilters } from './list-address.ts'

const list = declareList({
  name: 'things',
  filters: {
    q: search,
    state: choiceOr(['open', 'kept'], 'open'),
    kind: choice(['live', 'demo']),
    platform: id,
    from: day,
    action: text(/^[a-z.]+$/, 10),
    order: order(['newest', 'oldest'], 'newest'),
  },
})

describe('the query string of a list', () => {
  it('keeps valid values and omits the rest', () => {
    const odd = {
      q: 100417,
      kind: ['live'],
      state: 'open|kept',
      platform: 'x',
      from: '1',
      action: '../',
      after: '../..',
    }
    assert.deepEqual(readListSearch(list, odd), { q: '100417' })
    assert.deepEqual(readListSearch(list, { q: 'x'.repeat(101), action: 'a'.repeat(11), page: '2', before: '*' }), {})
    // No such day: the server would refuse the whole list.
    assert.deepEqual(readListSearch(list, { from: '2026-02-31' }), {})
    const said = { state: 'kept', kind: 'demo', from: '2026-11-01', action: 'a.b', after: 'abc' }
    assert.deepEqual(readListSearch(list, said), said)
  })

  it('omits default values', () => {
    assert.deepEqual(readListSearch(list, { state: 'open', order: 'newest' }), {})
    assert.deepEqual(withFilter(list, { state: 'kept' }, { state: 'open' }), {})
  })

  it('returns to the first page when a filter changes', () => {
    assert.deepEqual(withFilter(list, { after: 'abc', state: 'kept' }, { kind: 'live' }), {
      state: 'kept',
      kind: 'live',
    })
    assert.deepEqual(withFilter(list, { kind: 'live' }, { kind: null }), {})
    assert.deepEqual(filtersOf(list, { q: 'mara', before: 'abc' }), { q: 'mara' })
  })

  it('distinguishes filters from order and page', () => {
    assert.equal(countFilters(list, { order: 'oldest', after: 'abc' }), 0)
    const said = { q: 'x', state: 'kept', order: 'oldest', before: 'abc' } as const
    assert.deepEqual([countFilters(list, said), countFilters(list, said, 'state')], [2, 1])
    assert.deepEqual(withoutFilters(list, said), { order: 'oldest' })
    assert.deepEqual(withoutFilters(list, said, 'state'), { state: 'kept', order: 'oldest' })
  })
})

describe('a queue with numbered pages', () => {
  it('omits initial values from the URL, and writes `all` where the call has no value', () => {
    assert.deepEqual(readListSearch(depositsList, { state: 'pending', order: 'oldest', page: '1' }), {})
    assert.deepEqual(askedOf(depositsList, {}), { state: 'pending', order: 'oldest' })
    const all = readListSearch(depositsList, { state: 'all', page: '3', after: 'x' })
    assert.deepEqual(all, { state: 'all', page: 3 })
    assert.deepEqual(askedOf(depositsList, all), { state: undefined, order: 'newest', page: 3 })
  })

  it('drops invalid values', () => {
    for (const odd of [
      { state: 'stolen' },
      { page: '0' },
      { page: '1.5' },
      { page: 1e9 },
      { from: 'x' },
      { order: 'all' },
    ])
      assert.deepEqual(readListSearch(depositsList, odd), {}, JSON.stringify(odd))
  })

  it('searches every state on a new search, and preserves the days', () => {
    const searched = withFilter(depositsList, { from: '2026-11-01', page: 2 }, { q: '1,200.00' })
    assert.deepEqual(searched, { state: 'all', q: '1,200.00', from: '2026-11-01' })
    assert.deepEqual(withFilter(depositsList, { ...searched, state: 'approved' }, { q: '1,200' }).state, 'approved')
  })
})
