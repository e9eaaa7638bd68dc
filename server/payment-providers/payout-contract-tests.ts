import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { isSame } from '@atrium/contract/money/money.ts'
import {
  listWebhookEvents,
  type PaymentFixture,
  readWebhookEvents,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import {
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  type Payee,
  processLatest,
} from '../../tests/fixtures/payments/payouts.ts'
import { settleLatest } from '../../tests/fixtures/payments/withdrawals.ts'
import type { SharedFixture } from '../../tests/fixtures/shared-fixture.ts'
import { readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../tests/fixtures/workspaces.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { findViolations } from '../funding/ledger.ts'
import { payByProvider } from '../payments/payouts/payout-decision.ts'
import { testPayoutForgeries } from './payout-forgery-tests.ts'
import type { Overrides, PayingSimulator, PayoutsUnderTest } from './payouts-under-test.ts'
import { reviewsOf, unknownWords } from './unknown-word-tests.ts'

/** The contract of every provider with payouts, run against its simulator from the member's form to the ledger. */
export function testPayouts(under: PayoutsUnderTest, shared: SharedFixture<PayingSimulator>): void {
  const {
    uid,
    words,
    currency = 'USD',
    webhookEvents,
    hasNoCurrency,
    cannotBeAsked,
    failedWords = 'Account closed',
  } = under
  testPayoutForgeries(under, shared)
  describe(`${uid}: payout contract`, () => {
    let setup: PaymentFixture
    let payee: Payee
    before(async () => {
      setup = shared.setup()
      await chooseSettings(setup, { withdrawal_rules: [openTo(uid)], withdrawal_four_eyes: false })
      payee = await openPayee(setup, uid, { balance: '100000.00', currency })
    })

    const { simulator } = shared
    /** A beneficiary without a successful payout counts as new, which requires a recent proof. */
    async function debited(amount?: string): Promise<string> {
      await inTransaction(setup.system, (tx) =>
        tx
          .updateTable('sessions')
          .set({ proven_at: setup.context.clock.now() })
          .where('workspace_id', '=', setup.system.workspaceId)
          .where('session_id', '=', payee.member.sessionId)
          .execute(),
      )
      return debitPayout(setup, uid, payee, amount)
    }
    const stateOf = async (id: string) => (await readTransaction(setup, id)).state
    const balance = () => setup.simulator.control.account(payee.login)?.balance
    const attemptOf = async (id: string) => (await latestPayout(setup, id)).attempt
    async function sendWebhook(id: string, overrides?: Overrides): Promise<void> {
      const answer = webhookEvents === 'none' ? null : await simulator().notify(await attemptOf(id), overrides)
      await readWebhookEvents(setup)
      if (webhookEvents === 'hints' || webhookEvents === 'none') await processLatest(setup, id)
      const isForged = overrides?.secretKey !== undefined
      if (webhookEvents !== 'none') assert.equal(answer?.status, isForged ? 401 : 200)
    }
    async function sent(amount?: string): Promise<string> {
      const id = await debited(amount)
      assert.equal(await processLatest(setup, id), 'accepted')
      return id
    }

    if (webhookEvents === 'reviewed')
      it('moves every outcome that a webhook event names to manual review, where staff check the provider’s list', async () => {
        for (const word of [words.paid, words.declined]) {
          const before = balance()
          const id = await sent()
          simulator().set(await attemptOf(id), word)
          for (let time = 0; time < 2; time++) await sendWebhook(id)
          const { state, staff_reason } = await latestPayout(setup, id)
          assert.deepEqual([state, staff_reason, await stateOf(id)], ['for_staff', 'unverified', 'paying'])
          assert.equal(Number(before) - Number(balance()), 250)
          assert.equal((await listWebhookEvents(setup)).at(-1)?.verdict, 'unverified')
        }
      })

    it('pays the requested amount less our fee, once', async () => {
      await chooseSettings(setup, {
        withdrawal_rules: [openTo(uid, { fee_fixed: '1.5' })],
        withdrawal_four_eyes: false,
      })
      const calls = simulator().payoutCalls()
      const id = await sent()
      await chooseSettings(setup, { withdrawal_rules: [openTo(uid)], withdrawal_four_eyes: false })
      const order = simulator().orders.get(await attemptOf(id))
      assert.ok(order && isSame(order.amount, '248.50'), order?.amount)
      assert.equal(order.currency, currency)
      if (webhookEvents === 'reviewed') return
      simulator().set(await attemptOf(id), words.paid)
      for (let time = 0; time < 3; time++) await sendWebhook(id)
      const { state, payout_reference } = await readTransaction(setup, id)
      const { reference } = await latestPayout(setup, id)
      assert.deepEqual([state, payout_reference], ['approved', reference])
      assert.equal(simulator().payoutCalls(), calls + 1)
      await processLatest(setup, id)
      assert.equal(simulator().payoutCalls(), calls + 1)
    })

    if (webhookEvents !== 'reviewed')
      it('reverses an accepted payout that failed later, and gives the reason', async () => {
        const before = balance()
        const id = await sent()
        simulator().set(await attemptOf(id), words.declined, 'Account closed')
        await sendWebhook(id)
        await sendWebhook(id)
        assert.equal(await stateOf(id), 'returning')
        assert.equal(await settleLatest(setup, id), 'rejected')
        const { rejection_reason, rejection_note } = await readTransaction(setup, id)
        assert.deepEqual([rejection_reason, rejection_note], ['payout_failed', failedWords])
        assert.equal(balance(), before)
      })

    it('reverses a payout that was refused immediately', async () => {
      const before = balance()
      simulator().refuseStarts('Limit reached')
      const id = await debited()
      assert.equal(await processLatest(setup, id), 'declined')
      simulator().refuseStarts(null)
      assert.equal(await settleLatest(setup, id), 'rejected')
      assert.equal(balance(), before)
    })

    if (cannotBeAsked)
      it('moves an unanswered payout to manual review, never repeats the call, and accepts a later webhook event', async () => {
        const calls = simulator().payoutCalls()
        const id = await debited()
        simulator().breakDown({ dropAnswer: true })
        assert.equal(await processLatest(setup, id), 'checking')
        simulator().mend()
        for (let time = 0; time < 3; time++) assert.equal(await processLatest(setup, id), 'for_staff')
        assert.deepEqual(
          [(await latestPayout(setup, id)).staff_reason, await stateOf(id)],
          ['cannot_be_asked', 'paying'],
        )
        // Staff cannot resend it while it may have been paid.
        await assert.rejects(payByProvider(setup.staff, id), { code: 'illegal_move' })
        assert.equal(simulator().payoutCalls() - calls, 1)
        simulator().set(await attemptOf(id), words.paid)
        await sendWebhook(id)
        assert.equal(await stateOf(id), webhookEvents === 'reviewed' ? 'paying' : 'approved')
      })
    else
      it('queries an unanswered payout first and never repeats the call', async () => {
        const calls = simulator().payoutCalls()
        const id = await debited()
        simulator().breakDown({ dropAnswer: true })
        assert.equal(await processLatest(setup, id), 'checking')
        assert.equal(await processLatest(setup, id), 'checking')
        simulator().mend()
        if (simulator().orders.has(await attemptOf(id))) {
          assert.equal(await processLatest(setup, id), 'accepted')
          simulator().set(await attemptOf(id), words.paid)
          assert.equal(await processLatest(setup, id), 'paid')
          assert.equal(await stateOf(id), 'approved')
        }
        assert.ok(simulator().payoutCalls() - calls <= 1)
      })

    for (const [what, fault] of [
      ['is down', { isDown: true }],
      ['answers with an HTML page', { malformed: 'html' }],
      ['answers with an empty body', { malformed: 'empty' }],
    ] as const)
      it(`moves a payout to manual review if a provider that ${what} does not know it later, and calls at most once`, async () => {
        const calls = simulator().payoutCalls()
        const id = await debited()
        simulator().breakDown(fault)
        assert.equal(await processLatest(setup, id), 'checking')
        simulator().mend()
        await processLatest(setup, id)
        setup.context.clock.advance(31 * 60_000)
        const state = await processLatest(setup, id)
        const isFound = simulator().orders.has(await attemptOf(id)) && !cannotBeAsked
        const why = cannotBeAsked ? 'cannot_be_asked' : 'not_known'
        assert.equal(state, isFound ? 'accepted' : 'for_staff')
        if (!isFound) assert.equal((await latestPayout(setup, id)).staff_reason, why)
        assert.equal(await stateOf(id), 'paying')
        assert.ok(simulator().payoutCalls() - calls <= 1)
      })

    it('finds an outcome without a webhook event', async () => {
      const id = await sent()
      simulator().set(await attemptOf(id), words.paid)
      if (!cannotBeAsked) {
        assert.equal(await processLatest(setup, id), 'paid')
        assert.equal(await stateOf(id), 'approved')
        return
      }
      assert.equal(await processLatest(setup, id), 'accepted')
      setup.context.clock.advance(5 * 24 * 60 * 60_000)
      assert.equal(await processLatest(setup, id), 'for_staff')
      assert.deepEqual([(await latestPayout(setup, id)).staff_reason, await stateOf(id)], ['overdue', 'paying'])
      await sendWebhook(id)
      assert.equal(await stateOf(id), webhookEvents === 'reviewed' ? 'paying' : 'approved')
    })

    if (webhookEvents !== 'none')
      it('a forged webhook event matches nothing', async () => {
        const id = await sent()
        await sendWebhook(id, { status: words.paid, secretKey: 'not-the-secret-1' })
        assert.deepEqual([await stateOf(id), (await latestPayout(setup, id)).state], ['paying', 'accepted'])
        assert.equal((await listWebhookEvents(setup)).at(-1)?.outcome, 'refused')
      })

    if (!cannotBeAsked)
      it('moves a payout to manual review when the provider reports another amount', async () => {
        const id = await sent()
        const order = simulator().orders.get(await attemptOf(id))
        if (order) order.amount = '25.00'
        simulator().set(await attemptOf(id), words.paid)
        assert.equal(await processLatest(setup, id), 'for_staff')
        assert.deepEqual(
          [(await latestPayout(setup, id)).staff_reason, await stateOf(id)],
          ['amount_differs', 'paying'],
        )
      })

    if (!cannotBeAsked && !under.answersNameNone)
      for (const word of [words.paid, words.declined])
        it(`neither completes nor reverses when a query answers ${word} about another payout`, async () => {
          const id = await sent()
          const attempt = await attemptOf(id)
          const order = simulator().orders.get(attempt) ?? assert.fail('nothing arrived')
          simulator().set(attempt, word)
          order.attempt = 'wd-000000000000000000000000'
          const state = await processLatest(setup, id)
          assert.ok(['accepted', 'for_staff'].includes(state), state)
          assert.equal(await stateOf(id), 'paying')
        })

    it('waits while a payout is pending', async () => {
      const id = await sent()
      simulator().set(await attemptOf(id), words.pending)
      await sendWebhook(id)
      assert.deepEqual([await stateOf(id), (await latestPayout(setup, id)).state], ['paying', 'accepted'])
    })

    for (const [what, word] of unknownWords(words.paid))
      it(`moves ${what} to manual review with an alert, and neither completes nor reverses`, async () => {
        const id = await sent()
        const why = webhookEvents === 'reviewed' ? 'unverified' : 'unclear_word'
        const before = await reviewsOf(setup.context, uid, why)
        simulator().set(await attemptOf(id), word)
        await sendWebhook(id, { status: word })
        if (webhookEvents === 'hints' || webhookEvents === 'none') await processLatest(setup, id)
        const { state, staff_reason, problem } = await latestPayout(setup, id)
        assert.deepEqual([state, staff_reason, await stateOf(id)], ['for_staff', why, 'paying'])
        assert.ok(problem?.includes(word), problem ?? 'no word')
        assert.equal(await reviewsOf(setup.context, uid, why), before + 1)
      })

    if (webhookEvents === 'believed') {
      for (const [what, overrides, why] of [
        ['another amount', { amount: '25.00' }, 'amount_differs'],
        ['another currency', { currency: 'EUR' }, 'currency_differs'],
        ['another number', { reference: '7777777' }, 'another_reference'],
      ] as const) {
        if (hasNoCurrency && 'currency' in overrides) continue
        it(`moves a payout with ${what} to manual review, and neither completes nor reverses`, async () => {
          const id = await sent()
          await sendWebhook(id, { status: words.paid, ...overrides })
          const payout = await latestPayout(setup, id)
          assert.deepEqual([payout.state, payout.staff_reason], ['for_staff', why])
          // A correct message afterwards changes nothing: the payout is in manual review.
          await sendWebhook(id, { status: words.paid })
          assert.equal(await stateOf(id), 'paying')
        })
      }

      it('never leaves the state paid, and shows staff the later message', async () => {
        const id = await sent()
        await sendWebhook(id, { status: words.paid })
        await sendWebhook(id, { status: words.declined })
        assert.equal(await stateOf(id), 'approved')
        assert.equal((await listWebhookEvents(setup)).at(-1)?.outcome, 'for_staff')
      })
    }

    it('the ledger has no violation after all of this', async () => {
      const own = (await findViolations(setup.system)).filter(({ kind }) => kind !== 'unknown-on-platform')
      assert.deepEqual(own, [])
    })
  })
}
