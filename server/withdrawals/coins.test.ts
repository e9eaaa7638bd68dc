// spec: AO 3, AO 5
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import { addBankAccount, addFundAccount } from '../../tests/fixtures/payments/money.ts'
import {
  assertRefused,
  openWithdrawer,
  type Withdrawer,
  withdrawalInputOf,
} from '../../tests/fixtures/payments/withdrawals.ts'
import { openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../tests/fixtures/workspaces.ts'
import { listEnabledCoins } from './coins.ts'
import { requestWithdrawal } from './withdrawal.ts'
import { quoteWithdrawal } from './withdrawal-quote.ts'

let setup: TradingFixture
let withdrawer: Withdrawer
before(async () => {
  setup = await openTradingFixture()
  await chooseSettings(setup, { withdrawal_coins: ['BCH', 'BTC', 'ETH'] })
  withdrawer = await openWithdrawer(setup)
})
after(() => setup.close())

const walletOf = (preferred_currency: string, address_id: string) =>
  addFundAccount(setup.system, { memberId: withdrawer.member.memberId, preferred_currency, address_id })
/** An address of the older form, which is valid for both coins. */
const ofTwoCoins = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'

describe('a withdrawal to a wallet that staff pay by hand', () => {
  test('is refused in a coin that the wallet cannot receive, even if its address is valid there', async () => {
    const wallet = await walletOf('BTC', ofTwoCoins)
    const asked = { destination: 'crypto_transfer', destination_id: wallet } as const
    for (const coin of ['BCH', 'ETH']) {
      await assertRefused(setup, withdrawer, { ...asked, coin }, ['coin', withdrawalTexts.coinUnknown])
      const { accountId: trading_account, member } = withdrawer
      const { blocks } = await quoteWithdrawal(member, { trading_account, ...asked, coin })
      assert.deepEqual(
        blocks.filter(({ field }) => field === 'coin').map(({ sentence }) => sentence),
        [withdrawalTexts.coinUnknown],
      )
    }
    const input = await withdrawalInputOf(withdrawer, { ...asked, coin: 'BTC' })
    assert.equal((await requestWithdrawal(withdrawer.member, input)).coin, 'BTC')
  })

  test('is offered in the coins that the chosen wallet can receive only', async () => {
    const { member } = withdrawer
    const wallet = await walletOf('BCH', ofTwoCoins)
    const bank = await addBankAccount(setup.system, { memberId: member.memberId })
    const names = async (destination_id?: string) =>
      (await listEnabledCoins(member, { destination: 'crypto_transfer', destination_id })).map(({ name }) => name)
    assert.deepEqual(await names(wallet), ['BCH'])
    for (const other of [undefined, bank]) assert.deepEqual(await names(other), ['BCH', 'BTC', 'ETH'])
  })
})
