import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { LiveAccount } from '@atrium/contract/accounts/live-metrics.ts'
import { asOf, withMetrics } from './metrics-patches.ts'
import { stableAccount } from './stable-account.ts'
import type { Account } from './use-accounts.ts'

const account = {
  _id: 'one',
  platform_login: '700123',
  balance: '1.00',
  balance_is_live: true,
  balance_as_of: 1,
  trade_info: { floating_pnl: '0.00' },
} as Account
const live: LiveAccount = {
  _id: 'one',
  balance: '2.00',
  equity: '3.00',
  credit: '0.00',
  floating_pnl: '1.00',
  margin: null,
  margin_free: null,
  margin_level: null,
  leverage: 100,
  balance_as_of: 5,
  balance_is_live: true,
}

it('patches the accounts of an event and leaves the others unchanged', () => {
  const patch = withMetrics(new Map([['one', live]]))
  const patched = patch(account)
  assert.deepEqual([patched.balance, patched.equity, patched.trade_info], ['2.00', '3.00', { floating_pnl: '1.00' }])
  assert.equal(patched.platform_login, '700123')
  const other = { ...account, _id: 'two' }
  assert.equal(patch(other), other)
})

it('changes a stable account only with its balance', () => {
  const one = { ...live, balance: account.balance }
  const known = {
    ...account,
    equity: '1.00',
    credit: '0.00',
    leverage: 100,
    margin: '5.00',
    margin_free: '6.00',
    margin_level: '7',
  }
  assert.deepEqual(stableAccount(withMetrics(new Map([['one', one]]))(known)), stableAccount(known))
  assert.deepEqual(stableAccount(asOf(9)(known)), stableAccount(known))
  assert.equal(stableAccount(withMetrics(new Map([['one', live]]))(known)).balance, '2.00')
})

it('dates formerly live metrics with the last event and keeps the older date of the others', () => {
  assert.deepEqual(asOf(9)(account), { ...account, balance_is_live: false, balance_as_of: 9 })
  const old = { ...account, balance_is_live: false }
  assert.equal(asOf(9)(old), old)
})
