import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type ExceptionDecision, exceptionTexts } from '@atrium/contract/payments/exceptions.ts'
import type { SdsystemSimulator } from '../../../simulators/sdsystem/simulator.ts'
import { startVirtualpaySimulator } from '../../../simulators/virtualpay/simulator.ts'
import {
  addBeside,
  creditsOf,
  listWebhookEvents,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  sendZotaWebhook,
  startOrder,
  withAccountIn,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { chooseSettings } from '../../../tests/fixtures/workspaces.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { cancelTransaction } from '../../funding/cancellation.ts'
import { simulatorOf, words } from '../../payment-providers/sdsystem/under-test.ts'
import { replayWebhookEvent } from '../desk-webhook-events.ts'
import { applyReport } from '../settle.ts'
import { decideException } from './exception-decision.ts'
import { deskExceptions } from './exception-queries.ts'

let setup: PaymentFixture

type Stated = { order: string; state?: 'waiting' | 'closed' }

async function casesOf({ order, state = 'waiting' }: Stated) {
  const { cases } = await deskExceptions.read(setup.staff, { state, limit: 100 })
  return cases.filter((each) => each.order._id === order)
}
const paidIn = async (order: string) => (await casesOf({ order })).map(({ why, paid }) => [why, paid])

async function decide(order: string, decision: ExceptionDecision, paid?: string): Promise<void> {
  const asked = (await casesOf({ order })).find((each) => paid === undefined || each.paid === paid)
  const words = { note: 'As the provider says', outside_reference: 'BANK-1' }
  await decideException(setup.staff, { id: asked?._id ?? '', decision, ...words })
}

async function creditedIn(order: string): Promise<string[]> {
  const { transaction_id } = await readOrder(setup, order)
  const decided = (await casesOf({ order, state: 'closed' })).map(({ credited }) => credited?._id)
  const ids = new Set([transaction_id, ...decided])
  return (await creditsOf(setup)).filter((each) => ids.has(each.transaction_id ?? '')).map(({ amount }) => amount)
}

describe('a further payment for an order, by a provider that sends no reference', () => {
  let simulator: SdsystemSimulator
  before(async () => {
    setup = await withAccountIn(await openPaymentFixture(), 'CNY')
    simulator = await simulatorOf(setup)
    // Yuan have no threshold, so each credit would need two people.
    await chooseSettings(setup, { withdrawal_four_eyes: false })
  })
  after(() => setup.close())

  async function began(...amounts: string[]) {
    const { order, attempt } = await startOrder(setup, { payment_method: 'sdsystem', amount: '100.00' })
    const arrives = async (amount: string, time?: string) => {
      await simulator.notify(attempt, { status: words.paid, amount, ...(time && { time }) })
      await readWebhookEvents(setup)
    }
    for (const amount of amounts) await arrives(amount)
    return { order, attempt, arrives }
  }

  it('is decided apart from the first, and each is credited once', async () => {
    const { order, arrives } = await began('50.00', '50.00', '100.00')
    assert.deepEqual(await paidIn(order), [
      ['amount_differs', '50.00'],
      ['second_payment', '100.00'],
    ])
    await decide(order, 'credit_agreed', '100.00')
    await decide(order, 'credit_paid', '50.00')
    for (const amount of ['50.00', '100.00']) await arrives(amount)
    assert.deepEqual([await paidIn(order), (await creditedIn(order)).sort()], [[], ['100.00', '50.00']])
    const { state, reference } = await readOrder(setup, order)
    assert.deepEqual([state, reference], ['paid', null])
  })

  it('opens an exception after the first was refunded', async () => {
    const { order, arrives } = await began('50.00')
    await decide(order, 'given_back')
    await arrives('50.00')
    assert.deepEqual(await paidIn(order), [])
    await arrives('100.00')
    await arrives('100.00')
    assert.deepEqual(await paidIn(order), [['after_rejection', '100.00']])
    await decide(order, 'credit_agreed')
    assert.deepEqual(await creditedIn(order), ['100.00'])
  })

  it('opens an exception after the first was credited', async () => {
    const { order, arrives } = await began('50.00')
    await decide(order, 'credit_paid')
    await arrives('50.00')
    assert.deepEqual(await paidIn(order), [])
    await arrives('100.00')
    assert.deepEqual(await paidIn(order), [['second_payment', '100.00']])
    await decide(order, 'credit_paid')
    await arrives('100.00')
    assert.deepEqual([await paidIn(order), (await creditedIn(order)).sort()], [[], ['100.00', '50.00']])
  })

  it('is credited beside a first payment that came too late, in either order', async () => {
    for (const firstDecided of ['100.00', '50.00']) {
      const { order, arrives } = await began()
      await cancelTransaction(setup.member, (await readOrder(setup, order)).transaction_id)
      for (const amount of ['100.00', '50.00', '100.00']) await arrives(amount)
      assert.deepEqual(await paidIn(order), [
        ['after_cancel', '100.00'],
        ['amount_differs', '50.00'],
      ])
      await decide(order, 'credit_paid', firstDecided)
      await decide(order, 'credit_paid')
      for (const amount of ['50.00', '100.00']) await arrives(amount)
      assert.deepEqual([await paidIn(order), (await creditedIn(order)).sort()], [[], ['100.00', '50.00']])
    }
  })

  const times = ['2024-07-01 12:00:00', '2024-07-01 13:00:00', '2024-07-01 14:00:00']

  it('is the agreed amount at another time, which is credited only by a decision', async () => {
    const { order, arrives } = await began('100.00')
    for (const time of [...times, ...times]) await arrives('100.00', time)
    assert.deepEqual(
      [await paidIn(order), await creditedIn(order)],
      [times.map(() => ['second_payment', '100.00']), ['100.00']],
    )
    await decide(order, 'credit_agreed')
    await decide(order, 'credit_agreed')
    await decide(order, 'given_back')
    for (const time of times) await arrives('100.00', time)
    await arrives('100.00')
    assert.deepEqual([await paidIn(order), await creditedIn(order)], [[], ['100.00', '100.00', '100.00']])
  })

  it('is another amount twice, at two times, and each is credited', async () => {
    for (const isLate of [false, true]) {
      const { order, arrives } = await began()
      if (isLate) await cancelTransaction(setup.member, (await readOrder(setup, order)).transaction_id)
      const amount = isLate ? '100.00' : '50.00'
      for (const time of [...times.slice(0, 2), ...times.slice(0, 2)]) await arrives(amount, time)
      assert.deepEqual(
        (await paidIn(order)).map(([, paid]) => paid),
        [amount, amount],
      )
      for (const _ of [1, 2]) await decide(order, 'credit_paid')
      assert.deepEqual([await paidIn(order), await creditedIn(order)], [[], [amount, amount]])
    }
  })

  it('is not credited beside the first while its amount cannot be read', async () => {
    const { order, attempt, arrives } = await began('50.00')
    const unread = { attempt, reference: null, state: 'paid', amount: null, currency: null, reason: null } as const
    await inTransaction(setup.system, (tx) => applyReport(tx, setup.system, order, { ...unread, word: 'settled' }))
    assert.deepEqual(
      (await paidIn(order)).map(([, paid]) => paid),
      ['50.00', null],
    )
    await decide(order, 'credit_paid', '50.00')
    await assert.rejects(decide(order, 'credit_agreed'), { message: exceptionTexts.creditedBefore })
    await arrives('50.00')
    assert.deepEqual(await creditedIn(order), ['50.00'])
  })

  it('opens no exception if the agreed amount is reported again', async () => {
    const { order } = await began('100.00', '100.0')
    assert.deepEqual([await paidIn(order), await creditedIn(order)], [[], ['100.00']])
  })
})

describe('a further payment for an order, in messages that prove no reference', () => {
  let simulator: Awaited<ReturnType<typeof startVirtualpaySimulator>>
  before(async () => {
    setup = await openPaymentFixture()
    const starting = startVirtualpaySimulator({ merchantId: 'VPMID1', secretKey: 'virtual-secret-1' })
    simulator = await addBeside(setup, 'virtualpay', starting)
  })
  after(() => setup.close())

  it('opens an exception after each decision, and none for a repeated message', async () => {
    const { order, attempt } = await startOrder(setup, { payment_method: 'virtualpay' })
    const arrives = async (reference: string): Promise<number> => {
      await simulator.notify(attempt, { status: 'approved', reference })
      await readWebhookEvents(setup)
      return (await casesOf({ order })).length
    }
    const repeated = async (): Promise<number> => {
      for (const { notification_id } of await listWebhookEvents(setup, order))
        await replayWebhookEvent(setup.staff, notification_id)
      await readWebhookEvents(setup)
      return (await casesOf({ order })).length
    }
    assert.deepEqual([await arrives('VP1'), await repeated()], [1, 1])
    await decide(order, 'explained')
    assert.equal((await readOrder(setup, order)).state, 'declined')
    assert.deepEqual([await repeated(), await arrives('VP2'), await arrives('VP3')], [0, 1, 2])
    await decide(order, 'credit_agreed')
    await decide(order, 'given_back')
    assert.equal((await readOrder(setup, order)).state, 'paid')
    assert.equal(await arrives('VP4'), 1)
    const [asked] = await casesOf({ order })
    assert.deepEqual([asked?.why, asked?.creditable.credit_agreed], ['unverified', null])
    await decide(order, 'given_back')
    assert.equal(await arrives('VP4'), 0)
    assert.deepEqual(await creditedIn(order), ['250.00'])
  })
})

describe('money of a known payment', () => {
  before(async () => {
    setup = await openPaymentFixture()
  })
  after(() => setup.close())

  it('opens an exception after a decision only if the amount differs', async () => {
    const { order, attempt } = await startOrder(setup)
    setup.zota.set(attempt, 'APPROVED')
    const arrives = async (amount: string) => {
      await sendZotaWebhook(setup, attempt, { amount })
      return paidIn(order)
    }
    assert.deepEqual(await arrives('99.00'), [['amount_differs', '99.00']])
    await decide(order, 'given_back')
    assert.deepEqual(await arrives('99.0'), [])
    assert.deepEqual(await arrives('250.00'), [['after_rejection', '250.00']])
    assert.deepEqual(await arrives('250.0'), [['after_rejection', '250.00']])
    await decide(order, 'credit_agreed')
    assert.deepEqual([await arrives('250'), await creditedIn(order)], [[], ['250.00']])
  })

  it('opens an exception for each return of a different amount', async () => {
    const { order, attempt } = await startOrder(setup, { payment_method: 'safecharge' })
    setup.safecharge.set(attempt, 'APPROVED')
    const returned = async (type: string, amount: string): Promise<number> => {
      await setup.safecharge.notify(attempt, { status: 'APPROVED', type, amount })
      await readWebhookEvents(setup)
      return (await casesOf({ order })).length
    }
    await setup.safecharge.notify(attempt)
    await readWebhookEvents(setup)
    assert.equal((await readOrder(setup, order)).state, 'paid')
    assert.deepEqual([await returned('Credit', '100.00'), await returned('Credit', '100.0')], [1, 1])
    await decide(order, 'explained')
    assert.equal(await returned('Credit', '100'), 0)
    assert.equal(await returned('Credit', '50.00'), 1)
    await decide(order, 'explained')
    assert.equal(await returned('Chargeback', '250.00'), 1)
    assert.deepEqual((await casesOf({ order, state: 'closed' })).map(({ kind, paid }) => [kind, paid]).sort(), [
      ['returned', '100.00'],
      ['returned', '50.00'],
    ])
  })
})
