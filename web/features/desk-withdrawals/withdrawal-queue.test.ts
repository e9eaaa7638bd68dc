import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSearch } from '../desk-deposits/deposit-queue.ts'
import { readWithdrawalSearch, rowBeside, toListInput, toSearch, viewOfSearch } from './withdrawal-queue.ts'

test('an address without sense is the first page of what is pending', () => {
  for (const search of [{}, { state: 'gone', page: -1, q: {} }, { page: '1e9' }])
    assert.deepEqual(viewOfSearch(readWithdrawalSearch(search)), { tab: 'pending', q: '', page: 1 })
})

test('what the address says comes back from it', () => {
  const view = { tab: 'paying', q: 'Mara', page: 3 } as const
  assert.deepEqual(viewOfSearch(readWithdrawalSearch(toSearch(view))), view)
})

test('queues are asked oldest first, histories newest first, tickets by their number', () => {
  assert.deepEqual(toListInput({ tab: 'paying', q: 'T-1042', page: 1 }), {
    state: 'paying',
    q: '1042',
    page: 1,
    limit: 25,
    order: 'oldest',
  })
  assert.deepEqual(toListInput({ tab: 'all', q: '', page: 2 }), { page: 2, limit: 25, order: 'newest' })
})

test('a search looks in every state, within the chosen days', () => {
  const view = { tab: 'pending', q: '', page: 2, to: '2026-11-30' } as const
  assert.deepEqual(withSearch(view, 'SEPA-9'), { tab: 'all', q: 'SEPA-9', page: 1, to: '2026-11-30' })
  assert.deepEqual(toListInput(view).to, '2026-11-30')
  assert.deepEqual(viewOfSearch(readWithdrawalSearch(toSearch(view))), view)
})

test('goes to the row beside, and stays at the ends', () => {
  const ids = ['a', 'b', 'c']
  assert.deepEqual(
    [rowBeside(ids, 'b', 1), rowBeside(ids, 'c', 1), rowBeside(ids, 'a', -1), rowBeside(ids, undefined, 1)],
    ['c', 'c', 'a', 'a'],
  )
  assert.deepEqual([rowBeside([], 'a', 1), rowBeside(ids, 'gone', -1)], [undefined, 'c'])
})
