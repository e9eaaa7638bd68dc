import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rejectionReasons } from '@atrium/contract/funding.ts'
import { mailsTo, toldOf } from '../../tests/fixtures/mailbox.ts'
import {
  openPayer,
  openPaymentFloor,
  type PaymentFloor,
  readNotifications,
  readOrder,
  startBody,
  startOrder,
} from '../../tests/fixtures/payment-fixture.ts'
import { debitPayout, latestPayout, openPayee, openTo, visitLatest } from '../../tests/fixtures/payouts.ts'
import { readTransaction } from '../../tests/fixtures/trading-fixture.ts'
import { settleLatest } from '../../tests/fixtures/withdrawals.ts'
import { chooseSettings } from '../../tests/fixtures/workspaces.ts'
import { decideCase } from './case-decision.ts'
import { listCases } from './case-queries.ts'
import { askProvider } from './reconciliation.ts'

/** What a provider's word means for a member is told to them once, whoever brought it and however often. */
let floor: PaymentFloor
before(async () => {
  floor = await openPaymentFloor()
})
after(() => floor.close())

const wordsOf = (reason: keyof typeof rejectionReasons): string => {
  const { sentence, next } = rejectionReasons[reason]
  return `deposit.rejected: ${sentence} ${next}`
}
const depositOf = async (order: string): Promise<string> => (await readOrder(floor, order)).transaction_id

async function heard(attempt: string, twist = {}): Promise<void> {
  await floor.zota.notify(attempt, twist)
  await readNotifications(floor)
}

async function mailsAbout(transactionId: string): Promise<number> {
  const { ticket } = await readTransaction(floor, transactionId)
  const mails = await mailsTo(floor.system, floor.signIn.email)
  return mails.filter(({ subject }) => subject.includes(`T-${ticket} `)).length
}

describe('a deposit through a provider', () => {
  for (const word of ['DECLINED', 'FILTERED'] as const)
    it(`that ended with ${word} is told to its member once, however often that is heard`, async () => {
      const { order, attempt } = await startOrder(floor)
      floor.zota.set(attempt, word)
      for (let times = 0; times < 3; times++) await heard(attempt)
      await Promise.all([askProvider(floor.system, order), askProvider(floor.system, order)])
      const deposit = await depositOf(order)
      assert.equal((await readTransaction(floor, deposit)).state, 'rejected')
      assert.deepEqual(await toldOf(floor, deposit), [wordsOf('payment_declined')])
      assert.equal(await mailsAbout(deposit), 1)
    })

  it('that nobody paid in time is told once, by whichever process finds it first', async () => {
    const { order } = await startOrder(floor)
    const deposit = await depositOf(order)
    await askProvider(floor.system, order)
    assert.deepEqual(await toldOf(floor, deposit), [])
    floor.ground.clock.advance(61 * 60_000)
    await Promise.all([1, 2, 3].map(() => askProvider(floor.system, order)))
    assert.equal((await readOrder(floor, order)).state, 'expired')
    assert.deepEqual(await toldOf(floor, deposit), [wordsOf('payment_expired')])
    assert.equal(await mailsAbout(deposit), 1)
  })

  it('that was refused at once is told by the answer, and not besides', async () => {
    const { caller, token } = await openPayer(floor)
    floor.zota.refuseStarts('Not today')
    const { status, body } = await caller.post(
      '/customers/trading-accounts/start-deposit',
      await startBody(floor),
      token,
    )
    floor.zota.mend()
    assert.deepEqual([status, body.code], [409, 'payment_declined'])
    const newest = (await mailsTo(floor.system, floor.signIn.email)).length
    assert.equal(newest, 3, 'of the three that ended before')
  })

  it('that staff turned down is told without what they wrote to each other', async () => {
    const { order, attempt } = await startOrder(floor)
    await heard(attempt, { amount: '999.00', status: 'APPROVED' })
    const { cases } = await listCases(floor.staff, { state: 'waiting', limit: 100 })
    const asked = cases.find((each) => each.order._id === order)
    assert.ok(asked)
    const deposit = await depositOf(order)
    assert.deepEqual(await toldOf(floor, deposit), [])
    const given = { decision: 'given_back', note: 'CANARY', outside_reference: 'BANK-9' } as const
    await decideCase(floor.staff, { id: asked._id, ...given })
    assert.deepEqual(await toldOf(floor, deposit), [wordsOf('other')])
  })
})

describe('a payout by a provider', () => {
  it('is told as paid or as returned once, whoever brings the word', async () => {
    await chooseSettings(floor, { withdrawal_rules: [openTo('zotapay')], withdrawal_four_eyes: false })
    const payee = await openPayee(floor, 'zotapay', { balance: '100000.00' })
    const kindsOf = async (id: string) => (await toldOf(floor, id)).map((line) => line.replace(/:.*/, ''))
    const until = ['withdrawal.requested', 'withdrawal.approved']
    for (const [word, kind] of [
      ['APPROVED', 'withdrawal.paid'],
      ['DECLINED', 'withdrawal.returned'],
    ] as const) {
      const id = await debitPayout(floor, 'zotapay', payee)
      await visitLatest(floor, id)
      assert.deepEqual(await kindsOf(id), until)
      const { attempt } = await latestPayout(floor, id)
      floor.zota.set(attempt, word, 'Account closed')
      for (let times = 0; times < 2; times++) await heard(attempt)
      await visitLatest(floor, id)
      if (word === 'DECLINED') {
        await settleLatest(floor, id)
        await settleLatest(floor, id)
      }
      assert.deepEqual(await kindsOf(id), [...until, kind])
      assert.equal(await mailsAbout(id), 3)
    }
  })
})
