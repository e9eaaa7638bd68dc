import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toScale } from '@atrium/contract/money/money.ts'
import { callerOf } from '../../tests/fixtures/caller.ts'
import {
  creditsOf,
  listWebhookEvents,
  readOrder,
  readWebhookEvents,
  startBody,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { addProvider } from '../../tests/fixtures/payments/payment-providers.ts'
import type { SharedFixture } from '../../tests/fixtures/shared-fixture.ts'
import { readIntents, readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { cancelTransaction } from '../funding/cancellation.ts'
import { connectWith } from '../payments/connections/provider.ts'
import { askAboutDueOrders, askProvider } from '../payments/reconciliation.ts'
import { startDeposit } from '../payments/start-deposit.ts'
import { readWebhookEvent } from '../payments/webhook-event.ts'
import type { Overrides, ProviderUnderTest, SimulatorUnderTest } from './provider-under-test.ts'
import { findAdapter } from './registry.ts'
import { type RawMessage, signaturesOf, withTamperedSignature } from './tampered-webhook-events.ts'

/** How often the server checks which orders are due (`jobs.ts`). */
const roundMs = 20_000

type Shared = SharedFixture<SimulatorUnderTest>

function toolsOf({ uid, form }: ProviderUnderTest, { setup, simulator }: Shared) {
  const start = (amount = '250.00') => startOrder(setup(), { ...form, payment_method: uid, amount })
  const orderOf = (id: string) => readOrder(setup(), id)
  async function creditsFor(orderId: string): Promise<number> {
    const { transaction_id } = await orderOf(orderId)
    return (await readIntents(setup(), transaction_id)).length
  }
  async function sendWebhook(attempt: string, overrides?: Overrides) {
    const answer = await simulator().notify(attempt, overrides)
    await readWebhookEvents(setup())
    return answer
  }
  /** Returns the webhook event stored by `sending`, so that its bytes can be replayed, also elsewhere. */
  async function keptOf(sending: () => Promise<unknown>) {
    const known = new Set((await listWebhookEvents(setup())).map(({ notification_id }) => notification_id))
    await sending()
    return (await listWebhookEvents(setup())).find(({ notification_id }) => !known.has(notification_id))
  }
  /** The bytes of a message that the portal has stored but not processed. */
  async function bytesOf(attempt: string, overrides: Overrides) {
    const stored = await keptOf(() => simulator().notify(attempt, overrides))
    assert.ok(stored)
    const { notification_id: id, method, query, body, headers } = stored
    const webhookEvent: RawMessage = { method, query, body, headers: headers as Record<string, string> }
    return { id, webhookEvent }
  }
  function send({ method, query, body, headers }: RawMessage, host = 'localhost') {
    const url = `/callbacks/payments/${uid}${query === '' ? '' : `?${query}`}`
    const { address: _address, ...others } = headers
    return callerOf(setup().app).send({
      method: method as 'GET' | 'POST',
      url,
      headers: { ...others, host },
      ...(method !== 'GET' && { payload: body }),
    })
  }

  async function settingsOf(): Promise<Record<string, string>> {
    return simulator().settings
  }
  function change(orderId: string, set: object) {
    return inTransaction(setup().system, (tx) =>
      tx
        .updateTable('deposit_orders')
        .set(set)
        .where('workspace_id', '=', setup().system.workspaceId)
        .where('order_id', '=', orderId)
        .execute(),
    )
  }
  function audits(action: string) {
    return reading(setup().system, (tx) =>
      tx
        .selectFrom('audit_log')
        .select('action')
        .where('workspace_id', '=', setup().system.workspaceId)
        .where('action', '=', action)
        .execute(),
    )
  }

  return { start, orderOf, creditsFor, sendWebhook, keptOf, bytesOf, send, settingsOf, change, audits }
}

/** Webhook events forged in every way, or belonging to others, for every provider. */
export function testWebhookEvents(under: ProviderUnderTest, shared: Shared): void {
  const { uid, words, otherMerchant, isCalledAtStart, form } = under
  const { setup, simulator } = shared
  describe(`${uid}: forged and foreign webhook events`, () => {
    const { start, orderOf, creditsFor, sendWebhook, keptOf, bytesOf, send, settingsOf, change, audits } = toolsOf(
      under,
      shared,
    )

    it('a payment after the member cancelled goes to manual review', async () => {
      const { order, attempt } = await start()
      await cancelTransaction(setup().member, (await orderOf(order)).transaction_id)
      simulator().set(attempt, words.paid)
      await sendWebhook(attempt)
      const { state, staff_reason } = await orderOf(order)
      assert.deepEqual([state, staff_reason], ['for_staff', 'after_cancel'])
      assert.equal(await creditsFor(order), 0)
    })

    if (isCalledAtStart && !under.isUnsigned)
      it('accepts a webhook event that arrives before the answer of the start call', async () => {
        simulator().breakDown({ slowMs: 400 })
        const known = new Set(simulator().orders.keys())
        const starting = startDeposit(setup().member, await startBody(setup(), { ...form, payment_method: uid }))
        let attempt: string | undefined
        while (!attempt) {
          await new Promise((resolve) => setImmediate(resolve))
          attempt = [...simulator().orders.keys()].find((each) => !known.has(each))
        }
        simulator().set(attempt, words.paid)
        await sendWebhook(attempt)
        const { order } = await starting
        simulator().mend()
        assert.deepEqual([(await orderOf(order)).state, await creditsFor(order)], ['paid', 1])
      })

    if (!under.isUnsigned)
      it('an altered, missing or forged signature matches nothing, and the message is stored and audited unchanged', async () => {
        const { order, attempt } = await start()
        simulator().set(attempt, words.paid)
        const genuine = await bytesOf(attempt, { status: words.paid })
        const forged = await bytesOf(attempt, { status: words.paid, secretKey: 'not-the-secret-1' })
        const unsigned = await bytesOf(attempt, { status: words.paid, secretKey: '' })
        const places = signaturesOf(genuine.webhookEvent, forged.webhookEvent)
        assert.ok(places.length > 0, 'nothing in the message depends on the secret')
        const bad = [unsigned.webhookEvent, forged.webhookEvent, ...withTamperedSignature(genuine.webhookEvent, places)]
        assert.ok(bad.length >= 6)
        const before = (await audits('payment-notification.read')).length
        const ids: string[] = []
        for (const webhookEvent of bad) {
          const stored = await keptOf(async () => {
            const { status } = await send(webhookEvent)
            assert.ok([400, 401, 403].includes(status), `${status} ${webhookEvent.body}`)
          })
          if (!stored) continue
          assert.ok(stored.body.equals(webhookEvent.body) && stored.query === webhookEvent.query, 'kept as it came')
          ids.push(stored.notification_id)
        }
        const wrong = [...new Set([...ids, forged.id, unsigned.id])].filter((id) => id !== genuine.id)
        for (const id of wrong) await readWebhookEvent(setup().system, id)
        const stored = (await listWebhookEvents(setup())).filter(({ notification_id }) =>
          wrong.includes(notification_id),
        )
        assert.deepEqual(new Set(stored.map(({ outcome }) => outcome)), new Set(['refused']))
        assert.equal((await audits('payment-notification.read')).length - before, wrong.length)
        assert.deepEqual([(await orderOf(order)).state, await creditsFor(order)], ['handed_over', 0])
        await readWebhookEvent(setup().system, genuine.id)
        assert.deepEqual([(await orderOf(order)).state, await creditsFor(order)], ['paid', 1])
      })

    it('the adapter refuses to connect without its secret', async () => {
      const adapter = findAdapter(uid)
      const secrets = Object.entries(adapter?.fields ?? {}).filter(([, { isSecret }]) => isSecret)
      assert.ok(secrets.length > 0)
      const settings = await settingsOf()
      assert.ok(connectWith(setup().context, uid, settings))
      for (const [name] of secrets)
        assert.throws(() => connectWith(setup().context, uid, { ...settings, [name]: '' }), {
          failure: 'misconfigured',
        })
    })

    it('a genuine webhook event of another merchant, workspace or order matches nothing', async () => {
      const { order, attempt } = await start()
      simulator().set(attempt, words.paid)
      const before = (await creditsOf(setup())).length
      if (otherMerchant) {
        const theirs = await bytesOf(attempt, { status: words.paid, ...otherMerchant })
        await readWebhookEvent(setup().system, theirs.id)
        const stored = await listWebhookEvents(setup())
        assert.equal(stored.find(({ notification_id }) => notification_id === theirs.id)?.verdict, 'another_merchant')
      }
      const elsewhere = await addWorkspace(setup().context, { subdomain: 'elsewhere' })
      await addProvider(elsewhere, uid, await settingsOf())
      // Signed correctly for them too, since they use the same merchant account; about one of our orders.
      const { webhookEvent, id } = await bytesOf(attempt, { status: words.paid })
      assert.equal((await send(webhookEvent, 'elsewhere.localhost')).status, 200)
      await readWebhookEvents({ ...setup(), system: elsewhere })
      assert.equal((await listWebhookEvents({ ...setup(), system: elsewhere })).at(-1)?.outcome, 'unknown_order')
      assert.deepEqual([(await orderOf(order)).state, (await creditsOf(setup())).length], ['handed_over', before])
      await readWebhookEvent(setup().system, id)
      assert.equal((await orderOf(order)).state, 'paid')
    })

    it('production does not connect to the simulator', async () => {
      const production = { config: { ...setup().context.config, production: true } }
      await assert.rejects(async () => connectWith(production, uid, await settingsOf()).test(), {
        failure: 'misconfigured',
      })
    })

    it('an overpayment goes to manual review, and the agreed amount cannot be changed afterwards', async () => {
      const { order, attempt } = await start()
      for (const set of [{ amount: '1' }, { charge: '1' }, { currency: 'EUR' }, { attempt: 'dep-another-one' }])
        await assert.rejects(change(order, set), { code: '23514' })
      simulator().set(attempt, words.paid)
      await sendWebhook(attempt, { amount: '2500.00' })
      const { state, staff_reason } = await orderOf(order)
      assert.deepEqual([state, staff_reason, await creditsFor(order)], ['for_staff', 'amount_differs', 0])
      assert.equal(
        (await readTransaction(setup(), (await orderOf(order)).transaction_id)).amount,
        toScale('250', under.currency ?? 'USD'),
      )
    })
  })
}

/** Webhook events in every order, repeated, and dropped. */
export function testManyWebhookEvents(under: ProviderUnderTest, shared: Shared): void {
  const { uid, words, returned } = under
  const { setup, simulator } = shared
  describe(`${uid}: order and repetition of webhook events`, () => {
    const { start, orderOf, creditsFor, sendWebhook } = toolsOf(under, shared)

    const said: Record<string, Overrides> = {
      ...(!under.hasNoPending && { pending: { status: words.pending } }),
      paid: { status: words.paid },
      declined: { status: words.declined },
      ...(returned && { returned }),
    }

    it('every order of webhook events credits at most once, and a paid order stays paid', async () => {
      const orders = permutationsOf(Object.keys(said))
      assert.equal(orders.length, under.hasNoPending ? 2 : returned ? 24 : 6)
      for (const order of orders) {
        const started = await start()
        let wasPaid = false
        for (const word of order) {
          if (word === 'paid') simulator().set(started.attempt, words.paid)
          await sendWebhook(started.attempt, said[word])
          const { state } = await orderOf(started.order)
          if (wasPaid) assert.equal(state, 'paid', order.join())
          wasPaid ||= state === 'paid'
        }
        await askProvider(setup().system, started.order)
        // Returned before it was paid: it goes to manual review and is not credited.
        const { state, staff_reason } = await orderOf(started.order)
        const needsManualReview = order.indexOf('returned') !== -1 && order.indexOf('returned') < order.indexOf('paid')
        assert.ok(
          needsManualReview ? ['for_staff', 'paid'].includes(state) : state === 'paid',
          `${order.join()}: ${state}`,
        )
        assert.equal(await creditsFor(started.order), state === 'paid' ? 1 : 0, `${order.join()}: ${staff_reason}`)
      }
    })

    it('the same webhook event fifty times at once, after an hour and after a month is one credit', async () => {
      const { order, attempt } = await start()
      simulator().set(attempt, words.paid)
      const answers = await Promise.all(Array.from({ length: 50 }, () => simulator().notify(attempt)))
      assert.deepEqual(new Set(answers.map((answer) => answer?.status)), new Set([200]))
      await Promise.all([1, 2, 3, 4].map(() => readWebhookEvents(setup())))
      for (const pauseMs of [3_600_000, 30 * 24 * 3_600_000]) {
        setup().context.clock.advance(pauseMs)
        assert.equal((await sendWebhook(attempt))?.status, 200)
      }
      assert.equal(await creditsFor(order), 1)
      const stored = await listWebhookEvents(setup(), order)
      assert.deepEqual(
        stored.map(({ times, outcome }) => [times, outcome]),
        [[52, 'applied']],
      )
    })

    if (!under.cannotBeAsked)
      it('without webhook events a payment is found within ten minutes, whenever it was made', async () => {
        for (const paidAfterMinutes of [0, 2, 7, 31, 58]) {
          const { order, attempt } = await start()
          setup().context.clock.advance(paidAfterMinutes * 60_000)
          await roundOf(order)
          simulator().set(attempt, words.paid)
          let waitedMs = 0
          while ((await orderOf(order)).state !== 'paid') {
            setup().context.clock.advance(roundMs)
            waitedMs += roundMs
            assert.ok(waitedMs <= 10 * 60_000, `paid after ${paidAfterMinutes} minutes, and not found in ten`)
            await roundOf(order)
          }
          assert.equal(await creditsFor(order), 1)
        }
      })

    /** A round of reconciliation, including the job of an order that is due. */
    async function roundOf(orderId: string): Promise<void> {
      const { next_look_at } = await orderOf(orderId)
      await askAboutDueOrders(setup().system)
      if (next_look_at <= setup().context.clock.now()) await askProvider(setup().system, orderId)
    }
  })
}

function permutationsOf(words: readonly string[]): string[][] {
  if (words.length <= 1) return [[...words]]
  return words.flatMap((word) => permutationsOf(words.filter((other) => other !== word)).map((rest) => [word, ...rest]))
}
