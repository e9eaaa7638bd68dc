/**
 * Kills the server process at each failpoint between a member's payment and the credited account, and restarts it; the
 * provider repeats unanswered webhook events. `ATRIUM_TEST_KILL_ROUNDS` repeats the whole.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type pg from 'pg'
import { eventually } from '../../tests/doubles/child-server.ts'
import { killTiming, postTo, signInTo, startServerOn } from '../../tests/doubles/killed-server.ts'
import {
  listWebhookEvents,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  startBody,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { postAtOnce } from '../../tests/fixtures/post-at-once.ts'
import { platformCredits, readIntents, readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { failpoints, paymentFailpoints } from '../foundation/failpoint.ts'
import { findViolations } from '../funding/ledger.ts'

const rounds = Number(process.env.ATRIUM_TEST_KILL_ROUNDS ?? 1)
const path = '/callbacks/payments/zotapay'

let setup: PaymentFixture
let owner: pg.Client
before(async () => {
  setup = await openPaymentFixture({ timing: killTiming, startAt: new Date() }) // The child processes use real time.
  owner = await setup.openOwner()
})
after(() => setup.close())

const paidWebhookEvent = (attempt: string) =>
  JSON.parse(setup.zota.webhookEventOf(attempt, { status: 'APPROVED' })) as object

async function transactionOf(orderId: string) {
  return readTransaction(setup, (await readOrder(setup, orderId)).transaction_id)
}

async function assertExactlyOnce(orderId: string): Promise<void> {
  const transaction = await transactionOf(orderId)
  const intents = await readIntents(setup, transaction.transaction_id)
  assert.equal(intents.length, 1)
  const deals = platformCredits(setup, intents[0]?.tag ?? 'none')
  assert.deepEqual(
    deals.map(({ amount }) => amount),
    ['250.00'],
  )
  assert.deepEqual([transaction.state, transaction.platform_ticket], ['approved', deals[0]?.deal])
  assert.deepEqual(await findViolations(setup.system), [])
}

const approved = (orderId: string) =>
  eventually('the payment is credited', async () => (await transactionOf(orderId)).state === 'approved')

const ofWebhookEvents = paymentFailpoints.filter((name) => name.startsWith('notification.'))
const ofCredits = failpoints.filter((name) => name.startsWith('intent.'))
const ofStarts = paymentFailpoints.filter((name) => name.startsWith('order.'))

for (let round = 1; round <= rounds; round++) {
  describe(`a payment, round ${round}`, () => {
    for (const failpoint of [...ofWebhookEvents, ...ofCredits])
      test(`is credited once when a process is killed at ${failpoint}`, async () => {
        const { order, attempt } = await startOrder(setup)
        setup.zota.set(attempt, 'APPROVED')
        const webhookEvent = paidWebhookEvent(attempt)
        const doomed = await startServerOn(setup, { failpoint })
        await postTo(doomed, path, webhookEvent)
        await doomed.exited
        const second = await startServerOn(setup)
        try {
          // Unanswered webhook events are repeated, and so are answered ones.
          assert.equal((await postTo(second, path, webhookEvent))?.status, 200)
          await approved(order)
          await assertExactlyOnce(order)
          const stored = (await listWebhookEvents(setup)).filter(({ body }) => body.includes(attempt))
          assert.equal(stored.length, 1)
        } finally {
          await second.stop()
        }
      })
  })

  describe(`an interrupted start, round ${round}`, () => {
    for (const failpoint of ofStarts)
      test(`leaves nothing behind when a process is killed at ${failpoint}`, async () => {
        const known = new Set(setup.zota.orders.keys())
        const body = await startBody(setup)
        const doomed = await startServerOn(setup, { failpoint })
        const token = await signInTo(doomed, setup.signIn)
        await postTo(doomed, '/customers/trading-accounts/start-deposit', body, token)
        await doomed.exited
        const orders = await owner.query<{ order_id: string; attempt: string }>(
          'select order_id, attempt from deposit_orders order by order_id desc limit 1',
        )
        const [{ order_id: order, attempt } = { order_id: '', attempt: '' }] = orders.rows
        const isAtProvider = setup.zota.orders.has(attempt) && !known.has(attempt)
        assert.equal(isAtProvider, failpoint !== 'order.committed')
        if (isAtProvider) setup.zota.set(attempt, 'APPROVED')
        // The order has expired.
        await owner.query('update deposit_orders set next_look_at = now(), expires_at = now() where order_id = $1', [
          order,
        ])
        const second = await startServerOn(setup)
        try {
          if (isAtProvider) {
            await approved(order)
            await assertExactlyOnce(order)
          } else {
            await eventually('the order ends', async () => (await readOrder(setup, order)).state === 'expired')
            assert.equal((await transactionOf(order)).state, 'rejected')
          }
        } finally {
          await second.stop()
        }
      })
  })
}

test('the same webhook event fifty times in two processes, after an hour and after a month, is one credit', async () => {
  const { order, attempt } = await startOrder(setup)
  setup.zota.set(attempt, 'APPROVED')
  const body = paidWebhookEvent(attempt)
  const servers = [await startServerOn(setup), await startServerOn(setup)]
  try {
    const sayFiftyTimes = async (): Promise<void> => {
      const requests = Array.from({ length: 50 }, (_, at) => ({ url: servers[at % 2]?.url ?? '', path, body }))
      const answers = await postAtOnce(requests)
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    }
    await sayFiftyTimes()
    await approved(order)
    for (const age of ['1 hour', '30 days']) {
      // Ages the rows of the payment instead of moving the clock.
      await owner.query(`set session_replication_role = replica`)
      await owner.query(
        `update payment_notifications set received_at = received_at - $1::interval,
        last_received_at = last_received_at - $1::interval, read_at = read_at - $1::interval`,
        [age],
      )
      await owner.query(
        `update deposit_orders set created_at = created_at - $1::interval, ended_at = ended_at - $1::interval,
        expires_at = expires_at - $1::interval where order_id = '${order}'`,
        [age],
      )
      await owner.query(`set session_replication_role = origin`)
      await sayFiftyTimes()
    }
    await eventually('every delivery is counted', async () => (await listWebhookEvents(setup, order))[0]?.times === 150)
    assert.equal((await listWebhookEvents(setup, order)).length, 1)
    await assertExactlyOnce(order)
  } finally {
    for (const server of servers) await server.stop()
  }
})
