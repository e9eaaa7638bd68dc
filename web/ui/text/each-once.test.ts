import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachOnce } from './each-once.ts'

test('offers a duplicate value once, with its first label', () => {
  const options = [
    { value: 'MT', label: 'Malta' },
    { value: 'CY', label: 'Cyprus' },
    { value: 'MT', label: 'Malta again' },
  ]
  assert.deepEqual(eachOnce(options), options.slice(0, 2))
  assert.deepEqual(eachOnce(['EUR', 'USD', 'EUR']), ['EUR', 'USD'])
})

test('removes duplicates across groups', () => {
  const groups = [
    { group: 'Coins', items: [{ value: 'BTC', label: 'Bitcoin' }] },
    { group: 'All', items: ['BTC', 'EUR', 'EUR'] },
  ]
  assert.deepEqual(eachOnce(groups), [groups[0], { group: 'All', items: ['EUR'] }])
})

test('keeps distinct values', () => {
  assert.deepEqual(eachOnce(['eur', 'EUR', '']), ['eur', 'EUR', ''])
})
