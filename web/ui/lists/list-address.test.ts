import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { choice, choiceOr, day, declareList, id, order, search, text } from '@atrium/contract/list.ts'
import { filtersOf, isFiltered, readListSearch, withFilter } from './list-address.ts'

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

describe('the address of a list', () => {
  it('keeps what makes sense and leaves out the rest', () => {
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
    const said = { state: 'kept', kind: 'demo', from: '2026-11-01', action: 'a.b', after: 'abc' }
    assert.deepEqual(readListSearch(list, said), said)
  })

  it('says nothing of what holds anyway', () => {
    assert.deepEqual(readListSearch(list, { state: 'open', order: 'newest' }), {})
    assert.deepEqual(withFilter(list, { state: 'kept' }, { state: 'open' }), {})
  })

  it('begins at the first page with another filter', () => {
    assert.deepEqual(withFilter(list, { after: 'abc', state: 'kept' }, { kind: 'live' }), {
      state: 'kept',
      kind: 'live',
    })
    assert.deepEqual(withFilter(list, { kind: 'live' }, { kind: null }), {})
    assert.deepEqual(filtersOf(list, { q: 'mara', before: 'abc' }), { q: 'mara' })
  })

  it('tells a filter from an order and a page', () => {
    assert.deepEqual([isFiltered(list, { order: 'oldest', after: 'abc' }), isFiltered(list, { q: 'x' })], [false, true])
  })
})
