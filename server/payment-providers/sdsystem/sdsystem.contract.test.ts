// spec: OP factors
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { SdsystemSimulator } from '../../../simulators/sdsystem/simulator.ts'
import {
  listWebhookEvents,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startOrder,
  withAccountIn,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { changeSettings } from '../../../tests/fixtures/payments/payment-providers.ts'
import {
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  processLatest,
} from '../../../tests/fixtures/payments/payouts.ts'
import { readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../../tests/fixtures/workspaces.ts'
import { payByProvider } from '../../payments/payouts/payout-decision.ts'
import { testProvider } from '../contract-tests.ts'
import { testPayouts } from '../payout-contract-tests.ts'

const posted = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } } as const

import { shareFixture } from '../../../tests/fixtures/shared-fixture.ts'
import { payoutsUnderTest, simulatorOf, underTest, words } from './under-test.ts'

describe('sdsystem', () => {
  const shared = shareFixture(simulatorOf, { currency: 'CNY' })
  testProvider(underTest, shared)
  testPayouts(payoutsUnderTest, shared)

  describe('sdsystem: encrypted orders and answers', () => {
    let setup: PaymentFixture
    let simulator: SdsystemSimulator
    before(() => {
      setup = shared.setup()
      simulator = shared.simulator()
    })

    it('answers in the format that stops their retries, and refuses a forgery in the same format', async () => {
      const { attempt, redirect } = await startOrder(setup, { payment_method: 'sdsystem', amount: '250.00' })
      assert.ok(redirect.kind === 'form')
      assert.deepEqual(
        redirect.fields.map(({ name }) => name),
        ['pid', 'cmd', 'des'],
      )
      simulator.set(attempt, '1')
      const answer = await simulator.notify(attempt)
      assert.equal(answer?.status, 200)
      assert.match(answer?.body ?? '', /<cmd>60071<\/cmd>.*<result>100<\/result>/)
      const forged = await simulator.notify(attempt, { secretKey: 'another-inner-key' })
      assert.match(forged?.body ?? '', /<result>103<\/result>/)
    })
  })

  describe('sdsystem: allowed sender addresses', () => {
    let setup: PaymentFixture
    let simulator: SdsystemSimulator
    before(async () => {
      setup = await withAccountIn(await openPaymentFixture(), 'CNY')
      simulator = await simulatorOf(setup)
    })
    after(() => setup.close())

    it('refuses a correctly encrypted message from another address, and accepts it once the address is allowed', async () => {
      const { order, attempt } = await startOrder(setup, { payment_method: 'sdsystem', amount: '250.00' })
      await changeSettings(setup.system, 'sdsystem', { senders: '203.0.113.0/24' })
      simulator.set(attempt, words.paid)
      const message = simulator.messageFor(attempt)
      const post = () => fetch(simulator.orderOf(attempt).notifyUrl, { ...posted, body: message.body })
      assert.equal((await post()).status, 401)
      await readWebhookEvents(setup)
      const [refused] = await listWebhookEvents(setup)
      assert.deepEqual([refused?.verdict, refused?.outcome], ['another_sender', 'refused'])
      assert.equal((await readOrder(setup, order)).state, 'handed_over')
      // Identical bytes: the refused message must not block them.
      await changeSettings(setup.system, 'sdsystem', { senders: '203.0.113.0/24, 127.0.0.1\n::1' })
      assert.equal((await post()).status, 200)
      await readWebhookEvents(setup)
      assert.equal((await readOrder(setup, order)).state, 'paid')
    })

    it('a copy from another address that is not read yet does not block the genuine message', async () => {
      const { order, attempt } = await startOrder(setup, { payment_method: 'sdsystem', amount: '250.00' })
      await changeSettings(setup.system, 'sdsystem', { senders: '127.0.0.1\n::1' })
      simulator.set(attempt, words.paid)
      const { body } = simulator.messageFor(attempt)
      const { host, pathname: url } = new URL(simulator.orderOf(attempt).notifyUrl)
      const post = async (remoteAddress: string) => {
        const headers = { ...posted.headers, host }
        return (await setup.app.inject({ method: 'POST', url, headers, body, remoteAddress })).statusCode
      }
      assert.deepEqual([await post('198.51.100.7'), await post('127.0.0.1')], [401, 200])
      await readWebhookEvents(setup)
      assert.equal((await readOrder(setup, order)).state, 'paid')
    })

    it('a copy sent while settings were broken does not block the genuine message', async () => {
      const { order, attempt } = await startOrder(setup, { payment_method: 'sdsystem', amount: '250.00' })
      simulator.set(attempt, words.paid)
      const message = simulator.messageFor(attempt)
      const post = () => fetch(simulator.orderOf(attempt).notifyUrl, { ...posted, body: message.body })
      await changeSettings(setup.system, 'sdsystem', { payUrl: 'no address' })
      assert.equal((await post()).status, 503)
      await changeSettings(setup.system, 'sdsystem', {
        payUrl: simulator.settings.payUrl ?? '',
        senders: '203.0.113.0/24',
      })
      await readWebhookEvents(setup)
      assert.equal((await readOrder(setup, order)).state, 'handed_over')
      await changeSettings(setup.system, 'sdsystem', { senders: '' })
      assert.equal((await post()).status, 200)
      await readWebhookEvents(setup)
      assert.equal((await readOrder(setup, order)).state, 'paid')
    })

    it('moves a deposit above the limit to manual review', async () => {
      await changeSettings(setup.system, 'sdsystem', { senders: '', believedUpTo: '250.00' })
      for (const [amount, state, why] of [
        ['250.00', 'paid', null],
        ['250.01', 'for_staff', 'above_limit'],
      ] as const) {
        const { order, attempt } = await startOrder(setup, { payment_method: 'sdsystem', amount })
        simulator.set(attempt, words.paid)
        await simulator.notify(attempt)
        await readWebhookEvents(setup)
        const row = await readOrder(setup, order)
        assert.deepEqual([row.state, row.staff_reason], [state, why])
      }
    })
  })

  describe('sdsystem: encrypted but unsigned messages', () => {
    let setup: PaymentFixture
    let simulator: SdsystemSimulator
    let payee: Awaited<ReturnType<typeof openPayee>>
    before(async () => {
      setup = await openPaymentFixture()
      simulator = await simulatorOf(setup, { believedUpTo: '300' })
      await chooseSettings(setup, { withdrawal_rules: [openTo('sdsystem')], withdrawal_four_eyes: false })
      payee = await openPayee(setup, 'sdsystem', { balance: '100000.00', currency: 'CNY' })
    })
    after(() => setup.close())

    async function sent(amount?: string): Promise<{ id: string; attempt: string }> {
      const id = await debitPayout(setup, 'sdsystem', payee, amount)
      assert.equal(await processLatest(setup, id), 'accepted')
      return { id, attempt: (await latestPayout(setup, id)).attempt }
    }
    async function sendWebhook(
      attempt: string,
      overrides: Parameters<SdsystemSimulator['notify']>[1],
    ): Promise<string | undefined> {
      const answer = await simulator.notify(attempt, overrides)
      await readWebhookEvents(setup)
      return answer?.body
    }
    const stateOf = async (id: string) => {
      const { state, staff_reason } = await latestPayout(setup, id)
      return [state, staff_reason, (await readTransaction(setup, id)).state]
    }

    it('sends the bank code and acknowledges in their format', async () => {
      const { id, attempt } = await sent()
      assert.equal(simulator.orderOf(attempt).more.bank, 'MEMB')
      assert.equal(await sendWebhook(attempt, { status: words.paid }), '<span id="resultLable">Success</span>')
      assert.deepEqual(await stateOf(id), ['for_staff', 'unverified', 'paying'])
      // The stored report outlives the message, so it must not contain the member's account.
      const { account = '' } = simulator.orderOf(attempt).more
      assert.match(account, /^GB33/)
      assert.equal(
        JSON.stringify((await listWebhookEvents(setup)).map(({ reported }) => reported)).includes(account),
        false,
      )
    })

    it('accepts no final status, whatever the message names and whatever the amount', async () => {
      for (const [status, overrides] of [
        [words.paid, { account: 'GB00OTHER' }],
        [words.declined, { amount: '1.00' }],
        [words.declined, {}],
        ['4', {}],
      ] as const) {
        const { id, attempt } = await sent()
        await sendWebhook(attempt, { status, ...overrides })
        assert.deepEqual(await stateOf(id), ['for_staff', 'unverified', 'paying'])
      }
    })

    it('moves a payout sent before payouts were disabled to manual review', async () => {
      const { id, attempt } = await sent()
      const { payoutUrl = '' } = simulator.settings
      await changeSettings(setup.system, 'sdsystem', { payoutUrl: '' })
      await sendWebhook(attempt, { status: words.paid })
      assert.deepEqual(await stateOf(id), ['for_staff', 'unverified', 'paying'])
      await changeSettings(setup.system, 'sdsystem', { payoutUrl })
    })

    it('sends nothing to a bank without a code, and sends it once staff have entered one', async () => {
      const calls = simulator.payoutCalls()
      await changeSettings(setup.system, 'sdsystem', { banks: 'ICBC = Industrial and Commercial Bank of China' })
      const id = await debitPayout(setup, 'sdsystem', payee)
      assert.equal(await processLatest(setup, id), 'for_staff')
      assert.deepEqual(await stateOf(id), ['for_staff', 'misconfigured', 'paying'])
      assert.equal(simulator.payoutCalls(), calls)
      await changeSettings(setup.system, 'sdsystem', { banks: 'MEMB = Bank of Members, members-bank' })
      await payByProvider(setup.staff, id)
      assert.equal(await processLatest(setup, id), 'accepted')
      assert.equal(simulator.payoutCalls(), calls + 1)
    })
  })
})
