// spec: OP factors
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transactionStates, transactionTypes } from '@atrium/contract/funding/states.ts'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import { withdrawalClosures, withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import {
  askWithdrawal,
  debitOne,
  openWithdrawer,
  provenMember,
  settleLatest,
} from '../../tests/fixtures/payments/withdrawals.ts'
import { codeOf } from '../../tests/fixtures/refusal-code.ts'
import {
  makePendingDeposit,
  openTradingFixture,
  readIntents,
  readTransaction,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, addWorkspace, provenStaff, staffActor } from '../../tests/fixtures/workspaces.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { cancelTransaction } from '../funding/cancellation.ts'
import { settleIntent } from '../funding/crediting/crediting.ts'
import { lookUpAgain } from '../funding/crediting/stuck-credit.ts'
import { findViolations } from '../funding/ledger.ts'
import { lockMember, unlockMember } from '../members/lock.ts'
import { markPaidOut, markPayoutFailed } from '../payments/payouts/payout.ts'
import { readDeskWithdrawal } from './desk-withdrawals.ts'
import { approveWithdrawal, rejectWithdrawal } from './withdrawal-decision.ts'
import { quoteWithdrawal } from './withdrawal-quote.ts'

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())

const balanceOf = (login: string) => setup.simulator.control.account(login)?.balance

test('approve, debit once, pay by hand with a reference: the internal ledger balances', async () => {
  const withdrawer = await openWithdrawer(setup)
  const id = await debitOne(setup, withdrawer, '250.00')
  const debited = await readTransaction(setup, id)
  assert.deepEqual([debited.state, balanceOf(withdrawer.login)], ['paying', '750.00'])
  await markPaidOut(setup.staff, id, 'SWIFT 4711')
  const paid = await readDeskWithdrawal(setup.staff, id)
  assert.deepEqual([paid.state, paid.payout_reference, paid.platform_ticket !== null], ['approved', 'SWIFT 4711', true])
  assert.deepEqual(
    paid.timeline.map(({ event }) => event),
    ['withdrawal.requested', 'withdrawal.approved-by-desk', 'withdrawal.debited', 'withdrawal.paid-out'],
  )
  assert.equal(await codeOf(markPaidOut(setup.staff, id, 'SWIFT 4712')), 'illegal_move')
  assert.deepEqual(await findViolations(setup.system), [])
})

test('only debited withdrawals can be marked as paid or failed, and no deposit can', async () => {
  const pending = await askWithdrawal(await openWithdrawer(setup))
  const deposit = await makePendingDeposit(setup)
  for (const mark of [markPaidOut, markPayoutFailed]) {
    await assert.rejects(mark(setup.staff, pending, 'SWIFT 1'), { message: withdrawalDeskTexts.notPayable })
    assert.equal(await codeOf(mark(setup.staff, deposit, 'SWIFT 1')), 'not_found')
  }
  assert.equal((await readTransaction(setup, pending)).state, 'pending')
})

test('refuses to approve a withdrawal of a locked member or restricted account, but records one paid by hand', async () => {
  const withdrawer = await openWithdrawer(setup)
  const { memberId } = withdrawer.member
  const access = (values: { status?: string; enable_read_only?: boolean; archived?: boolean; deleted?: boolean }) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_accounts')
        .set(values)
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('account_id', '=', withdrawer.accountId)
        .execute(),
    )
  const pending = await askWithdrawal(withdrawer)
  const paying = await debitOne(setup, withdrawer)
  const proven = await provenStaff(setup.system, await addStaff(setup.system))
  const closedBy = async (id: string) => (await readDeskWithdrawal(setup.staff, id)).closed_by
  const closed: [() => Promise<unknown>, () => Promise<unknown>, keyof typeof withdrawalClosures][] = [
    [() => lockMember(setup.staff, memberId, 'Stolen'), () => unlockMember(proven, memberId), 'member_locked'],
    [() => access({ enable_read_only: true }), () => access({ enable_read_only: false }), 'account_restricted'],
    [() => access({ status: 'disabled' }), () => access({ status: 'active' }), 'account_restricted'],
  ]
  for (const [close, open, by] of closed) {
    // A lock ends the member's sessions.
    const paidByHand = await debitOne(setup, { ...withdrawer, member: await provenMember(setup) }, '10.00')
    await close()
    const refusal = { code: 'conflict', message: withdrawalClosures[by] }
    await assert.rejects(approveWithdrawal(setup.staff, pending), refusal)
    assert.deepEqual([await closedBy(pending), await closedBy(paying)], [by, by])
    assert.doesNotMatch(withdrawalClosures[by], /reject|refund/)
    await markPaidOut(setup.staff, paidByHand, 'SWIFT 1')
    assert.equal((await readTransaction(setup, paidByHand)).state, 'approved')
    await open()
    assert.deepEqual([await closedBy(pending), await closedBy(paying)], [null, null])
  }
  for (const ended of ['archived', 'deleted'] as const) {
    await access({ archived: false, deleted: false, [ended]: true })
    const refusal = { code: 'conflict', message: withdrawalClosures.account_closed }
    await assert.rejects(approveWithdrawal(setup.staff, pending), refusal)
    assert.deepEqual([await closedBy(pending), await closedBy(paying)], ['account_closed', null])
  }
  // What was debited before is still paid.
  await markPaidOut(setup.staff, paying, 'SWIFT 1')
  await rejectWithdrawal(setup.staff, pending, { reason: 'withdrawal_other' })
  await access({ archived: false, deleted: false })
})

test('nothing is paid from a live account that the platform moved to a demo group, neither requested before nor after', async () => {
  const withdrawer = await openWithdrawer(setup)
  const move = (group_name: string) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_accounts')
        .set({ group_name })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('account_id', '=', withdrawer.accountId)
        .execute(),
    )
  const pending = await askWithdrawal(withdrawer)
  const paying = await debitOne(setup, withdrawer)
  await move('demo\\standard-usd')
  await assert.rejects(askWithdrawal(withdrawer), {
    details: { errors: { trading_account: [withdrawalTexts.inDemoGroup] } },
  })
  const { blocks } = await quoteWithdrawal(withdrawer.member, { trading_account: withdrawer.accountId })
  assert.ok(blocks.some(({ code, field }) => code === 'demo_group' && field === 'trading_account'))
  const refusal = { code: 'conflict', message: withdrawalClosures.account_in_demo_group }
  await assert.rejects(approveWithdrawal(setup.staff, pending), refusal)
  assert.deepEqual((await readIntents(setup, pending)).length, 0)
  const closedBy = async (id: string) => (await readDeskWithdrawal(setup.staff, id)).closed_by
  assert.deepEqual([await closedBy(pending), await closedBy(paying)], ['account_in_demo_group', null])
  await markPaidOut(setup.staff, paying, 'SWIFT 1')
  await move('real\\standard-usd')
  await approveWithdrawal(setup.staff, pending)
  assert.equal(await settleLatest(setup, pending), 'paying')
})

test('a failed payment is reversed once through an intent of its own', async () => {
  const withdrawer = await openWithdrawer(setup)
  const id = await debitOne(setup, withdrawer, '250.00')
  await markPayoutFailed(setup.staff, id, 'The bank sent it back.')
  assert.equal(await codeOf(markPayoutFailed(setup.staff, id, 'Again')), 'illegal_move')
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'execute-then-drop' })
  assert.equal(await settleLatest(setup, id), 'rejected')
  assert.equal(balanceOf(withdrawer.login), '1000.00')
  const row = await readTransaction(setup, id)
  assert.deepEqual([row.rejection_reason, row.rejection_note], ['payout_failed', 'The bank sent it back.'])
  assert.equal((await readIntents(setup, id)).length, 2)
  assert.deepEqual(await findViolations(setup.system), [])
})

describe('simultaneous decisions', () => {
  const rounds = Number(process.env.ATRIUM_TEST_RACE_ROUNDS ?? 10)

  test('two approvals: one debit', async () => {
    const other = staffActor(setup.system, await addStaff(setup.system))
    const withdrawer = await openWithdrawer(setup, { balance: '10000.00' })
    for (let round = 0; round < rounds; round++) {
      const id = await askWithdrawal(withdrawer, '1.00')
      const tried = [approveWithdrawal(setup.staff, id), approveWithdrawal(other, id)]
      const codes = await Promise.all(tried.map(codeOf))
      assert.deepEqual(codes.sort(), ['done', 'illegal_move'])
      assert.equal((await readIntents(setup, id)).length, 1)
      await settleLatest(setup, id)
    }
  })

  test('approval against cancellation and against rejection: exactly one succeeds', async () => {
    const withdrawer = await openWithdrawer(setup, { balance: '10000.00' })
    for (let round = 0; round < rounds; round++) {
      const id = await askWithdrawal(withdrawer, '1.00')
      const against =
        round % 2 === 0
          ? cancelTransaction(withdrawer.member, id)
          : rejectWithdrawal(setup.staff, id, { reason: 'withdrawal_other' })
      const codes = await Promise.all([approveWithdrawal(setup.staff, id), against].map(codeOf))
      assert.deepEqual(codes.sort(), ['done', 'illegal_move'])
      const { state } = await readTransaction(setup, id)
      const intents = await readIntents(setup, id)
      assert.equal(intents.length, state === 'debiting' ? 1 : 0)
      if (state === 'debiting') await settleLatest(setup, id)
    }
  })
})

describe('a faulty platform', () => {
  const faults = [
    'fail-before',
    'drop-before',
    'execute-then-drop',
    'execute-then-500',
    'execute-then-garbage',
  ] as const
  for (const kind of faults)
    test(`debits a withdrawal once, or not at all, with the fault ${kind}`, async () => {
      const withdrawer = await openWithdrawer(setup)
      const id = await askWithdrawal(withdrawer, '250.00')
      await approveWithdrawal(setup.staff, id)
      setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind })
      const state = await settleLatest(setup, id).finally(() => setup.simulator.control.clearFaults())
      if (state === 'paying') assert.equal(balanceOf(withdrawer.login), '750.00')
      else assert.deepEqual([state, balanceOf(withdrawer.login)], ['pending', '1000.00'])
      const intents = await readIntents(setup, id)
      const deals = intents.flatMap(({ tag }) => setup.simulator.control.dealsWithComment(tag))
      assert.equal(deals.length, state === 'paying' ? 1 : 0)
    })

  test('refuses to decide while the platform does not answer', async () => {
    const withdrawer = await openWithdrawer(setup)
    const id = await askWithdrawal(withdrawer)
    await setup.simulator.control.down()
    try {
      assert.equal(await codeOf(approveWithdrawal(setup.staff, id)), 'unavailable')
    } finally {
      await setup.simulator.control.up()
      setup.context.clock.advance(60_000)
    }
    assert.equal((await readTransaction(setup, id)).state, 'pending')
    await approveWithdrawal(setup.staff, id)
  })

  test('staff resume a stuck debit, which is looked up before it is sent', async () => {
    const withdrawer = await openWithdrawer(setup)
    const id = await askWithdrawal(withdrawer, '250.00')
    await approveWithdrawal(setup.staff, id)
    setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'execute-then-drop' })
    const [intent] = await readIntents(setup, id)
    assert.ok(intent)
    await settleIntent(setup.system, intent.intent_id)
    const [deal] = setup.simulator.control.dealsWithComment(intent.tag)
    assert.ok(deal)
    setup.simulator.control.recomment(deal.deal, 'edited by a dealer')
    setup.context.clock.advance(5_000)
    await settleIntent(setup.system, intent.intent_id)
    assert.equal((await readIntents(setup, id))[0]?.state, 'stuck')
    setup.simulator.control.recomment(deal.deal, `${intent.tag} Withdrawal`)
    await lookUpAgain(setup.staff, id, 'withdrawal')
    assert.equal(await settleLatest(setup, id), 'paying')
    assert.equal(balanceOf(withdrawer.login), '750.00')
  })
})

test('refuses another role, another workspace and another kind of transaction', async () => {
  const withdrawer = await openWithdrawer(setup)
  const id = await askWithdrawal(withdrawer)
  for (const role of ['viewer', 'support', 'compliance'] as const) {
    const reader = staffActor(setup.system, await addStaff(setup.system, { role }))
    assert.equal(await codeOf(approveWithdrawal(reader, id)), 'not_permitted')
    assert.equal(await codeOf(rejectWithdrawal(reader, id, { reason: 'withdrawal_other' })), 'not_permitted')
    assert.equal(await codeOf(markPaidOut(reader, id, 'x')), 'not_permitted')
    assert.equal(await codeOf(markPayoutFailed(reader, id, 'x')), 'not_permitted')
  }
  const elsewhere = await addWorkspace(setup.context)
  const otherStaff = staffActor(elsewhere, await addStaff(elsewhere))
  for (const unknown of [id, newId()]) assert.equal(await codeOf(approveWithdrawal(otherStaff, unknown)), 'not_found')
  const deposit = await addTransaction(setup.system, {
    memberId: withdrawer.member.memberId,
    accountId: withdrawer.accountId,
  })
  assert.equal(await codeOf(approveWithdrawal(setup.staff, deposit)), 'not_found')
  assert.equal(await codeOf(rejectWithdrawal(setup.staff, deposit, { reason: 'withdrawal_other' })), 'not_found')
})

test('the database refuses every transition that a role may not make', async () => {
  const withdrawer = await openWithdrawer(setup)
  const ofStaff = ['crediting', 'debiting', 'rejected', 'cancelled'].map((to) => `pending>${to}`)
  const allowed = { member: ['pending>cancelled'], staff: [...ofStaff, 'paying>approved', 'paying>returning'] }
  const actors = { member: withdrawer.member, staff: setup.staff }
  const each = transactionTypes.flatMap((type) =>
    transactionStates.flatMap((from) => transactionStates.map((to) => ({ type, from, to }))),
  )
  for (const { type, from, to } of each) {
    if (from === to) continue
    const id = await addTransaction(setup.system, {
      memberId: withdrawer.member.memberId,
      accountId: withdrawer.accountId,
      type,
      state: from,
      platform_ticket: '77',
      rejection_reason: 'other',
    })
    for (const kind of ['member', 'staff'] as const) {
      if (allowed[kind].includes(`${from}>${to}`)) continue
      const attempt = inTransaction(actors[kind], (tx) =>
        tx
          .updateTable('balance_transactions')
          .set({ state: to })
          .where('workspace_id', '=', setup.system.workspaceId)
          .where('transaction_id', '=', id)
          .execute(),
      )
      await assert.rejects(attempt, /cannot/, `${kind}: ${type} ${from} > ${to}`)
    }
  }
})

test('the database refuses to change the beneficiary, amount or fee for every actor', async () => {
  const withdrawer = await openWithdrawer(setup)
  const id = await askWithdrawal(withdrawer)
  const changes = [{ destination_id: newId() }, { destination_text: 'Elsewhere' }, { fee: '1' }, { amount: '1' }]
  for (const change of changes) {
    const attempt = inTransaction(setup.system, (tx) =>
      tx
        .updateTable('balance_transactions')
        .set(change)
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('transaction_id', '=', id)
        .execute(),
    )
    await assert.rejects(attempt, /keeps its/, JSON.stringify(change))
  }
})
