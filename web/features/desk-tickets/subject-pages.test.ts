import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pageOfSubject } from './subject-pages.ts'

const transaction = {
  kind: 'transaction',
  _id: 't',
  ticket: '7',
  amount: '1',
  currency: 'USD',
  platform_login: '5',
} as const

it('leads from a ticket to the account or the transaction that it is about', () => {
  const state = { state: 'all' }
  assert.deepEqual(pageOfSubject({ ...transaction, type: 'deposit' }), {
    ...{ to: '/deposits/{-$depositId}', params: { depositId: 't' }, search: state },
  })
  assert.deepEqual(pageOfSubject({ ...transaction, type: 'withdrawal' }), {
    ...{ to: '/withdrawals/{-$withdrawalId}', params: { withdrawalId: 't' }, search: state },
  })
  const account = { kind: 'account', _id: 'a', platform_login: '5', platform_type: 'mt5', balance: null } as const
  assert.deepEqual(pageOfSubject({ ...account, currency: 'USD' }), {
    ...{ to: '/trading-accounts/$accountId', params: { accountId: 'a' } },
  })
  assert.equal(pageOfSubject({ kind: 'download', _id: 'd', platform: 'MT5', system: 'web', name: 'Web' }), null)
})
