// spec: DK payments
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type ExceptionDecision, exceptionTexts } from '@atrium/contract/payments/exceptions.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type pg from 'pg'
import { notifiedOf } from '../../../tests/fixtures/mailbox.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  sendZotaWebhook,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import {
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  type Payee,
  payLatest,
  processLatest,
  reportPayout,
} from '../../../tests/fixtures/payments/payouts.ts'
import { refusalOf } from '../../../tests/fixtures/payments/withdrawals.ts'
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
import { personalData } from '../../domains.ts'
import type { Staff } from '../../foundation/actor.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { eraseMember } from '../../members/personal-data/erasure.ts'
import type { StatusReport } from '../../payment-providers/status-report.ts'
import { readDeskWithdrawal } from '../../withdrawals/desk-withdrawals.ts'
import { openMissedReturns } from '../payouts/missed-returns.ts'
import { markPaidOut } from '../payouts/payout.ts'
import { applyPayoutHint } from '../payouts/payout-settle.ts'
import { decideException } from './exception-decision.ts'
import { deskExceptions, readException } from './exception-queries.ts'

let setup: PaymentFixture
let payee: Payee
let colleague: Staff
let owner: pg.Client

before(async () => {
  setup = await openPaymentFixture()
  payee = await openPayee(setup, 'zotapay', { balance: '100000.00' })
  colleague = staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))
  owner = await setup.openOwner()
})
beforeEach(() => chooseSettings(setup, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] }))
after(() => setup.close())

const report = (id: string, change: Partial<StatusReport> = {}) =>
  reportPayout(setup, id, { state: 'returned', word: 'RETURNED', ...change })
const casesOf = async (id: string, state: 'waiting' | 'closed' = 'waiting') =>
  (await deskExceptions.read(setup.staff, { state, limit: 100 })).cases.filter(
    ({ payout }) => payout?.withdrawal_id === id,
  )
async function returned(change: Partial<StatusReport> = {}) {
  const id = await payLatest(setup, payee)
  await report(id, change)
  const [asked, ...more] = await casesOf(id)
  assert.ok(asked)
  assert.deepEqual(more, [])
  return { id, asked }
}
const decide = (id: string, decision: ExceptionDecision, by = setup.staff, reference = 'BANK-1') =>
  decideException(by, { id, decision, note: 'As the provider said', outside_reference: reference })
const creditsOf = async (id: string) =>
  (await casesOf(id, 'closed')).flatMap(({ credited }) => (credited ? [credited._id] : []))

describe('the exception of a payout that came back', () => {
  it('opens once, however often and in whatever words the return is reported', async () => {
    const { id, asked } = await returned()
    const outcome = { outcome: 'for_staff', why: 'payout_returned' }
    for (const change of [
      {},
      { word: 'REFUNDED' },
      { state: 'declined' as const, word: 'DECLINED' },
      { amount: '250.0' },
    ])
      assert.deepEqual(await report(id, change), outcome)
    assert.equal((await casesOf(id)).length, 1)
    const { attempt, reference, payout_id } = await latestPayout(setup, id)
    assert.equal((await latestPayout(setup, id)).state, 'paid')
    assert.equal((await readTransaction(setup, id)).state, 'approved')
    const { ticket } = await readTransaction(setup, id)
    assert.deepEqual(
      [
        asked.why,
        asked.paid,
        asked.paid_currency,
        asked.payment,
        asked.order._id,
        asked.order.charge,
        asked.order.attempt,
      ],
      ['payout_returned', '250.00', 'USD', reference ?? attempt, payout_id, '250.00', attempt],
    )
    assert.deepEqual([asked.payout?.ticket, asked.payout?.settled], [String(ticket), '0.00'])
    assert.match(asked.payout?.beneficiary ?? '', /5555/)
    assert.equal(asked.member._id, payee.member.memberId)
    assert.equal(asked.account.platform_login, payee.login)
    assert.deepEqual(asked.creditable, { credit_agreed: null, credit_paid: '250.00', people_needed: 1 })
    const opened = await owner.query(
      `select count(*)::int as times from audit_log where action = 'payment-case.opened' and subject_id = $1`,
      [asked._id],
    )
    assert.equal(opened.rows[0].times, 1)
  })

  it('opens once for reports that arrive simultaneously', async () => {
    const id = await payLatest(setup, payee)
    await Promise.all([1, 2, 3].map(() => report(id)))
    assert.equal((await casesOf(id)).length, 1)
  })

  it('does not open for a return before the payout was paid, which stays in manual review', async () => {
    const id = await debitPayout(setup, 'zotapay', payee)
    await processLatest(setup, id)
    assert.deepEqual(await report(id), { outcome: 'for_staff', why: 'returned' })
    await reportPayout(setup, id, {})
    assert.deepEqual([(await latestPayout(setup, id)).state, await casesOf(id)], ['for_staff', []])
  })

  for (const [what, change, paid] of [
    ['another currency', { currency: 'EUR' }, '250.00'],
    ['no amount', { amount: null, currency: null }, null],
    ['coins, whose price is not ours', { coin: { code: 'BTC', asked: null, received: '0.01' } }, null],
  ] as const)
    it(`shows ${what} and credits nothing`, async () => {
      const { id, asked } = await returned(change)
      assert.deepEqual([asked.paid, asked.creditable.credit_paid], [paid, null])
      for (const decision of ['credit_paid', 'credit_agreed'] as const) {
        const { details } = await refusalOf(decide(asked._id, decision))
        assert.deepEqual(details.errors, { decision: [exceptionTexts.returnUnfit] })
      }
      await decide(asked._id, 'explained')
      assert.deepEqual([await casesOf(id), await creditsOf(id)], [[], []])
    })

  for (const [what, change] of [
    ['another beneficiary', { account: 'DE02120300000000202051' }],
    ['no proof', { manualReview: 'unverified' as const }],
  ] as const)
    it(`is not creditable by a report with ${what}, and a proven one opens another`, async () => {
      const { id, asked } = await returned(change)
      assert.deepEqual([asked.why, asked.creditable.credit_paid], ['payout_unproven', null])
      await report(id)
      assert.deepEqual(
        (await casesOf(id)).map(({ why, creditable }) => [why, creditable.credit_paid]),
        [
          ['payout_unproven', null],
          ['payout_returned', '250.00'],
        ],
      )
    })

  it('is not creditable by a report with the reference of another payout, which it leaves alone', async () => {
    const other = await payLatest(setup, payee)
    const { reference } = await latestPayout(setup, other)
    const { asked } = await returned({ reference })
    assert.equal(asked.why, 'payout_unproven')
    assert.deepEqual(await casesOf(other), [])
  })

  it('is found in its workspace only', async () => {
    const { asked } = await returned()
    const elsewhere = await addWorkspace(setup.context, { subdomain: 'elsewhere' })
    const stranger = staffActor(elsewhere, await addStaff(elsewhere))
    await assert.rejects(decide(asked._id, 'credit_paid', stranger), { code: 'not_found' })
    await assert.rejects(readException(stranger, asked._id), { code: 'not_found' })
    assert.deepEqual((await deskExceptions.read(stranger, { state: 'waiting', limit: 100 })).cases, [])
  })

  it('keeps its member from being erased, and credits nothing after an erasure', async () => {
    const { memberId } = await addMember(setup.system, { customer_number: '900200' })
    await approveDocuments(setup.system, memberId)
    const other = { ...setup, member: await memberActor(setup.system, memberId) }
    const id = await payLatest(other, await openPayee(other, 'zotapay'))
    await report(id)
    const why = { reason: 'Asked for it', customer_number: '900200' }
    const { code, message } = await refusalOf(eraseMember(setup.staff, memberId, why, personalData))
    assert.deepEqual([code, message], ['illegal_move', deskTexts.memberHasPayments])
    await decide((await casesOf(id))[0]?._id ?? '', 'explained')
    await eraseMember(setup.staff, memberId, why, personalData)
    assert.equal((await casesOf(id, 'closed'))[0]?.note, null)
    await report(id, { amount: '20.00' })
    const late = (await casesOf(id))[0]?._id ?? ''
    await assert.rejects(decide(late, 'credit_paid'), { code: 'conflict', message: deskTexts.memberErased })
    await decide(late, 'given_back')
  })
})

describe('the decision about a payout that came back', () => {
  it('credits the returned amount once, to the account that it left', async () => {
    const { id, asked } = await returned()
    await decide(asked._id, 'credit_paid')
    await assert.rejects(decide(asked._id, 'credit_paid'), { code: 'illegal_move', message: exceptionTexts.decided })
    const [credited, ...more] = await creditsOf(id)
    assert.ok(credited)
    assert.deepEqual(more, [])
    const row = await readTransaction(setup, credited)
    assert.deepEqual(
      [row.type, row.state, row.amount, row.currency, row.account_id, row.member_id, row.decided_by],
      ['deposit', 'crediting', '250.00', 'USD', payee.accountId, payee.member.memberId, setup.staff.staffId],
    )
    assert.deepEqual(
      (await readIntents(setup, credited)).map(({ amount }) => amount),
      ['250.00'],
    )
    assert.equal((await readTransaction(setup, id)).state, 'approved')
    assert.equal((await notifiedOf(setup, id)).filter((text) => text.includes(`as T-${row.ticket}`)).length, 1)
    const { timeline } = await readDeskWithdrawal(setup.staff, id)
    assert.equal(timeline.at(-1)?.note, `Credited back as T-${row.ticket}`)
  })

  it('is taken once by two staff members at the same time', async () => {
    const { id, asked } = await returned()
    const settled = await Promise.allSettled([
      decide(asked._id, 'credit_paid'),
      decide(asked._id, 'credit_paid', colleague),
      decide(asked._id, 'given_back', colleague),
    ])
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await casesOf(id, 'closed')).length, 1)
    assert.ok((await creditsOf(id)).length <= 1)
  })

  for (const decision of ['credit_paid', 'given_back', 'explained'] as const)
    it(`takes as many people as the withdrawal: ${decision}`, async () => {
      const { id, asked } = await returned()
      await chooseSettings(setup, { withdrawal_four_eyes: true, withdrawal_four_eyes_above: [] })
      assert.equal((await readException(setup.staff, asked._id)).creditable.people_needed, 2)
      await decide(asked._id, decision)
      assert.deepEqual([(await casesOf(id))[0]?.state, await creditsOf(id)], ['proposed', []])
      await assert.rejects(decide(asked._id, decision), { code: 'illegal_move' })
      await decide(asked._id, decision, colleague)
      const [closed] = await casesOf(id, 'closed')
      assert.ok(closed?.proposed_by && closed.decided_by && closed.decision === decision)
      assert.equal((await creditsOf(id)).length, decision === 'credit_paid' ? 1 : 0)
    })

  it('is refused about own money', async () => {
    const { asked } = await returned()
    const { rows } = await owner.query('select email from members where member_id = $1', [payee.member.memberId])
    const own = staffActor(setup.system, await addStaff(setup.system, { email: rows[0].email, role: 'finance' }))
    for (const decision of ['credit_paid', 'given_back', 'explained'] as const)
      await assert.rejects(decide(asked._id, decision, own), { code: 'not_permitted' })
  })

  it('credits several returns up to the amount of the payout, and the same one never again', async () => {
    const { id, asked } = await returned({ amount: '100.00' })
    assert.equal(asked.creditable.credit_paid, '100.00')
    await decide(asked._id, 'credit_paid')
    assert.deepEqual(await report(id, { amount: '100.00' }), { outcome: 'repeated', why: 'payout_returned' })
    await report(id, { amount: '400.00' })
    const [second] = await casesOf(id)
    assert.deepEqual(
      [second?.paid, second?.payout?.settled, second?.creditable.credit_paid],
      ['400.00', '100.00', '150.00'],
    )
    await decide(second?._id ?? '', 'credit_paid')
    await report(id, { amount: '50.00' })
    const [third] = await casesOf(id)
    assert.equal(third?.creditable.credit_paid, null)
    await assert.rejects(decide(third?._id ?? '', 'credit_paid'), { code: 'invalid_input' })
    const amounts = await Promise.all((await creditsOf(id)).map((each) => readTransaction(setup, each)))
    assert.deepEqual(amounts.map(({ amount }) => amount).sort(), ['100.00', '150.00'])
  })

  it('as paid again needs its reference, tells the member, and leaves nothing to credit', async () => {
    const { id, asked } = await returned()
    await assert.rejects(decide(asked._id, 'given_back', setup.staff, ''), { code: 'invalid_input' })
    await decide(asked._id, 'given_back')
    assert.equal((await casesOf(id, 'closed'))[0]?.outside_reference, 'BANK-1')
    assert.match((await notifiedOf(setup, id)).at(-1) ?? '', /^withdrawal\.paid: The first payment was returned to us/)
    await report(id, { amount: '20.00' })
    assert.equal((await casesOf(id))[0]?.creditable.credit_paid, null)
  })

  it('on an archived account is to pay again, and not to credit', async () => {
    const { id, asked } = await returned()
    const archive = (archived: boolean) =>
      owner.query('update trading_accounts set archived = $2 where account_id = $1', [payee.accountId, archived])
    await archive(true)
    await assert.rejects(decide(asked._id, 'credit_paid'), { code: 'conflict', message: exceptionTexts.accountClosed })
    await decide(asked._id, 'given_back')
    await archive(false)
    assert.deepEqual([await casesOf(id), await creditsOf(id)], [[], []])
  })

  it('is guarded by the database: not above the returned amount, and not to another account', async () => {
    const { asked } = await returned({ amount: '100.00' })
    const { id: other, asked: earlier } = await returned()
    await decide(earlier._id, 'credit_paid')
    const [tooMuch] = await creditsOf(other)
    const close = inTransaction(setup.staff, (tx) =>
      tx
        .updateTable('payment_cases')
        .set({ state: 'closed', decision: 'credit_paid', transaction_id: tooMuch ?? '' })
        .set({ decided_by: setup.staff.staffId, decided_at: setup.context.clock.now() })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('case_id', '=', asked._id)
        .execute(),
    )
    await assert.rejects(close, { code: '23514' })
  })
})

describe('a message that does not prove a return', () => {
  const report = async (id: string, state: string) => {
    const { attempt } = await latestPayout(setup, id)
    setup.zota.set(attempt, state, 'Account closed')
    await sendZotaWebhook(setup, attempt)
  }

  it('makes the program query the provider, whose answer opens the exception', async () => {
    const id = await payLatest(setup, payee)
    await report(id, 'DECLINED')
    assert.deepEqual(await casesOf(id), [])
    assert.equal(await processLatest(setup, id), 'paid')
    assert.deepEqual(
      (await casesOf(id)).map(({ why, paid, creditable }) => [why, paid, creditable.credit_paid]),
      [['payout_returned', '250.00', '250.00']],
    )
  })

  it('opens one that cannot be credited, once, if the provider cannot be queried', async () => {
    const id = await payLatest(setup, payee)
    const { payout_id, attempt } = await latestPayout(setup, id)
    const said = { kind: 'payout', attempt, reference: null, state: 'returned', currency: 'USD', reason: null } as const
    const hint = (amount: string) =>
      inTransaction(setup.system, (tx) =>
        applyPayoutHint(tx, setup.system, payout_id, { canBeAsked: false, said: { ...said, amount, word: 'BACK' } }),
      )
    for (const amount of ['250.00', '249.00']) await hint(amount)
    assert.deepEqual(
      (await casesOf(id)).map(({ why, creditable }) => [why, creditable.credit_paid]),
      [['payout_unproven', null]],
    )
  })
})

describe('a return that the previous version has read', () => {
  /** Returns a function that marks the payout's webhook event as that version does. */
  async function readBefore(id: string) {
    const { attempt, payout_id, reference } = await latestPayout(setup, id)
    await sendZotaWebhook(setup, attempt)
    const said = { kind: 'payout', attempt, reference, state: 'returned', amount: '250.00', currency: 'USD' }
    return async () => {
      const { rowCount } = await owner.query(
        `update payment_notifications set verdict = 'genuine', outcome = 'for_staff', why = 'returned', reported = $2
         where payout_id = $1`,
        [payout_id, JSON.stringify({ ...said, word: 'BACK', reason: null })],
      )
      assert.equal(rowCount, 1)
    }
  }

  it('opens its exception once, if it is recent', async () => {
    const id = await payLatest(setup, payee)
    const { payout_id } = await latestPayout(setup, id)
    const asBefore = await readBefore(id)
    await asBefore()
    for (let round = 0; round < 2; round++) await openMissedReturns(setup.system)
    assert.deepEqual(
      (await casesOf(id)).map(({ why, paid }) => [why, paid]),
      [['payout_returned', '250.00']],
    )
    const left = await owner.query('select why from payment_notifications where payout_id = $1', [payout_id])
    assert.deepEqual(left.rows, [{ why: 'payout_returned' }])
    await owner.query('delete from payment_cases where payout_id = $1', [payout_id])
    await asBefore()
    setup.context.clock.advance(8 * 24 * 60 * 60_000)
    await openMissedReturns(setup.system)
    assert.deepEqual(await casesOf(id), [])
  })

  it('opens none if staff knew of the return when they recorded another payment', async () => {
    const id = await debitPayout(setup, 'zotapay', payee)
    await processLatest(setup, id)
    await report(id)
    await (await readBefore(id))()
    setup.context.clock.advance(1_000)
    await markPaidOut(setup.staff, id, 'BANK-9')
    await openMissedReturns(setup.system)
    assert.deepEqual([(await latestPayout(setup, id)).state, await casesOf(id)], ['paid', []])
  })
})
