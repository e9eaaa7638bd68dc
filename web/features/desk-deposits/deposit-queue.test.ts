import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { transactionStates } from '@atrium/contract/funding/states.ts'
import {
  listInput,
  neighbour,
  nextAfterDecision,
  queueTabs,
  readQueueSearch,
  searchedText,
  toQueueSearch,
  viewOf,
  withDecision,
  withSearch,
} from './deposit-queue.ts'

describe('the queue in the address', () => {
  it('is the pending queue when nothing is said', () => {
    assert.deepEqual(readQueueSearch({}), {})
    assert.deepEqual(viewOf({}), { tab: 'pending', q: '', page: 1 })
  })

  it('goes out and comes back the same', () => {
    for (const tab of queueTabs)
      for (const q of ['', 'Ana', '1042', '007'])
        for (const page of [1, 2, 37]) {
          const view = { tab, q, page }
          assert.deepEqual(viewOf(readQueueSearch(toQueueSearch(view))), view)
        }
  })

  it('reads a number that the address was parsed into', () => {
    assert.deepEqual(readQueueSearch({ q: 1042, page: '3' }), { q: '1042', page: 3 })
  })

  const nonsense = [
    { state: 'stolen' },
    { page: 0 },
    { page: -1 },
    { page: 1.5 },
    { page: 'x' },
    { page: 1e9 },
    { q: {} },
  ]
  for (const search of nonsense)
    it(`leaves out ${JSON.stringify(search)}`, () => assert.deepEqual(readQueueSearch(search), {}))

  it('cuts a search to what the server takes', () => {
    assert.equal(readQueueSearch({ q: 'x'.repeat(300) }).q?.length, 100)
  })
})

describe('what is asked of the server', () => {
  it('works queues oldest first and reads histories newest first', () => {
    const order = (tab: (typeof queueTabs)[number]) => listInput({ tab, q: '', page: 1 }).order
    assert.deepEqual(queueTabs.map(order), ['oldest', 'oldest', 'oldest', 'newest', 'newest', 'newest'])
  })

  it('looks in every state once something is searched for, and keeps the days', () => {
    const pending = { tab: 'pending', q: '', page: 3, from: '2026-11-01' } as const
    const searched = withSearch(pending, '1,200.00')
    assert.deepEqual(searched, { tab: 'all', q: '1,200.00', page: 1, from: '2026-11-01' })
    assert.deepEqual(withSearch({ ...searched, tab: 'approved' }, '1,200').tab, 'approved')
    assert.deepEqual(readQueueSearch({ from: '2026-11-01', to: 'x' }), { from: '2026-11-01' })
    assert.deepEqual(listInput(searched), { q: '1,200.00', from: '2026-11-01', page: 1, limit: 25, order: 'newest' })
  })

  it('asks for every state under All', () => {
    assert.equal('state' in listInput({ tab: 'all', q: '', page: 1 }), false)
    for (const tab of queueTabs.slice(0, -1)) assert.ok(transactionStates.some((state) => state === tab))
  })

  const texts: [string, string][] = [
    ['T-1042', '1042'],
    [' t-1042 ', '1042'],
    ['#1042', '1042'],
    ['1042', '1042'],
    ['T-shirt', 'T-shirt'],
    ['  ', ''],
  ]
  for (const [typed, asked] of texts)
    it(`searches ${JSON.stringify(typed)} as ${JSON.stringify(asked)}`, () => assert.equal(searchedText(typed), asked))
})

describe('moving by keys', () => {
  const ids = ['a', 'b', 'c']
  it('goes down and up, and stays at the ends', () => {
    assert.equal(neighbour(ids, 'a', 1), 'b')
    assert.equal(neighbour(ids, 'c', 1), 'c')
    assert.equal(neighbour(ids, 'b', -1), 'a')
    assert.equal(neighbour(ids, 'a', -1), 'a')
  })
  it('starts at the near end when nothing is chosen', () => {
    assert.equal(neighbour(ids, undefined, 1), 'a')
    assert.equal(neighbour(ids, undefined, -1), 'c')
  })
  it('goes on from the place of one that has left the list', () => {
    assert.equal(neighbour(['a', 'c'], 'b', 1, 1), 'c')
    assert.equal(neighbour(['a', 'c'], 'b', -1, 1), 'a')
    assert.equal(neighbour(['a', 'b'], 'c', 1, 2), 'b')
  })
  it('has nowhere to go in an empty list', () => assert.equal(neighbour([], 'a', 1), undefined))
})

describe('after a decision', () => {
  it('comes the next, at the end the one before, at last nothing', () => {
    assert.equal(nextAfterDecision(['a', 'b', 'c'], 'b'), 'c')
    assert.equal(nextAfterDecision(['a', 'b', 'c'], 'c'), 'b')
    assert.equal(nextAfterDecision(['a'], 'a'), undefined)
    assert.equal(nextAfterDecision(['a', 'b'], 'gone'), 'a')
  })

  const row = (_id: string, state: 'pending' | 'crediting') => ({ _id, state })
  const page = { deposits: [row('a', 'pending'), row('b', 'pending')], total: 2, counts: { pending: 2, crediting: 0 } }

  it('leaves its queue and is counted where it went', () => {
    const after = withDecision(page, 'pending', row('a', 'crediting'))
    assert.deepEqual(after, { deposits: [row('b', 'pending')], total: 1, counts: { pending: 1, crediting: 1 } })
  })

  it('stays under All with its new state', () => {
    const after = withDecision(page, 'all', row('a', 'crediting'))
    assert.deepEqual(after.deposits, [row('a', 'crediting'), row('b', 'pending')])
    assert.equal(after.total, 2)
  })

  it('is counted once, however often it is told', () => {
    const once = withDecision(page, 'all', row('a', 'crediting'))
    assert.equal(withDecision(once, 'all', row('a', 'crediting')), once)
    assert.equal(withDecision(page, 'pending', row('z', 'crediting')), page)
  })
})
