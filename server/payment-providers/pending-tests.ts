import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  creditsOf,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import type { SharedFixture } from '../../tests/fixtures/shared-fixture.ts'
import { readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { readDepositStatus } from '../payments/deposit-status.ts'
import { deskExceptions } from '../payments/exceptions/exception-queries.ts'
import { askAboutDueOrders, askProvider } from '../payments/reconciliation.ts'
import type { ProviderUnderTest, SimulatorUnderTest } from './provider-under-test.ts'
import { findAdapter } from './registry.ts'
import { reviewsOf } from './unknown-word-tests.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** An order stays open while the provider reports it as pending, beyond the life of our own page. */
export function testPending(under: ProviderUnderTest, shared: SharedFixture<SimulatorUnderTest>): void {
  const { uid, words, form, hasNoPending, cannotBeAsked } = under
  if (hasNoPending) return
  describe(`${uid}: pending payments stay open`, () => {
    let setup: PaymentFixture
    let simulator: SimulatorUnderTest
    before(() => {
      setup = shared.setup()
      simulator = shared.simulator()
    })

    const daysMax = Number(findAdapter(uid)?.fields.pendingDays?.usual)
    const credited = async (orderId: string) => {
      const { transaction_id } = await readOrder(setup, orderId)
      return (await creditsOf(setup)).filter((credit) => credit.transaction_id === transaction_id).length
    }
    async function sendWebhook(attempt: string, status: string): Promise<void> {
      simulator.set(attempt, status)
      await simulator.notify(attempt, { status })
      await readWebhookEvents(setup)
    }
    async function pending() {
      const started = await startOrder(setup, { ...form, payment_method: uid, amount: '250.00' })
      await sendWebhook(started.attempt, words.pending)
      return started
    }
    /** Runs the query that is due after this time. */
    async function later(order: string, ms: number): Promise<void> {
      setup.context.clock.advance(ms)
      await askProvider(setup.system, order)
    }
    async function mustBeOpen(order: string): Promise<void> {
      const { state, transaction_id } = await readOrder(setup, order)
      assert.deepEqual([state, (await readTransaction(setup, transaction_id)).state], ['handed_over', 'pending'])
      const { is_pending, order_status } = await readDepositStatus(setup.member, order)
      assert.deepEqual([is_pending, order_status], [true, undefined])
    }

    it('stays open after an hour and for days, and is credited once when it is paid', async () => {
      const { order, attempt } = await pending()
      for (const ms of [61 * minuteMs, 24 * hourMs, daysMax > 2 ? dayMs : hourMs]) {
        await later(order, ms)
        await mustBeOpen(order)
      }
      await sendWebhook(attempt, words.paid)
      assert.deepEqual([(await readOrder(setup, order)).state, await credited(order)], ['paid', 1])
    })

    it('ends when the provider declines, however late', async () => {
      const { order, attempt } = await pending()
      await later(order, 26 * hourMs)
      simulator.set(attempt, words.declined)
      await sendWebhook(attempt, words.declined)
      await askProvider(setup.system, order)
      const { state, staff_reason } = await readOrder(setup, order)
      // Coins that were seen but not credited are returned.
      assert.ok(['declined', 'expired'].includes(state) || staff_reason === 'returned', `${state} ${staff_reason}`)
      assert.equal(await credited(order), 0)
    })

    it('goes to manual review with its own reason and an alert after the configured days, and a later webhook event still counts', async () => {
      const { order, attempt } = await pending()
      await later(order, daysMax * dayMs - hourMs)
      await mustBeOpen(order)
      const before = await reviewsOf(setup.context, uid, 'pending_too_long')
      await later(order, 2 * hourMs)
      const { state, staff_reason } = await readOrder(setup, order)
      assert.deepEqual([state, staff_reason], ['for_staff', 'pending_too_long'])
      assert.equal(await reviewsOf(setup.context, uid, 'pending_too_long'), before + 1)
      const waiting = async () => {
        const { cases } = await deskExceptions.read(setup.staff, { state: 'waiting', limit: 100 })
        return cases.filter((each) => each.order._id === order).map(({ why }) => why)
      }
      assert.deepEqual(await waiting(), ['pending_too_long'])
      assert.equal((await readDepositStatus(setup.member, order)).order_status, undefined)
      await sendWebhook(attempt, words.paid)
      assert.deepEqual([(await readOrder(setup, order)).state, await credited(order)], ['paid', 1])
      assert.deepEqual(await waiting(), [])
    })

    if (!cannotBeAsked) {
      it('is discovered by queries alone, at growing intervals', async () => {
        const { order, attempt } = await startOrder(setup, { ...form, payment_method: uid, amount: '250.00' })
        simulator.set(attempt, words.pending)
        let questions = 0
        for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
          setup.context.clock.advance(5 * minuteMs)
          const { next_look_at } = await readOrder(setup, order)
          if (next_look_at > setup.context.clock.now()) continue
          await askAboutDueOrders(setup.system)
          await askProvider(setup.system, order)
          questions += 1
        }
        await mustBeOpen(order)
        assert.ok(questions >= 20 && questions <= 60, `${questions} questions in a day`)
        simulator.set(attempt, words.paid)
        await later(order, 6 * hourMs)
        assert.deepEqual([(await readOrder(setup, order)).state, await credited(order)], ['paid', 1])
      })

      it('stays open while the provider does not answer', async () => {
        const { order } = await pending()
        simulator.breakDown({ isDown: true })
        await later(order, 26 * hourMs)
        simulator.mend()
        await mustBeOpen(order)
      })
    }
  })
}
