// spec: AO 5, OP factors
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { isSame } from '@atrium/contract/money/money.ts'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import {
  askWithdrawal,
  assertRefused,
  countWithdrawals,
  debitOne,
  openWithdrawer,
  refusalOf,
  withdrawalInputOf,
} from '../../tests/fixtures/payments/withdrawals.ts'
import { openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { countWaiting } from '../../tests/fixtures/waiting.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { requestWithdrawal } from '../withdrawals/withdrawal.ts'
import { rejectWithdrawal } from '../withdrawals/withdrawal-decision.ts'
import { quoteWithdrawal } from '../withdrawals/withdrawal-quote.ts'
import { cancelTransaction } from './cancellation.ts'
import { lockAccount, type PlatformAccountMetrics, readFree, readPlatformAccountMetrics } from './withdrawable.ts'

let setup: TradingFixture
let watcher: pg.Client
before(async () => {
  setup = await openTradingFixture()
  watcher = await setup.openOwner()
})
after(() => setup.close())

test('a second withdrawal may take exactly what the first left available', async () => {
  const withdrawer = await openWithdrawer(setup)
  await askWithdrawal(withdrawer, '600.00')
  await assertRefused(setup, withdrawer, { amount: '400.01' }, ['amount', withdrawalTexts.balanceTooLow])
  await askWithdrawal(withdrawer, '400.00')
  await assertRefused(setup, withdrawer, { amount: '0.01' }, ['amount', withdrawalTexts.balanceTooLow])
})

test('shows no balance of somebody else with the same number, and reserves nothing of it', async () => {
  const withdrawer = await openWithdrawer(setup)
  const { member, accountId } = withdrawer
  const registered = new Date(setup.context.clock.now().getTime() - 400 * 86_400_000)
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('trading_accounts')
      .set({ platform_registered_at: registered })
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('account_id', '=', accountId)
      .execute(),
  )
  const quote = await quoteWithdrawal(member, { trading_account: accountId, amount: '10.00' })
  assert.deepEqual(
    [quote.balance, quote.available, quote.blocks.map(({ code }) => code)],
    [...[null, null, ['platform_silent']]],
  )
  const refused = await refusalOf(requestWithdrawal(member, await withdrawalInputOf(withdrawer, { amount: '10.00' })))
  assert.deepEqual([refused.code, await countWithdrawals(setup, withdrawer)], ['unavailable', 0])
})

test('of twenty simultaneous withdrawals of sixty percent, one is accepted', async () => {
  const withdrawer = await openWithdrawer(setup)
  const inputs = await Promise.all(
    Array.from({ length: 20 }, () => withdrawalInputOf(withdrawer, { amount: '600.00' })),
  )
  const tried = await Promise.allSettled(inputs.map((input) => requestWithdrawal(withdrawer.member, input)))
  assert.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal(await countWithdrawals(setup, withdrawer), 1)
})

test('a withdrawal waits for one in a process of the previous version, which locks only the account', async () => {
  const withdrawer = await openWithdrawer(setup)
  const { member, accountId } = withdrawer
  const earlier = await askWithdrawal(withdrawer, '100.00')
  const input = await withdrawalInputOf(withdrawer, { amount: '600.00' })
  const copied = { transaction_id: newId(), ticket: 90_000_000, amount: '600.00' }
  const tried = await inTransaction(setup.system, async (tx) => {
    await lockAccount(tx, setup.system, accountId)
    let isOver = false
    const asking = refusalOf(requestWithdrawal(member, input)).finally(() => {
      isOver = true
    })
    asking.catch(() => undefined)
    while (!isOver && (await countWaiting(watcher)) === 0) await setTimeout(10)
    await sql`
      insert into balance_transactions select (jsonb_populate_record(asked, ${JSON.stringify(copied)}::jsonb)).*
      from balance_transactions as asked
      where workspace_id = ${setup.system.workspaceId}::uuid and transaction_id = ${earlier}::uuid`.execute(tx)
    return { asking }
  })
  assert.deepEqual((await tried.asking).details.errors, { amount: [withdrawalTexts.balanceTooLow] })
  assert.equal(await countWithdrawals(setup, withdrawer), 2)
})

test('cancelling and rejecting release the reserved amount; a debit reduces the balance itself', async () => {
  const withdrawer = await openWithdrawer(setup)
  const cancelled = await askWithdrawal(withdrawer, '1000.00')
  await cancelTransaction(withdrawer.member, cancelled)
  const rejected = await askWithdrawal(withdrawer, '1000.00')
  await rejectWithdrawal(setup.staff, rejected, { reason: 'withdrawal_other' })
  await debitOne(setup, withdrawer, '600.00')
  await assertRefused(setup, withdrawer, { amount: '400.01' }, ['amount', withdrawalTexts.balanceTooLow])
  await askWithdrawal(withdrawer, '400.00')
})

test("counts a debit between the platform's answer and the lock once, whether or not the metrics include it", async () => {
  const withdrawer = await openWithdrawer(setup)
  const { member, accountId, login } = withdrawer
  const ask = () =>
    readPlatformAccountMetrics(member, { account_id: accountId, platform_id: setup.platformId, platform_login: login })
  const before = await ask()
  await debitOne(setup, withdrawer, '600.00')
  const after = await ask()
  assert.ok(before && after)
  const free = (metrics: PlatformAccountMetrics) =>
    inTransaction(member, (tx) => readFree(tx, member, accountId, metrics))
  const late = await free({ ...before, readAt: setup.context.clock.now() })
  assert.deepEqual(
    [isSame(before.spendable, '1000'), isSame(late.available, '400'), late.sawNewDebits],
    [true, true, true],
  )
  const fresh = await free(after)
  assert.deepEqual(
    [isSame(after.spendable, '400'), isSame(fresh.available, '400'), fresh.sawNewDebits],
    [true, true, false],
  )
  setup.context.clock.advance(15_001)
  assert.equal((await refusalOf(free(after))).code, 'unavailable')
})

test('subtracts the margin of open positions and excludes credit', async () => {
  const withdrawer = await openWithdrawer(setup)
  const at = Date.now()
  setup.simulator.control.addLedger(withdrawer.login, { amount: '500.00', atMs: at, action: 3, comment: 'Bonus' })
  await assertRefused(setup, withdrawer, { amount: '1000.01' }, ['amount', withdrawalTexts.balanceTooLow])
  setup.simulator.control.addPosition(withdrawer.login, {
    symbol: 'EURUSD',
    side: 'buy',
    lots: '0.50',
    openPrice: '1.08500',
    openedAtMs: at,
  })
  const { available, free_margin, balance } = await quoteWithdrawal(withdrawer.member, {
    trading_account: withdrawer.accountId,
  })
  assert.equal(balance, '1000.00')
  assert.ok(Number(free_margin) < 1500 && Number(available) < 1000, `${free_margin} ${available}`)
  await assertRefused(setup, withdrawer, { amount: '1000.00' }, ['amount', withdrawalTexts.balanceTooLow])
})

test('refuses while the platform does not answer, and accepts the same form once it does', async () => {
  const withdrawer = await openWithdrawer(setup)
  const input = await withdrawalInputOf(withdrawer)
  await setup.simulator.control.down()
  const refusal = await refusalOf(requestWithdrawal(withdrawer.member, input))
  assert.deepEqual([refusal.code, refusal.message], ['unavailable', withdrawalTexts.platformSilent])
  const silent = await quoteWithdrawal(withdrawer.member, { trading_account: withdrawer.accountId })
  assert.deepEqual([silent.available, silent.blocks.map(({ code }) => code)], [null, ['platform_silent']])
  await setup.simulator.control.up()
  setup.context.clock.advance(60_000)
  await requestWithdrawal(withdrawer.member, input)
})
