import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import type { CoinpaymentsSimulator } from '../../../simulators/coinpayments/simulator.ts'
import { addFundAccount } from '../../../tests/fixtures/payments/money.ts'
import type { PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import {
  askPayout,
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  type Payee,
  processLatest,
} from '../../../tests/fixtures/payments/payouts.ts'
import { shareFixture } from '../../../tests/fixtures/shared-fixture.ts'
import { readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../../tests/fixtures/workspaces.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import type { Refusal } from '../../foundation/errors.ts'
import { testProvider } from '../contract-tests.ts'
import { testPayouts } from '../payout-contract-tests.ts'
import { payoutsUnderTest, simulatorOf, underTest } from './under-test.ts'

describe('coinpayments', () => {
  const shared = shareFixture(simulatorOf)
  testProvider(underTest, shared)
  testPayouts(payoutsUnderTest, shared)

  describe('coinpayments: payouts to a wallet', () => {
    let setup: PaymentFixture
    let simulator: CoinpaymentsSimulator
    let payee: Payee
    before(async () => {
      setup = shared.setup()
      simulator = shared.simulator()
      await chooseSettings(setup, { withdrawal_rules: [openTo('coinpayments')], withdrawal_four_eyes: false })
      payee = await openPayee(setup, 'coinpayments', { balance: '100000.00' })
    })

    const walletOf = (values: Partial<Parameters<typeof addFundAccount>[1]>) =>
      addFundAccount(setup.system, { memberId: setup.member.memberId, ...values })
    const ripple = { preferred_currency: 'XRP', address_id: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh' }

    it('sends the amount’s worth with the tag, and stores the coin and its amount', async () => {
      const beneficiaryId = await walletOf({ ...ripple, address_tag: '104911' })
      const id = await debitPayout(setup, 'coinpayments', { ...payee, beneficiaryId, coin: 'XRP' })
      assert.equal(await processLatest(setup, id), 'accepted')
      const { attempt, coin, coin_amount } = await latestPayout(setup, id)
      assert.deepEqual([coin, coin_amount], ['XRP', '416.66666667'])
      const { more, amount, currency } = simulator.orders.get(attempt) ?? assert.fail('nothing arrived')
      assert.deepEqual([more.address, more.tag, amount, currency], [ripple.address_id, '104911', '250.00', 'USD'])
      const withdrawal = await readTransaction(setup, id)
      assert.equal(withdrawal.coin, 'XRP')
      assert.match(withdrawal.destination_text ?? '', /tag 104911/)
    })

    it('reverses a payout that was refused for a missing tag', async () => {
      const beneficiaryId = await walletOf(ripple)
      const id = await debitPayout(setup, 'coinpayments', { ...payee, beneficiaryId, coin: 'XRP' })
      assert.equal(await processLatest(setup, id), 'declined')
    })

    it('finds a sent payout by its note and never sends it again', async () => {
      const calls = simulator.payoutCalls()
      const id = await debitPayout(setup, 'coinpayments', payee)
      simulator.breakDown({ malformed: 'html' })
      assert.equal(await processLatest(setup, id), 'checking')
      simulator.mend()
      assert.equal(await processLatest(setup, id), 'accepted')
      const { attempt, reference } = await latestPayout(setup, id)
      assert.equal(simulator.orders.get(attempt)?.reference, reference)
      assert.equal(simulator.payoutCalls(), calls + 1)
    })

    it('moves a payout sent in another coin to manual review', async () => {
      const id = await debitPayout(setup, 'coinpayments', payee)
      await processLatest(setup, id)
      const { attempt } = await latestPayout(setup, id)
      const order = simulator.orders.get(attempt) ?? assert.fail('nothing arrived')
      order.more.coin = 'LTC'
      simulator.set(attempt, '2')
      assert.equal(await processLatest(setup, id), 'for_staff')
      assert.equal((await latestPayout(setup, id)).staff_reason, 'currency_differs')
    })

    it('sends nothing to an invalid address that was saved before addresses were validated', async () => {
      const saved = { preferred_currency: 'BTC', address_id: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3' }
      const beneficiaryId = await walletOf(saved)
      await assert.rejects(askPayout('coinpayments', { ...payee, beneficiaryId }), (problem: Refusal) => {
        assert.deepEqual(problem.details.errors, { destination_id: [withdrawalTexts.addressInvalid] })
        return true
      })
      const fund_account_id = await walletOf({})
      const id = await debitPayout(setup, 'coinpayments', { ...payee, beneficiaryId: fund_account_id })
      await inTransaction(setup.system, (tx) =>
        tx
          .updateTable('fund_accounts')
          .set(saved)
          .where('workspace_id', '=', setup.system.workspaceId)
          .where('fund_account_id', '=', fund_account_id)
          .execute(),
      )
      const calls = simulator.payoutCalls()
      assert.equal(await processLatest(setup, id), 'for_staff')
      const { staff_reason, problem } = await latestPayout(setup, id)
      assert.deepEqual([staff_reason, problem], ['misconfigured', withdrawalTexts.addressInvalid])
      assert.equal(simulator.payoutCalls(), calls)
    })

    it('strips invisible characters from an address', async () => {
      const beneficiaryId = await walletOf({
        ...ripple,
        address_id: `\u200b${ripple.address_id}\u00a0`,
        address_tag: '\u202a7',
      })
      const id = await debitPayout(setup, 'coinpayments', { ...payee, beneficiaryId, coin: 'XRP' })
      assert.equal(await processLatest(setup, id), 'accepted')
      const { address, tag } = simulator.orders.get((await latestPayout(setup, id)).attempt)?.more ?? {}
      assert.deepEqual([address, tag], [ripple.address_id, '7'])
    })

    it('accepts a coin only for a wallet of that coin, on the network of its address', async () => {
      const onEthereum = { preferred_currency: 'USDT', address_id: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e' }
      const beneficiaryId = await walletOf(onEthereum)
      for (const coin of ['BTC', 'USDT.TRC20', 'USDT', 'DOGE'])
        await assert.rejects(askPayout('coinpayments', { ...payee, beneficiaryId, coin }), (problem: Refusal) => {
          assert.deepEqual(Object.keys(problem.details.errors ?? {}), ['coin'], String(coin))
          return true
        })
      await askPayout('coinpayments', { ...payee, beneficiaryId, coin: 'USDT.ERC20' }, '10.00')
      const unnamed = await askPayout('coinpayments', { ...payee, beneficiaryId, coin: undefined }, '10.00')
      assert.equal((await readTransaction(setup, unnamed)).coin, 'USDT.ERC20', 'the only one that fits the wallet')
    })
  })
})
