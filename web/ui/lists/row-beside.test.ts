import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowAfter, rowBeside } from './row-beside.ts'

const ids = ['a', 'b', 'c']

describe('moving by keys', () => {
  const from = (shownId: string | undefined, step: 1 | -1, of = ids, index = ids.indexOf(shownId ?? '')) =>
    rowBeside({ ids: of, shownId, index, step })
  it('goes down and up, and stays at the ends', () => {
    assert.deepEqual([from('a', 1), from('c', 1), from('b', -1), from('a', -1)], ['b', 'c', 'a', 'a'])
  })
  it('starts at the near end when nothing is shown', () => {
    assert.deepEqual([from(undefined, 1), from(undefined, -1)], ['a', 'c'])
  })
  it('goes on from the place of one that has left the list', () => {
    assert.deepEqual([from('b', 1, ['a', 'c'], 1), from('b', -1, ['a', 'c'], 1)], ['c', 'a'])
    assert.equal(from('c', 1, ['a', 'b'], 2), 'b')
  })
  it('has nowhere to go in an empty list', () => assert.equal(from('a', 1, [], 0), undefined))
})

describe('after a decision', () => {
  it('comes the next, at the end the one before, at last nothing, whether or not the row has left already', () => {
    const after = (shownId: string, index: number, of: string[]) => rowAfter({ ids: of, shownId, index })
    assert.deepEqual([after('b', 1, ids), after('b', 1, ['a', 'c'])], ['c', 'c'])
    assert.deepEqual([after('c', 2, ids), after('c', 2, ['a', 'b'])], ['b', 'b'])
    assert.deepEqual([after('a', 0, ['a']), after('a', 0, [])], [undefined, undefined])
  })
})
