import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setReader } from '../../ui/text/format.ts'
import { countTradeFilters, readTradesSearch, toTradesVariables, writeTradesSearch } from './trades-search.ts'

test('the query string survives a round trip', () => {
  const search = readTradesSearch({
    symbol: 'EURUSD',
    side: 'buy',
    sort: 'profit',
    order: 'asc',
    page: '3',
    view: 'viewer',
  })
  assert.deepEqual(writeTradesSearch(search), {
    tab: 'trading',
    symbol: 'EURUSD',
    side: 'buy',
    sort: 'profit',
    order: 'asc',
    page: 3,
    view: 'viewer',
  })
  assert.equal(countTradeFilters(search), 2)
})

test('an invalid value in the address counts as absent', () => {
  const search = readTradesSearch({ sort: 'password', order: 'down', page: '-1', view: 'x', side: { a: 1 } })
  assert.deepEqual(writeTradesSearch(search), { tab: 'trading' })
})

test('days are in the reader’s time zone, from the first second of one to the last of the other', () => {
  setReader({ language: 'en', timeZone: 'Europe/Athens' })
  const variables = toTradesVariables('a', readTradesSearch({ from: '2026-11-20', to: '2026-11-20' }))
  assert.deepEqual(
    [variables.from, variables.to],
    [Date.UTC(2026, 10, 19, 22) / 1000, Date.UTC(2026, 10, 20, 22) / 1000 - 1],
  )
  const odd = toTradesVariables('a', readTradesSearch({ from: 'yesterday', to: '2026-13-45', side: 'up' }))
  assert.deepEqual([odd.from, odd.to, odd.side], [undefined, undefined, undefined])
})
