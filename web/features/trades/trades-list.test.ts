import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedOf, countFilters, readListSearch } from '../../ui/lists/list-address.ts'
import { setReader } from '../../ui/text/format.ts'
import { toTradeFilter, tradesList } from './trades-list.ts'

test('the query string keeps filters, order and page, and omits the defaults', () => {
  const said = { symbol: 'EURUSD', side: 'buy', sort: 'profit', order: 'asc', page: '3', view: 'viewer' }
  const search = readListSearch(tradesList, said)
  assert.deepEqual(search, { symbol: 'EURUSD', side: 'buy', sort: 'profit', order: 'asc', page: 3 })
  assert.equal(countFilters(tradesList, search), 2)
  assert.deepEqual(readListSearch(tradesList, { sort: 'time', order: 'desc', page: '1' }), {})
  const { sort, order } = askedOf(tradesList, {})
  assert.deepEqual([sort, order], ['time', 'desc'])
})

test('an invalid value in the address counts as absent', () => {
  const odd = { sort: 'password', order: 'down', page: '-1', side: { a: 1 }, symbol: 'x'.repeat(65) }
  assert.deepEqual(readListSearch(tradesList, odd), {})
})

test('days are in the reader’s time zone, from the first second of one to the last of the other', () => {
  setReader({ language: 'en', timeZone: 'Europe/Athens' })
  const { from, to } = toTradeFilter({ from: '2026-11-20', to: '2026-11-20' })
  assert.deepEqual([from, to], [Date.UTC(2026, 10, 19, 22) / 1000, Date.UTC(2026, 10, 20, 22) / 1000 - 1])
  assert.deepEqual(toTradeFilter({ to: '2026-13-45' }), {})
})
