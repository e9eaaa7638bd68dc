import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type ExceptionDecision, exceptionTexts } from '@atrium/contract/payments/exceptions.ts'
import type pg from 'pg'
import { notifiedOf } from '../../../tests/fixtures/mailbox.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  sendZotaWebhook,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { platformCredits, readIntents, readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, chooseSettings, staffActor } from '../../../tests/fixtures/workspaces.ts'
import { approveDeposit, rejectDeposit } from '../../deposits/decision.ts'
import type { Actor, Staff } from '../../foundation/actor.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { cancelTransaction } from '../../funding/cancellation.ts'
import { settleIntent } from '../../funding/crediting/crediting.ts'
import { decideException } from './exception-decision.ts'
import { deskExceptions } from './exception-queries.ts'
import { openMissingRefusals } from './refused-credit.ts'

describe('a paid deposit that the platform refuses to credit', () => {
  let setup: PaymentFixture
  let colleague: Staff
  let owner: pg.Client
  before(async () => {
    setup = await openPaymentFixture()
    owner = await setup.openOwner()
    colleague = staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))
  })
  after(() => setup.close())
  beforeEach(() => chooseSettings(setup, {}))

  async function settle(transactionId: string): Promise<string> {
    const intent = (await readIntents(setup, transactionId)).at(-1)
    await settleIntent(setup.system, intent?.intent_id ?? '')
    return (await readTransaction(setup, transactionId)).state
  }
  const refuseNext = () =>
    setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'answer-code', code: 8 })

  async function refused(amount = '250.00') {
    const { order, attempt } = await startOrder(setup, { amount })
    setup.zota.set(attempt, 'APPROVED')
    await sendZotaWebhook(setup, attempt)
    const { transaction_id: id, state } = await readOrder(setup, order)
    assert.equal(state, 'paid')
    refuseNext()
    assert.equal(await settle(id), 'pending')
    return { id, order, attempt }
  }
  const casesOf = async (order: string, state: 'waiting' | 'closed' = 'waiting') =>
    (await deskExceptions.read(setup.staff, { state, limit: 100 })).cases.filter((each) => each.order._id === order)
  const decide = async (order: string, decision: ExceptionDecision, by = setup.staff, reference = 'BANK-1') => {
    const [asked] = await casesOf(order)
    await decideException(by, { id: asked?._id ?? '', decision, note: 'Refunded', outside_reference: reference })
  }
  const moveTo = (actor: Actor, id: string, state: 'cancelled' | 'rejected') =>
    inTransaction(actor, (tx) =>
      tx
        .updateTable('balance_transactions')
        .set({ state, ...(state === 'rejected' && { rejection_reason: 'other' }) })
        .where('workspace_id', '=', actor.workspaceId)
        .where('transaction_id', '=', id)
        .execute(),
    )

  it('cannot be cancelled by its member or rejected by staff, who see it as a payment exception', async () => {
    const { id, order } = await refused()
    await assert.rejects(cancelTransaction(setup.member, id), { code: 'illegal_move', httpStatus: 409 })
    await assert.rejects(rejectDeposit(setup.staff, id, { reason: 'other' }), { code: 'illegal_move' })
    await assert.rejects(moveTo(setup.member, id, 'cancelled'), { code: '23514' })
    await assert.rejects(moveTo(setup.staff, id, 'rejected'), { code: '23514' })
    const [asked, ...more] = await casesOf(order)
    assert.deepEqual([asked?.why, asked?.paid, asked?.deposit._id, more], ['credit_refused', '250.00', id, []])
    assert.deepEqual(asked?.creditable, { credit_agreed: null, credit_paid: null, people_needed: 1 })
    assert.equal((await readTransaction(setup, id)).state, 'pending')
  })

  it('ends when its refund is recorded, and not with a reason alone', async () => {
    const { id, order, attempt } = await refused()
    await assert.rejects(decide(order, 'explained'), { code: 'invalid_input' })
    await assert.rejects(decide(order, 'credit_agreed'), { code: 'invalid_input' })
    await assert.rejects(decide(order, 'given_back', setup.staff, ''), { code: 'invalid_input' })
    await decide(order, 'given_back')
    assert.deepEqual(
      [(await readTransaction(setup, id)).state, (await readOrder(setup, order)).state],
      ['rejected', 'paid'],
    )
    assert.equal((await casesOf(order, 'closed'))[0]?.outside_reference, 'BANK-1')
    assert.equal((await notifiedOf(setup, id)).length, 1)
    await sendZotaWebhook(setup, attempt, { amount: '250.0' })
    assert.deepEqual([(await readIntents(setup, id)).length, (await casesOf(order)).length], [1, 0])
  })

  it('is refunded by two people who name the same payment', async () => {
    await chooseSettings(setup, { withdrawal_four_eyes: true, withdrawal_four_eyes_above: [] })
    const { id, order } = await refused()
    await decide(order, 'given_back', setup.staff, 'BANK-7')
    await decide(order, 'given_back', colleague, 'BANK-8')
    const [asked] = await casesOf(order)
    assert.deepEqual(
      [asked?.state, asked?.proposed_by, asked?.outside_reference],
      ['proposed', colleague.name, 'BANK-8'],
    )
    assert.equal((await readTransaction(setup, id)).state, 'pending')
    await decide(order, 'given_back', setup.staff, 'BANK-8')
    assert.equal((await readTransaction(setup, id)).state, 'rejected')
  })

  it('overrules no proposal of another payment that the page did not show', async () => {
    await chooseSettings(setup, { withdrawal_four_eyes: true, withdrawal_four_eyes_above: [] })
    const { order } = await refused()
    await decide(order, 'given_back', setup.staff, 'BANK-7')
    await decide(order, 'given_back', colleague, 'BANK-8')
    const [asked] = await casesOf(order)
    const third = staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))
    const wanted = {
      id: asked?._id ?? '',
      decision: 'given_back',
      note: 'Refunded',
      outside_reference: 'BANK-7',
    } as const
    const late = decideException(third, { ...wanted, seen: 'given_back', seen_reference: 'BANK-7' })
    await assert.rejects(late, { code: 'conflict', message: exceptionTexts.proposedMeanwhile })
    assert.equal((await casesOf(order))[0]?.outside_reference, 'BANK-8')
  })

  it('needs as many people to refund as to credit', async () => {
    await chooseSettings(setup, { withdrawal_four_eyes: true, withdrawal_four_eyes_above: [] })
    const { id, order } = await refused()
    await decide(order, 'given_back')
    assert.equal((await readTransaction(setup, id)).state, 'pending')
    await assert.rejects(decide(order, 'given_back'), { code: 'illegal_move' })
    await decide(order, 'given_back', colleague)
    assert.equal((await readTransaction(setup, id)).state, 'rejected')
    const [closed] = await casesOf(order, 'closed')
    assert.ok(closed?.proposed_by && closed.decided_by)
  })

  it('can be approved again, which decides the exception, and opens one after each refusal', async () => {
    const { id, order } = await refused()
    refuseNext()
    await approveDeposit(setup.staff, id)
    assert.equal((await casesOf(order)).length, 0)
    assert.equal(await settle(id), 'pending')
    assert.equal((await casesOf(order)).length, 1)
    await approveDeposit(setup.staff, id)
    assert.equal(await settle(id), 'approved')
    assert.deepEqual(
      (await casesOf(order, 'closed')).map(({ decision, credited }) => [decision, credited?._id]),
      [
        ['credit_agreed', id],
        ['credit_agreed', id],
      ],
    )
    const tag = (await readIntents(setup, id)).at(-1)?.tag ?? ''
    assert.equal(platformCredits(setup, tag).length, 1)
  })

  it('is a payment exception for the second payment of an order too', async () => {
    const { order, attempt } = await startOrder(setup)
    setup.zota.set(attempt, 'APPROVED')
    await sendZotaWebhook(setup, attempt)
    await sendZotaWebhook(setup, attempt, { reference: 'anotherpayment' })
    await decide(order, 'credit_agreed')
    const id = (await casesOf(order, 'closed'))[0]?.credited?._id ?? ''
    refuseNext()
    assert.equal(await settle(id), 'pending')
    await assert.rejects(cancelTransaction(setup.member, id), { code: 'illegal_move' })
    assert.equal((await casesOf(order))[0]?.deposit._id, id)
    await decide(order, 'given_back')
    assert.equal((await readTransaction(setup, id)).state, 'rejected')
    assert.notEqual((await readOrder(setup, order)).transaction_id, id)
  })

  /** As a process of the previous version, which knows no such exception. */
  const approveByPreviousVersion = (id: string) =>
    owner.query("update balance_transactions set state = 'crediting' where transaction_id = $1", [id])
  const refuseByPreviousVersion = (id: string) =>
    owner.query(
      `update balance_transactions set state = 'pending', approval_round = approval_round + 1
       where transaction_id = $1`,
      [id],
    )

  it('is listed even if it was refused by the previous version', async () => {
    const { id, order } = await refused()
    await owner.query('delete from payment_cases where order_id = $1', [order])
    for (let round = 0; round < 2; round++) await openMissingRefusals(setup.system)
    const cases = await casesOf(order)
    assert.deepEqual(
      cases.map(({ why, paid, deposit }) => [why, paid, deposit._id]),
      [['credit_refused', '250.00', id]],
    )
    await decide(order, 'given_back')
    assert.equal((await readTransaction(setup, id)).state, 'rejected')
    await openMissingRefusals(setup.system)
    assert.deepEqual(await casesOf(order), [])
  })

  it('is listed again if the previous version closed its exception without a refund', async () => {
    const { id, order } = await refused()
    const explain = () =>
      owner.query(
        `update payment_cases set state = 'closed', decision = 'explained', decided_by = $2, decided_at = now()
         where order_id = $1 and state <> 'closed'`,
        [order, setup.staff.staffId],
      )
    for (const count of [1, 2]) {
      await explain()
      for (let round = 0; round < 2; round++) await openMissingRefusals(setup.system)
      assert.deepEqual([(await casesOf(order)).length, (await casesOf(order, 'closed')).length], [1, count])
    }
    await decide(order, 'given_back')
    assert.equal((await readTransaction(setup, id)).state, 'rejected')
  })

  it('is not refunded by a process of the previous version, which would leave it to be approved', async () => {
    const { id, order } = await refused()
    const refund = owner.query(
      `update payment_cases set state = 'closed', decision = 'given_back', decided_by = $2, decided_at = now()
       where order_id = $1 and state <> 'closed'`,
      [order, setup.staff.staffId],
    )
    await assert.rejects(refund, { code: '23514' })
    assert.deepEqual([(await readTransaction(setup, id)).state, (await casesOf(order)).length], ['pending', 1])
    await decide(order, 'given_back')
    assert.equal((await readTransaction(setup, id)).state, 'rejected')
  })

  it('is not recorded as refunded while its credit is under way', async () => {
    const { id, order } = await refused()
    await approveByPreviousVersion(id)
    await assert.rejects(decide(order, 'given_back'), {
      details: { errors: { decision: [exceptionTexts.approvedAgain] } },
    })
    await decide(order, 'explained')
    assert.deepEqual([(await readTransaction(setup, id)).state, (await casesOf(order)).length], ['crediting', 0])
  })

  for (const end of ['refunded', 'approved'] as const)
    it(`is ${end} with one decision if the previous version left an exception behind`, async () => {
      const { id, order, attempt } = await refused()
      await approveByPreviousVersion(id)
      await refuseByPreviousVersion(id)
      const payment = (await readOrder(setup, order)).reference
      await owner.query(
        `insert into payment_cases
           (workspace_id, case_id, order_id, provider_id, payment, claims, kind, why, word, opened_at)
         select workspace_id, gen_random_uuid(), order_id, provider_id, $2 || ' credit_refused 3', $2, 'paid',
           'credit_refused', 'paid', now() from deposit_orders where order_id = $1`,
        [order, payment ?? attempt],
      )
      assert.equal((await casesOf(order)).length, 2)
      if (end === 'approved') await approveDeposit(setup.staff, id)
      else await decide(order, 'given_back')
      const decision = end === 'approved' ? 'credit_agreed' : 'given_back'
      assert.deepEqual(
        [(await casesOf(order)).length, (await casesOf(order, 'closed')).map((each) => each.decision)],
        [0, [decision, decision]],
      )
    })

  it('needs the number of people for the amount of the deposit, and offers no credit', async () => {
    await chooseSettings(setup, {
      withdrawal_four_eyes: true,
      withdrawal_four_eyes_above: [{ currency: 'USD', above: '300.00' }],
    })
    const { order, attempt } = await startOrder(setup, { amount: '250.00' })
    await sendZotaWebhook(setup, attempt, { amount: '900.00', status: 'APPROVED' })
    await decide(order, 'credit_paid')
    await decide(order, 'credit_paid', colleague)
    const { transaction_id: id } = await readOrder(setup, order)
    refuseNext()
    assert.equal(await settle(id), 'pending')
    assert.deepEqual((await casesOf(order))[0]?.creditable, {
      credit_agreed: null,
      credit_paid: null,
      people_needed: 2,
    })
  })

  it('can be refunded and not approved on an archived account', async () => {
    const { id, order } = await refused()
    const archive = (archived: boolean) =>
      owner.query('update trading_accounts set archived = $2 where account_id = $1', [setup.accountId, archived])
    await archive(true)
    const closed = { code: 'conflict', message: exceptionTexts.accountClosed }
    await assert.rejects(approveDeposit(setup.staff, id), closed)
    await decide(order, 'given_back')
    assert.equal((await readTransaction(setup, id)).state, 'rejected')
    await archive(false)
  })
})

describe('a payment for an archived or deleted account', () => {
  let setup: PaymentFixture
  before(async () => {
    setup = await openPaymentFixture()
  })
  after(() => setup.close())

  for (const ended of ['archived', 'deleted'] as const)
    it(`is refunded and not credited once the account is ${ended}`, async () => {
      const { order, attempt } = await startOrder(setup)
      const change = (value: boolean) =>
        inTransaction(setup.system, (tx) =>
          tx
            .updateTable('trading_accounts')
            .set({ [ended]: value })
            .where('workspace_id', '=', setup.system.workspaceId)
            .where('account_id', '=', setup.accountId)
            .execute(),
        )
      await change(true)
      setup.zota.set(attempt, 'APPROVED')
      await sendZotaWebhook(setup, attempt)
      const { state, staff_reason, transaction_id } = await readOrder(setup, order)
      assert.deepEqual([state, staff_reason], ['for_staff', 'account_closed'])
      assert.deepEqual(await readIntents(setup, transaction_id), [])
      const { cases } = await deskExceptions.read(setup.staff, { state: 'waiting', limit: 100 })
      const id = String(cases.find((each) => each.order._id === order)?._id)
      const decide = (decision: ExceptionDecision) =>
        decideException(setup.staff, { id, decision, note: 'Refunded', outside_reference: 'BANK-1' })
      for (const decision of ['credit_agreed', 'credit_paid'] as const)
        await assert.rejects(decide(decision), { code: 'conflict', message: exceptionTexts.accountClosed })
      await decide('given_back')
      assert.equal((await readTransaction(setup, transaction_id)).state, 'rejected')
      await change(false)
    })
})
