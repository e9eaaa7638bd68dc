import assert from 'node:assert/strict'
import { it } from 'node:test'
import { declareList } from '@atrium/contract/list.ts'
import { onlineManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { listQuery, numberedPage, pageOfAll } from './list-query.ts'

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

it('the rows of one page stay while another one loads, but not for as long as the connection is lost', async () => {
  const list = declareList({ name: 'things', isNumbered: true, filters: {} })
  const source = {
    list,
    key: 'things',
    ask: ({ page }: { page?: number | undefined }) =>
      page === undefined ? Promise.resolve(numberedPage(['first'])) : new Promise<never>(() => undefined),
  }
  const client = new QueryClient()
  const observer = new QueryObserver(client, listQuery(source, {}))
  const stop = observer.subscribe(() => undefined)
  await client.fetchQuery(listQuery(source, {}))
  const rowsOf = (page: number) => {
    observer.setOptions(listQuery(source, { page }))
    const { data } = observer.getCurrentResult()
    observer.setOptions(listQuery(source, {}))
    return data?.rows
  }
  assert.deepEqual(rowsOf(2), ['first'])
  onlineManager.setOnline(false)
  assert.equal(rowsOf(3), undefined)
  onlineManager.setOnline(true)
  stop()
  client.clear()
})
