// spec: AO 2.5, AO 5, AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countFilters, noFilters, readSearch, takeDigits, toVariables, writeSearch } from './transactions-search.ts'

describe('the address of the transactions list', () => {
  it('is empty when nothing is chosen', () => {
    assert.deepEqual(writeSearch(readSearch({})), {})
  })

  it('comes back as it was', () => {
    const search = readSearch({ ticket: 1042, status: 'pending', page: 3, open: 'abc' })
    assert.deepEqual(writeSearch(search), { ticket: '1042', status: 'pending', page: 3, open: 'abc' })
    assert.equal(countFilters(search), 2)
    assert.equal(countFilters(noFilters), 0)
  })

  for (const page of ['-1', '0', '1.5', 'x', {}, null]) {
    it(`takes page ${JSON.stringify(page)} for the first`, () => assert.equal(readSearch({ page }).page, 1))
  }
})

describe('the variables of the query', () => {
  it('hold the page and what is set', () => {
    assert.deepEqual(toVariables(readSearch({ type: 'deposit', psp: 'zotapay', amount: '250.5', page: 2 })), {
      limit: 15,
      page: 2,
      type: 'deposit',
      destination: 'psp:zotapay',
      amount: '250.5',
    })
  })

  it('hold live or demo accounts alone, and neither for any other word', () => {
    const kindOf = (kind: string) => toVariables(readSearch({ kind })).live_account
    assert.deepEqual(['live', 'demo', 'both', ''].map(kindOf), [true, false, undefined, undefined])
  })

  it('leave out an amount or a day that is still being typed', () => {
    assert.deepEqual(toVariables(readSearch({ amount: '250.', from: '2026-1', to: 'x' })), { limit: 15, page: 1 })
  })

  it('span whole days', () => {
    const { created_at_from: from, created_at_to: to } = toVariables(
      readSearch({ from: '2026-03-01', to: '2026-03-01' }),
    )
    assert.equal(Number(to) - Number(from), 86_399_999)
  })
})

it('a number is taken as screens and mails write it, and other text stays out', () => {
  assert.deepEqual(
    ['T-1035', 't1035', ' #700123 ', '1035', ''].map((typed) => takeDigits('9', typed)),
    ['1035', '1035', '700123', '1035', ''],
  )
  assert.equal(takeDigits('10', '10x'), '10')
})
