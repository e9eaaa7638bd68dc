import assert from 'node:assert/strict'
import { it } from 'node:test'
import { equityPerCurrency } from './totals.ts'

const account = (over: object) => ({
  _id: 'one',
  currency: 'USD',
  equity: '0.10',
  balance: '5.00',
  live_account: true,
  deleted: false,
  archived: false,
  trade_info: { floating_pnl: '-0.20' },
  ...over,
})

it('adds live accounts exactly, per currency', () => {
  const totals = equityPerCurrency(
    [
      account({}),
      account({ equity: '0.20' }),
      account({ currency: 'EUR', equity: null, trade_info: null }),
      account({ live_account: false, equity: '10000' }),
      account({ deleted: true, equity: '10000' }),
      account({ archived: true, equity: '10000' }),
    ],
    'GBP',
  )
  assert.deepEqual(totals, [
    { currency: 'USD', equity: '0.3', floating: '-0.4', accounts: 2, today: null },
    { currency: 'EUR', equity: '5', floating: '0', accounts: 1, today: null },
  ])
})

it('computes the equity change of the day from the accounts with known values', () => {
  const accounts = [account({}), account({ _id: 'two', equity: '7.00' }), account({ _id: 'new', equity: '99' })]
  const began = new Map([
    ['one', '0.30'],
    ['two', '6.50'],
  ])
  assert.equal(equityPerCurrency(accounts, 'USD', began)[0]?.today, '0.3')
  assert.equal(equityPerCurrency([account({ equity: '0.10' })], 'USD', began)[0]?.today, '-0.2')
})

it('lists the workspace currency first', () => {
  const totals = equityPerCurrency([account({}), account({}), account({ currency: 'EUR' })], 'EUR')
  assert.deepEqual(
    totals.map(({ currency }) => currency),
    ['EUR', 'USD'],
  )
})
