import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { NetellerSimulator } from '../../../simulators/neteller/simulator.ts'
import {
  listWebhookEvents,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import {
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  processLatest,
} from '../../../tests/fixtures/payments/payouts.ts'
import { shareFixture } from '../../../tests/fixtures/shared-fixture.ts'
import { chooseSettings } from '../../../tests/fixtures/workspaces.ts'
import { cancelTransaction } from '../../funding/cancellation.ts'
import { askProvider } from '../../payments/reconciliation.ts'
import type { PayoutToStart } from '../contract.ts'
import { testProvider } from '../contract-tests.ts'
import { openHttp } from '../http.ts'
import { testPayouts } from '../payout-contract-tests.ts'
import { findAdapter } from '../registry.ts'
import { payoutsUnderTest, simulatorOf, underTest } from './under-test.ts'

const payout: PayoutToStart = {
  ...{ attempt: `wd-${'7'.repeat(24)}`, amount: '25.00', currency: 'EUR', description: 'Withdrawal 7' },
  payer: {
    ...{ id: 'member-1', email: 'wallet@example.com', firstName: 'Zo\u00eb', lastName: 'Lee', phone: '+35621000000' },
    ...{ country: 'MT', city: 'Valletta', address: '1 Harbour Road', zip: null, state: null },
    ...{ ip: '127.0.0.1', language: 'en' },
  },
  ...{ account: 'wallet@example.com', tag: null, holder: 'Zo\u00eb Lee', bankName: null, bankCode: null, swift: null },
  ...{ coin: null, source: null, notify: 'http://localhost/callbacks/payments/neteller' },
  at: new Date('2026-11-21T10:00:00Z'),
}

describe('neteller', () => {
  const shared = shareFixture(simulatorOf)
  testProvider(underTest, shared)
  testPayouts(payoutsUnderTest, shared)

  it('repeats a payout that was refused for now after its handle was issued, once', async () => {
    const setup = shared.setup()
    await chooseSettings(setup, { withdrawal_rules: [openTo('neteller')], withdrawal_four_eyes: false })
    const id = await debitPayout(setup, 'neteller', await openPayee(setup, 'neteller', { balance: '1000.00' }))
    shared.simulator().limitPayouts(2)
    for (let time = 0; time < 2; time++) {
      assert.equal(await processLatest(setup, id), 'created')
      setup.context.clock.advance(120_000)
    }
    const { attempt } = await latestPayout(setup, id)
    assert.equal(shared.simulator().orders.has(attempt), false)
    assert.equal(await processLatest(setup, id), 'accepted')
    assert.equal(shared.simulator().orders.has(attempt), true)
    shared.simulator().set(attempt, 'COMPLETED')
    assert.equal(await processLatest(setup, id), 'paid')
  })

  it('finds a payout that was made before its call was repeated, and makes no other', async () => {
    const { simulator } = shared
    const http = openHttp({ production: false, timeoutMs: 5_000 })
    const adapter = findAdapter('neteller')?.connect(simulator().settings, http) ?? assert.fail()
    const first = await adapter.payOut?.(payout)
    const calls = simulator().payoutCalls()
    assert.deepEqual(await adapter.payOut?.(payout), first)
    assert.equal(simulator().payoutCalls(), calls)
  })

  describe('neteller: a second call captures what a member agreed to', () => {
    let setup: PaymentFixture
    let simulator: NetellerSimulator
    before(() => {
      setup = shared.setup()
      simulator = shared.simulator()
    })

    const start = () => startOrder(setup, { payment_method: 'neteller' })
    const stateOf = async (order: string) => (await readOrder(setup, order)).state
    async function sendWebhook(attempt: string, overrides = {}) {
      await simulator.notify(attempt, overrides)
      await readWebhookEvents(setup)
    }

    it('captures a payable order and credits it once', async () => {
      const { order, attempt } = await start()
      simulator.set(attempt, 'PAYABLE')
      await sendWebhook(attempt)
      assert.equal(simulator.orderOf(attempt).state, 'COMPLETED')
      assert.equal(await stateOf(order), 'paid')
      await sendWebhook(attempt, { status: 'PAYABLE' })
      await sendWebhook(attempt)
      assert.deepEqual(
        (await listWebhookEvents(setup, order)).map(({ outcome }) => outcome),
        ['applied', 'repeated'],
      )
    })

    it('credits nothing for a webhook event that the API contradicts', async () => {
      const { order, attempt } = await start()
      await sendWebhook(attempt, { status: 'PAYABLE' })
      assert.equal(await stateOf(order), 'handed_over')
    })

    it('captures after a status query when no webhook event arrived', async () => {
      const { order, attempt } = await start()
      simulator.set(attempt, 'PAYABLE')
      await askProvider(setup.system, order)
      assert.equal(await stateOf(order), 'paid')
    })

    it('finds a capture whose answer was lost and does not repeat it', async () => {
      const { order, attempt } = await start()
      simulator.set(attempt, 'PAYABLE')
      simulator.loseNextPayment()
      await simulator.notify(attempt)
      await assert.rejects(readWebhookEvents(setup))
      assert.equal(await stateOf(order), 'handed_over')
      await readWebhookEvents(setup)
      assert.equal(await stateOf(order), 'paid')
      assert.equal(simulator.paymentCalls(attempt), 1)
    })

    it('captures nothing for a cancelled order', async () => {
      const { order, attempt } = await start()
      await cancelTransaction(setup.member, (await readOrder(setup, order)).transaction_id)
      simulator.set(attempt, 'PAYABLE')
      await sendWebhook(attempt)
      assert.equal(simulator.orderOf(attempt).state, 'PAYABLE')
      assert.equal(await stateOf(order), 'handed_over')
      await askProvider(setup.system, order)
      assert.equal(simulator.paymentCalls(attempt), 0)
    })

    it('ends the order when the capture is refused, and tries it once', async () => {
      const { order, attempt } = await start()
      const before = simulator.captureCalls()
      simulator.refuseCaptures('Declined by the wallet')
      simulator.set(attempt, 'PAYABLE')
      await sendWebhook(attempt)
      await askProvider(setup.system, order)
      simulator.refuseCaptures(null)
      assert.equal(await stateOf(order), 'declined')
      assert.equal(simulator.captureCalls(), before + 1)
    })

    it('ends an order whose decline has characters that the database refuses', async () => {
      const { order, attempt } = await start()
      simulator.set(attempt, 'FAILED', 'Declined\u0000 by \ud83d')
      await sendWebhook(attempt)
      const { state, problem } = await readOrder(setup, order)
      assert.deepEqual([state, problem], ['declined', 'Declined by \ufffd'])
    })

    it('refuses a message of the test system at the live address', async () => {
      const { order, attempt } = await start()
      simulator.set(attempt, 'COMPLETED')
      assert.equal((await simulator.notify(attempt, { mode: 'test' }))?.status, 401)
      await readWebhookEvents(setup)
      assert.equal(await stateOf(order), 'handed_over')
      assert.equal((await listWebhookEvents(setup)).at(-1)?.verdict, 'another_merchant')
    })

    it('captures only the agreed amount', async () => {
      const { order, attempt } = await start()
      simulator.set(attempt, 'PAYABLE')
      simulator.orderOf(attempt).amount = '25.00'
      await sendWebhook(attempt)
      assert.equal(simulator.orderOf(attempt).state, 'PAYABLE')
      assert.equal(await stateOf(order), 'handed_over')
    })
  })
})
