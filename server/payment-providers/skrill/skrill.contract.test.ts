import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type SkrillSimulator, startSkrillSimulator } from '../../../simulators/skrill/simulator.ts'
import { addFundAccount } from '../../../tests/fixtures/payments/money.ts'
import {
  addBeside,
  listWebhookEvents,
  openPaymentFixture,
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
import { readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../../tests/fixtures/workspaces.ts'
import { testProvider } from '../contract-tests.ts'
import { testPayouts } from '../payout-contract-tests.ts'
import { merchant, payoutsUnderTest, simulatorOf, underTest } from './under-test.ts'

describe('skrill', () => {
  const shared = shareFixture(simulatorOf)
  testProvider(underTest, shared)
  testPayouts(payoutsUnderTest, shared)

  describe('skrill: payouts to a wallet in two steps', () => {
    let setup: PaymentFixture
    let simulator: SkrillSimulator
    let payee: Awaited<ReturnType<typeof openPayee>>
    before(async () => {
      setup = shared.setup()
      simulator = shared.simulator()
      shared.simulator().withWallets()
      await chooseSettings(setup, { withdrawal_rules: [openTo('skrill')], withdrawal_four_eyes: false })
      payee = await openPayee(setup, 'skrill', { balance: '100000.00' })
    })

    const debited = () => debitPayout(setup, 'skrill', payee)
    const stateOf = async (id: string) => (await readTransaction(setup, id)).state

    it('completes immediately when the wallet exists', async () => {
      const id = await debited()
      assert.equal(await processLatest(setup, id), 'paid')
      const { attempt, reference } = await latestPayout(setup, id)
      assert.equal(simulator.orderOf(attempt).reference, reference)
      assert.equal(await stateOf(id), 'approved')
    })

    it('finds a transfer whose answer was lost by our attempt id, and does not repeat it', async () => {
      const transfers = simulator.payoutCalls()
      const id = await debited()
      simulator.loseNextTransfer()
      assert.equal(await processLatest(setup, id), 'checking')
      assert.equal(await processLatest(setup, id), 'paid')
      assert.deepEqual([await stateOf(id), simulator.payoutCalls()], ['approved', transfers + 1])
    })

    it('accepts an email address only', async () => {
      const beneficiaryId = await addFundAccount(setup.system, {
        memberId: setup.member.memberId,
        type: 'other',
        address_id: 'W-100200300',
      })
      await assert.rejects(debitPayout(setup, 'skrill', { ...payee, beneficiaryId }), { code: 'invalid_input' })
    })
  })

  describe('skrill: a merchant account in another currency than the order', () => {
    let setup: PaymentFixture
    let simulator: SkrillSimulator
    before(async () => {
      setup = await openPaymentFixture()
      const options = { ...merchant, accountCurrency: 'EUR', withSha2: true }
      simulator = await addBeside(setup, 'skrill', startSkrillSimulator(options), [
        { currency: 'USD', amount_min: '10', amount_max: '5000' },
      ])
    })
    after(() => setup.close())

    it('queries the paid amount, since the signature does not cover the amount of the order', async () => {
      const { order, attempt } = await startOrder(setup, { payment_method: 'skrill' })
      simulator.set(attempt, '2')
      await simulator.notify(attempt)
      await readWebhookEvents(setup)
      assert.equal((await readOrder(setup, order)).state, 'paid')
      assert.equal((await listWebhookEvents(setup, order)).at(-1)?.outcome, 'applied')
    })

    it('trusts the answer and not the webhook event', async () => {
      const { order, attempt } = await startOrder(setup, { payment_method: 'skrill' })
      await simulator.notify(attempt, { status: '2' })
      simulator.set(attempt, '0')
      await readWebhookEvents(setup)
      assert.equal((await readOrder(setup, order)).state, 'handed_over')
      // Their answer is pending, and it is recorded.
      assert.equal((await listWebhookEvents(setup, order)).at(-1)?.outcome, 'applied')
      assert.notEqual((await readOrder(setup, order)).pending_since, null)
    })

    it('leaves the webhook event unread while the provider does not answer, and retries it', async () => {
      const { order, attempt } = await startOrder(setup, { payment_method: 'skrill' })
      simulator.set(attempt, '2')
      await simulator.notify(attempt)
      simulator.breakDown({ isDown: true })
      await assert.rejects(readWebhookEvents(setup))
      assert.equal((await readOrder(setup, order)).state, 'handed_over')
      simulator.mend()
      await readWebhookEvents(setup)
      assert.equal((await readOrder(setup, order)).state, 'paid')
    })
  })
})
