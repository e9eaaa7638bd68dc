import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { NetellerSimulator } from '../../../simulators/neteller/simulator.ts'
import {
  listNotifications,
  type PaymentFixture,
  readNotifications,
  readOrder,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { shareFixture } from '../../../tests/fixtures/shared-fixture.ts'
import { cancelTransaction } from '../../funding/cancellation.ts'
import { askProvider } from '../../payments/reconciliation.ts'
import { testProvider } from '../contract-tests.ts'
import { testPayouts } from '../payout-contract-tests.ts'
import { payoutsUnderTest, simulatorOf, underTest } from './under-test.ts'

describe('neteller', () => {
  const shared = shareFixture(simulatorOf)
  testProvider(underTest, shared)
  testPayouts(payoutsUnderTest, shared)

  describe('neteller: what a member agreed to is taken by a second call', () => {
    let setup: PaymentFixture
    let simulator: NetellerSimulator
    before(() => {
      setup = shared.setup()
      simulator = shared.simulator()
    })

    const start = () => startOrder(setup, { payment_method: 'neteller' })
    const stateOf = async (order: string) => (await readOrder(setup, order)).state
    async function told(attempt: string, twist = {}) {
      await simulator.notify(attempt, twist)
      await readNotifications(setup)
    }

    it('takes it when they say that it is payable, and credits it once', async () => {
      const { order, attempt } = await start()
      simulator.set(attempt, 'PAYABLE')
      await told(attempt)
      assert.equal(simulator.orderOf(attempt).state, 'COMPLETED')
      assert.equal(await stateOf(order), 'paid')
      await told(attempt, { status: 'PAYABLE' })
      await told(attempt)
      assert.deepEqual(
        (await listNotifications(setup, order)).map(({ outcome }) => outcome),
        ['applied', 'repeated'],
      )
    })

    it('credits nothing by the word alone, while they say otherwise when asked', async () => {
      const { order, attempt } = await start()
      await told(attempt, { status: 'PAYABLE' })
      assert.equal(await stateOf(order), 'handed_over')
    })

    it('takes it when nobody said so, by asking', async () => {
      const { order, attempt } = await start()
      simulator.set(attempt, 'PAYABLE')
      await askProvider(setup.system, order)
      assert.equal(await stateOf(order), 'paid')
    })

    it('finds what it took when the answer to that was lost, and does not take it again', async () => {
      const { order, attempt } = await start()
      simulator.set(attempt, 'PAYABLE')
      simulator.loseNextPayment()
      await simulator.notify(attempt)
      await assert.rejects(readNotifications(setup))
      assert.equal(await stateOf(order), 'handed_over')
      await readNotifications(setup)
      assert.equal(await stateOf(order), 'paid')
      assert.equal(simulator.paymentCalls(attempt), 1)
    })

    it('takes nothing for an order that was given up', async () => {
      const { order, attempt } = await start()
      await cancelTransaction(setup.member, (await readOrder(setup, order)).transaction_id)
      simulator.set(attempt, 'PAYABLE')
      await told(attempt)
      assert.equal(simulator.orderOf(attempt).state, 'PAYABLE')
      assert.equal(await stateOf(order), 'handed_over')
      await askProvider(setup.system, order)
      assert.equal(simulator.paymentCalls(attempt), 0)
    })

    it('takes nothing but what was agreed', async () => {
      const { order, attempt } = await start()
      simulator.set(attempt, 'PAYABLE')
      simulator.orderOf(attempt).amount = '25.00'
      await told(attempt)
      assert.equal(simulator.orderOf(attempt).state, 'PAYABLE')
      assert.equal(await stateOf(order), 'handed_over')
    })
  })
})
