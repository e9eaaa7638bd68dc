// spec: AO 4
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { FaultKind } from '../../../simulators/metatrader/faults.ts'
import { addCompanyBankAccount } from '../../../tests/fixtures/payments/money.ts'
import { debitOne, openWithdrawer } from '../../../tests/fixtures/payments/withdrawals.ts'
import { addAccount } from '../../../tests/fixtures/trading/platforms.ts'
import {
  type Approved,
  approveAll,
  approveOne as approveOneOn,
  fixtureLogin,
  makePendingDeposit,
  openTradingFixture,
  platformCredits,
  processUntilSettled as processUntilSettledOn,
  readIntents,
  readTransaction,
  type TradingFixture,
  usualTiming,
} from '../../../tests/fixtures/trading/trading-fixture.ts'
import { untilWaiting } from '../../../tests/fixtures/waiting.ts'
import { approveDeposit } from '../../deposits/decision.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { settleIntent } from './crediting.ts'
import { checkSettledIntent } from './post-settlement-check.ts'

let setup: TradingFixture

before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())
beforeEach(() => setup.simulator.control.clearFaults())

const approveOne = (amount?: string) => approveOneOn(setup, amount)
const processUntilSettled = (approved: Approved, stepMs?: number) => processUntilSettledOn(setup, approved, stepMs)

async function stateOf({ depositId }: Approved): Promise<string> {
  return (await readTransaction(setup, depositId)).state
}

async function assertCreditedOnce(approved: Approved, amount = '250.00'): Promise<void> {
  const deals = platformCredits(setup, approved.tag)
  assert.equal(deals.length, 1, 'deals with the tag')
  assert.equal(deals[0]?.amount, amount)
  const deposit = await readTransaction(setup, approved.depositId)
  assert.equal(deposit.state, 'approved')
  assert.equal(deposit.platform_ticket, deals[0]?.deal)
}

test('an approved deposit credits the account on the platform once and records the ticket', async () => {
  const balanceBefore = Number(setup.simulator.control.account(fixtureLogin)?.balance)
  const approved = await approveOne()
  assert.equal(await stateOf(approved), 'crediting')
  await settleIntent(setup.system, approved.intentId)
  await assertCreditedOnce(approved)
  assert.equal(Number(setup.simulator.control.account(fixtureLogin)?.balance), balanceBefore + 250)
  await settleIntent(setup.system, approved.intentId)
  await assertCreditedOnce(approved)
})

test('many simultaneous runs send once', async () => {
  const approved = await approveOne()
  await Promise.all(Array.from({ length: 20 }, () => settleIntent(setup.system, approved.intentId)))
  await assertCreditedOnce(approved)
})

test('a run that waited for the lease of another finds nothing to do', async () => {
  const approved = await approveOne()
  const [owner, watcher] = await Promise.all([setup.openOwner(), setup.openOwner()])
  try {
    await owner.query('begin')
    await owner.query('select from trading_accounts where platform_login = $1 for update', [fixtureLogin])
    // The first waits for the account before it takes the lease, the second for the intent.
    const runs = [1, 2].map(() => settleIntent(setup.system, approved.intentId))
    await untilWaiting(watcher, runs.length)
    await owner.query('commit')
    await Promise.all(runs)
  } finally {
    await Promise.all([owner.end(), watcher.end()])
  }
  await assertCreditedOnce(approved)
})

describe('an approved deposit, with a faulty platform', () => {
  const faults: { kind: FaultKind; note: string }[] = [
    { kind: 'fail-before', note: 'answers 500 without acting' },
    { kind: 'drop-before', note: 'hangs up without acting' },
    { kind: 'execute-then-drop', note: 'acts and hangs up' },
    { kind: 'execute-then-500', note: 'acts and answers 500' },
    { kind: 'execute-then-garbage', note: 'acts and answers garbage' },
    { kind: 'close-session', note: 'forgets the session' },
  ]
  for (const { kind, note } of faults) {
    for (const times of [1, 3]) {
      test(`is credited once when the platform ${note}, ${times} time(s)`, async () => {
        setup.simulator.control.addFault({ path: '/api/trade/balance', times, kind })
        const approved = await approveOne()
        await processUntilSettled(approved)
        await assertCreditedOnce(approved)
      })
    }
  }

  test('is credited once when the platform executes, but answers after our deadline', async () => {
    setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'late-answer', ms: 60_000 })
    const approved = await approveOne()
    await processUntilSettled(approved)
    await assertCreditedOnce(approved)
  })
})

test('while the outcome is unknown the deposit is verifying, and nothing is resent before the settling time ends', async () => {
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'drop-before' })
  const approved = await approveOne()
  await settleIntent(setup.system, approved.intentId)
  assert.equal(await stateOf(approved), 'checking')
  const sends = () => setup.simulator.control.calls().filter((call) => call.path === '/api/trade/balance').length
  const sentBefore = sends()
  const { clock } = setup.context
  const settledAt = clock.now().getTime() + usualTiming.settleMs
  while (clock.now().getTime() < settledAt - 6_000) {
    await settleIntent(setup.system, approved.intentId)
    assert.equal(await stateOf(approved), 'checking')
    clock.advance(5_000)
  }
  assert.equal(sends(), sentBefore, 'sent again too soon')
  await processUntilSettled(approved)
  await assertCreditedOnce(approved)
})

test('the platform is down: nothing is lost, and the credit follows when it is back', async () => {
  const approved = await approveOne()
  await setup.simulator.control.down()
  for (let round = 0; round < 3; round++) {
    await settleIntent(setup.system, approved.intentId)
    setup.context.clock.advance(61_000)
    assert.notEqual(await stateOf(approved), 'approved')
  }
  await setup.simulator.control.up()
  await processUntilSettled(approved)
  await assertCreditedOnce(approved)
})

test('the look-up fails too: the deposit stays in verifying and nothing is resent', async () => {
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'execute-then-drop' })
  const approved = await approveOne()
  await settleIntent(setup.system, approved.intentId)
  await setup.simulator.control.down()
  for (let round = 0; round < 10; round++) {
    setup.context.clock.advance(61_000)
    await settleIntent(setup.system, approved.intentId)
    assert.equal(await stateOf(approved), 'checking')
  }
  await setup.simulator.control.up()
  await processUntilSettled(approved)
  await assertCreditedOnce(approved)
})

test('a refusal by the platform returns the deposit to the desk, where it can be approved again', async () => {
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'answer-code', code: 8 })
  const approved = await approveOne()
  await settleIntent(setup.system, approved.intentId)
  const refused = await readTransaction(setup, approved.depositId)
  assert.equal(refused.state, 'pending')
  assert.equal(refused.decided_by, null)
  assert.equal(platformCredits(setup, approved.tag).length, 0)
  await approveDeposit(setup.staff, approved.depositId)
  const second = (await readIntents(setup, approved.depositId)).at(-1)
  assert.ok(second)
  assert.notEqual(second.tag, approved.tag)
  await settleIntent(setup.system, second.intent_id)
  await assertCreditedOnce({ ...approved, intentId: second.intent_id, tag: second.tag })
})

test('does not credit an account whose currency on the platform differs from ours', async () => {
  const wrong = await addAccount(setup.system, {
    memberId: setup.member.memberId,
    platformId: setup.platformId,
    platform_login: '700124',
    currency: 'JPY',
  })
  setup.simulator.control.seedAccounts([
    { login: '700124', group: 'real\\standard-usd', name: 'Mara Member', leverage: 100, balance: '0' },
  ])
  const beneficiaryId = await addCompanyBankAccount(setup.system, { currency: 'JPY' })
  const depositId = await makePendingDeposit({ ...setup, accountId: wrong, beneficiaryId }, '100000')
  await approveAll(setup, depositId) // No small-amount limit is set for yen, so two approvals are needed.
  const [intent] = await readIntents(setup, depositId)
  await settleIntent(setup.system, intent?.intent_id ?? '')
  assert.equal((await readTransaction(setup, depositId)).state, 'pending')
  assert.equal((await readIntents(setup, depositId))[0]?.last_problem, 'currency_mismatch')
  assert.equal(Number(setup.simulator.control.account('700124')?.balance), 0)
})

test('a process that died during the send leaves an unknown outcome, which the look-up settles', async () => {
  const approved = await approveOne()
  const { takeStep } = await import('./intent.ts')
  const step = await takeStep(setup.system, approved.intentId, usualTiming)
  assert.equal(step.do, 'send')
  setup.simulator.control.addLedger(fixtureLogin, {
    amount: '250.00',
    atMs: Date.now(),
    comment: `${approved.tag} Deposit`,
  })
  await settleIntent(setup.system, approved.intentId)
  assert.equal(await stateOf(approved), 'crediting', 'the lease of the dead process still holds')
  setup.context.clock.advance(usualTiming.leaseMs + 1)
  await settleIntent(setup.system, approved.intentId)
  await assertCreditedOnce(approved)
})

test('two deals with the tag, or one with another amount, become stuck', async () => {
  for (const amounts of [['250.00', '250.00'], ['249.99']]) {
    setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'drop-before' })
    const approved = await approveOne()
    await settleIntent(setup.system, approved.intentId)
    for (const amount of amounts) {
      setup.simulator.control.addLedger(fixtureLogin, { amount, atMs: Date.now(), comment: `${approved.tag} Deposit` })
    }
    setup.context.clock.advance(5_000)
    await settleIntent(setup.system, approved.intentId)
    const [intent] = await readIntents(setup, approved.depositId)
    assert.equal(intent?.state, 'stuck')
    assert.equal(await stateOf(approved), 'checking')
  }
})

test('an answer with the operation of another account is none: the look-up by tag decides', async () => {
  const debit = await debitOne(setup, await openWithdrawer(setup), '1.00')
  const [other] = await readIntents(setup, debit)
  const next = String(Number(other?.ticket) + 1)
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('platform_intents')
      .set({ ticket: next })
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('intent_id', '=', other?.intent_id ?? '')
      .execute(),
  )
  const approved = await approveOne()
  await settleIntent(setup.system, approved.intentId)
  assert.equal((await readIntents(setup, approved.depositId))[0]?.state, 'unknown')
  await processUntilSettled(approved)
  await assertCreditedOnce(approved)
  assert.equal((await readTransaction(setup, approved.depositId)).platform_ticket, next)
})

test('two credits of one account are sent one after the other', async () => {
  const first = await approveOne('10.00')
  const second = await approveOne('20.00')
  const { takeStep } = await import('./intent.ts')
  assert.equal((await takeStep(setup.system, first.intentId, usualTiming)).do, 'send')
  assert.equal((await takeStep(setup.system, second.intentId, usualTiming)).do, 'nothing')
  setup.context.clock.advance(usualTiming.leaseMs + 1)
  await processUntilSettled(first)
  await processUntilSettled(second)
  await assertCreditedOnce(first, '10.00')
  await assertCreditedOnce(second, '20.00')
})

test('the post-settlement check some hours later finds a second deal with the tag', async () => {
  const approved = await approveOne()
  await settleIntent(setup.system, approved.intentId)
  await checkSettledIntent(setup.system, approved.intentId)
  assert.equal(await miscounts(approved.intentId), 0)
  setup.simulator.control.addLedger(fixtureLogin, {
    amount: '250.00',
    atMs: Date.now(),
    comment: `${approved.tag} Deposit`,
  })
  await checkSettledIntent(setup.system, approved.intentId)
  assert.equal(await miscounts(approved.intentId), 1)
})

test('a refusal after a resend gets a post-settlement check: the first send may have executed late', async () => {
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'drop-before' })
  const approved = await approveOne()
  await settleIntent(setup.system, approved.intentId)
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'answer-code', code: 8 })
  await processUntilSettled(approved)
  assert.equal(await stateOf(approved), 'pending', 'the second send was refused')
  const queued = await setup.context.database.pool.query(
    `select from pgboss.job where name = 'funding.recount-intent' and data ->> 'id' = $1`,
    [approved.intentId],
  )
  assert.equal(queued.rowCount, 1)
  await checkSettledIntent(setup.system, approved.intentId)
  assert.equal(await miscounts(approved.intentId), 0)
  setup.simulator.control.addLedger(fixtureLogin, {
    amount: '250.00',
    atMs: Date.now(),
    comment: `${approved.tag} Deposit`,
  })
  await checkSettledIntent(setup.system, approved.intentId)
  assert.equal(await miscounts(approved.intentId), 1)
})

test('the post-settlement check counts nothing on somebody else’s account with the number', async () => {
  const approved = await approveOne()
  await settleIntent(setup.system, approved.intentId)
  const daysAgo = (days: number) => new Date(setup.context.clock.now().getTime() - days * 86_400_000)
  const register = (at: Date | null) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_accounts')
        .set({ platform_registered_at: at })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('account_id', '=', setup.accountId)
        .execute(),
    )
  await register(daysAgo(400))
  const { ticket } = (await readIntents(setup, approved.depositId))[0] ?? {}
  setup.simulator.control.removeDeal(String(ticket))
  await checkSettledIntent(setup.system, approved.intentId)
  assert.equal(await miscounts(approved.intentId), 0)
  await register(null)
  await checkSettledIntent(setup.system, approved.intentId)
  assert.equal(await miscounts(approved.intentId), 1)
})

test('the post-settlement check counts nothing on a deleted account, and is repeated', async () => {
  const approved = await approveOne()
  await settleIntent(setup.system, approved.intentId)
  setup.simulator.control.removeAccount(fixtureLogin)
  await checkSettledIntent(setup.system, approved.intentId)
  assert.equal(await miscounts(approved.intentId), 0)
  const queued = await setup.context.database.pool.query(
    `select from pgboss.job where name = 'funding.recount-intent' and data ->> 'id' = $1`,
    [approved.intentId],
  )
  assert.equal(queued.rowCount, 2)
})

async function miscounts(intentId: string): Promise<number> {
  const { reading } = await import('../../foundation/database/database.ts')
  const rows = await reading(setup.system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select('audit_id')
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('subject_id', '=', intentId)
      .where('action', '=', 'intent.miscounted')
      .execute(),
  )
  return rows.length
}
