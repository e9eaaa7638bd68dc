import assert from 'node:assert/strict'
import { it } from 'node:test'
import { equityPerCurrency } from './totals.ts'

const account = (over: object) => ({
  currency: 'USD',
  equity: '0.10',
  balance: '5.00',
  live_account: true,
  deleted: false,
  archived: false,
  trade_info: { floating_pnl: '-0.20' },
  ...over,
})

it('adds exactly, per currency, live accounts only', () => {
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
    { currency: 'USD', equity: '0.3', floating: '-0.4', accounts: 2 },
    { currency: 'EUR', equity: '5', floating: '0', accounts: 1 },
  ])
})

it('puts the own currency of the workspace first', () => {
  const totals = equityPerCurrency([account({}), account({}), account({ currency: 'EUR' })], 'EUR')
  assert.deepEqual(
    totals.map(({ currency }) => currency),
    ['EUR', 'USD'],
  )
})
