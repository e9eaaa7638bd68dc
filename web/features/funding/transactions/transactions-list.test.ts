// spec: AO 2.5, AO 5, AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readListSearch } from '../../../ui/lists/list-address.ts'
import { takeDigits, toAsked, transactionsList } from './transactions-list.ts'

const read = (search: Record<string, unknown>) => readListSearch(transactionsList, search)

describe('the query string of the transactions list', () => {
  it('keeps valid values and the page', () => {
    assert.deepEqual(read({}), {})
    const said = { ticket: 1042, status: 'pending', amount: '250.5', psp: 'zotapay', page: '3', open: 'abc' }
    assert.deepEqual(read(said), { ticket: '1042', status: 'pending', amount: '250.5', psp: 'zotapay', page: 3 })
  })

  it('omits an incomplete amount or day, and unknown values', () => {
    const odd = { ticket: 'x', amount: '250.', from: '2026-1', to: 'x', kind: 'both', status: 'lost', psp: '%' }
    assert.deepEqual(read(odd), {})
  })
})

describe('the variables of the query', () => {
  it('contain the filters that are set', () => {
    assert.deepEqual(toAsked(read({ type: 'deposit', psp: 'zotapay', amount: '250.5', page: 2 })), {
      type: 'deposit',
      destination: 'psp:zotapay',
      amount: '250.5',
    })
  })

  it('restrict to live or demo accounts', () => {
    const kindOf = (kind: string) => toAsked(read({ kind })).live_account
    assert.deepEqual(['live', 'demo', 'both', ''].map(kindOf), [true, false, undefined, undefined])
  })

  it('cover whole days, and omit one that the calendar does not have', () => {
    const { created_at_from: from, created_at_to: to } = toAsked({ from: '2026-03-01', to: '2026-03-01' })
    assert.equal(Number(to) - Number(from), 86_399_999)
    assert.deepEqual(toAsked(read({ from: '2026-13-45', to: '2026-13-45' })), {})
  })
})

it('a number filter accepts a number as screens and emails write it, and rejects other text', () => {
  assert.deepEqual(
    ['T-1035', 't1035', ' #700123 ', '1035', ''].map((typed) => takeDigits('9', typed)),
    ['1035', '1035', '700123', '1035', ''],
  )
  assert.deepEqual(
    ['\u202a#700123\u202c', '\u0661\u0660\u0663\u0665', '\uff11\uff10', 'T\u20111035'].map((typed) =>
      takeDigits('9', typed),
    ),
    ['700123', '1035', '10', '1035'],
  )
  assert.equal(takeDigits('10', '10x'), '10')
})
