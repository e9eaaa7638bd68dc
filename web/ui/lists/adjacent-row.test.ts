import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adjacentRow, rowAfter } from './adjacent-row.ts'

const ids = ['a', 'b', 'c']

describe('keyboard navigation', () => {
  const from = (shownId: string | undefined, step: 1 | -1, of = ids, index = ids.indexOf(shownId ?? '')) =>
    adjacentRow({ ids: of, shownId, index, step })
  it('moves down and up, and stops at the ends', () => {
    assert.deepEqual([from('a', 1), from('c', 1), from('b', -1), from('a', -1)], ['b', 'c', 'a', 'a'])
  })
  it('starts at the near end when no row is selected', () => {
    assert.deepEqual([from(undefined, 1), from(undefined, -1)], ['a', 'c'])
  })
  it('continues from the position of a row that has left the list', () => {
    assert.deepEqual([from('b', 1, ['a', 'c'], 1), from('b', -1, ['a', 'c'], 1)], ['c', 'a'])
    assert.equal(from('c', 1, ['a', 'b'], 2), 'b')
  })
  it('returns undefined for an empty list', () => assert.equal(from('a', 1, [], 0), undefined))
})

describe('after a decision', () => {
  it('selects the next row, the previous one at the end, or none, whether or not the row has already left the list', () => {
    const after = (shownId: string, index: number, of: string[]) => rowAfter({ ids: of, shownId, index })
    assert.deepEqual([after('b', 1, ids), after('b', 1, ['a', 'c'])], ['c', 'c'])
    assert.deepEqual([after('c', 2, ids), after('c', 2, ['a', 'b'])], ['b', 'b'])
    assert.deepEqual([after('a', 0, ['a']), after('a', 0, [])], [undefined, undefined])
  })
})
