import assert from 'node:assert/strict'
import { it } from 'node:test'
import { listInput, readDocumentSearch } from './document-search.ts'

it('an address says only what differs from the queue, and nothing that makes no sense', () => {
  const cases: [Record<string, unknown>, object][] = [
    [{}, {}],
    [{ state: 'in_verification', page: '1', q: '' }, {}],
    [
      { state: 'rejected', page: '3', q: 100042 },
      { state: 'rejected', page: 3, q: '100042' },
    ],
    [{ state: 'gone', page: '-2', q: { a: 1 } }, {}],
  ]
  for (const [search, read] of cases) assert.deepEqual(readDocumentSearch(search), read)
})

it('what waits is asked for oldest first, what was decided newest first', () => {
  assert.deepEqual(listInput({}), { state: 'in_verification', page: 1, limit: 25, order: 'oldest' })
  assert.deepEqual(listInput({ state: 'approved', q: 'x' }), {
    state: 'approved',
    q: 'x',
    page: 1,
    limit: 25,
    order: 'newest',
  })
  assert.deepEqual(listInput({ state: 'all' }), { page: 1, limit: 25, order: 'newest' })
})
