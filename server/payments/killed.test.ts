// spec: OP factors

/**
 * Kills and restarts every provider payment path at each failpoint, within this process (restart.ts).
 * `killed.slow.test.ts` and `killed-payouts.slow.test.ts` do the same to a separate process.
 */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Program, runJobs, startProgram } from '../../tests/fixtures/database/restart.ts'
import {
  listWebhookEvents,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  startBody,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import {
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  type Payee,
  readPayouts,
} from '../../tests/fixtures/payments/payouts.ts'
import { provenMember } from '../../tests/fixtures/payments/withdrawals.ts'
import { platformCredits, readIntents, readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { reading } from '../foundation/database/database.ts'
import { type Failpoint, failpoints, paymentFailpoints, payoutFailpoints } from '../foundation/failpoint.ts'
import { findViolations } from '../funding/ledger.ts'
import { payByProvider } from './payouts/payout-decision.ts'
import { processDuePayouts } from './payouts/process-payout.ts'
import { startDeposit } from './start-deposit.ts'

let fixture: PaymentFixture
let program: Program<PaymentFixture>
before(async () => {
  fixture = await openPaymentFixture()
  program = await startProgram(fixture)
})
after(async () => {
  await program.close()
  await fixture.close()
})

const setup = () => program.setup()
const minuteMs = 60_000
const proven = new Set<Failpoint>()

/** The provider notifies its known callback URL. Returns the status, if the server is alive to answer. */
async function notifyOf({ context, zota }: PaymentFixture, attempt: string): Promise<number> {
  const app = await buildApp(context)
  const answer = await app.inject({
    ...{ method: 'POST', url: '/callbacks/payments/zotapay' },
    headers: { 'content-type': 'application/json', host: 'localhost' },
    payload: zota.webhookEventOf(attempt, { status: 'APPROVED' }),
  })
  await app.close()
  return answer.statusCode
}

const transactionOf = async (orderId: string) =>
  readTransaction(setup(), (await readOrder(setup(), orderId)).transaction_id)

async function dealsOf(transactionId: string): Promise<string[]> {
  return (await readIntents(setup(), transactionId)).flatMap(({ tag }) =>
    platformCredits(fixture, tag).map(({ amount }) => amount),
  )
}

async function mustBeCreditedOnce(orderId: string): Promise<void> {
  const { transaction_id, state, platform_ticket } = await transactionOf(orderId)
  const [intent, ...others] = await readIntents(setup(), transaction_id)
  assert.deepEqual([others, await dealsOf(transaction_id)], [[], ['250.00']])
  assert.deepEqual([state, platform_ticket], ['approved', intent?.ticket])
}

const approved = (orderId: string) =>
  program.settle('the payment is credited', async () => (await transactionOf(orderId)).state === 'approved')

describe('a payment', () => {
  const ofWebhookEvents = paymentFailpoints.filter((name) => name.startsWith('notification.'))
  const ofCredits = failpoints.filter((name) => name.startsWith('intent.'))
  for (const failpoint of [...ofWebhookEvents, ...ofCredits])
    it(`is credited once when a process is killed at ${failpoint}`, async () => {
      proven.add(failpoint)
      const { order, attempt } = await startOrder(setup())
      fixture.zota.set(attempt, 'APPROVED')
      await program.killAt(failpoint, async (doomed) => {
        await notifyOf(doomed, attempt)
        await runJobs(doomed)
      })
      await approved(order)
      // Unanswered webhook events are repeated, and so are answered ones.
      assert.equal(await notifyOf(setup(), attempt), 200)
      await runJobs(setup())
      await mustBeCreditedOnce(order)
      const stored = (await listWebhookEvents(setup())).filter(({ body }) => body.includes(attempt))
      assert.equal(stored.length, 1)
    })
})

describe('an interrupted start', () => {
  const ofStarts = paymentFailpoints.filter((name) => name.startsWith('order.'))
  for (const failpoint of ofStarts)
    it(`leaves nothing behind when a process is killed at ${failpoint}`, async () => {
      proven.add(failpoint)
      await program.killAt(failpoint, async (doomed) => startDeposit(doomed.member, await startBody(doomed)))
      const { order_id: order, attempt } = await newestOrder()
      const isAtProvider = fixture.zota.orders.has(attempt)
      assert.equal(isAtProvider, failpoint !== 'order.committed')
      if (isAtProvider) fixture.zota.set(attempt, 'APPROVED')
      // The order has expired.
      setup().context.clock.advance(61 * minuteMs)
      if (isAtProvider) {
        await approved(order)
        await mustBeCreditedOnce(order)
      } else {
        await program.settle('the order ends', async () => (await readOrder(setup(), order)).state === 'expired')
        const { state, transaction_id } = await transactionOf(order)
        assert.deepEqual([state, await readIntents(setup(), transaction_id)], ['rejected', []])
      }
    })
})

describe('a payout', () => {
  let payee: Payee
  before(async () => {
    await chooseSettings(fixture, { withdrawal_rules: [openTo('zotapay')], withdrawal_four_eyes: false })
    payee = await openPayee(setup(), 'zotapay', { balance: '100000.00' })
  })

  const stands = (id: string, state: string) =>
    program.settle(`the payout is ${state}`, async () => (await latestPayout(setup(), id)).state === state)

  /** The amounts that reached the provider under any attempt of this withdrawal. */
  async function arrived(id: string): Promise<string[]> {
    const payouts = await readPayouts(setup(), id)
    return payouts.flatMap(({ attempt }) => fixture.zota.orders.get(attempt)?.amount ?? [])
  }

  /** The provider does not know the payout for half an hour; then staff send it again. */
  async function sendAnew(id: string): Promise<void> {
    await program.settle(
      'the provider does not know it',
      async () => (await latestPayout(setup(), id)).absent_since !== null,
    )
    setup().context.clock.advance(31 * minuteMs)
    await stands(id, 'for_staff')
    assert.equal((await latestPayout(setup(), id)).staff_reason, 'not_known')
    assert.deepEqual(await arrived(id), [])
    await payByProvider(setup().staff, id)
  }

  for (const failpoint of payoutFailpoints)
    it(`is made once when a process is killed at ${failpoint}`, async () => {
      proven.add(failpoint)
      const id = await debitPayout(setup(), 'zotapay', { ...payee, member: await provenMember(setup()) })
      await program.killAt(failpoint, async (doomed) => {
        await runJobs(doomed)
        // The last failpoint is in a query, which runs after the call.
        doomed.context.clock.advance(10 * minuteMs)
        await processDuePayouts(doomed.system)
        await runJobs(doomed)
      })
      if (failpoint === 'payout-order.before-call') await sendAnew(id)
      await stands(id, 'accepted')
      const { attempt } = await latestPayout(setup(), id)
      fixture.zota.set(attempt, 'APPROVED')
      assert.equal(await notifyOf(setup(), attempt), 200)
      await stands(id, 'paid')
      assert.deepEqual([await arrived(id), await dealsOf(id)], [['250.00'], ['-250.00']])
      assert.equal((await readTransaction(setup(), id)).state, 'approved')
    })
})

it('every failpoint of these paths was reached, and the internal ledger balances afterwards', async () => {
  const ofIntents = failpoints.filter((name) => name.startsWith('intent.'))
  assert.deepEqual(program.wentOn(), [])
  assert.deepEqual([...proven].sort(), [...paymentFailpoints, ...payoutFailpoints, ...ofIntents].sort())
  assert.deepEqual(await findViolations(setup().system), [])
})

function newestOrder() {
  const { system } = setup()
  return reading(system, (tx) =>
    tx
      .selectFrom('deposit_orders')
      .select(['order_id', 'attempt'])
      .where('workspace_id', '=', system.workspaceId)
      .orderBy('created_at', 'desc')
      .orderBy('order_id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
}
