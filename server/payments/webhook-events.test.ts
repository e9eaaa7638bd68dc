import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import {
  creditsOf,
  listWebhookEvents,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  sendZotaWebhook,
  startBody,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { addProvider } from '../../tests/fixtures/payments/payment-providers.ts'
import { readIntents, readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { settleIntent } from '../funding/crediting/crediting.ts'
import { findAdapter } from '../payment-providers/registry.ts'
import { connectWith } from './connections/provider.ts'
import { startDeposit } from './start-deposit.ts'

let setup: PaymentFixture
let caller: Caller
before(async () => {
  setup = await openPaymentFixture()
  caller = callerOf(setup.app)
})
after(() => setup.close())

const json = { 'content-type': 'application/json' }
const stateOf = async (orderId: string) => (await readOrder(setup, orderId)).state

describe('provider webhook events', () => {
  it('a payment reference that belongs to another uncredited order goes to manual review', async () => {
    const { reference } = await readOrder(setup, (await startOrder(setup)).order)
    assert.ok(reference)
    setup.zota.breakDown({ dropAnswer: true })
    await assert.rejects(startDeposit(setup.member, await startBody(setup)), { code: 'unavailable' })
    setup.zota.mend()
    const lost = await reading(setup.system, (tx) =>
      tx
        .selectFrom('deposit_orders')
        .select(['order_id', 'attempt', 'reference'])
        .where('workspace_id', '=', setup.system.workspaceId)
        .orderBy('order_id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow(),
    )
    assert.equal(lost.reference, null)
    setup.zota.set(lost.attempt, 'APPROVED')
    await sendZotaWebhook(setup, lost.attempt, { reference })
    const { state, staff_reason } = await readOrder(setup, lost.order_id)
    assert.deepEqual([state, staff_reason], ['for_staff', 'reference_taken'])
  })

  const words = ['PENDING', 'APPROVED', 'DECLINED', 'REFUNDED'] as const
  const orders = words.flatMap((first) =>
    words
      .filter((word) => word !== first)
      .flatMap((second) =>
        words
          .filter((word) => word !== first && word !== second)
          .map(
            (third) => [first, second, third, words.find((word) => ![first, second, third].includes(word))] as string[],
          ),
      ),
  )

  it('all 24 orders of statuses credit at most once, and a paid order stays paid', async () => {
    assert.equal(orders.length, 24)
    for (const order of orders) {
      const started = await startOrder(setup, { payment_method: 'safecharge' })
      let wasPaid = false
      for (const word of order) {
        const overrides = word === 'REFUNDED' ? { status: 'APPROVED', type: 'Credit' } : { status: word }
        await setup.safecharge.notify(started.attempt, overrides)
        await readWebhookEvents(setup)
        const state = await stateOf(started.order)
        if (wasPaid) assert.equal(state, 'paid', order.join())
        wasPaid ||= state === 'paid'
      }
      // Returned before it was paid: it goes to manual review and is not credited.
      const isReturnedFirst = order.indexOf('REFUNDED') < order.indexOf('APPROVED')
      assert.equal(await stateOf(started.order), isReturnedFirst ? 'for_staff' : 'paid', order.join())
      const { transaction_id } = await readOrder(setup, started.order)
      assert.equal((await readIntents(setup, transaction_id)).length, isReturnedFirst ? 0 : 1, order.join())
    }
  })

  it('a webhook event may arrive before the answer of the start', async () => {
    setup.zota.breakDown({ slowMs: 400 })
    const starting = startDeposit(setup.member, await startBody(setup))
    const known = new Set(setup.zota.orders.keys())
    let attempt: string | undefined
    while (!attempt) {
      await new Promise((resolve) => setImmediate(resolve))
      attempt = [...setup.zota.orders.keys()].find((each) => !known.has(each))
    }
    setup.zota.set(attempt, 'APPROVED')
    await sendZotaWebhook(setup, attempt)
    const { order } = await starting
    setup.zota.mend()
    const { state, hand_off, reference } = await readOrder(setup, order)
    assert.deepEqual([state, hand_off !== null, reference !== null], ['paid', true, true])
  })

  it('a payment after the member cancelled goes to manual review', async () => {
    const { order, attempt } = await startOrder(setup)
    const { transaction_id } = await readOrder(setup, order)
    await inTransaction(setup.system, (tx) =>
      tx
        .updateTable('balance_transactions')
        .set({ state: 'cancelled' })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('transaction_id', '=', transaction_id)
        .execute(),
    )
    setup.zota.set(attempt, 'APPROVED')
    await sendZotaWebhook(setup, attempt)
    const { state, staff_reason } = await readOrder(setup, order)
    assert.deepEqual([state, staff_reason], ['for_staff', 'after_cancel'])
    assert.equal((await readIntents(setup, transaction_id)).length, 0)
  })

  it('fifty simultaneous copies of a webhook event are one credit, and each is answered', async () => {
    const { order, attempt } = await startOrder(setup)
    setup.zota.set(attempt, 'APPROVED')
    const answers = await Promise.all(Array.from({ length: 50 }, () => setup.zota.notify(attempt)))
    assert.deepEqual(new Set(answers.map((answer) => answer?.status)), new Set([200]))
    await Promise.all([1, 2, 3, 4].map(() => readWebhookEvents(setup)))
    for (const pauseMs of [3_600_000, 30 * 24 * 3_600_000]) {
      setup.context.clock.advance(pauseMs)
      assert.equal((await sendZotaWebhook(setup, attempt))?.status, 200)
    }
    const { transaction_id } = await readOrder(setup, order)
    const intents = await readIntents(setup, transaction_id)
    assert.equal(intents.length, 1)
    const stored = await listWebhookEvents(setup, order)
    assert.deepEqual(
      stored.map(({ times, outcome }) => [times, outcome]),
      [[52, 'applied']],
    )
    await settleIntent(setup.system, intents[0]?.intent_id ?? '')
    assert.equal((await readTransaction(setup, transaction_id)).state, 'approved')
  })

  it('an unsigned message matches nothing and is stored unchanged', async () => {
    const { order, attempt } = await startOrder(setup)
    const credits = (await creditsOf(setup)).length
    setup.zota.set(attempt, 'APPROVED')
    const genuine = JSON.parse(setup.zota.webhookEventOf(attempt)) as Record<string, unknown>
    const signature = String(genuine.signature)
    const flipped = `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`
    const bodies: unknown[] = [
      { ...genuine, signature: undefined },
      { ...genuine, signature: '' },
      { ...genuine, signature: signature.slice(0, 63) },
      { ...genuine, signature: flipped },
      { ...genuine, signature: [signature] },
      { ...genuine, signature: { toString: signature } },
      { ...genuine, amount: '2500.00' },
      JSON.parse(setup.zota.webhookEventOf(attempt, { secretKey: '' })),
      [genuine],
      'text',
      null,
    ]
    const before = (await listWebhookEvents(setup)).length
    for (const body of bodies) {
      const answer = await caller.send({
        method: 'POST',
        url: '/callbacks/payments/zotapay',
        payload: JSON.stringify(body),
        headers: { ...json, signature },
      })
      assert.ok([400, 401].includes(answer.status), answer.raw)
    }
    const returned = `ppp_status=OK&Status=APPROVED&merchant_unique_id=${attempt}&PPP_TransactionID=1&totalAmount=250.00&currency=USD`
    assert.equal((await caller.get(`/callbacks/payments/safecharge?${returned}`)).status, 401)
    await readWebhookEvents(setup)
    const stored = (await listWebhookEvents(setup)).slice(before)
    assert.equal(stored.length, bodies.length + 1)
    assert.deepEqual(new Set(stored.map(({ outcome }) => outcome)), new Set(['refused']))
    assert.equal(stored[0]?.body.toString(), JSON.stringify(bodies[0]))
    assert.equal(await stateOf(order), 'handed_over')
    assert.equal((await creditsOf(setup)).length, credits)
  })

  it('unproven messages are stored up to a limit per address, proven ones always', async () => {
    setup.context.clock.advance(2 * 3_600_000)
    const { order, attempt } = await startOrder(setup)
    const forge = (at: number) =>
      caller.send({ method: 'POST', url: '/callbacks/payments/zotapay', payload: `{"forged":${at}}`, headers: json })
    const before = (await listWebhookEvents(setup)).length
    const statuses: number[] = []
    for (let at = 0; at < 602; at++) statuses.push((await forge(at)).status)
    assert.deepEqual(statuses.slice(600), [429, 429])
    assert.ok(statuses.slice(0, 600).every((status) => status === 401 || status === 400))
    assert.equal((await listWebhookEvents(setup)).length - before, 600)
    setup.zota.set(attempt, 'APPROVED')
    assert.equal((await sendZotaWebhook(setup, attempt))?.status, 200)
    assert.equal(await stateOf(order), 'paid')
    setup.context.clock.advance(2 * 3_600_000)
    assert.notEqual((await forge(603)).status, 429)
  })

  it('an adapter refuses to connect without its secret', () => {
    for (const uid of ['zotapay', 'safecharge']) {
      const settings: Record<string, string> = { ...(uid === 'zotapay' ? setup.zota : setup.safecharge).settings }
      assert.ok(connectWith(setup.context, uid, settings))
      for (const secretKey of [undefined, '', 'short'])
        assert.throws(() => connectWith(setup.context, uid, { ...settings, secretKey: secretKey ?? '' }), {
          failure: 'misconfigured',
        })
    }
  })

  it('a genuine webhook event of another workspace, merchant or order matches nothing', async () => {
    const { order, attempt } = await startOrder(setup)
    setup.zota.set(attempt, 'APPROVED')
    const credits = (await creditsOf(setup)).length
    await sendZotaWebhook(setup, attempt, { endpointId: '999999' })
    assert.equal((await listWebhookEvents(setup)).at(-1)?.verdict, 'another_merchant')
    const elsewhere = await addWorkspace(setup.context, { subdomain: 'elsewhere' })
    await addProvider(elsewhere, 'zotapay', { ...setup.zota.settings, secretKey: 'their-secret-0001' })
    const send = (host: string, secretKey: string) =>
      caller.send({
        method: 'POST',
        url: '/callbacks/payments/zotapay',
        payload: setup.zota.webhookEventOf(attempt, { secretKey }),
        headers: { host, 'content-type': 'application/json' },
      })
    assert.equal((await send('localhost', 'their-secret-0001')).status, 401)
    assert.equal((await send('elsewhere.localhost', 'zota-secret-0001')).status, 401)
    // Signed correctly for the other workspace, about one of our orders, which is unknown there.
    assert.equal((await send('elsewhere.localhost', 'their-secret-0001')).status, 200)
    await readWebhookEvents(setup)
    await readWebhookEvents({ ...setup, system: elsewhere })
    assert.equal((await listWebhookEvents({ ...setup, system: elsewhere })).at(-1)?.outcome, 'unknown_order')
    assert.equal(await stateOf(order), 'handed_over')
    assert.equal((await creditsOf(setup)).length, credits)
  })

  it('production does not connect to a simulator or over plain HTTP', async () => {
    const production = { config: { ...setup.context.config, production: true } }
    for (const [uid, settings] of [
      ['zotapay', setup.zota.settings],
      ['safecharge', setup.safecharge.settings],
    ] as const)
      await assert.rejects(connectWith(production, uid, settings).test(), { failure: 'misconfigured' })
  })

  it('the agreed values of an order cannot be changed', async () => {
    const { order } = await startOrder(setup)
    const change = (set: object) =>
      inTransaction(setup.system, (tx) =>
        tx
          .updateTable('deposit_orders')
          .set(set)
          .where('workspace_id', '=', setup.system.workspaceId)
          .where('order_id', '=', order)
          .execute(),
      )
    for (const set of [
      { amount: '1' },
      { charge: '1' },
      { currency: 'EUR' },
      { fee: '1' },
      { attempt: 'dep-another-one' },
    ])
      await assert.rejects(change(set), { code: '23514' }, JSON.stringify(set))
    for (const state of ['created', 'nonsense']) await assert.rejects(change({ state }), { code: '23514' })
    await assert.rejects(
      inTransaction(setup.member, (tx) =>
        tx
          .updateTable('deposit_orders')
          .set({ state: 'paid' })
          .where('workspace_id', '=', setup.system.workspaceId)
          .where('order_id', '=', order)
          .execute(),
      ),
      { code: '42501' },
    )
  })

  it('stores no secret in readable form', async () => {
    const rows = await reading(setup.system, (tx) =>
      tx
        .selectFrom('payment_provider_connections')
        .selectAll()
        .where('workspace_id', '=', setup.system.workspaceId)
        .execute(),
    )
    for (const row of rows) {
      assert.doesNotMatch(JSON.stringify(row.settings), /secret-0001/)
      assert.doesNotMatch(row.sealed_secret.toString('latin1'), /secret-0001/)
    }
    assert.equal(
      (
        await reading(setup.member, (tx) =>
          tx.selectFrom('payment_provider_connections').where(here).selectAll().execute(),
        )
      ).length,
      0,
    )
    assert.equal(Object.values(findAdapter('zotapay')?.fields ?? {}).filter(({ isSecret }) => isSecret).length, 1)
  })
})
