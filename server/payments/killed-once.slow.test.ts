/**
 * One real SIGKILL on each money path: each server recovers the work of the previous one and is killed on the next
 * path. `killed.test.ts` here and in `funding/` cover every failpoint within one process.
 */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type ChildServer, eventually } from '../../tests/doubles/child-server.ts'
import { killTiming, postTo, startServerOn } from '../../tests/doubles/killed-server.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { debitPayout, latestPayout, openPayee, openTo } from '../../tests/fixtures/payments/payouts.ts'
import { makePendingWithdrawal } from '../../tests/fixtures/payments/withdrawals.ts'
import { makePendingDeposit, readIntents, readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { findViolations } from '../funding/ledger.ts'

let setup: PaymentFixture
let staffToken: string
let running: ChildServer
before(async () => {
  setup = await openPaymentFixture({ timing: killTiming, startAt: new Date() }) // The child processes use real time.
  await chooseSettings(setup, { withdrawal_rules: [openTo('zotapay')], withdrawal_four_eyes: false })
  staffToken = (await openTestSession(setup.system, { kind: 'staff', id: setup.staff.staffId })).token
})
after(async () => {
  await running.stop()
  await setup.close()
})

const post = (path: string, body: object) => postTo(running, path, body, staffToken)

const stands = (id: string, state: string) =>
  eventually(`it is ${state}`, async () => (await readTransaction(setup, id)).state === state)

async function dealsOf(id: string): Promise<string[]> {
  return (await readIntents(setup, id)).flatMap(({ tag }) =>
    setup.simulator.control.dealsWithComment(tag).map(({ amount }) => amount),
  )
}

const webhookEvent = (attempt: string) =>
  JSON.parse(setup.zota.webhookEventOf(attempt, { status: 'APPROVED' })) as object
const callback = '/callbacks/payments/zotapay'

describe('a process killed once on each path', () => {
  let deposit: string
  let withdrawal: string
  let payment: { transaction: string; attempt: string }

  it('dies after the platform has credited an approved deposit', async () => {
    deposit = await makePendingDeposit(setup)
    running = await startServerOn(setup, { failpoint: 'intent.called' })
    await post(`/desk/api/deposits/${deposit}/approve`, {})
    await running.exited
    assert.deepEqual(await dealsOf(deposit), ['250.00'])
  })

  it('credits that deposit once, and dies before the debit of an approved withdrawal', async () => {
    withdrawal = await makePendingWithdrawal(setup)
    running = await startServerOn(setup, { failpoint: 'approval.committed' })
    await stands(deposit, 'approved')
    assert.deepEqual(await dealsOf(deposit), ['250.00'])
    assert.equal(await post(`/desk/api/withdrawals/${withdrawal}/approve`, {}), null)
    await running.exited
  })

  it('debits that withdrawal once, and dies while the webhook event of a payment is being recorded', async () => {
    const { order, attempt } = await startOrder(setup)
    await (await setup.openOwner()).query(
      // Only the webhook event may report it: the server would otherwise query by itself.
      "update deposit_orders set next_look_at = now() + interval '1 hour' where order_id = $1",
      [order],
    )
    setup.zota.set(attempt, 'APPROVED')
    payment = { transaction: (await readOrder(setup, order)).transaction_id, attempt }
    running = await startServerOn(setup, { failpoint: 'notification.before-commit' })
    await stands(withdrawal, 'paying')
    assert.deepEqual(await dealsOf(withdrawal), ['-1.00'])
    await post(callback, webhookEvent(attempt))
    await running.exited
    assert.deepEqual(await dealsOf(payment.transaction), [])
  })

  it('dies after the provider has accepted a payout; payment and payout happen once', async () => {
    const id = await debitPayout(setup, 'zotapay', await openPayee(setup, 'zotapay', { balance: '1000.00' }))
    running = await startServerOn(setup, { failpoint: 'payout-order.called', isDoomed: true })
    await running.exited
    // Its lease has expired.
    const owner = await setup.openOwner()
    await owner.query('update payout_orders set next_look_at = now() where transaction_id = $1', [id])
    running = await startServerOn(setup)
    await post(callback, webhookEvent(payment.attempt))
    await stands(payment.transaction, 'approved')
    assert.deepEqual(await dealsOf(payment.transaction), ['250.00'])
    await eventually('the payout was queried', async () => (await latestPayout(setup, id)).state === 'accepted')
    const { attempt } = await latestPayout(setup, id)
    setup.zota.set(attempt, 'APPROVED')
    await post(callback, webhookEvent(attempt))
    await stands(id, 'approved')
    assert.deepEqual([setup.zota.orders.get(attempt)?.amount, await dealsOf(id)], ['250.00', ['-250.00']])
    assert.equal(setup.zota.payoutCalls(), 1)
    assert.deepEqual(await findViolations(setup.system), [])
  })
})
