// spec: OP notifications

/** A final status notifies the member once, whatever reported it and however often. */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rejectionReasons } from '@atrium/contract/funding/states.ts'
import { mailsTo, notifiedOf } from '../../tests/fixtures/mailbox.ts'
import {
  openPayer,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  sendZotaWebhook,
  startBody,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { debitPayout, latestPayout, openPayee, openTo, processLatest } from '../../tests/fixtures/payments/payouts.ts'
import { settleLatest } from '../../tests/fixtures/payments/withdrawals.ts'
import { readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../tests/fixtures/workspaces.ts'
import { decideException } from './exceptions/exception-decision.ts'
import { deskExceptions } from './exceptions/exception-queries.ts'
import { askProvider } from './reconciliation.ts'

let setup: PaymentFixture
before(async () => {
  setup = await openPaymentFixture()
})
after(() => setup.close())

const textOf = (reason: keyof typeof rejectionReasons): string => {
  const { sentence, next } = rejectionReasons[reason]
  return `deposit.rejected: ${sentence} ${next}`
}
const depositOf = async (order: string): Promise<string> => (await readOrder(setup, order)).transaction_id

async function mailsAbout(transactionId: string): Promise<number> {
  const { ticket } = await readTransaction(setup, transactionId)
  const mails = await mailsTo(setup.system, setup.signIn.email)
  return mails.filter(({ subject }) => subject.includes(`T-${ticket} `)).length
}

describe('a deposit at a provider', () => {
  for (const word of ['DECLINED', 'FILTERED'] as const)
    it(`notifies its member once when it ends with ${word}, however often that is reported`, async () => {
      const { order, attempt } = await startOrder(setup)
      setup.zota.set(attempt, word)
      for (let times = 0; times < 3; times++) await sendZotaWebhook(setup, attempt)
      await Promise.all([askProvider(setup.system, order), askProvider(setup.system, order)])
      const deposit = await depositOf(order)
      assert.equal((await readTransaction(setup, deposit)).state, 'rejected')
      assert.deepEqual(await notifiedOf(setup, deposit), [textOf('payment_declined')])
      assert.equal(await mailsAbout(deposit), 1)
    })

  it('notifies its member once when it expires unpaid, from whichever process finds it first', async () => {
    const { order } = await startOrder(setup)
    const deposit = await depositOf(order)
    await askProvider(setup.system, order)
    assert.deepEqual(await notifiedOf(setup, deposit), [])
    setup.context.clock.advance(61 * 60_000)
    await Promise.all([1, 2, 3].map(() => askProvider(setup.system, order)))
    assert.equal((await readOrder(setup, order)).state, 'expired')
    assert.deepEqual(await notifiedOf(setup, deposit), [textOf('payment_expired')])
    assert.equal(await mailsAbout(deposit), 1)
  })

  it('reports an immediate refusal in the answer, without a notification', async () => {
    const { caller, token } = await openPayer(setup)
    setup.zota.refuseStarts('Not today')
    const { status, body } = await caller.post(
      '/customers/trading-accounts/start-deposit',
      await startBody(setup),
      token,
    )
    setup.zota.mend()
    assert.deepEqual([status, body.code], [409, 'payment_declined'])
    const newest = (await mailsTo(setup.system, setup.signIn.email)).length
    assert.equal(newest, 3, 'of the three that ended before')
  })

  it('notifies its member without the notes of staff when staff reject it', async () => {
    const { order, attempt } = await startOrder(setup)
    await sendZotaWebhook(setup, attempt, { amount: '999.00', status: 'APPROVED' })
    const { cases } = await deskExceptions.read(setup.staff, { state: 'waiting', limit: 100 })
    const asked = cases.find((each) => each.order._id === order)
    assert.ok(asked)
    const deposit = await depositOf(order)
    assert.deepEqual(await notifiedOf(setup, deposit), [])
    const given = { decision: 'given_back', note: 'CANARY', outside_reference: 'BANK-9' } as const
    await decideException(setup.staff, { id: asked._id, ...given })
    assert.deepEqual(await notifiedOf(setup, deposit), [textOf('other')])
  })
})

describe('a payout at a provider', () => {
  it('notifies once as paid or reversed, whatever reported it', async () => {
    await chooseSettings(setup, { withdrawal_rules: [openTo('zotapay')], withdrawal_four_eyes: false })
    const payee = await openPayee(setup, 'zotapay', { balance: '100000.00' })
    const kindsOf = async (id: string) => (await notifiedOf(setup, id)).map((line) => line.replace(/:.*/, ''))
    const until = ['withdrawal.requested', 'withdrawal.approved']
    for (const [word, kind] of [
      ['APPROVED', 'withdrawal.paid'],
      ['DECLINED', 'withdrawal.returned'],
    ] as const) {
      const id = await debitPayout(setup, 'zotapay', payee)
      await processLatest(setup, id)
      assert.deepEqual(await kindsOf(id), until)
      const { attempt } = await latestPayout(setup, id)
      setup.zota.set(attempt, word, 'Account closed')
      for (let times = 0; times < 2; times++) await sendZotaWebhook(setup, attempt)
      await processLatest(setup, id)
      if (word === 'DECLINED') {
        await settleLatest(setup, id)
        await settleLatest(setup, id)
      }
      assert.deepEqual(await kindsOf(id), [...until, kind])
      assert.equal(await mailsAbout(id), 3)
    }
  })
})
