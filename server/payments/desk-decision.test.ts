import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  sendZotaWebhook,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { readIntents, readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { approveDeposit, rejectDeposit } from '../deposits/decision.ts'
import { readDeskDeposit } from '../deposits/desk-queries.ts'

describe('staff decisions about a provider deposit', () => {
  let setup: PaymentFixture
  before(async () => {
    setup = await openPaymentFixture()
  })
  after(() => setup.close())

  const sendWebhook = async (attempt: string, overrides = {}) => {
    await sendZotaWebhook(setup, attempt, overrides)
  }
  /** A payment of another amount than agreed. */
  async function mismatched() {
    const started = await startOrder(setup)
    setup.zota.set(started.attempt, 'APPROVED')
    await sendWebhook(started.attempt, { amount: '999.00' })
    const { transaction_id } = await readOrder(setup, started.order)
    return { ...started, transaction_id }
  }

  it('are refused while the member may still pay', async () => {
    const { order } = await startOrder(setup)
    const { transaction_id } = await readOrder(setup, order)
    await assert.rejects(approveDeposit(setup.staff, transaction_id), { code: 'illegal_move' })
    await assert.rejects(rejectDeposit(setup.staff, transaction_id, { reason: 'other' }), { code: 'illegal_move' })
    assert.equal((await readTransaction(setup, transaction_id)).state, 'pending')
  })

  it('show the agreed amount beside the received one, with the unchanged message', async () => {
    const { attempt, transaction_id } = await mismatched()
    const { payment } = await readDeskDeposit(setup.staff, transaction_id)
    assert.deepEqual([payment?.state, payment?.why, payment?.charge], ['for_staff', 'amount_differs', '250.00'])
    const [webhookEvent] = payment?.notifications ?? []
    assert.deepEqual([webhookEvent?.amount, webhookEvent?.outcome], ['999.00', 'for_staff'])
    assert.equal(webhookEvent?.raw, setup.zota.webhookEventOf(attempt, { amount: '999.00' }))
  })

  it('approving a differing payment credits the agreed amount once', async () => {
    const { order, attempt, transaction_id } = await mismatched()
    await approveDeposit(setup.staff, transaction_id)
    assert.equal((await readOrder(setup, order)).state, 'paid')
    await sendWebhook(attempt)
    assert.deepEqual(
      (await readIntents(setup, transaction_id)).map(({ amount }) => amount),
      ['250.00'],
    )
  })

  it('after a rejection no later message credits automatically', async () => {
    const { order, attempt, transaction_id } = await mismatched()
    await rejectDeposit(setup.staff, transaction_id, { reason: 'amount_differs' })
    assert.equal((await readOrder(setup, order)).state, 'declined')
    await sendWebhook(attempt)
    const { state, transaction_id: now } = await readOrder(setup, order)
    assert.deepEqual([state, now], ['for_staff', transaction_id])
    assert.equal((await readIntents(setup, transaction_id)).length, 0)
  })
})
