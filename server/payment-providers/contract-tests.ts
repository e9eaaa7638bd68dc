import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  creditsOf,
  listWebhookEvents,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startBody,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import type { SharedFixture } from '../../tests/fixtures/shared-fixture.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { readDepositStatus } from '../payments/deposit-status.ts'
import { askAboutDueOrders, askProvider } from '../payments/reconciliation.ts'
import { startDeposit } from '../payments/start-deposit.ts'
import { testForgeries } from './forgery-tests.ts'
import { testHistories } from './history-tests.ts'
import { testPending } from './pending-tests.ts'
import type { Overrides, ProviderUnderTest, SimulatorUnderTest } from './provider-under-test.ts'
import { testUnknownWords } from './unknown-word-tests.ts'
import { testManyWebhookEvents, testWebhookEvents } from './webhook-event-tests.ts'

type Shared = SharedFixture<SimulatorUnderTest>

/** The slow tests: every order of messages, long waits, and random histories. Run in a provider's slow test file. */
export function testProviderAtLength(under: ProviderUnderTest, shared: Shared): void {
  testManyWebhookEvents(under, shared)
  testPending(under, shared)
  testHistories(under)
}

/** The contract of every provider, run against its simulator through the whole server. */
export function testProvider(under: ProviderUnderTest, shared: Shared): void {
  const { uid, words, declinesForGood, isCalledAtStart, form } = under
  testWebhookEvents(under, shared)
  testUnknownWords(under, shared)
  testForgeries(under, shared)
  const { otherMerchant = { merchantId: '9999999' }, declineReason = 'Insufficient funds' } = under
  describe(`${uid}: provider contract`, () => {
    let setup: PaymentFixture
    before(() => {
      setup = shared.setup()
    })

    const { simulator } = shared
    const start = (amount = '250.00') => startOrder(setup, { ...form, payment_method: uid, amount })
    const paid = (attempt: string) => simulator().set(attempt, words.paid)
    const stateOf = async (orderId: string) => (await readOrder(setup, orderId)).state
    const transactionOf = async (orderId: string) => {
      const { transaction_id } = await readOrder(setup, orderId)
      return readTransaction(setup, transaction_id)
    }
    async function creditsFor(orderId: string) {
      const { transaction_id } = await readOrder(setup, orderId)
      return (await creditsOf(setup)).filter((credit) => credit.transaction_id === transaction_id)
    }
    async function sendWebhook(attempt: string, overrides?: Overrides) {
      const answer = await simulator().notify(attempt, overrides)
      await readWebhookEvents(setup)
      return answer
    }
    const rename = (first_name: string, last_name: string) =>
      inTransaction(setup.system, (tx) =>
        tx
          .updateTable('members')
          .set({ first_name, last_name })
          .where('workspace_id', '=', setup.system.workspaceId)
          .where('member_id', '=', setup.member.memberId)
          .execute(),
      )
    const asked = (orderId: string) => askProvider(setup.system, orderId)

    it('credits a payment once and shows it as paid', async () => {
      const { order, attempt } = await start()
      assert.equal(await stateOf(order), 'handed_over')
      assert.deepEqual(Object.keys(await readDepositStatus(setup.member, order)).includes('order_status'), false)
      paid(attempt)
      assert.equal((await sendWebhook(attempt))?.status, 200)
      assert.equal(await stateOf(order), 'paid')
      assert.equal((await transactionOf(order)).state, 'crediting')
      assert.deepEqual((await creditsFor(order)).length, 1)
      const { order_status, payment_status } = await readDepositStatus(setup.member, order)
      assert.deepEqual([order_status, payment_status], ['paid', 'approved'])
    })

    it('reports a decline with its reason', async () => {
      const { order, attempt } = await start()
      simulator().set(attempt, words.declined, 'Insufficient funds')
      await sendWebhook(attempt)
      const { order_status, payment_status, payment_error } = await readDepositStatus(setup.member, order)
      assert.deepEqual([order_status, payment_status, payment_error], ['declined', 'declined', declineReason])
      assert.equal(await stateOf(order), declinesForGood ? 'declined' : 'handed_over')
      assert.equal((await creditsFor(order)).length, 0)
    })

    it('credits a payment after a declined try', async () => {
      const { order, attempt } = await start()
      simulator().set(attempt, words.declined, 'Insufficient funds')
      await sendWebhook(attempt)
      paid(attempt)
      await sendWebhook(attempt)
      assert.equal(await stateOf(order), 'paid')
      assert.equal((await creditsFor(order)).length, 1)
    })

    it('expires an order when the member leaves without paying', async () => {
      const { order } = await start()
      setup.context.clock.advance(61 * 60_000)
      await asked(order)
      assert.equal(await stateOf(order), 'expired')
      assert.deepEqual((await transactionOf(order)).rejection_reason, 'payment_expired')
    })

    if (!under.isUnsigned)
      it('a forged webhook event matches nothing and is stored', async () => {
        const { order, attempt } = await start()
        const answer = await sendWebhook(attempt, { status: words.paid, secretKey: 'not-the-secret-1' })
        assert.equal(answer?.status, 401)
        assert.equal(await stateOf(order), 'handed_over')
        const stored = (await listWebhookEvents(setup)).at(-1)
        assert.deepEqual([stored?.verdict, stored?.outcome, stored?.order_id], ['wrong_signature', 'refused', null])
      })

    if (!under.isUnsigned && !under.namesNoMerchant)
      it('a webhook event signed for another merchant matches nothing', async () => {
        const { order, attempt } = await start()
        paid(attempt)
        assert.equal((await sendWebhook(attempt, otherMerchant))?.status, 401)
        assert.equal(await stateOf(order), 'handed_over')
        assert.equal((await listWebhookEvents(setup)).at(-1)?.verdict, 'another_merchant')
      })

    it('accepts a member’s name in any script', async () => {
      await rename('Zoë “Zo”', 'Đặng 李')
      const { order, attempt } = await start()
      paid(attempt)
      await sendWebhook(attempt)
      assert.equal(await stateOf(order), 'paid')
      await rename('Mara', 'Member')
    })

    it('processes identical bytes once, however often they arrive', async () => {
      const { order, attempt } = await start()
      paid(attempt)
      for (let time = 0; time < 5; time++) assert.equal((await sendWebhook(attempt))?.status, 200)
      const stored = await listWebhookEvents(setup, order)
      assert.deepEqual(
        stored.map(({ times, outcome }) => [times, outcome]),
        [[5, 'applied']],
      )
      assert.equal((await creditsFor(order)).length, 1)
    })

    for (const [what, overrides, why] of [
      ['a payment of one smallest unit too little', { amount: '249.99' }, 'amount_differs'],
      ['a payment of one smallest unit too much', { amount: '250.01' }, 'amount_differs'],
      ['a partial payment', { amount: '25.00' }, 'amount_differs'],
      ...(under.hasNoCurrency ? [] : ([['another currency', { currency: 'EUR' }, 'currency_differs']] as const)),
    ] as const)
      it(`moves ${what} to manual review and credits nothing`, async () => {
        const { order, attempt } = await start()
        paid(attempt)
        await sendWebhook(attempt, overrides)
        assert.deepEqual([await stateOf(order), (await readOrder(setup, order)).staff_reason], ['for_staff', why])
        assert.equal((await creditsFor(order)).length, 0)
        // A correct message afterwards changes nothing: the order is in manual review.
        await sendWebhook(attempt)
        assert.equal((await creditsFor(order)).length, 0)
        assert.equal('order_status' in (await readDepositStatus(setup.member, order)), false)
      })

    it('acknowledges a webhook event about an unknown order and moves it to manual review', async () => {
      const { attempt } = await start()
      paid(attempt)
      const answer = await sendWebhook(attempt, { attempt: 'dep-000000000000000000000000' })
      assert.equal(answer?.status, 200)
      assert.equal((await listWebhookEvents(setup)).at(-1)?.outcome, 'unknown_order')
    })

    if (!under.isUnsigned && !under.namesNoPayment)
      it('moves a second payment of a paid order to manual review', async () => {
        const { order, attempt } = await start()
        paid(attempt)
        await sendWebhook(attempt)
        await sendWebhook(attempt, { reference: '7777777' })
        assert.deepEqual(
          (await listWebhookEvents(setup, order)).map(({ outcome, why }) => [outcome, why]),
          [
            ['applied', null],
            ['for_staff', 'second_payment'],
          ],
        )
        assert.equal((await creditsFor(order)).length, 1)
      })

    if (!under.isUnsigned && !under.namesNoPayment)
      it('does not accept the payment of one order for another', async () => {
        const [one, other] = [await start(), await start()]
        paid(one.attempt)
        await sendWebhook(one.attempt)
        const { reference } = await readOrder(setup, one.order)
        await sendWebhook(other.attempt, { status: words.paid, reference: reference ?? '' })
        assert.equal(await stateOf(other.order), 'for_staff')
        assert.equal((await creditsFor(other.order)).length, 0)
      })

    if (!under.cannotBeAsked)
      it('finds a payment without a webhook event', async () => {
        const { order, attempt } = await start()
        paid(attempt)
        setup.context.clock.advance(6 * 60_000)
        assert.ok((await askAboutDueOrders(setup.system)) >= 1)
        await asked(order)
        assert.equal(await stateOf(order), 'paid')
        assert.equal((await creditsFor(order)).length, 1)
      })

    it('moves a payment after the expiry to manual review', async () => {
      const { order, attempt } = await start()
      setup.context.clock.advance(61 * 60_000)
      await asked(order)
      paid(attempt)
      setup.context.clock.advance(2 * 24 * 60 * 60_000)
      await sendWebhook(attempt)
      assert.deepEqual(
        [await stateOf(order), (await readOrder(setup, order)).staff_reason],
        ['for_staff', 'after_expiry'],
      )
      assert.equal((await creditsFor(order)).length, 0)
    })

    if (!under.hasNoPending)
      it('waits while a payment is pending, and never leaves the state paid', async () => {
        const { order, attempt } = await start()
        simulator().set(attempt, words.pending)
        await sendWebhook(attempt)
        assert.equal(await stateOf(order), 'handed_over')
        paid(attempt)
        await sendWebhook(attempt)
        simulator().set(attempt, words.declined, 'Late')
        await sendWebhook(attempt)
        assert.equal(await stateOf(order), 'paid')
        assert.equal((await transactionOf(order)).state, 'crediting')
      })

    for (const [what, fault] of [
      ['is down', { isDown: true }],
      ['answers with an HTML page', { malformed: 'html' }],
      ['answers with an empty body', { malformed: 'empty' }],
      ['accepts the call and never answers', { dropAnswer: true }],
    ] as const) {
      if (!under.cannotBeAsked)
        it(`queries again later when the provider ${what}, and loses nothing`, async () => {
          const { order, attempt } = await start()
          paid(attempt)
          simulator().breakDown(fault)
          await asked(order)
          assert.equal(await stateOf(order), 'handed_over')
          simulator().mend()
          await asked(order)
          assert.equal(await stateOf(order), 'paid')
        })

      if (isCalledAtStart)
        it(`never starts an order twice when the provider ${what}`, async () => {
          simulator().breakDown(fault)
          const body = await startBody(setup, { ...form, payment_method: uid })
          const before = simulator().orders.size
          const isAccepted = 'dropAnswer' in fault
          await assert.rejects(startDeposit(setup.member, body), { code: 'unavailable' })
          simulator().mend()
          await assert.rejects(startDeposit(setup.member, body), { code: 'unavailable' })
          assert.ok(simulator().orders.size - before <= (isAccepted || 'malformed' in fault ? 1 : 0))
        })
    }

    if (!under.currency)
      it('handles a currency without decimals correctly', async () => {
        const accountId = await addAccount(setup.system, {
          memberId: setup.member.memberId,
          platformId: setup.platformId,
          currency: 'JPY',
        })
        const given = { ...form, payment_method: uid, trading_account: accountId, amount: '25000' }
        const { order, attempt } = await startOrder(setup, given)
        paid(attempt)
        await sendWebhook(attempt)
        assert.equal(await stateOf(order), 'paid')
        assert.equal((await readOrder(setup, order)).charge, '25000')
        await assert.rejects(startDeposit(setup.member, await startBody(setup, { ...given, amount: '25000.5' })), {
          code: 'invalid_input',
        })
      })
  })
}
