import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import { openPaymentFixture, type PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import {
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  type Payee,
  processLatest,
  reportPayout,
} from '../../../tests/fixtures/payments/payouts.ts'
import { settleLatest } from '../../../tests/fixtures/payments/withdrawals.ts'
import { readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, chooseSettings, setIdentity, staffActor } from '../../../tests/fixtures/workspaces.ts'
import type { Staff } from '../../foundation/actor.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { readDeskWithdrawal } from '../../withdrawals/desk-withdrawals.ts'
import { markPaidOut, markPayoutFailed } from './payout.ts'
import { payByProvider } from './payout-decision.ts'

const day = 24 * 60 * 60_000

let setup: PaymentFixture
let payee: Payee
let colleague: Staff
let third: Staff

before(async () => {
  setup = await openPaymentFixture()
  await chooseSettings(setup, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] })
  payee = await openPayee(setup, 'zotapay', { balance: '100000.00' })
  colleague = staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))
  third = staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))
})
beforeEach(() => identity('approved'))
after(() => setup.close())

const identity = (status: Parameters<typeof setIdentity>[2]) => setIdentity(setup.system, setup.member.memberId, status)
const report = (by: Staff, id: string) => markPaidOut(by, id, 'SWIFT 4', 'Sent before that')
const fail = (by: Staff, id: string) => markPayoutFailed(by, id, 'The bank sent it back.')
async function recorded(): Promise<string> {
  const id = await debitPayout(setup, 'zotapay', payee)
  await identity('pending')
  await processLatest(setup, id)
  await report(setup.staff, id)
  await identity('approved')
  return id
}
const changeDetails = () =>
  inTransaction(setup.system, (tx) =>
    tx
      .updateTable('members')
      .set({ details_changed_at: setup.context.clock.now() })
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('member_id', '=', setup.member.memberId)
      .execute(),
  )

describe('a withdrawal that one person recorded as paid by hand', () => {
  it('is not sent by its provider after the hold, and a second person can still confirm it', async () => {
    const id = await debitPayout(setup, 'zotapay', payee)
    const calls = setup.zota.payoutCalls()
    await changeDetails()
    await report(setup.staff, id)
    setup.context.clock.advance(2 * day)
    assert.equal(await processLatest(setup, id), 'created')
    assert.equal((await latestPayout(setup, id)).problem, withdrawalDeskTexts.reportedPaid)
    await report(colleague, id)
    assert.deepEqual(
      [(await readTransaction(setup, id)).state, (await latestPayout(setup, id)).state],
      ['approved', 'dropped'],
    )
    assert.equal(setup.zota.payoutCalls(), calls)
  })

  it('is not paid again through the provider by a colleague', async () => {
    const id = await debitPayout(setup, 'zotapay', payee)
    await identity('pending')
    assert.equal(await processLatest(setup, id), 'for_staff')
    await report(setup.staff, id)
    await identity('approved')
    assert.equal((await readDeskWithdrawal(colleague, id)).may_pay_by_provider, false)
    await assert.rejects(payByProvider(colleague, id), { message: withdrawalDeskTexts.reportedPaid })
    await markPayoutFailed(colleague, id, 'The bank sent it back.')
    await markPayoutFailed(setup.staff, id, 'The bank sent it back.')
    assert.equal(await settleLatest(setup, id), 'rejected')
  })

  it('is refunded only once two people say that it failed, and until then can be confirmed', async () => {
    const [disputed, confirmed, contested] = [await recorded(), await recorded(), await recorded()]
    for (const id of [disputed, confirmed]) {
      await fail(colleague, id)
      await assert.rejects(fail(colleague, id), { code: 'illegal_move' })
      assert.equal((await readTransaction(setup, id)).state, 'paying')
      assert.equal((await readDeskWithdrawal(setup.staff, id)).paid_by_hand?.failed_by, colleague.name)
    }
    await report(colleague, confirmed)
    assert.equal((await readTransaction(setup, confirmed)).state, 'approved')
    await fail(setup.staff, disputed)
    assert.equal((await readTransaction(setup, disputed)).state, 'returning')
    await fail(setup.staff, contested)
    const settled = await Promise.allSettled([fail(colleague, contested), report(colleague, contested)])
    assert.deepEqual(settled.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  it('is not refunded when its provider declines it meanwhile, and is decided by two people', async () => {
    for (const [act, state] of [
      [fail, 'returning'],
      [report, 'approved'],
    ] as const) {
      const id = await debitPayout(setup, 'zotapay', payee)
      await processLatest(setup, id)
      await identity('pending')
      await report(setup.staff, id)
      const decline = () => reportPayout(setup, id, { state: 'declined', word: 'DECLINED' })
      for (const _again of [1, 2]) await decline()
      const { state: held, staff_reason } = await latestPayout(setup, id)
      assert.deepEqual([held, staff_reason], ['for_staff', 'recorded_paid'])
      assert.equal((await readTransaction(setup, id)).state, 'paying')
      await identity('approved')
      await act(colleague, id)
      if (act === fail) await act(third, id)
      assert.equal((await readTransaction(setup, id)).state, state)
      assert.equal((await decline()).outcome, 'noted')
      assert.equal((await latestPayout(setup, id)).state, 'dropped')
    }
  })

  it('is marked as paid twice for staff when its provider pays it too', async () => {
    const id = await debitPayout(setup, 'zotapay', payee)
    await processLatest(setup, id)
    await identity('pending')
    await report(setup.staff, id)
    assert.deepEqual(await reportPayout(setup, id, {}), { outcome: 'applied' })
    assert.equal((await readTransaction(setup, id)).state, 'approved')
    const { timeline } = await readDeskWithdrawal(setup.staff, id)
    assert.deepEqual(
      timeline.filter(({ event }) => event === 'withdrawal.report-after-end').map(({ note }) => note),
      ['The provider paid it, and a colleague had recorded that it was paid by hand: check whether it was paid twice'],
    )
    const counted = await setup.context.metrics.registry.getSingleMetricAsString('atrium_payments_manual_review_total')
    assert.match(counted, /provider="zotapay",why="payout_second_payment"/)
  })

  it('is not refunded by a word from before another record of it', async () => {
    const id = await recorded()
    await fail(colleague, id)
    setup.context.clock.advance(1_000)
    await markPaidOut(setup.staff, id, 'SWIFT 5', 'Under another reference')
    await fail(third, id)
    assert.equal((await readTransaction(setup, id)).state, 'paying')
    await fail(colleague, id)
    assert.equal((await readTransaction(setup, id)).state, 'returning')
  })

  it('needs two new records after that payment failed', async () => {
    const id = await debitPayout(setup, 'zotapay', payee)
    await identity('pending')
    await processLatest(setup, id)
    await report(setup.staff, id)
    await markPayoutFailed(colleague, id, 'The bank sent it back.')
    await markPayoutFailed(setup.staff, id, 'The bank sent it back.')
    setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'answer-code', code: 10006 })
    assert.equal(await settleLatest(setup, id), 'paying')
    setup.context.clock.advance(1_000)
    assert.equal((await readDeskWithdrawal(colleague, id)).paid_by_hand, null)
    await report(colleague, id)
    assert.equal((await readTransaction(setup, id)).state, 'paying')
    await report(setup.staff, id)
    assert.equal((await readTransaction(setup, id)).state, 'approved')
  })
})
