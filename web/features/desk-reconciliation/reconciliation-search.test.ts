import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readReconciliationSearch, withFilter } from './reconciliation-search.ts'
import { grossOf, readReconciliationDay } from './reconciliation-sums.ts'

describe('the URL of the reconciliation', () => {
  it('keeps valid filters and drops the others', () => {
    const asked = { from: '2026-11-01', currency: 'USD', method: 'psp:zotapay', only: 'differences' }
    assert.deepEqual(readReconciliationSearch({ ...asked, to: 'today', page: '2' }), asked)
    assert.deepEqual(readReconciliationSearch({ currency: '<b>', method: '../..', only: 'all' }), {})
    assert.deepEqual(withFilter({ only: 'differences', currency: 'USD' }, { only: null }), { currency: 'USD' })
    assert.equal(readReconciliationDay('2026-11-20'), '2026-11-20')
    assert.equal(readReconciliationDay('../members'), undefined)
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
  })
})
