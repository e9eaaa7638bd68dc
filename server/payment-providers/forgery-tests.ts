import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import {
  listWebhookEvents,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import type { SharedFixture } from '../../tests/fixtures/shared-fixture.ts'
import { readIntents } from '../../tests/fixtures/trading/trading-fixture.ts'
import { findViolations } from '../funding/ledger.ts'
import { connectWith } from '../payments/connections/provider.ts'
import type { HttpRequest, PaymentProvider } from './contract.ts'
import { coveredFields, isComplete, unsignedCoverage } from './coverage.ts'
import { alteredValue, isJson, valueIn, withRepeatedField, withShiftedBorders, withValues } from './forged-messages.ts'
import type { ProviderUnderTest, SimulatorUnderTest } from './provider-under-test.ts'
import type { RawMessage } from './tampered-webhook-events.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/**
 * For every provider: a message counts on its own only where its signature covers every deciding field, and no forgery
 * made from one genuine payment pays for another order.
 */
export function testForgeries(under: ProviderUnderTest, shared: SharedFixture<SimulatorUnderTest>): void {
  const { uid, words, signature: signs } = under
  describe(`${uid}: forgeries of one genuine payment`, () => {
    let setup: PaymentFixture
    let caller: Caller
    let simulator: SimulatorUnderTest
    let provider: PaymentProvider
    before(() => {
      setup = shared.setup()
      simulator = shared.simulator()
      caller = callerOf(setup.app)
      provider = connectWith(setup.context, uid, simulator.settings)
    })

    const start = () => startOrder(setup, { ...under.form, payment_method: uid, amount: '250.00' })
    function webhookEventOf(attempt: string): RawMessage {
      const { method = 'POST', type, body, headers } = simulator.messageFor(attempt)
      const given = Object.entries({ 'content-type': type, ...headers })
      const lower = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]))
      return { method, query: '', body: Buffer.from(body), headers: lower }
    }
    const read = (webhookEvent: RawMessage) => provider.readWebhookEvent(webhookEvent)
    async function paidWebhookEvent(): Promise<{ order: string; attempt: string; webhookEvent: RawMessage }> {
      const { order, attempt } = await start()
      simulator.set(attempt, words.paid)
      return { order, attempt, webhookEvent: webhookEventOf(attempt) }
    }
    const creditsFor = async (order: string) =>
      (await readIntents(setup, (await readOrder(setup, order)).transaction_id)).length
    async function post({ method, query, body, headers }: RawMessage): Promise<void> {
      await caller.send({
        method: method as 'GET' | 'POST',
        url: `/callbacks/payments/${uid}${query === '' ? '' : `?${query}`}`,
        headers: { ...headers, host: 'localhost' },
        ...(method !== 'GET' && { payload: body }),
      })
    }

    it('a message is genuine only where the declared coverage is complete', async () => {
      const reading = read((await paidWebhookEvent()).webhookEvent)
      const isCounted = isComplete(provider.proves.deposit)
      assert.equal(reading.isGenuine, isCounted)
      if (!reading.isGenuine) assert.ok(['unverified', 'unsigned'].includes(reading.why), reading.why)
      assert.equal(isCounted, !under.isAsked)
      // Otherwise neither a message nor an answer would count, and every credit would need manual review.
      assert.ok(isCounted || provider.readStatus)
    })

    it('a field declared as signed cannot be changed under the same signature', async () => {
      const { webhookEvent } = await paidWebhookEvent()
      const coverage = provider.proves.deposit ?? unsignedCoverage
      for (const field of coveredFields) {
        const name = signs.names[field]
        if (coverage[field] !== 'signed' || signs.isSealed) continue
        const value = name === undefined ? null : valueIn(webhookEvent, name)
        assert.ok(name && value, `${field} is signed, and the test does not know where it stands`)
        const reading = read(withValues(webhookEvent, { [name]: alteredValue(value) }))
        assert.ok(!reading.isGenuine && reading.why !== 'unverified', `${field} was changed`)
      }
    })

    it('characters moved between neighbours, omitted fields and duplicate fields are refused', async () => {
      const { webhookEvent } = await paidWebhookEvent()
      const forged = [
        ...withShiftedBorders(webhookEvent, signs.fields),
        ...signs.fields.flatMap((name) => [
          withValues(webhookEvent, { [name]: undefined }),
          withValues(webhookEvent, { [name]: '' }),
          withRepeatedField(webhookEvent, name, alteredValue(valueIn(webhookEvent, name) ?? '')),
        ]),
      ]
      assert.ok(forged.length > 0 || under.isUnsigned)
      for (const each of forged) assert.equal(read(each).isGenuine, false, each.body.toString())
      if (isJson(webhookEvent))
        for (const name of signs.fields) {
          const reading = read(withRepeatedField(webhookEvent, name, valueIn(webhookEvent, name) ?? ''))
          assert.ok(!reading.isGenuine && reading.why === 'unreadable', `${name} comes twice`)
        }
      const { kind } = signs.names
      if (kind && provider.proves.deposit?.kind === 'signed')
        assert.equal(read(withValues(webhookEvent, { [kind]: undefined })).isGenuine, false)
    })

    it('requests that we sign are not accepted as their messages', async () => {
      const sent: HttpRequest[] = []
      const silent = connectWith(setup.context, uid, simulator.settings, async (request) => {
        sent.push(request)
        return { status: 500, text: '' }
      })
      const { redirect } = await start()
      const url = 'http://localhost/back'
      const order = {
        ...{ attempt: 'dep-0123456789abcdef01234567', amount: under.currency === 'VND' ? '250' : '250.00' },
        ...{ currency: under.currency ?? 'USD', coin: 'LTCT', description: 'Deposit', at: setup.context.clock.now() },
        urls: { back: url, cancelled: url, notify: url },
        payer: {
          ...{ id: 'member-1', email: 'mara@example.com', firstName: 'Mara', lastName: 'Member', phone: '+3562100' },
          ...{ country: 'MT', city: 'APPROVED', address: '1', zip: null, state: null, ip: '192.0.2.1', language: 'en' },
        },
      }
      await silent.start(order).catch(() => undefined)
      if (silent.readStatus)
        await silent.readStatus({ attempt: order.attempt, reference: '1', at: order.at }).catch(() => undefined)
      const webhookEvents: RawMessage[] = sent.map(({ method, url: to, headers = {}, body = '' }) => ({
        ...{ method, query: new URL(to).search.slice(1), body: Buffer.from(body) },
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      }))
      if (redirect.kind === 'form') {
        const fields = redirect.fields.map(({ name, value }): [string, string] => [name, value])
        const last = fields.at(-1)?.[1] ?? ''
        for (const name of ['', ...signs.proofs])
          for (const method of ['GET', 'POST']) {
            const text = new URLSearchParams(name === '' ? fields : [...fields, [name, last]]).toString()
            webhookEvents.push({ method, query: method === 'GET' ? text : '', body: Buffer.from(text), headers: form })
          }
      }
      assert.ok(webhookEvents.length > 0)
      for (const webhookEvent of webhookEvents) {
        const reading = read(webhookEvent)
        assert.ok(!reading.isGenuine && reading.why !== 'unverified', webhookEvent.body.toString())
      }
    })

    it('one payment, replayed for every other order and from the return address, is one credit', async () => {
      const reviewedBefore = (await listWebhookEvents(setup)).filter(({ outcome }) => outcome === 'for_staff').length
      const { order, attempt, webhookEvent } = await paidWebhookEvent()
      await post(webhookEvent)
      await readWebhookEvents(setup)
      assert.equal(await creditsFor(order), 1)
      const others = [await start(), await start(), await start()]
      const back = new URL(simulator.returnTo(attempt)).search.slice(1)
      const orderName = signs.names.order
      for (const [at, other] of others.entries()) {
        const replay = back.replaceAll(attempt, other.attempt)
        const named = orderName ? withValues(webhookEvent, { [orderName]: other.attempt }) : webhookEvent
        const forged: RawMessage[] = [
          named,
          ...(signs.names.kind ? [withValues(named, { [signs.names.kind]: undefined })] : []),
          ...withShiftedBorders(named, signs.fields, at + 2),
          { method: 'GET', query: replay, body: Buffer.alloc(0), headers: {} },
          { method: 'POST', query: '', body: Buffer.from(replay), headers: form },
          { method: 'POST', query: '', body: Buffer.from(back), headers: form },
        ]
        for (const each of forged) await post(each)
      }
      await readWebhookEvents(setup)
      for (const other of others) {
        const { state, reference, staff_reason } = await readOrder(setup, other.order)
        assert.deepEqual([state, staff_reason, await creditsFor(other.order)], ['handed_over', null, 0])
        if (reference !== null) assert.notEqual(reference, (await readOrder(setup, order)).reference)
      }
      assert.equal(await creditsFor(order), 1)
      const wrong = (await listWebhookEvents(setup)).filter(({ outcome }) => outcome === 'for_staff')
      assert.equal(wrong.length, reviewedBefore)
      assert.deepEqual(
        (await findViolations(setup.system)).filter(({ kind }) => kind !== 'unknown-on-platform'),
        [],
      )
    })
  })
}
