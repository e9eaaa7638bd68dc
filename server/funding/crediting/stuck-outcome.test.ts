import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { stuckOutcomeTexts } from '@atrium/contract/funding/stuck-outcome.ts'
import { moneyDecisionTexts } from '@atrium/contract/money/decisions.ts'
import { withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import {
  askWithdrawal,
  debitOne,
  openWithdrawer,
  refusalOf,
  settleLatest,
  type Withdrawer,
} from '../../../tests/fixtures/payments/withdrawals.ts'
import {
  approveOne,
  openTradingFixture,
  readIntents,
  readTransaction,
  type TradingFixture,
} from '../../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, staffActor } from '../../../tests/fixtures/workspaces.ts'
import { comparePlatform } from '../../account-sync/compare.ts'
import type { Staff, System } from '../../foundation/actor.ts'
import { inTransaction, reading } from '../../foundation/database/database.ts'
import { markPayoutFailed } from '../../payments/payouts/payout.ts'
import { readDeskWithdrawal } from '../../withdrawals/desk-withdrawals.ts'
import { approveWithdrawal } from '../../withdrawals/withdrawal-decision.ts'
import { sweepIntents } from '../jobs.ts'
import { listEvents } from '../queries.ts'
import { settleIntent } from './crediting.ts'
import { checkSettledIntent } from './post-settlement-check.ts'
import { lookUpAgain } from './stuck-credit.ts'
import { settleStuck } from './stuck-outcome.ts'

let setup: TradingFixture
let colleague: Staff
before(async () => {
  setup = await openTradingFixture()
  colleague = staffActor(setup.system, await addStaff(setup.system))
})
after(() => setup.close())
beforeEach(() => setup.simulator.control.clearFaults())

const newestIntent = async (id: string) => {
  const intent = (await readIntents(setup, id)).at(-1)
  assert.ok(intent)
  return intent
}
const stateOf = async (id: string) => (await readTransaction(setup, id)).state

/** The platform executes it or not, its answer is lost, and the account is deleted before anybody looks. */
async function loseAccount(id: string, { login }: Withdrawer, kind: 'execute-then-drop' | 'drop-before') {
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind })
  const { intent_id } = await newestIntent(id)
  await settleIntent(setup.system, intent_id)
  setup.simulator.control.removeAccount(login)
  for (let round = 0; round < 20 && (await newestIntent(id)).state !== 'stuck'; round += 1) {
    setup.context.clock.advance(40_000)
    await settleIntent(setup.system, intent_id)
  }
  assert.equal((await newestIntent(id)).state, 'stuck')
  setup.simulator.control.clearCalls()
}

async function stuckDebit(kind: 'execute-then-drop' | 'drop-before' = 'execute-then-drop') {
  const withdrawer = await openWithdrawer(setup)
  const id = await askWithdrawal(withdrawer)
  await approveWithdrawal(setup.staff, id)
  await loseAccount(id, withdrawer, kind)
  return { id, withdrawer }
}

/** The platform has shown this number for a transaction that is settled. */
const showOperation = (id: string, ticket: string) =>
  inTransaction(setup.system, (tx) =>
    tx
      .updateTable('platform_intents')
      .set({ ticket })
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('transaction_id', '=', id)
      .execute(),
  )

const sends = () => setup.simulator.control.calls().filter(({ path }) => path === '/api/trade/balance').length
const executed = (operation: string) =>
  ({ outcome: 'executed', operation, reason: 'In the report of the dealer' }) as const
const notExecuted = { outcome: 'not_executed', reason: 'Not in the report of the dealer' } as const
const say = (staff: Staff, id: string, word: Parameters<typeof settleStuck>[3]) =>
  settleStuck(staff, id, 'withdrawal', word)

describe('a debit whose account was deleted before its outcome was known', () => {
  test('stays reserved and unpaid until two people say the same', async () => {
    const { id } = await stuckDebit()
    assert.equal(await stateOf(id), 'checking')
    await say(setup.staff, id, executed('4711'))
    const alone = await refusalOf(say(setup.staff, id, executed('4711')))
    assert.deepEqual([alone.code, alone.message], ['illegal_move', moneyDecisionTexts.approvedByYou])
    await say(colleague, id, executed('4712'))
    await say(colleague, id, notExecuted)
    setup.context.clock.advance(60_000)
    await settleIntent(setup.system, (await newestIntent(id)).intent_id)
    assert.equal(await stateOf(id), 'checking')
    const { platform } = await readDeskWithdrawal(setup.staff, id)
    assert.equal(platform?.account_gone, true)
    assert.deepEqual(platform?.outcome_said, {
      ...{ outcome: 'not_executed', operation: null, reason: notExecuted.reason },
      ...{ by: colleague.name, at: platform?.outcome_said?.at, is_you: false },
    })
    await say(colleague, id, executed('4711'))
    assert.equal((await readDeskWithdrawal(setup.staff, id)).platform?.account_gone, false)
    await settleIntent(setup.system, (await newestIntent(id)).intent_id)
    const { state, platform_ticket } = await readTransaction(setup, id)
    assert.deepEqual([state, platform_ticket, sends()], ['paying', '4711', 0])
  })

  test('is available again once two people say that it was not executed, and the sweep finds their decision', async () => {
    const { id } = await stuckDebit('drop-before')
    await say(setup.staff, id, notExecuted)
    await say(colleague, id, notExecuted)
    setup.context.clock.advance(1_000)
    await sweepIntents(setup.context)
    assert.equal(await stateOf(id), 'pending')
    assert.equal((await newestIntent(id)).state, 'rejected')
    assert.equal(sends(), 0)
  })

  test('is counted later if two people say that it was not executed: the platform may show it after all', async () => {
    const { id, withdrawer } = await stuckDebit()
    await say(setup.staff, id, notExecuted)
    await say(colleague, id, notExecuted)
    const { intent_id, tag } = await newestIntent(id)
    await settleIntent(setup.system, intent_id)
    assert.equal(await stateOf(id), 'pending')
    const { pool } = setup.context.database
    const checks = `select from pgboss.job where name = 'funding.recount-intent' and data ->> 'id' = $1`
    assert.equal((await pool.query(checks, [intent_id])).rowCount, 1)
    setup.simulator.control.seedAccounts([
      { login: withdrawer.login, group: 'real\\standard-usd', name: 'Wanda', leverage: 100, balance: '750.00' },
    ])
    const atMs = setup.context.clock.now().getTime()
    setup.simulator.control.addLedger(withdrawer.login, { amount: '-250.00', atMs, comment: `${tag} Withdrawal` })
    await checkSettledIntent(setup.system, intent_id)
    const found = await reading(setup.system, (tx) =>
      tx
        .selectFrom('audit_log')
        .select('action')
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('subject_id', '=', intent_id)
        .where('action', '=', 'intent.miscounted')
        .execute(),
    )
    assert.equal(found.length, 1)
  })

  test('shows the decision in the history of the desk, and not to the member', async () => {
    const { id, withdrawer } = await stuckDebit()
    await say(setup.staff, id, executed('88001'))
    await say(colleague, id, executed('88001'))
    const { timeline } = await readDeskWithdrawal(setup.staff, id)
    const [decided] = timeline.filter(({ event }) => event === 'withdrawal.outcome-decided')
    assert.deepEqual([decided?.staff_name, decided?.note], [colleague.name, 'Executed as operation 88001'])
    const events = await reading(withdrawer.member, (tx) => listEvents(tx, withdrawer.member, [id]))
    assert.ok(events.length > 0 && events.every(({ event }) => !event.includes('outcome')))
  })

  test('is decided by its history if the platform knows the account again', async () => {
    const { id, withdrawer } = await stuckDebit()
    await say(setup.staff, id, notExecuted)
    await say(colleague, id, notExecuted)
    const { login } = withdrawer
    setup.simulator.control.seedAccounts([
      { login, group: 'real\\standard-usd', name: 'Wanda Withdrawer', leverage: 100, balance: '750.00' },
    ])
    const { intent_id, tag } = await newestIntent(id)
    const atMs = setup.context.clock.now().getTime()
    setup.simulator.control.addLedger(login, { amount: '-250.00', atMs, comment: `${tag} Withdrawal` })
    await settleIntent(setup.system, intent_id)
    const { state, decided_outcome } = await newestIntent(id)
    assert.deepEqual([state, decided_outcome], ['unknown', null])
    assert.equal(await settleLatest(setup, id), 'paying')
  })

  test('starts anew after another look-up: earlier words do not count', async () => {
    const { id } = await stuckDebit()
    await say(setup.staff, id, executed('99001'))
    setup.context.clock.advance(1_000)
    await lookUpAgain(setup.staff, id, 'withdrawal')
    await settleIntent(setup.system, (await newestIntent(id)).intent_id)
    assert.equal((await newestIntent(id)).state, 'stuck')
    await say(colleague, id, executed('99001'))
    assert.equal((await newestIntent(id)).decided_outcome, null)
  })

  test('is not settled by the program alone, nor by staff alone', async () => {
    const { id } = await stuckDebit()
    const settle = (actor: Staff | System, state: string) =>
      inTransaction(actor, async (tx) =>
        tx
          .updateTable('platform_intents')
          .set({ state, ticket: '66001' })
          .where('workspace_id', '=', actor.workspaceId)
          .where('intent_id', '=', (await newestIntent(id)).intent_id)
          .execute(),
      )
    for (const state of ['done', 'rejected']) await assert.rejects(settle(setup.system, state), { code: '42501' })
    await say(setup.staff, id, executed('66001'))
    await say(colleague, id, executed('66001'))
    for (const state of ['done', 'rejected']) await assert.rejects(settle(setup.staff, state), { code: '42501' })
  })

  test('takes one operation for one debit', async () => {
    const { id } = await stuckDebit()
    for (const operation of [undefined, '', 'A17', '0'])
      assert.deepEqual(
        (await refusalOf(say(setup.staff, id, { outcome: 'executed', operation, reason: 'Seen' }))).details.errors,
        { operation: [stuckOutcomeTexts.operation] },
      )
    const withdrawer = await openWithdrawer(setup)
    const settled = await debitOne(setup, withdrawer, '10.00')
    const { platform_ticket } = await readTransaction(setup, settled)
    const second = await askWithdrawal(withdrawer, '20.00')
    await approveWithdrawal(setup.staff, second)
    await loseAccount(second, withdrawer, 'execute-then-drop')
    assert.deepEqual((await refusalOf(say(setup.staff, second, executed(platform_ticket ?? '')))).details.errors, {
      operation: [stuckOutcomeTexts.operationKnown],
    })
  })

  test('takes no operation of another account of the platform, which numbers its operations once', async () => {
    const { id } = await stuckDebit()
    const settled = await debitOne(setup, await openWithdrawer(setup), '10.00')
    const { platform_ticket } = await readTransaction(setup, settled)
    const known = { operation: [stuckOutcomeTexts.operationKnown] }
    const refused = await refusalOf(say(setup.staff, id, executed(platform_ticket ?? '')))
    assert.deepEqual(refused.details.errors, known)
    const other = await stuckDebit()
    for (const staff of [setup.staff, colleague]) await say(staff, other.id, executed('91001'))
    assert.deepEqual((await refusalOf(say(setup.staff, id, executed('91001')))).details.errors, known)
  })

  test('is named anew if the platform has shown the operation for another account meanwhile', async () => {
    const { id } = await stuckDebit()
    const settled = await debitOne(setup, await openWithdrawer(setup), '10.00')
    for (const staff of [setup.staff, colleague]) await say(staff, id, executed('92001'))
    await showOperation(settled, '92001')
    await settleIntent(setup.system, (await newestIntent(id)).intent_id)
    const { state, decided_outcome } = await newestIntent(id)
    assert.deepEqual([state, decided_outcome, await stateOf(id)], ['unknown', null, 'checking'])
  })

  test('is not decided by staff while its history can be read, nor by a role without the right', async () => {
    const withdrawer = await openWithdrawer(setup)
    const id = await askWithdrawal(withdrawer)
    assert.equal((await refusalOf(say(setup.staff, id, notExecuted))).code, 'illegal_move')
    await approveWithdrawal(setup.staff, id)
    assert.equal((await refusalOf(say(setup.staff, id, notExecuted))).code, 'illegal_move')
    const viewer = staffActor(setup.system, await addStaff(setup.system, { role: 'viewer' }))
    assert.equal((await refusalOf(say(viewer, id, notExecuted))).code, 'not_permitted')
  })
})

describe('an account whose number the platform gave to somebody else', () => {
  /** The platform gives the number to somebody else, who has no history. */
  function give({ login }: Withdrawer, daysAgo = 0) {
    const registeredAtMs = setup.context.clock.now().getTime() - daysAgo * 86_400_000
    const account = { login, group: 'real\\standard-usd', name: 'Somebody Else', leverage: 100, balance: '9000.00' }
    setup.simulator.control.seedAccounts([{ ...account, registeredAtMs }])
  }

  async function reuse(withdrawer: Withdrawer, daysAgo = 0) {
    setup.simulator.control.removeAccount(withdrawer.login)
    give(withdrawer, daysAgo)
    await comparePlatform(setup.system, setup.platformId)
  }

  test('neither loses nor gets money for the former owner', async () => {
    const withdrawer = await openWithdrawer(setup)
    await reuse(withdrawer, 300)
    const [unknown, fresh, later] = [
      await askWithdrawal(withdrawer, '10.00'),
      await askWithdrawal(withdrawer, '11.00'),
      await askWithdrawal(withdrawer, '12.00'),
    ]
    await approveWithdrawal(setup.staff, unknown)
    setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'drop-before' })
    await settleIntent(setup.system, (await newestIntent(unknown)).intent_id)
    await approveWithdrawal(setup.staff, fresh)
    await reuse(withdrawer)
    setup.simulator.control.clearCalls()

    const { message } = await refusalOf(approveWithdrawal(setup.staff, later))
    assert.equal(message, withdrawalDeskTexts.accountClosed)
    for (let round = 0; round < 20; round += 1) {
      for (const id of [unknown, fresh]) await settleIntent(setup.system, (await newestIntent(id)).intent_id)
      setup.context.clock.advance(40_000)
    }
    assert.deepEqual([await stateOf(unknown), await stateOf(fresh), sends()], ['checking', 'pending', 0])
    await say(setup.staff, unknown, notExecuted)
    await say(colleague, unknown, notExecuted)
    await settleIntent(setup.system, (await newestIntent(unknown)).intent_id)
    assert.deepEqual([await stateOf(unknown), sends()], ['pending', 0])
    assert.equal(setup.simulator.control.account(withdrawer.login)?.balance, '9000.00')
  })

  test('proves nothing about an operation on an account that was archived before', async () => {
    const withdrawer = await openWithdrawer(setup)
    const id = await askWithdrawal(withdrawer, '10.00')
    await approveWithdrawal(setup.staff, id)
    setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'execute-then-drop' })
    await settleIntent(setup.system, (await newestIntent(id)).intent_id)
    await archive(withdrawer)
    await reuse(withdrawer)
    setup.simulator.control.clearCalls()
    for (let round = 0; round < 20; round += 1) {
      await settleIntent(setup.system, (await newestIntent(id)).intent_id)
      setup.context.clock.advance(40_000)
    }
    assert.deepEqual([await stateOf(id), (await newestIntent(id)).state, sends()], ['checking', 'stuck', 0])
    await say(setup.staff, id, executed('77001'))
    await say(colleague, id, executed('77001'))
    await settleIntent(setup.system, (await newestIntent(id)).intent_id)
    assert.equal(await stateOf(id), 'paying')
  })

  test('neither is debited nor voids a decision before a comparison has seen it', async () => {
    const withdrawer = await openWithdrawer(setup)
    await reuse(withdrawer, 300)
    const id = await askWithdrawal(withdrawer, '10.00')
    await approveWithdrawal(setup.staff, id)
    await loseAccount(id, withdrawer, 'execute-then-drop')
    give(withdrawer)

    setup.context.clock.advance(1_000)
    await lookUpAgain(setup.staff, id, 'withdrawal')
    await settleForAWhile(id)
    assert.deepEqual([await stateOf(id), (await newestIntent(id)).state, sends()], ['checking', 'stuck', 0])

    await say(setup.staff, id, executed('55001'))
    await say(colleague, id, executed('55001'))
    await settleForAWhile(id)
    assert.deepEqual([await stateOf(id), sends()], ['paying', 0])
    assert.equal(setup.simulator.control.account(withdrawer.login)?.balance, '9000.00')
  })

  test('gets no first send before a comparison has seen it', async () => {
    const withdrawer = await openWithdrawer(setup)
    await reuse(withdrawer, 300)
    const debit = await askWithdrawal(withdrawer, '10.00')
    await approveWithdrawal(setup.staff, debit)
    const credit = await approveOne({ ...setup, accountId: withdrawer.accountId })
    setup.simulator.control.removeAccount(withdrawer.login)
    give(withdrawer)
    setup.simulator.control.clearCalls()
    for (const id of [debit, credit.depositId]) await settleIntent(setup.system, (await newestIntent(id)).intent_id)
    assert.deepEqual([await stateOf(debit), await stateOf(credit.depositId), sends()], ['pending', 'pending', 0])
    assert.equal(setup.simulator.control.account(withdrawer.login)?.balance, '9000.00')
  })

  async function settleForAWhile(id: string) {
    for (let round = 0; round < 20; round += 1) {
      await settleIntent(setup.system, (await newestIntent(id)).intent_id)
      setup.context.clock.advance(40_000)
    }
  }

  const archive = ({ accountId }: Withdrawer) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_accounts')
        .set({ archived: true })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('account_id', '=', accountId)
        .execute(),
    )
})

for (const [word, state] of [
  [executed('5001'), 'rejected'],
  [notExecuted, 'paying'],
] as const)
  test(`a refund whose account was deleted ends as ${state} if it was ${word.outcome}`, async () => {
    const withdrawer = await openWithdrawer(setup)
    const id = await debitOne(setup, withdrawer)
    await markPayoutFailed(setup.staff, id, 'The bank sent it back')
    await loseAccount(id, withdrawer, 'execute-then-drop')
    assert.equal(await stateOf(id), 'returning')
    await say(setup.staff, id, word)
    await say(colleague, id, word)
    await settleIntent(setup.system, (await newestIntent(id)).intent_id)
    assert.equal(await stateOf(id), state)
  })

test('a first send to a deleted account is refused by the platform, and staff decide again', async () => {
  const withdrawer = await openWithdrawer(setup)
  const id = await askWithdrawal(withdrawer)
  await approveWithdrawal(setup.staff, id)
  setup.simulator.control.removeAccount(withdrawer.login)
  await settleIntent(setup.system, (await newestIntent(id)).intent_id)
  assert.equal(await stateOf(id), 'pending')
})
