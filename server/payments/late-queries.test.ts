// spec: OP backups
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import {
  creditsOf,
  listWebhookEvents,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { readDepositStatus } from './deposit-status.ts'
import { askAboutDueOrders, askProvider } from './reconciliation.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let setup: PaymentFixture
before(async () => {
  setup = await openPaymentFixture()
})
after(() => setup.close())

async function startAndLeave() {
  const started = await startOrder(setup)
  setup.context.clock.advance(61 * minuteMs)
  await askProvider(setup.system, started.order)
  assert.equal((await readOrder(setup, started.order)).state, 'expired')
  return started
}

const exceptionsOf = (orderId: string) =>
  reading(setup.system, (tx) =>
    tx
      .selectFrom('payment_cases')
      .select(['why', 'state'])
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('order_id', '=', orderId)
      .execute(),
  )

test('a payment that begins after expiry is shown as on its way until the provider says otherwise', async () => {
  const { order, attempt } = await startAndLeave()
  const shown = async () => {
    const { is_pending, payment_error } = await readDepositStatus(setup.member, order)
    return [is_pending, payment_error]
  }
  const over = [undefined, paymentTexts.expired]
  assert.deepEqual(await shown(), over)
  for (const word of ['PENDING', 'CREATED', 'PENDING', 'DECLINED', 'PENDING']) {
    setup.zota.set(attempt, word)
    await askProvider(setup.system, order)
    assert.deepEqual(await shown(), word === 'PENDING' ? [true, undefined] : over, word)
  }
  setup.context.clock.advance(7 * dayMs)
  assert.deepEqual(await shown(), over)
  assert.deepEqual([(await readOrder(setup, order)).state, await exceptionsOf(order)], ['expired', []])
})

test('a payment that began after expiry stays on its way while its provider reports an unknown status', async () => {
  const { order, attempt } = await startAndLeave()
  for (const word of ['PENDING', 'SUSPENDED']) {
    setup.zota.set(attempt, word)
    await askProvider(setup.system, order)
  }
  assert.deepEqual(
    (await exceptionsOf(order)).map(({ why }) => why),
    ['unclear_word'],
  )
  const { is_pending, payment_error } = await readDepositStatus(setup.member, order)
  assert.deepEqual([is_pending, payment_error], [true, undefined])
  setup.context.clock.advance(7 * dayMs)
})

test('a payment after expiry without a webhook event is found and goes to manual review once', async () => {
  const { order, attempt } = await startAndLeave()
  setup.zota.set(attempt, 'APPROVED')
  const otherWorkspace = await addWorkspace(setup.context, { subdomain: 'lagoon' })
  await askProvider(otherWorkspace, order)
  assert.equal((await readOrder(setup, order)).state, 'expired')

  setup.context.clock.advance(3 * 60 * minuteMs)
  assert.equal(await askAboutDueOrders(otherWorkspace), 0)
  assert.equal(await askAboutDueOrders(setup.system), 1)
  await askProvider(setup.system, order)
  await askProvider(setup.system, order)
  const { state, staff_reason } = await readOrder(setup, order)
  assert.deepEqual([state, staff_reason], ['for_staff', 'after_expiry'])
  assert.equal((await exceptionsOf(order)).length, 1)
  assert.deepEqual(await listWebhookEvents(setup, order), [])
  assert.deepEqual(await creditsOf(setup), [])
  setup.context.clock.advance(dayMs)
  assert.equal(await askAboutDueOrders(setup.system), 0)
})

test('an unpaid order is queried for a week after it expires, at growing intervals, and then no more', async () => {
  const { order, attempt } = await startAndLeave()
  const { looks } = await readOrder(setup, order)
  const pauses: number[] = []
  let since = 0
  for (let passed = 0; passed < 9 * dayMs; passed += 30 * minuteMs) {
    setup.context.clock.advance(30 * minuteMs)
    since += 30
    if ((await askAboutDueOrders(setup.system)) === 0) continue
    pauses.push(since)
    since = 0
  }
  assert.equal((await readOrder(setup, order)).looks, looks + pauses.length)
  assert.ok(pauses.length >= 8 && pauses.length <= 16, `asked ${pauses.length} times`)
  assert.deepEqual(
    pauses,
    pauses.toSorted((one, other) => one - other),
  )
  assert.ok(since >= 2 * 24 * 60, 'no query in the last days')
  // Afterwards only a webhook event can reveal a payment.
  setup.zota.set(attempt, 'APPROVED')
  await askProvider(setup.system, order)
  assert.equal((await readOrder(setup, order)).state, 'expired')
})

test('an open order is queried at least every five minutes, which bounds the delay of a lost webhook event', async () => {
  const { order } = await startOrder(setup)
  const { looks } = await readOrder(setup, order)
  const pauses: number[] = []
  let since = 0
  for (let passed = 0; passed < 55; passed++) {
    setup.context.clock.advance(minuteMs)
    since += 1
    if ((await askAboutDueOrders(setup.system)) === 0) continue
    pauses.push(since)
    since = 0
  }
  assert.equal((await readOrder(setup, order)).looks, looks + pauses.length)
  assert.ok(pauses.length >= 11 && Math.max(...pauses) <= 5, `asked after ${pauses.join(', ')} minutes`)
})
