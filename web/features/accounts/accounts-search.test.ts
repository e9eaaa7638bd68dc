import assert from 'node:assert/strict'
import { it } from 'node:test'
import { chooseAccounts, readAccountsSearch, writeAccountsSearch } from './accounts-search.ts'

const account = (platform_login: string, over: object = {}) => ({
  platform_login,
  live_account: true,
  trading_platform: { _id: 'mt5', name: 'MT5', type: 'mt5' },
  currency: 'USD',
  city: 'Lisbon',
  group: 'real\\standard',
  balance: '1.00',
  trade_info: { floating_pnl: '0.00' },
  ...over,
})
const list = [
  account('90', { balance: '99999999999999999.01', currency: 'EUR' }),
  account('100', { balance: '99999999999999999.02', currency: 'EUR', live_account: false }),
  account('9', { balance: null, trade_info: null, trading_platform: { _id: 'mt4', name: 'MT4', type: 'mt4' } }),
  account('8', { balance: '-5.00', trade_info: { floating_pnl: '-3.10' } }),
  account('7', { balance: '10.00', trade_info: { floating_pnl: '2.00' } }),
]
const logins = (search: Record<string, unknown>) =>
  chooseAccounts(list, readAccountsSearch(search)).map(({ platform_login }) => platform_login)

it('shows all accounts in their order, or filters by kind and platform', () => {
  assert.deepEqual(logins({}), ['90', '100', '9', '8', '7'])
  assert.deepEqual(logins({ kind: 'demo' }), ['100'])
  assert.deepEqual(logins({ kind: 'live', platform: 'mt4' }), ['9'])
  assert.deepEqual(logins({ platform: 'nowhere' }), [])
})

it('sorts logins numerically, amounts exactly within a currency, and unknown amounts last', () => {
  assert.deepEqual(logins({ order: 'login' }), ['7', '8', '9', '90', '100'])
  assert.deepEqual(logins({ order: 'balance' }), ['100', '90', '7', '8', '9'])
  assert.deepEqual(logins({ order: 'result' }), ['90', '100', '7', '8', '9'])
})

it('searches by number, platform, currency and city', () => {
  assert.deepEqual(logins({ q: '#100' }), ['100'])
  assert.deepEqual(logins({ q: 100 }), ['100'])
  assert.deepEqual(logins({ q: 'mt5 eur' }), ['90', '100'])
  assert.deepEqual(logins({ q: ' LISBON 8 ' }), ['8'])
  assert.deepEqual(logins({ q: 'gbp' }), [])
})

it('ignores invalid URL values and writes only the set ones', () => {
  for (const odd of [{ kind: 'real', order: 'up', platform: 7 }, { kind: ['live'] }, {}])
    assert.deepEqual(readAccountsSearch(odd), { kind: '', platform: '', order: 'newest', q: '' })
  assert.deepEqual(writeAccountsSearch({ kind: 'live', platform: '', order: 'newest', q: '' }), { kind: 'live' })
  assert.deepEqual(writeAccountsSearch({ kind: '', platform: 'mt5', order: 'login', q: '70' }), {
    platform: 'mt5',
    order: 'login',
    q: '70',
  })
})
