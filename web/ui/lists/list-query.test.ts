import assert from 'node:assert/strict'
import { it } from 'node:test'
import { declareList } from '@atrium/contract/list.ts'
import { numberedPage, pageOfAll } from './list-query.ts'

it('a list that comes whole has pages of the declared size', () => {
  const list = declareList({ name: 'things', isNumbered: true, pageSize: 2, filters: {} })
  const pageOf = (page?: number) => pageOfAll(['a', 'b', 'c'], list, page)
  assert.deepEqual(
    [pageOf(), pageOf(2), pageOf(3)].map(({ rows, total }) => [rows, total]),
    [
      [['a', 'b'], 3],
      [['c'], 3],
      [[], 3],
    ],
  )
})

it('a page without a count has as many rows as it shows', () => {
  assert.deepEqual([numberedPage(['a'], undefined).total, numberedPage(['a'], 7).total], [1, 7])
})
