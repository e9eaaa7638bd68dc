// spec: AO 2.5, AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pageCount, pageLinks, shownRange } from './pager.ts'

describe('the links of a pager', () => {
  for (const [page, pages, links] of [
    [1, 1, '1'],
    [2, 3, '1 2 3'],
    [1, 5, '1 2 3 4 5'],
    [1, 6, '1 2 3 4 5 6'],
    [1, 9, '1 2 3 4 5 gap 9'],
    [4, 9, '1 2 3 4 5 6 gap 9'],
    [5, 9, '1 gap 3 4 5 6 7 gap 9'],
    [9, 9, '1 gap 5 6 7 8 9'],
    [500, 1000, '1 gap 498 499 500 501 502 gap 1000'],
  ] as const)
    it(`links page ${page} of ${pages}`, () => assert.equal(pageLinks(page, pages, 5).join(' '), links))
})

describe('the range of a page', () => {
  it('counts pages', () => {
    assert.equal(pageCount(0, 15), 1)
    assert.equal(pageCount(15, 15), 1)
    assert.equal(pageCount(16, 15), 2)
  })

  it('returns its first and last entry', () => {
    assert.deepEqual(shownRange(1, 15, 0), { from: 0, to: 0 })
    assert.deepEqual(shownRange(1, 15, 7), { from: 1, to: 7 })
    assert.deepEqual(shownRange(2, 15, 31), { from: 16, to: 30 })
    assert.deepEqual(shownRange(3, 15, 31), { from: 31, to: 31 })
    assert.deepEqual(shownRange(4, 15, 31), { from: 0, to: 0 })
  })
})
