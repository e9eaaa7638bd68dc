import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  creditsOf,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  sendZotaWebhook,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { decideException } from './exceptions/exception-decision.ts'
import { deskExceptions } from './exceptions/exception-queries.ts'

describe('deciding about an unknown status', () => {
  let setup: PaymentFixture
  before(async () => {
    setup = await openPaymentFixture()
  })
  after(() => setup.close())

  async function report(attempt: string, status: string): Promise<void> {
    setup.zota.set(attempt, status)
    await sendZotaWebhook(setup, attempt)
  }
  async function started(...words: string[]) {
    const { order, attempt } = await startOrder(setup)
    for (const word of words) await report(attempt, word)
    return { order, attempt }
  }
  async function exceptionsOf(orderId: string, state: 'waiting' | 'closed' = 'waiting') {
    const { cases } = await deskExceptions.read(setup.staff, { state, limit: 100 })
    return cases.filter(({ order }) => order._id === orderId)
  }
  const creditsFor = async (orderId: string) => {
    const { transaction_id } = await readOrder(setup, orderId)
    return (await creditsOf(setup)).filter((credit) => credit.transaction_id === transaction_id).length
  }
  const decide = (id: string, decision: 'credit_agreed' | 'explained') =>
    decideException(setup.staff, { id, decision, note: 'They say that it was paid', outside_reference: '' })

  it('credits the agreed amount once, under the payment reference and not the status', async () => {
    const { order, attempt } = await started('Settled')
    const [asked] = await exceptionsOf(order)
    assert.ok(asked)
    assert.deepEqual([asked.word, asked.payment], ['Settled', setup.zota.orderOf(attempt).reference])
    await decide(asked._id, 'credit_agreed')
    assert.deepEqual([(await readOrder(setup, order)).state, await creditsFor(order)], ['paid', 1])
    // The known status arrives afterwards: it is recognised as the credited payment.
    await report(attempt, 'APPROVED')
    assert.equal(await creditsFor(order), 1)
    assert.deepEqual(await exceptionsOf(order), [])
  })

  it('is closed with a reason, and the deposit ends', async () => {
    const { order } = await started('Refused')
    const [asked] = await exceptionsOf(order)
    await decide(asked?._id ?? '', 'explained')
    assert.deepEqual([(await readOrder(setup, order)).state, await creditsFor(order)], ['declined', 0])
    assert.equal((await exceptionsOf(order, 'closed')).length, 1)
  })

  it('is one payment exception per status, also after another was closed', async () => {
    const { order, attempt } = await started('Later', 'Sooner')
    assert.deepEqual((await exceptionsOf(order)).map(({ word }) => word).sort(), ['Later', 'Sooner'])
    for (const { _id } of await exceptionsOf(order)) await decide(_id, 'explained')
    await report(attempt, 'Later')
    assert.deepEqual(await exceptionsOf(order), [])
    await report(attempt, 'Elsewhere')
    assert.deepEqual(
      (await exceptionsOf(order)).map(({ word }) => word),
      ['Elsewhere'],
    )
  })

  it('two statuses of one payment can be credited once only', async () => {
    const { order } = await started('Later', 'Sooner')
    const [one, other] = await exceptionsOf(order)
    await decide(one?._id ?? '', 'credit_agreed')
    assert.equal((await exceptionsOf(order))[0]?.creditable.credit_agreed, null)
    await assert.rejects(decide(other?._id ?? '', 'credit_agreed'), { code: 'invalid_input' })
    assert.equal(await creditsFor(order), 1)
  })

  it('opens a payment exception for a paid order, which stays paid without a second credit', async () => {
    const { order } = await started('APPROVED', 'Disputed')
    const [asked] = await exceptionsOf(order)
    assert.deepEqual([asked?.word, asked?.creditable.credit_agreed], ['Disputed', null])
    await assert.rejects(decide(asked?._id ?? '', 'credit_agreed'), { code: 'invalid_input' })
    assert.deepEqual([(await readOrder(setup, order)).state, await creditsFor(order)], ['paid', 1])
  })

  it('waits for staff even if the known status follows', async () => {
    const { order, attempt } = await started('Settled')
    await report(attempt, 'APPROVED')
    assert.deepEqual([(await readOrder(setup, order)).state, await creditsFor(order)], ['for_staff', 0])
  })
})
