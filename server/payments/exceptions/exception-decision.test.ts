// spec: DK payments
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { exceptionTexts } from '@atrium/contract/payments/exceptions.ts'
import { notifiedOf } from '../../../tests/fixtures/mailbox.ts'
import {
  creditsOf,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  sendZotaWebhook,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, addWorkspace, staffActor } from '../../../tests/fixtures/workspaces.ts'
import { approveDeposit, rejectDeposit } from '../../deposits/decision.ts'
import { readDeskDeposit } from '../../deposits/desk-queries.ts'
import type { Staff } from '../../foundation/actor.ts'
import { reading } from '../../foundation/database/database.ts'
import { askProvider } from '../reconciliation.ts'
import { decideException } from './exception-decision.ts'
import { deskExceptions } from './exception-queries.ts'

describe('payment exceptions', () => {
  let setup: PaymentFixture
  let colleague: Staff
  before(async () => {
    setup = await openPaymentFixture()
    colleague = staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))
  })
  after(() => setup.close())

  const waiting = async (staff: Staff = setup.staff) =>
    (await deskExceptions.read(staff, { state: 'waiting', limit: 100 })).cases
  const exceptionOf = async (order: string) => {
    const { cases } = await deskExceptions.read(setup.staff, { state: 'waiting', limit: 100 })
    const closed = await deskExceptions.read(setup.staff, { state: 'closed', limit: 100 })
    const found = [...cases, ...closed.cases].find((each) => each.order._id === order)
    assert.ok(found)
    return found
  }
  const creditedFor = async (ids: (string | undefined)[]) =>
    (await creditsOf(setup))
      .filter(({ transaction_id }) => ids.includes(transaction_id ?? ''))
      .map(({ amount }) => amount)
  const decide = (
    id: string,
    decision: 'credit_agreed' | 'credit_paid' | 'given_back' | 'explained',
    by = setup.staff,
  ) => decideException(by, { id, decision, note: 'As the member said', outside_reference: 'BANK-1' })

  /** A payment of another amount than agreed. */
  async function mismatched(paid = '999.00') {
    const started = await startOrder(setup)
    await sendZotaWebhook(setup, started.attempt, { amount: paid, status: 'APPROVED' })
    return { ...started, asked: await exceptionOf(started.order) }
  }
  /** A payment after the order expired. */
  async function late(amount = '250.00') {
    const started = await startOrder(setup, { amount })
    setup.context.clock.advance(61 * 60_000)
    await askProvider(setup.system, started.order)
    assert.equal((await readOrder(setup, started.order)).state, 'expired')
    setup.zota.set(started.attempt, 'APPROVED')
    await sendZotaWebhook(setup, started.attempt)
    return { ...started, asked: await exceptionOf(started.order) }
  }

  it('exist once however often they are notified, with the agreed beside the paid amount', async () => {
    const { order, attempt, asked } = await mismatched()
    await sendZotaWebhook(setup, attempt, { amount: '999.0', status: 'APPROVED' })
    assert.equal((await waiting()).filter((each) => each.order._id === order).length, 1)
    assert.deepEqual([asked.why, asked.paid, asked.order.charge], ['amount_differs', '999.00', '250.00'])
    assert.deepEqual(asked.creditable, { credit_agreed: '250.00', credit_paid: '999.00', people_needed: 1 })
  })

  it('credit the paid amount as a new transaction and close the pending one', async () => {
    const { order, asked } = await mismatched('180.00')
    await decide(asked._id, 'credit_paid')
    const { credited } = await exceptionOf(order)
    const { state, transaction_id } = await readOrder(setup, order)
    assert.deepEqual([state, transaction_id], ['paid', credited?._id])
    assert.equal((await readTransaction(setup, asked.deposit._id)).state, 'rejected')
    assert.deepEqual(await creditedFor([credited?._id, asked.deposit._id]), ['180.00'])
    const { ticket } = await readTransaction(setup, credited?._id ?? '')
    const shown = (await readDeskDeposit(setup.staff, credited?._id ?? '')).payment
    assert.deepEqual(
      shown?.credited.map(({ _id, amount, currency }) => [_id, amount, currency]),
      [[credited?._id, '180.00', 'USD']],
    )
    assert.deepEqual(await notifiedOf(setup, asked.deposit._id), [
      `deposit.rejected: The amount that arrived is credited as deposit T-${ticket}.`,
    ])
  })

  it('credit a late payment once when two staff decide simultaneously', async () => {
    const { order, asked, attempt } = await late()
    assert.equal(asked.why, 'after_expiry')
    const both = await Promise.allSettled([
      decide(asked._id, 'credit_agreed'),
      decide(asked._id, 'credit_agreed', colleague),
    ])
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const [lost] = both.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    assert.deepEqual([lost.code, lost.httpStatus], ['illegal_move', 409])
    const { credited } = await exceptionOf(order)
    assert.deepEqual(await creditedFor([credited?._id, asked.deposit._id]), ['250.00'])
    // A repeated webhook event in other bytes is recognised.
    await sendZotaWebhook(setup, attempt, { amount: '250.0' })
    assert.equal((await readOrder(setup, order)).state, 'paid')
    await assert.rejects(decide(asked._id, 'credit_paid'), { code: 'illegal_move' })
    assert.deepEqual(await creditedFor([credited?._id, asked.deposit._id]), ['250.00'])
  })

  it('are neither credited nor closed over a proposal that the page did not show', async () => {
    const { order, asked } = await mismatched('50000.00')
    const late = staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))
    const given = { id: asked._id, note: 'As the member said', outside_reference: 'BANK-1' }
    await decideException(colleague, { ...given, decision: 'credit_paid', seen: null })
    const proposed = await exceptionOf(order)
    assert.deepEqual([proposed.state, proposed.decision], ['proposed', 'credit_paid'])
    for (const decision of ['credit_paid', 'explained', 'given_back'] as const)
      await assert.rejects(decideException(late, { ...given, decision, seen: null }), {
        code: 'conflict',
        message: exceptionTexts.proposedMeanwhile,
      })
    assert.equal((await exceptionOf(order)).state, 'proposed')
    await decideException(late, { ...given, decision: 'credit_paid', seen: 'credit_paid' })
    assert.equal((await exceptionOf(order)).state, 'closed')
  })

  it('never credit one payment to two orders', async () => {
    const first = await startOrder(setup)
    setup.zota.set(first.attempt, 'APPROVED')
    await sendZotaWebhook(setup, first.attempt)
    const { reference } = await readOrder(setup, first.order)
    const second = await startOrder(setup)
    await sendZotaWebhook(setup, second.attempt, { status: 'APPROVED', reference: String(reference) })
    const asked = await exceptionOf(second.order)
    await assert.rejects(decide(asked._id, 'credit_agreed'), { code: 'conflict' })
    assert.equal((await readOrder(setup, second.order)).state, 'for_staff')
  })

  it('credit a second payment of one order in addition to the first', async () => {
    const { order, attempt } = await startOrder(setup)
    setup.zota.set(attempt, 'APPROVED')
    await sendZotaWebhook(setup, attempt)
    const before = await readOrder(setup, order)
    await sendZotaWebhook(setup, attempt, { reference: 'anotherpayment' })
    const asked = await exceptionOf(order)
    assert.equal(asked.why, 'second_payment')
    await decide(asked._id, 'credit_agreed')
    const { credited } = await exceptionOf(order)
    assert.deepEqual(await creditedFor([before.transaction_id, credited?._id]), ['250.00', '250.00'])
    assert.deepEqual((await readOrder(setup, order)).transaction_id, before.transaction_id)
  })

  it('close a refunded payment with reference and reason, without a credit', async () => {
    const { order, attempt, asked } = await late()
    const given = { id: asked._id, decision: 'given_back', note: 'Sent back', outside_reference: '' } as const
    await assert.rejects(decideException(setup.staff, given), { code: 'invalid_input' })
    await assert.rejects(decideException(setup.staff, { ...given, note: '', outside_reference: 'R1' }), {
      code: 'invalid_input',
    })
    await decideException(setup.staff, { ...given, outside_reference: 'R1' })
    assert.equal((await readOrder(setup, order)).state, 'declined')
    await sendZotaWebhook(setup, attempt, { amount: '250.0' })
    assert.equal((await readOrder(setup, order)).state, 'declined')
    assert.deepEqual(await creditedFor([asked.deposit._id]), [])
    await assert.rejects(decide(asked._id, 'credit_agreed'), { code: 'illegal_move' })
  })

  it('need two people with the same decision above the workspace’s amount', async () => {
    const { order, asked } = await mismatched('10000.01')
    assert.equal(asked.creditable.people_needed, 2)
    await decide(asked._id, 'credit_paid')
    assert.equal((await exceptionOf(order)).state, 'proposed')
    await assert.rejects(decide(asked._id, 'credit_paid'), { code: 'illegal_move' })
    assert.equal((await readOrder(setup, order)).state, 'for_staff')
    await decide(asked._id, 'credit_paid', colleague)
    const { credited, proposed_by } = await exceptionOf(order)
    assert.ok(credited && proposed_by)
    assert.deepEqual(await creditedFor([credited._id]), ['10000.01'])
  })

  it('can also be decided once through the deposit’s own queue', async () => {
    const { order, asked } = await mismatched()
    await approveDeposit(setup.staff, asked.deposit._id)
    assert.deepEqual(
      [(await exceptionOf(order)).state, (await exceptionOf(order)).decision],
      ['closed', 'credit_agreed'],
    )
    await assert.rejects(decide(asked._id, 'credit_paid'), { code: 'illegal_move' })
    assert.deepEqual(await creditedFor([asked.deposit._id]), ['250.00'])
  })

  it('close with the order that was pending for too long, and still credit it themselves', async () => {
    const overdue = async () => {
      const { order, attempt } = await startOrder(setup)
      setup.zota.set(attempt, 'PENDING')
      await askProvider(setup.system, order)
      setup.context.clock.advance(4 * 24 * 60 * 60_000)
      await askProvider(setup.system, order)
      const asked = await exceptionOf(order)
      assert.deepEqual([asked.why, asked.state], ['pending_too_long', 'open'])
      return { order, attempt, asked }
    }
    for (const [word, end] of [
      ['APPROVED', 'paid'],
      ['DECLINED', 'declined'],
    ] as const) {
      const { order, attempt } = await overdue()
      setup.zota.set(attempt, word)
      await askProvider(setup.system, order)
      assert.equal((await readOrder(setup, order)).state, end)
      const { state, decision, decided_by, note } = await exceptionOf(order)
      assert.deepEqual([state, decision, decided_by, note], ['closed', 'explained', null, `The order is ${end}.`])
    }
    const rejected = await overdue()
    await rejectDeposit(setup.staff, rejected.asked.deposit._id, { reason: 'other' })
    const closed = await exceptionOf(rejected.order)
    assert.deepEqual(
      [closed.state, closed.decision, closed.decided_by, closed.note],
      ['closed', 'explained', setup.staffSignIn.name, 'The order is declined.'],
    )
    const entries = await reading(setup.staff, (tx) =>
      tx
        .selectFrom('audit_log')
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('subject_id', '=', closed._id)
        .where('action', '=', 'payment-case.decided')
        .select(['actor_id', 'before'])
        .execute(),
    )
    assert.deepEqual(entries, [{ actor_id: setup.staff.staffId, before: { state: 'open' } }])
    const { order, asked } = await overdue()
    await decide(asked._id, 'credit_agreed')
    const { decision, decided_by } = await exceptionOf(order)
    assert.deepEqual([decision, decided_by !== null], ['credit_agreed', true])
    assert.deepEqual(await creditedFor([asked.deposit._id]), ['250.00'])
  })

  it('cannot be decided for own money, without the right, or from another workspace', async () => {
    const { asked } = await mismatched()
    const { email } = await reading(setup.system, (tx) =>
      tx
        .selectFrom('members')
        .select('email')
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('member_id', '=', setup.member.memberId)
        .executeTakeFirstOrThrow(),
    )
    const self = staffActor(setup.system, await addStaff(setup.system, { role: 'finance', email: String(email) }))
    await assert.rejects(decide(asked._id, 'credit_paid', self), { code: 'not_permitted' })
    const reader = staffActor(setup.system, await addStaff(setup.system, { role: 'viewer' }))
    await assert.rejects(decide(asked._id, 'explained', reader), { code: 'not_permitted' })
    const other = await addWorkspace(setup.context, { subdomain: 'elsewhere' })
    const theirs = staffActor(other, await addStaff(other))
    assert.deepEqual(await waiting(theirs), [])
    await assert.rejects(decide(asked._id, 'explained', theirs), { code: 'not_found' })
    assert.equal((await exceptionOf(asked.order._id)).state, 'open')
  })
})
