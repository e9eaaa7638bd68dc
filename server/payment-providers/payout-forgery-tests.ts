import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { callerOf } from '../../tests/fixtures/caller.ts'
import {
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import {
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  type Payee,
  processLatest,
  readPayouts,
} from '../../tests/fixtures/payments/payouts.ts'
import { provenMember } from '../../tests/fixtures/payments/withdrawals.ts'
import type { SharedFixture } from '../../tests/fixtures/shared-fixture.ts'
import { readIntents, readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../tests/fixtures/workspaces.ts'
import { connectWith } from '../payments/connections/provider.ts'
import type { PaymentProvider } from './contract.ts'
import { coveredFields, isComplete, unsignedCoverage } from './coverage.ts'
import { alteredValue, valueIn, withRepeatedField, withShiftedBorders, withValues } from './forged-messages.ts'
import type { PayingSimulator, PayoutsUnderTest } from './payouts-under-test.ts'
import type { RawMessage } from './tampered-webhook-events.ts'

/**
 * For every provider: a payout message that its signature does not fully cover never moves money. A forged refusal does
 * not reverse a payout in progress, and a forged confirmation does not complete one that was never made.
 */
export function testPayoutForgeries(under: PayoutsUnderTest, shared: SharedFixture<PayingSimulator>): void {
  const { uid, words, currency = 'USD', cannotBeAsked, signature: signs } = under
  describe(`${uid}: forged payout messages`, () => {
    let setup: PaymentFixture
    let simulator: PayingSimulator
    let provider: PaymentProvider
    let payee: Payee
    before(async () => {
      setup = shared.setup()
      simulator = shared.simulator()
      provider = connectWith(setup.context, uid, simulator.settings)
      await chooseSettings(setup, { withdrawal_rules: [openTo(uid)], withdrawal_four_eyes: false })
      payee = await openPayee(setup, uid, { balance: '100000.00', currency })
    })

    const coverage = () => provider.proves.payout ?? unsignedCoverage
    const read = (webhookEvent: RawMessage) => provider.readWebhookEvent(webhookEvent)
    const stateOf = async (id: string) => (await readTransaction(setup, id)).state
    const balance = () => setup.simulator.control.account(payee.login)?.balance

    function webhookEventOf(attempt: string): RawMessage {
      const { method = 'POST', type, body, headers } = simulator.messageFor(attempt)
      const given = Object.entries({ 'content-type': type, ...headers })
      const lower = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]))
      return { method, query: '', body: Buffer.from(body), headers: lower }
    }
    async function post({ method, body, headers }: RawMessage): Promise<void> {
      await callerOf(setup.app).send({
        ...{ method: method as 'GET' | 'POST', url: `/callbacks/payments/${uid}`, payload: body },
        headers: { ...headers, host: 'localhost' },
      })
    }
    /** A payout in progress: the provider has accepted it and reported no outcome. */
    async function sent(): Promise<{ id: string; attempt: string }> {
      const id = await debitPayout(setup, uid, { ...payee, member: await provenMember(setup) })
      await processLatest(setup, id)
      const { attempt } = await latestPayout(setup, id)
      simulator.set(attempt, words.pending)
      return { id, attempt }
    }
    /** The provider's message for this status; the simulator returns to pending afterwards. */
    function webhookEventThat(attempt: string, word: string): RawMessage {
      simulator.set(attempt, word)
      const webhookEvent = webhookEventOf(attempt)
      simulator.set(attempt, words.pending)
      return webhookEvent
    }
    /** Asserts that reading every posted message and querying the provider leave the payout in progress. */
    async function mustStay({ id }: { id: string }, why: string): Promise<void> {
      await readWebhookEvents(setup)
      if (!cannotBeAsked) await processLatest(setup, id)
      const { state } = await latestPayout(setup, id)
      assert.ok(['accepted', 'for_staff'].includes(state), `${why}: the payout is ${state}`)
      assert.equal(await stateOf(id), 'paying', why)
      assert.equal((await readIntents(setup, id)).length, 1, `${why}: something is to go back`)
      assert.equal((await readPayouts(setup, id)).length, 1)
    }

    it('a message is genuine only where the declared coverage is complete', async () => {
      const { attempt } = await sent()
      for (const word of [words.paid, words.declined]) {
        const reading = read(webhookEventThat(attempt, word))
        assert.equal(reading.isGenuine, isComplete(coverage()) && signs !== undefined, word)
      }
      assert.ok(isComplete(coverage()) || provider.readPayout || cannotBeAsked)
    })

    it('a message with incomplete coverage moves nothing on its own', async () => {
      if (isComplete(coverage())) return
      for (const word of [words.paid, words.declined]) {
        const payout = await sent()
        const before = balance()
        await post(webhookEventThat(payout.attempt, word))
        await mustStay(payout, `sendWebhook ${word}`)
        assert.equal(balance(), before)
      }
    })

    it('changing order, amount, currency, kind or reference under the same signature moves nothing', async () => {
      for (const word of [words.paid, words.declined]) {
        const [payout, other] = [await sent(), await sent()]
        const { order: deposit } = await depositOf()
        const before = balance()
        const webhookEvent = webhookEventThat(payout.attempt, word)
        for (const field of coveredFields) {
          const name = signs?.names[field]
          const value = name === undefined ? null : valueIn(webhookEvent, name)
          if (!name || value === null) continue
          for (const changed of [field === 'order' ? other.attempt : alteredValue(value), '', undefined]) {
            const forged = withValues(webhookEvent, { [name]: changed })
            const reading = read(forged)
            assert.ok(!reading.isGenuine, `${field} was changed to ${changed}`)
            if (coverage()[field] === 'signed' && !signs?.isSealed && changed !== undefined && changed !== '')
              assert.notEqual(reading.why, 'unverified', `${field} is declared as signed`)
            await post(forged)
          }
        }
        await mustStay(payout, word)
        await mustStay(other, word)
        assert.equal(balance(), before)
        assert.equal(await creditsFor(deposit), 0)
      }
    })

    it('characters moved between neighbours, omitted fields and duplicate fields are refused', async () => {
      if (!signs) return
      const payout = await sent()
      for (const word of [words.paid, words.declined]) {
        const webhookEvent = webhookEventThat(payout.attempt, word)
        const forged: RawMessage[] = [
          ...withShiftedBorders(webhookEvent, signs.fields, 4),
          ...signs.fields.flatMap((name) => [
            withValues(webhookEvent, { [name]: undefined }),
            withValues(webhookEvent, { [name]: '' }),
            withRepeatedField(webhookEvent, name, alteredValue(valueIn(webhookEvent, name) ?? '')),
            withRepeatedField(webhookEvent, name, valueIn(webhookEvent, name) ?? ''),
          ]),
          ...signs.proofs.flatMap((name) => [
            { ...withValues(webhookEvent, { [name]: undefined }), headers: without(webhookEvent.headers, name) },
          ]),
        ]
        for (const each of forged) assert.equal(read(each).isGenuine, false, each.body.toString())
      }
      await mustStay(payout, 'nothing was posted')
    })

    it('a deposit message completes no payout, and a payout message pays no deposit', async () => {
      const payout = await sent()
      const { order, attempt } = await depositOf()
      const before = balance()
      for (const word of [words.paid, words.declined]) {
        const ofPayout = webhookEventThat(payout.attempt, word)
        const body = ofPayout.body.toString('utf8').replaceAll(payout.attempt, attempt)
        await post({ ...ofPayout, body: Buffer.from(body) })
        const ofDeposit = webhookEventOf(attempt)
        await post({
          ...ofDeposit,
          body: Buffer.from(ofDeposit.body.toString('utf8').replaceAll(attempt, payout.attempt)),
        })
      }
      await mustStay(payout, 'reported by a message about a deposit')
      assert.deepEqual([await creditsFor(order), balance()], [0, before])
    })

    it('a failed payout is reversed once, however often it is reported and for whichever other payout', async () => {
      if (cannotBeAsked) return
      const [failed, other] = [await sent(), await sent()]
      simulator.set(failed.attempt, words.declined)
      const webhookEvent = webhookEventOf(failed.attempt)
      for (let time = 0; time < 3; time++) await post(webhookEvent)
      const body = webhookEvent.body.toString('utf8').replaceAll(failed.attempt, other.attempt)
      await post({ ...webhookEvent, body: Buffer.from(body) })
      await readWebhookEvents(setup)
      for (let time = 0; time < 2; time++) await processLatest(setup, failed.id)
      assert.equal(await stateOf(failed.id), 'returning')
      assert.equal((await readIntents(setup, failed.id)).length, 2)
      await mustStay(other, 'a webhook event of another one')
    })

    /** An unpaid order at the same provider. */
    const depositOf = () => startOrder(setup, { ...under.form, payment_method: uid, amount: '250.00' })
    const creditsFor = async (orderId: string) =>
      (await readIntents(setup, (await readOrder(setup, orderId)).transaction_id)).length
  })
}

const without = (headers: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name))
