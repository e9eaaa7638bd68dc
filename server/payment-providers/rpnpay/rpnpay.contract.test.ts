import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { RpnpaySimulator } from '../../../simulators/rpnpay/simulator.ts'
import {
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { shareFixture } from '../../../tests/fixtures/shared-fixture.ts'
import { testProvider } from '../contract-tests.ts'
import { testPayouts } from '../payout-contract-tests.ts'
import { merchant, payoutsUnderTest, simulatorOf, underTest, words } from './under-test.ts'

describe('rpnpay', () => {
  const shared = shareFixture(simulatorOf, { currency: 'CNY' })
  testProvider(underTest, shared)
  testPayouts(payoutsUnderTest, shared)

  describe('rpnpay: signed fields in yuan, in a frame', () => {
    let setup: PaymentFixture
    let simulator: RpnpaySimulator
    before(() => {
      setup = shared.setup()
      simulator = shared.simulator()
    })

    const start = () => startOrder(setup, { payment_method: 'rpnpay', amount: '250.00' })

    it('charges in fen, inside the portal', async () => {
      const { attempt, redirect } = await start()
      assert.equal(simulator.orderOf(attempt).amount, '250.00')
      assert.ok(redirect.kind === 'form')
      assert.equal(redirect.isFramed, true)
      assert.equal(redirect.fields.find(({ name }) => name === 'order_amount')?.value, '25000')
      assert.equal(JSON.stringify(redirect).includes(merchant.secretKey), false)
    })

    it('answers with the text that the provider expects', async () => {
      const { order, attempt } = await start()
      simulator.set(attempt, words.paid)
      assert.deepEqual(await simulator.notify(attempt), { status: 200, body: '[Success]' })
      await readWebhookEvents(setup)
      assert.equal((await readOrder(setup, order)).state, 'paid')
    })

    it('accepts a payment that was pending first', async () => {
      const { order, attempt } = await start()
      for (const [word, state] of [
        [words.pending, 'handed_over'],
        [words.paid, 'paid'],
      ] as const) {
        simulator.set(attempt, word)
        await simulator.notify(attempt)
        await readWebhookEvents(setup)
        assert.equal((await readOrder(setup, order)).state, state)
      }
    })
  })
})
