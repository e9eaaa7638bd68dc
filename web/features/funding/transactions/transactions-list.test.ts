// spec: AO 2.5, AO 5, AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countFilters, noFilters, readSearch, takeDigits, toVariables, writeSearch } from './transactions-search.ts'

describe('the query string of the transactions list', () => {
  it('is empty without a filter', () => {
    assert.deepEqual(writeSearch(readSearch({})), {})
  })

  it('survives a round trip', () => {
    const search = readSearch({ ticket: 1042, status: 'pending', page: 3, open: 'abc' })
    assert.deepEqual(writeSearch(search), { ticket: '1042', status: 'pending', page: 3, open: 'abc' })
    assert.equal(countFilters(search), 2)
    assert.equal(countFilters(noFilters), 0)
  })

  for (const page of ['-1', '0', '1.5', 'x', {}, null]) {
    it(`reads page ${JSON.stringify(page)} as the first`, () => assert.equal(readSearch({ page }).page, 1))
  }
})

describe('the variables of the query', () => {
  it('contain the page and the filters that are set', () => {
    assert.deepEqual(toVariables(readSearch({ type: 'deposit', psp: 'zotapay', amount: '250.5', page: 2 })), {
      limit: 15,
      page: 2,
      type: 'deposit',
      destination: 'psp:zotapay',
      amount: '250.5',
    })
  })

  it('restrict to live or demo accounts, and ignore any other kind', () => {
    const kindOf = (kind: string) => toVariables(readSearch({ kind })).live_account
    assert.deepEqual(['live', 'demo', 'both', ''].map(kindOf), [true, false, undefined, undefined])
  })

  it('omit an incomplete amount or day', () => {
    assert.deepEqual(toVariables(readSearch({ amount: '250.', from: '2026-1', to: 'x' })), { limit: 15, page: 1 })
  })

  it('cover whole days', () => {
    const { created_at_from: from, created_at_to: to } = toVariables(
      readSearch({ from: '2026-03-01', to: '2026-03-01' }),
    )
    assert.equal(Number(to) - Number(from), 86_399_999)
  })
})

it('accept a number as screens and emails write it, and reject other text', () => {
  assert.deepEqual(
    ['T-1035', 't1035', ' #700123 ', '1035', ''].map((typed) => takeDigits('9', typed)),
    ['1035', '1035', '700123', '1035', ''],
  )
  assert.equal(takeDigits('10', '10x'), '10')
})
