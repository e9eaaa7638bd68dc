import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daysList } from '@atrium/contract/reconciliation/desk-list.ts'
import { readListSearch, withFilter } from '../../ui/lists/list-address.ts'
import { grossOf, largestOf } from './reconciliation-sums.ts'

describe('the URL of the reconciliation', () => {
  it('keeps valid filters and drops the others', () => {
    const asked = { from: '2026-11-01', currency: 'USD', method: 'psp:zotapay', only: 'differences' }
    assert.deepEqual(readListSearch(daysList, { ...asked, to: 'today', page: '2' }), asked)
    assert.deepEqual(readListSearch(daysList, { currency: '<b>', method: '../..', only: 'all' }), {})
    assert.deepEqual(withFilter(daysList, { only: 'differences', currency: 'USD' }, { only: null }), {
      currency: 'USD',
    })
  })
})

describe('the turnover of a day', () => {
  const sum = { method: 'manual', provider: null }
  it('adds deposits and withdrawals per side and currency', () => {
    const sums = [
      { ...sum, currency: 'USD', type: 'deposit' as const, portal: '100.10', platform: '100.10' },
      { ...sum, currency: 'USD', type: 'withdrawal' as const, portal: '-50.05', platform: '-50.00' },
      { ...sum, currency: 'JPY', type: 'deposit' as const, portal: '7', provider: '7', platform: null },
    ]
    assert.deepEqual(grossOf(sums), [
      { currency: 'USD', portal: '150.15', provider: null, platform: '150.1' },
      { currency: 'JPY', portal: '7', provider: '7', platform: null },
    ])
    const smaller = { sums: [{ ...sum, currency: 'USD', type: 'deposit' as const, portal: '1', platform: '2' }] }
    assert.deepEqual(
      [...largestOf([smaller, { sums }])],
      [
        ['USD', 150.15],
        ['JPY', 7],
      ],
    )
  })
})
