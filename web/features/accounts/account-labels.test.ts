// spec: AO 2.4
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TFunction } from '../../ui/text/i18n.ts'
import { accountLabel, accountLabelWithBalance, movesMoney, takesDeposits } from './account-labels.ts'

const t = ((text: string) => text) as TFunction
const account = {
  platform_login: '700123',
  platform_type: 'mt5',
  live_account: true,
  currency: 'USD',
  balance: '1250.5' as string | null,
}

describe('the label of a trading account', () => {
  it('contains its number, platform, kind and currency', () => {
    assert.equal(accountLabel(account, t), '#700123 \u00b7 MT5 \u00b7 Live \u00b7 USD')
    const demo = { ...account, platform_type: 'mt4', live_account: false, currency: 'EUR' }
    assert.equal(accountLabel(demo, t), '#700123 \u00b7 MT4 \u00b7 Demo \u00b7 EUR')
  })

  for (const [balance, shown] of [
    ['1250.5', ' \u00b7 1,250.50'],
    ['0', ' \u00b7 0.00'],
    ['-0.01', ''],
    [null, ''],
  ] as const)
    it(`appends ${shown || 'nothing'} for a balance of ${balance}`, () =>
      assert.equal(accountLabelWithBalance({ ...account, balance }, t), `${accountLabel(account, t)}${shown}`))
})

it('money moves on accounts that are neither closed nor read-only, and deposits go to live ones of these', () => {
  const open = { live_account: true, deleted: false, archived: false, enable_read_only: false }
  const refused = [{ deleted: true }, { archived: true }, { enable_read_only: true }]
  assert.deepEqual([open, ...refused.map((over) => ({ ...open, ...over }))].map(movesMoney), [
    true,
    false,
    false,
    false,
  ])
  assert.deepEqual([takesDeposits(open), takesDeposits({ ...open, live_account: false })], [true, false])
})
