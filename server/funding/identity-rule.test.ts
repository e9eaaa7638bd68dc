// spec: DK payments
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { identitySteps, identityTexts } from '@atrium/contract/documents/identity-texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  sendZotaWebhook,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { debitPayout, latestPayout, openPayee, openTo, processLatest } from '../../tests/fixtures/payments/payouts.ts'
import {
  askWithdrawal,
  countWithdrawals,
  debitOne,
  openWithdrawer,
  refusalOf,
  type Withdrawer,
} from '../../tests/fixtures/payments/withdrawals.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { makePendingDeposit, readIntents, readTransaction } from '../../tests/fixtures/trading/trading-fixture.ts'
import {
  addMember,
  addStaff,
  chooseSettings,
  memberActor,
  setIdentity,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import { approveDeposit, rejectDeposit } from '../deposits/decision.ts'
import type { Member } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { decideException } from '../payments/exceptions/exception-decision.ts'
import { deskExceptions } from '../payments/exceptions/exception-queries.ts'
import { markPaidOut, markPayoutFailed } from '../payments/payouts/payout.ts'
import { payByProvider } from '../payments/payouts/payout-decision.ts'
import { processDuePayouts } from '../payments/payouts/process-payout.ts'
import { readDeskWithdrawal } from '../withdrawals/desk-withdrawals.ts'
import { approveWithdrawal } from '../withdrawals/withdrawal-decision.ts'
import { quoteWithdrawal } from '../withdrawals/withdrawal-quote.ts'
import { deskWithdrawals } from './desk-transactions.ts'
import { noteBeforeIdentity } from './identity-rule.ts'

let setup: PaymentFixture
before(async () => {
  setup = await openPaymentFixture()
})
after(() => setup.close())

const identity = (status: Parameters<typeof setIdentity>[2], { memberId }: Member = setup.member) =>
  setIdentity(setup.system, memberId, status)

const saidOf = async (attempt: Promise<unknown>) => {
  const { code, details } = await refusalOf(attempt)
  return [code, details.errors]
}
const waitsAtDesk = ['kyc_required', { form: [withdrawalDeskTexts.identityMissing] }]

describe('a withdrawal', () => {
  let withdrawer: Withdrawer
  before(async () => {
    withdrawer = await openWithdrawer(setup, { balance: '100000.00' })
  })
  beforeEach(async () => {
    await chooseSettings(setup, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] })
    await identity('approved')
  })

  const blockOf = async (accountId = withdrawer.accountId) => {
    const { blocks } = await quoteWithdrawal(withdrawer.member, { trading_account: accountId })
    const found = blocks.find(({ code }) => code === 'identity')
    return found && [found.sentence, found.next]
  }

  test('is refused without an approved identity, and its quote names the one next step', async () => {
    for (const [status, sentence] of [
      ['pending', identityTexts.withdrawalNeeds],
      ['rejected', identityTexts.withdrawalNeeds],
      ['in_verification', identityTexts.withdrawalWaits],
    ] as const) {
      await identity(status)
      const before = await countWithdrawals(setup, withdrawer)
      assert.deepEqual(await saidOf(askWithdrawal(withdrawer)), ['kyc_required', { form: [sentence] }])
      assert.deepEqual(await blockOf(), [sentence, identitySteps[status]])
      assert.equal(await countWithdrawals(setup, withdrawer), before)
    }
    await identity('approved')
    assert.equal(await blockOf(), undefined)
  })

  test('needs no identity for demo funds, or where the workspace disables the rule', async () => {
    await identity('pending')
    const demo = await openWithdrawer(setup, { live: false, group: 'demo\\standard-usd' })
    assert.equal(await blockOf(demo.accountId), undefined)
    await askWithdrawal(demo)
    await chooseSettings(setup, { withdrawal_needs_identity: false })
    assert.equal(await blockOf(), undefined)
    await askWithdrawal(withdrawer)
  })

  test('cannot be approved after the identity approval has ended, and the desk shows why', async () => {
    const id = await askWithdrawal(withdrawer)
    await identity('pending')
    assert.deepEqual(await saidOf(approveWithdrawal(setup.staff, id)), waitsAtDesk)
    assert.equal((await readTransaction(setup, id)).state, 'pending')
    const shown = await readDeskWithdrawal(setup.staff, id)
    assert.deepEqual([shown.waits_for_identity, shown.member.documents_status], [true, 'pending'])
    const { withdrawals } = await deskWithdrawals.read(setup.staff, { order: 'newest', page: 1, limit: 25 })
    assert.equal(withdrawals.find(({ _id }) => _id === id)?.member.documents_status, 'pending')
    await identity('approved')
    await approveWithdrawal(setup.staff, id)
    assert.equal((await readDeskWithdrawal(setup.staff, id)).waits_for_identity, false)
  })

  test('cannot be marked as paid without an approved identity', async () => {
    const id = await debitOne(setup, withdrawer)
    await identity('rejected')
    assert.deepEqual(await saidOf(markPaidOut(setup.staff, id, 'SWIFT 1')), waitsAtDesk)
    await identity('approved')
    await markPaidOut(setup.staff, id, 'SWIFT 1')
  })

  test('is recorded as paid by two people with a reason if the transfer was made before', async () => {
    const id = await debitOne(setup, withdrawer)
    await identity('rejected')
    const colleague = staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))
    const stateOf = async () => (await readTransaction(setup, id)).state
    await markPaidOut(setup.staff, id, 'SWIFT 1', 'Sent before the rejection')
    await assert.rejects(markPaidOut(setup.staff, id, 'SWIFT 1', 'Sent before the rejection'), { code: 'illegal_move' })
    const { by, at: _at, ...said } = (await readDeskWithdrawal(colleague, id)).paid_by_hand ?? assert.fail()
    assert.deepEqual(said, {
      reference: 'SWIFT 1',
      reason: 'Sent before the rejection',
      is_you: false,
      failed_by: null,
    })
    assert.ok(by)
    // Another reference is another transfer.
    await markPaidOut(colleague, id, 'SWIFT 2', 'As the bank says')
    assert.equal(await stateOf(), 'paying')
    await markPaidOut(colleague, id, 'SWIFT 1', 'As the bank says')
    assert.equal(await stateOf(), 'approved')
    assert.equal((await readDeskWithdrawal(setup.staff, id)).payout_reference, 'SWIFT 1')
    await identity('approved')
  })

  test('goes to staff before the provider is called, who can have it paid once the identity is approved', async () => {
    const id = await debitPayout(setup, 'zotapay', await openPayee(setup, 'zotapay', { balance: '1000.00' }))
    const calls = setup.zota.payoutCalls()
    await identity('pending')
    assert.equal(await processLatest(setup, id), 'for_staff')
    assert.equal((await latestPayout(setup, id)).staff_reason, 'identity_missing')
    assert.deepEqual(await saidOf(payByProvider(setup.staff, id)), waitsAtDesk)
    const { timeline, may_pay_by_provider } = await readDeskWithdrawal(setup.staff, id)
    assert.deepEqual([timeline.at(-1)?.event, may_pay_by_provider], ['withdrawal.payout-for-staff', true])
    assert.equal(setup.zota.payoutCalls(), calls)
    await identity('approved')
    await payByProvider(setup.staff, id)
    assert.equal(await processLatest(setup, id), 'accepted')
    assert.equal(setup.zota.payoutCalls(), calls + 1)
  })
})

describe('a withdrawal requested before a change of details', () => {
  const day = 24 * 3_600_000
  let withdrawer: Withdrawer
  beforeEach(async () => {
    withdrawer = await openWithdrawer(setup, { balance: '100000.00' })
    await chooseSettings(setup, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('zotapay')] })
    await identity('approved')
  })
  afterEach(() => setup.context.clock.advance(2 * day))

  async function shake(set: Partial<Record<'details_changed_at' | 'password_changed_at', Date>>) {
    await inTransaction(setup.system, (tx) =>
      tx
        .updateTable('members')
        .set(set)
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('member_id', '=', setup.member.memberId)
        .execute(),
    )
  }
  const changeDetails = () => shake({ details_changed_at: setup.context.clock.now() })
  const heldUntil = async (id: string) => (await readDeskWithdrawal(setup.staff, id)).held_until
  async function isRefusedAsHeld(attempt: Promise<unknown>) {
    const { code, details } = await refusalOf(attempt)
    assert.deepEqual(
      [code, /are held until \d+ \w+ \d+, \d\d:\d\d UTC/.test(String(details.errors?.form))],
      ['withdrawals_held', true],
    )
  }

  test('cannot be approved soon after a change of name, email, phone or password, and the desk shows until when', async () => {
    const id = await askWithdrawal(withdrawer)
    assert.equal(await heldUntil(id), null)
    for (const column of ['details_changed_at', 'password_changed_at'] as const) {
      const now = setup.context.clock.now()
      await shake({ [column]: now })
      await isRefusedAsHeld(approveWithdrawal(setup.staff, id))
      assert.equal(await heldUntil(id), now.getTime() + day)
      setup.context.clock.advance(day)
    }
    assert.equal(await heldUntil(id), null)
    await approveWithdrawal(setup.staff, id)
  })

  test('is never held for demo funds, or where the workspace disables the hold', async () => {
    await changeDetails()
    await askWithdrawal(await openWithdrawer(setup, { live: false, group: 'demo\\standard-usd' }))
    await chooseSettings(setup, { hold_withdrawals: false })
    await approveWithdrawal(setup.staff, await askWithdrawal(withdrawer))
    await chooseSettings(setup, { hold_withdrawals: true })
  })

  test('cannot be marked as paid during the hold once debited, but can be reversed', async () => {
    const ids = [await debitOne(setup, withdrawer), await debitOne(setup, withdrawer)] as const
    await changeDetails()
    await isRefusedAsHeld(markPaidOut(setup.staff, ids[0], 'SWIFT 2'))
    await markPayoutFailed(setup.staff, ids[1], 'The member asked for it.')
    setup.context.clock.advance(day)
    await markPaidOut(setup.staff, ids[0], 'SWIFT 2')
  })

  test('is not sent by its provider after the hold once two people recorded that it was paid by hand', async () => {
    const id = await debitPayout(setup, 'zotapay', await openPayee(setup, 'zotapay', { balance: '1000.00' }))
    const calls = setup.zota.payoutCalls()
    await changeDetails()
    assert.equal(await processLatest(setup, id), 'created')
    const colleague = staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))
    for (const by of [setup.staff, colleague]) await markPaidOut(by, id, 'SWIFT 3', 'Sent before the change')
    assert.deepEqual(
      [(await readTransaction(setup, id)).state, (await latestPayout(setup, id)).state],
      ['approved', 'dropped'],
    )
    setup.context.clock.advance(day)
    await processDuePayouts(setup.system)
    assert.equal(setup.zota.payoutCalls(), calls)
  })

  test('delays its payout until the hold ends and then sends it automatically', async () => {
    const id = await debitPayout(setup, 'zotapay', await openPayee(setup, 'zotapay', { balance: '1000.00' }))
    const calls = setup.zota.payoutCalls()
    await changeDetails()
    assert.equal(await processLatest(setup, id), 'created')
    const { next_look_at, problem } = await latestPayout(setup, id)
    assert.equal(next_look_at.getTime(), setup.context.clock.now().getTime() + day)
    assert.match(problem ?? '', /held until/)
    await processDuePayouts(setup.system)
    assert.deepEqual((await latestPayout(setup, id)).next_look_at, next_look_at)
    assert.equal(setup.zota.payoutCalls(), calls)
    setup.context.clock.advance(day)
    await processDuePayouts(setup.system)
    assert.ok((await latestPayout(setup, id)).next_look_at > next_look_at)
    assert.equal(await processLatest(setup, id), 'accepted')
    assert.equal(setup.zota.payoutCalls(), calls + 1)
  })
})

describe('deposits before the identity is approved', () => {
  const totals = [
    { currency: 'USD', above: '1000' },
    { currency: 'EUR', above: '900' },
    { currency: 'GBP', above: '0' },
  ]
  let payer: PaymentFixture
  beforeEach(async () => {
    await chooseSettings(setup, { deposit_needs_identity_above: totals })
    const { memberId } = await addMember(setup.system)
    const member = await memberActor(setup.system, memberId)
    const accountId = await addAccount(setup.system, { memberId, platformId: setup.platformId })
    payer = { ...setup, member, accountId }
  })

  const accountIn = (currency: string) =>
    addAccount(setup.system, { memberId: payer.member.memberId, platformId: setup.platformId, currency })
  const saysAbove = (limit: string, left: string) => [
    'invalid_input',
    { amount: [identityTexts.depositAbove.replace('{{limit}}', limit).replace('{{left}}', left)] },
  ]

  test('are accepted up to one total of transfers and provider deposits', async () => {
    await makePendingDeposit(payer, '600.00')
    await startOrder(payer, { amount: '399.99' })
    assert.deepEqual(await saidOf(makePendingDeposit(payer, '0.02')), saysAbove('1,000.00 USD', '0.01 USD'))
    assert.deepEqual(await saidOf(startOrder(payer, { amount: '20.00' })), saysAbove('1,000.00 USD', '0.01 USD'))
    await makePendingDeposit(payer, '0.01')
    await identity('approved', payer.member)
    await startOrder(payer, { amount: '5000.00' })
  })

  test('show the limit and the remaining amount before the member types', async () => {
    const note = (currency: string) => noteBeforeIdentity(payer.member, currency)
    assert.match((await note('USD')) ?? '', /up to 1,000\.00 USD in total, and 1,000\.00 USD of that is left/)
    await makePendingDeposit(payer, '600.00')
    assert.match((await note('USD')) ?? '', /and 400\.00 USD of that is left/)
    assert.equal(await note('JPY'), identityTexts.depositCurrency.replace('{{currency}}', 'JPY'))
    await identity('approved', payer.member)
    assert.equal(await note('USD'), null)
  })

  test('use up the same proportion of the total in another currency', async () => {
    await makePendingDeposit(payer, '333.33')
    const trading_account = await accountIn('EUR')
    // 900 - 333.33 * 900 / 1000 = 600.003
    assert.deepEqual(
      await saidOf(startOrder(payer, { trading_account, amount: '600.01' })),
      saysAbove('900.00 EUR', '600.00 EUR'),
    )
    await startOrder(payer, { trading_account, amount: '600.00' })
    assert.deepEqual(await saidOf(makePendingDeposit(payer, '0.01')), saysAbove('1,000.00 USD', '0.00 USD'))
  })

  test('need the identity at any amount in a currency without a total', async () => {
    for (const currency of ['JPY', 'GBP']) {
      const trading_account = await accountIn(currency)
      const { details } = await refusalOf(startOrder(payer, { trading_account, amount: '1000' }))
      assert.deepEqual(details.errors?.amount, [identityTexts.depositCurrency.replace('{{currency}}', currency)])
    }
  })

  test('do not count once rejected, or where the workspace disables the rule', async () => {
    const first = await makePendingDeposit(payer, '1000.00')
    await rejectDeposit(setup.staff, first, { reason: 'receipt_unreadable' })
    await makePendingDeposit(payer, '1000.00')
    await chooseSettings(setup, { deposit_needs_identity: false })
    await makePendingDeposit(payer, '1000.00')
  })

  test('are accepted up to the remaining amount when two arrive together', async () => {
    const tries = await Promise.allSettled([makePendingDeposit(payer, '700.00'), makePendingDeposit(payer, '700.00')])
    assert.deepEqual(tries.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  const exceptionOf = async (order: string) => {
    const { cases } = await deskExceptions.read(setup.staff, { state: 'waiting', limit: 100 })
    return cases.find((each) => each.order._id === order)
  }
  const creditAs = async (decision: 'credit_agreed' | 'credit_paid', order: string) => {
    const { _id: id = '' } = (await exceptionOf(order)) ?? {}
    await decideException(setup.staff, { id, decision, note: '', outside_reference: '' })
  }

  test('are not credited above the total by a payment exception for an overpayment', async () => {
    const { order, attempt } = await startOrder(payer, { amount: '900.00' })
    await sendZotaWebhook(setup, attempt, { amount: '1000.01', status: 'APPROVED' })
    assert.deepEqual((await refusalOf(creditAs('credit_paid', order))).code, 'kyc_required')
    await identity('approved', payer.member)
    await creditAs('credit_paid', order)
  })

  test('are not credited above the total by a second payment of a paid order', async () => {
    const { order, attempt } = await startOrder(payer, { amount: '600.00' })
    setup.zota.set(attempt, 'APPROVED')
    for (const overrides of [{}, { reference: '7777777' }]) await sendZotaWebhook(setup, attempt, overrides)
    const now = [(await readOrder(setup, order)).state, (await exceptionOf(order))?.why]
    assert.deepEqual(now, ['paid', 'second_payment'])
    assert.deepEqual((await refusalOf(creditAs('credit_paid', order))).code, 'kyc_required')
    await identity('approved', payer.member)
    await creditAs('credit_paid', order)
  })

  test('are credited by staff once the identity, approved at the start, is approved again', async () => {
    await identity('approved', payer.member)
    const { order, attempt } = await startOrder(payer, { amount: '1000.01' })
    await identity('rejected', payer.member)
    setup.zota.set(attempt, 'APPROVED')
    await sendZotaWebhook(setup, attempt)
    const { state, staff_reason, transaction_id } = await readOrder(setup, order)
    assert.deepEqual([state, staff_reason], ['for_staff', 'identity_missing'])
    assert.deepEqual(await readIntents(setup, transaction_id), [])
    assert.deepEqual((await refusalOf(creditAs('credit_agreed', order))).code, 'kyc_required')
    await identity('approved', payer.member)
    await creditAs('credit_agreed', order)
    assert.equal((await readIntents(setup, transaction_id)).length, 1)
  })

  test('are credited when they were started below the total', async () => {
    const { order, attempt } = await startOrder(payer, { amount: '1000.00' })
    setup.zota.set(attempt, 'APPROVED')
    await sendZotaWebhook(setup, attempt)
    assert.equal((await readOrder(setup, order)).state, 'paid')
  })

  test('are not approved above the total', async () => {
    const first = await makePendingDeposit(payer, '400.00')
    await makePendingDeposit(payer, '400.00')
    await chooseSettings(setup, { deposit_needs_identity_above: [{ currency: 'USD', above: '799.99' }] })
    assert.deepEqual(await saidOf(approveDeposit(setup.staff, first)), [
      'kyc_required',
      { form: [deskTexts.depositAboveIdentity] },
    ])
    await identity('approved', payer.member)
    await approveDeposit(setup.staff, first)
  })
})
