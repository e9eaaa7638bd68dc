// spec: DK payments
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type ExceptionDecision, exceptionTexts } from '@atrium/contract/payments/exceptions.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import type pg from 'pg'
import { notifiedOf } from '../../../tests/fixtures/mailbox.ts'
import { openPaymentFixture, type PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import {
  debitPayout,
  openPayee,
  openTo,
  payLatest,
  processLatest,
  reportPayout,
} from '../../../tests/fixtures/payments/payouts.ts'
import {
  debitOne,
  openWithdrawer,
  refusalOf,
  settleLatest,
  type Withdrawer,
} from '../../../tests/fixtures/payments/withdrawals.ts'
import { readIntents, readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  approveDocuments,
  chooseSettings,
  memberActor,
  staffActor,
} from '../../../tests/fixtures/workspaces.ts'
import { approveDeposit, rejectDeposit } from '../../deposits/decision.ts'
import { personalData } from '../../domains.ts'
import type { Staff } from '../../foundation/actor.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { cancelTransaction } from '../../funding/cancellation.ts'
import { findViolations } from '../../funding/ledger.ts'
import { eraseMember } from '../../members/personal-data/erasure.ts'
import { readDeskWithdrawal } from '../../withdrawals/desk-withdrawals.ts'
import { markPaidOut } from '../payouts/payout.ts'
import { decideException } from './exception-decision.ts'
import { deskExceptions } from './exception-queries.ts'
import { reportReturnedTransfer } from './returned-transfer.ts'

let setup: PaymentFixture
let withdrawer: Withdrawer
let colleague: Staff
let owner: pg.Client

before(async () => {
  setup = await openPaymentFixture()
  withdrawer = await openWithdrawer(setup, { balance: '100000.00' })
  colleague = staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))
  owner = await setup.openOwner()
})
beforeEach(() => chooseSettings(setup, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] }))
after(() => setup.close())

const report = (id: string, { amount = '250.00', reference = 'RETURN 1', by = setup.staff } = {}) =>
  reportReturnedTransfer(by, id, { amount, reference, reason: 'The account is closed' })
const casesOf = async (id: string, state: 'waiting' | 'closed' = 'waiting') =>
  (await deskExceptions.read(setup.staff, { state, limit: 100 })).cases.filter(
    ({ payout }) => payout?.withdrawal_id === id,
  )
async function paid(by = withdrawer): Promise<string> {
  const id = await debitOne(setup, by, '250.00')
  await markPaidOut(setup.staff, id, 'SWIFT 4711')
  return id
}
async function returned(by = withdrawer) {
  const id = await paid(by)
  await report(id)
  const [asked, ...more] = await casesOf(id)
  assert.ok(asked)
  assert.deepEqual(more, [])
  return { id, asked }
}
const decide = (id: string, decision: ExceptionDecision, by = setup.staff, reference = 'BANK-1') =>
  decideException(by, { id, decision, note: 'As the bank said', outside_reference: reference })
const creditsOf = async (id: string) =>
  (await casesOf(id, 'closed')).flatMap(({ credited }) => (credited ? [credited._id] : []))
const returnableOf = async (id: string) => (await readDeskWithdrawal(setup.staff, id)).returnable

async function refused() {
  const { id, asked } = await returned()
  await decide(asked._id, 'credit_paid')
  const [credited = ''] = await creditsOf(id)
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'answer-code', code: 8 })
  await settleLatest(setup, credited)
  assert.equal((await readTransaction(setup, credited)).state, 'pending')
  return { id, credited }
}

describe('the report of a returned transfer', () => {
  it('opens a payment exception and leaves the withdrawal paid', async () => {
    const { id, asked } = await returned()
    const { ticket, state } = await readTransaction(setup, id)
    assert.equal(state, 'approved')
    assert.deepEqual(
      [
        asked.why,
        asked.provider,
        asked.paid,
        asked.paid_currency,
        asked.payment,
        asked.order.charge,
        asked.order.attempt,
      ],
      ['transfer_returned', '', '250.00', 'USD', 'RETURN 1', '250.00', 'SWIFT 4711'],
    )
    assert.deepEqual([asked.payout?.ticket, asked.payout?.settled, asked.deposit._id], [String(ticket), '0.00', id])
    assert.deepEqual(asked.creditable, { credit_agreed: null, credit_paid: '250.00', people_needed: 1 })
    const { timeline, returnable } = await readDeskWithdrawal(setup.staff, id)
    assert.equal(returnable, null)
    const note = 'The bank returned 250.00 USD of the transfer: RETURN 1. The account is closed'
    assert.deepEqual([timeline.at(-1)?.note, timeline.at(-1)?.staff_name !== null], [note, true])
  })

  it('is offered for what is neither reported nor settled', async () => {
    const id = await paid()
    assert.equal(await returnableOf(id), '250.00')
    await report(id, { amount: '100' })
    assert.equal(await returnableOf(id), '150.00')
    const { details } = await refusalOf(report(id, { amount: '150.01', reference: 'RETURN 2' }))
    assert.deepEqual(details.errors, { amount: [withdrawalDeskTexts.returnTooLarge.replace('{{left}}', '150.00 USD')] })
    for (const amount of ['0', '-1', '1.005', 'x'])
      assert.equal((await refusalOf(report(id, { amount, reference: 'RETURN 2' }))).code, 'invalid_input')
    await decide((await casesOf(id))[0]?._id ?? '', 'given_back')
    assert.equal(await returnableOf(id), '150.00')
    await report(id, { amount: '150', reference: 'RETURN 2' })
    assert.equal(await returnableOf(id), null)
  })

  it('tells equal returns apart by their reference, and takes each once', async () => {
    const id = await paid()
    await report(id, { amount: '100.00' })
    const { details } = await refusalOf(report(id, { amount: '100.00', by: colleague }))
    assert.deepEqual(details.errors, { reference: [withdrawalDeskTexts.returnKnown] })
    await report(id, { amount: '100.00', reference: 'RETURN 2' })
    assert.equal((await casesOf(id)).length, 2)
  })

  it('is taken once by two people at the same time', async () => {
    const id = await paid()
    const settled = await Promise.allSettled([
      report(id),
      report(id, { by: colleague }),
      report(id, { by: colleague, reference: 'RETURN 2' }),
    ])
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await casesOf(id)).length, 1)
  })

  it('is corrected after a slip was closed with a reason', async () => {
    const id = await paid()
    await report(id, { amount: '25.00' })
    await decide((await casesOf(id))[0]?._id ?? '', 'explained')
    await report(id)
    assert.equal((await casesOf(id))[0]?.creditable.credit_paid, '250.00')
  })

  it('is taken again with the same amount and reference after it was closed with a reason', async () => {
    const id = await paid()
    for (let round = 0; round < 3; round++) {
      await report(id)
      await assert.rejects(report(id), { code: 'invalid_input' })
      const waiting = await casesOf(id)
      assert.equal(waiting.length, 1)
      await decide(waiting[0]?._id ?? '', round < 2 ? 'explained' : 'credit_paid')
    }
    assert.equal((await creditsOf(id)).length, 1)
    assert.equal(await returnableOf(id), null)
  })

  it('is refused before the withdrawal is paid, and for what a provider paid', async () => {
    const debited = await debitOne(setup, withdrawer, '250.00')
    const payee = await openPayee(setup, 'zotapay', { balance: '1000.00' })
    for (const id of [debited, await payLatest(setup, payee)]) {
      assert.equal(await returnableOf(id), null)
      await assert.rejects(report(id), { code: 'illegal_move', message: withdrawalDeskTexts.notPaidByHand })
    }
  })

  it('is the only one to credit: what a provider reports of a payout that staff paid by hand proves nothing', async () => {
    const payee = await openPayee(setup, 'zotapay', { balance: '1000.00' })
    const id = await debitPayout(setup, 'zotapay', payee)
    await processLatest(setup, id)
    const reportAtProvider = () => reportPayout(setup, id, { state: 'returned', word: 'RETURNED' })
    await reportAtProvider()
    await markPaidOut(setup.staff, id, 'BANK-9')
    for (const _again of [1, 2]) await reportAtProvider()
    await report(id, { amount: '200.00' })
    const shown = async () => (await casesOf(id)).map(({ why, creditable }) => [why, creditable.credit_paid])
    assert.deepEqual(await shown(), [
      ['payout_unproven', null],
      ['transfer_returned', '200.00'],
    ])
    await decide((await casesOf(id))[1]?._id ?? '', 'credit_paid')
    assert.deepEqual([await shown(), await returnableOf(id)], [[['payout_unproven', null]], '50.00'])
  })

  it('is refused without the right, about own money and in another workspace', async () => {
    const id = await paid()
    const { rows } = await owner.query('select email from members where member_id = $1', [withdrawer.member.memberId])
    const own = staffActor(setup.system, await addStaff(setup.system, { email: rows[0].email, role: 'finance' }))
    const reader = staffActor(setup.system, await addStaff(setup.system, { role: 'support' }))
    for (const by of [own, reader]) await assert.rejects(report(id, { by }), { code: 'not_permitted' })
    const elsewhere = await addWorkspace(setup.context, { subdomain: 'elsewhere' })
    const stranger = staffActor(elsewhere, await addStaff(elsewhere))
    await assert.rejects(report(id, { by: stranger }), { code: 'not_found' })
    assert.deepEqual(await casesOf(id), [])
  })

  it('keeps its member from being erased', async () => {
    const { memberId } = await addMember(setup.system, { customer_number: '900300' })
    await approveDocuments(setup.system, memberId)
    const other = { ...setup, member: await memberActor(setup.system, memberId) }
    const { id, asked } = await returned(await openWithdrawer(other))
    const why = { reason: 'Asked for it', customer_number: '900300' }
    const { code, message } = await refusalOf(eraseMember(setup.staff, memberId, why, personalData))
    assert.deepEqual([code, message], ['illegal_move', deskTexts.memberHasPayments])
    await decide(asked._id, 'given_back')
    await eraseMember(setup.staff, memberId, why, personalData)
    const [closed] = await casesOf(id, 'closed')
    assert.deepEqual([closed?.note, closed?.outside_reference], [null, null])
  })
})

describe('the decision about a returned transfer', () => {
  it('credits the returned amount once, to the account that it left', async () => {
    const { id, asked } = await returned()
    await decide(asked._id, 'credit_paid')
    await assert.rejects(decide(asked._id, 'credit_paid'), { code: 'illegal_move', message: exceptionTexts.decided })
    const [credited = '', ...more] = await creditsOf(id)
    assert.deepEqual(more, [])
    const row = await readTransaction(setup, credited)
    assert.deepEqual(
      [row.type, row.state, row.amount, row.account_id, row.member_id, row.payment_method, row.source],
      ['deposit', 'crediting', '250.00', withdrawer.accountId, withdrawer.member.memberId, 'manual', 'other'],
    )
    assert.equal(await settleLatest(setup, credited), 'approved')
    assert.equal((await readIntents(setup, credited)).length, 1)
    assert.equal((await readTransaction(setup, id)).state, 'approved')
    assert.equal((await notifiedOf(setup, id)).filter((text) => text.includes(`as T-${row.ticket}`)).length, 1)
    assert.deepEqual(await findViolations(setup.system), [])
    assert.equal(await returnableOf(id), null)
  })

  for (const decision of ['credit_paid', 'given_back', 'explained'] as const)
    it(`takes as many people as the withdrawal: ${decision}`, async () => {
      const { id, asked } = await returned()
      await chooseSettings(setup, { withdrawal_four_eyes: true, withdrawal_four_eyes_above: [] })
      await decide(asked._id, decision)
      assert.deepEqual([(await casesOf(id))[0]?.state, await creditsOf(id)], ['proposed', []])
      await assert.rejects(decide(asked._id, decision), { code: 'illegal_move' })
      await decide(asked._id, decision, colleague)
      assert.equal((await casesOf(id, 'closed'))[0]?.decision, decision)
    })

  it('adds up small credits by one person like deposits', async () => {
    const limits = {
      deposit_second_approval: 'own',
      deposit_second_approval_above: [{ currency: 'USD', above: '400' }],
    }
    const [first, second] = [await returned(), await returned()]
    await chooseSettings(setup, limits)
    await decide(first.asked._id, 'credit_paid', colleague)
    await decide(second.asked._id, 'credit_paid', colleague)
    assert.deepEqual([(await casesOf(first.id)).length, (await casesOf(second.id))[0]?.state], [0, 'proposed'])
    await chooseSettings(setup, { deposit_second_approval: 'as-withdrawals' })
  })

  it('is taken once by two people at the same time', async () => {
    const { id, asked } = await returned()
    const settled = await Promise.allSettled([
      decide(asked._id, 'credit_paid'),
      decide(asked._id, 'credit_paid', colleague),
      decide(asked._id, 'given_back', colleague),
    ])
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.ok((await creditsOf(id)).length <= 1)
  })

  it('is guarded by the database: not above the returned amount', async () => {
    const { id: full, asked: earlier } = await returned()
    await decide(earlier._id, 'credit_paid')
    const [tooMuch = ''] = await creditsOf(full)
    const id = await paid()
    await report(id, { amount: '100.00' })
    const close = inTransaction(setup.staff, async (tx) =>
      tx
        .updateTable('payment_cases')
        .set({ state: 'closed', decision: 'credit_paid', transaction_id: tooMuch })
        .set({ decided_by: setup.staff.staffId, decided_at: setup.context.clock.now() })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('case_id', '=', (await casesOf(id))[0]?._id ?? '')
        .execute(),
    )
    await assert.rejects(close, { code: '23514' })
  })
})

describe('the credit of a returned transfer that the platform refuses', () => {
  it('is approved again like any deposit', async () => {
    const { id, credited } = await refused()
    await approveDeposit(setup.staff, credited)
    assert.equal(await settleLatest(setup, credited), 'approved')
    assert.deepEqual(await casesOf(id), [])
  })

  it('is decided anew after a rejection by one person, and not cancelled by its member', async () => {
    const { id, credited } = await refused()
    await assert.rejects(cancelTransaction(withdrawer.member, credited), { code: 'illegal_move' })
    await rejectDeposit(setup.staff, credited, { reason: 'other' })
    const [anew, ...more] = await casesOf(id)
    assert.deepEqual(
      [anew?.why, anew?.paid, anew?.payment, anew?.payout?.settled, anew?.creditable.credit_paid, more],
      ['transfer_returned', '250.00', 'RETURN 1', '0.00', '250.00', []],
    )
    assert.equal(await returnableOf(id), null)
    await decide(anew?._id ?? '', 'credit_paid')
    const again = (await creditsOf(id)).find((each) => each !== credited) ?? ''
    assert.equal(await settleLatest(setup, again), 'approved')
  })

  it('frees its reference once it was rejected and nothing came of it, for one report', async () => {
    const { id, credited } = await refused()
    await assert.rejects(report(id), { code: 'invalid_input' })
    // The rejection opens the return anew, so that a report at the same time finds one that waits.
    const [rejection, early] = await Promise.allSettled([
      rejectDeposit(setup.staff, credited, { reason: 'other' }),
      report(id, { by: colleague }),
    ])
    assert.deepEqual([rejection.status, early.status, (await casesOf(id)).length], ['fulfilled', 'rejected', 1])
    await assert.rejects(report(id), { code: 'invalid_input' })
    await decide((await casesOf(id))[0]?._id ?? '', 'explained')
    const reports = await Promise.allSettled([report(id), report(id, { by: colleague }), report(id, { by: colleague })])
    assert.equal(reports.filter(({ status }) => status === 'fulfilled').length, 1)
    const [anew, ...more] = await casesOf(id)
    assert.deepEqual([anew?.paid, anew?.payment, more], ['250.00', 'RETURN 1', []])
    const credits = await Promise.allSettled([
      decide(anew?._id ?? '', 'credit_paid'),
      decide(anew?._id ?? '', 'credit_paid', colleague),
    ])
    assert.equal(credits.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal(await returnableOf(id), null)
    await assert.rejects(report(id), { code: 'invalid_input' })
  })

  it('is not rejected by a process of the previous version', async () => {
    const { credited } = await refused()
    const reject = inTransaction(setup.system, (tx) =>
      tx
        .updateTable('balance_transactions')
        .set({ state: 'rejected', rejection_reason: 'other' })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('transaction_id', '=', credited)
        .execute(),
    )
    await assert.rejects(reject, { code: '23514' })
  })
})
