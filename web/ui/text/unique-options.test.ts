import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uniqueOptions } from './unique-options.ts'

test('offers a duplicate value once, with its first label', () => {
  const options = [
    { value: 'MT', label: 'Malta' },
    { value: 'CY', label: 'Cyprus' },
    { value: 'MT', label: 'Malta again' },
  ]
  assert.deepEqual(uniqueOptions(options), options.slice(0, 2))
  assert.deepEqual(uniqueOptions(['EUR', 'USD', 'EUR']), ['EUR', 'USD'])
})

test('removes duplicates across groups', () => {
  const groups = [
    { group: 'Coins', items: [{ value: 'BTC', label: 'Bitcoin' }] },
    { group: 'All', items: ['BTC', 'EUR', 'EUR'] },
  ]
  assert.deepEqual(uniqueOptions(groups), [groups[0], { group: 'All', items: ['EUR'] }])
})

test('keeps distinct values', () => {
  assert.deepEqual(uniqueOptions(['eur', 'EUR', '']), ['eur', 'EUR', ''])
})
