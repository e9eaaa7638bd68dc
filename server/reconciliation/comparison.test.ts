// spec: DK reconciliation
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Mismatch } from '@atrium/contract/reconciliation/desk-calls.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { readOrder, sendZotaWebhook, startOrder } from '../../tests/fixtures/payments/payment-fixture.ts'
import {
  openReconciliationFixture,
  type ReconciliationFixture,
} from '../../tests/fixtures/payments/reconciliation-fixture.ts'
import { debitOne } from '../../tests/fixtures/payments/withdrawals.ts'
import { codeOf } from '../../tests/fixtures/refusal-code.ts'
import { approveOne, processUntilSettled, readIntents } from '../../tests/fixtures/trading/trading-fixture.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addStaff, addWorkspace, staffActor } from '../../tests/fixtures/workspaces.ts'
import { approveDeposit } from '../deposits/decision.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { markPaidOut } from '../payments/payouts/payout.ts'
import { explainMismatch, reopenMismatch } from './explanation.ts'
import { countOpen, listDays, readDay } from './queries.ts'
import { askForDay } from './requests.ts'

let setup: ReconciliationFixture['setup']
let today: string
let openAccount: ReconciliationFixture['openAccount']
let compare: ReconciliationFixture['compare']
let explainAll: ReconciliationFixture['explainAll']
let payOrder: ReconciliationFixture['payOrder']
let creditOrder: ReconciliationFixture['creditOrder']

before(async () => {
  ;({ setup, today, openAccount, compare, explainAll, payOrder, creditOrder } = await openReconciliationFixture())
})
after(() => setup.close())

const kindsOf = (found: Mismatch[]) => found.map(({ kind }) => kind).sort()
test('finds an operation missing on the platform once, and closes the mismatch when it appears', async () => {
  const approved = await approveOne(setup, '11.00')
  await processUntilSettled(setup, approved)
  const [intent] = await readIntents(setup, approved.depositId)
  const { control } = setup.simulator
  const [deal] = control.dealsWithComment(approved.tag)
  assert.ok(deal && intent?.ticket)
  control.removeDeal(deal.deal)
  const found = await compare()
  assert.deepEqual(kindsOf(found), ['missing_at_platform'])
  const [one] = found
  assert.deepEqual([one?.portal, one?.platform, one?.reference], ['11.00', null, intent.ticket])
  assert.deepEqual([one?.transaction?._id, one?.account?._id], [approved.depositId, setup.accountId])
  assert.deepEqual((await compare()).length, 1)
  await explainAll()
})

test('misses no operation of an account that the platform deleted after it was read', async () => {
  const withdrawer = await openAccount()
  await debitOne(setup, withdrawer, '12.00')
  assert.deepEqual(await compare(), [])
  setup.simulator.control.removeAccount(withdrawer.login)
  assert.deepEqual(await compare(), [])
})

test('takes no operation for missing of an account that the platform deleted before it was read', async () => {
  const withdrawer = await openAccount()
  await debitOne(setup, withdrawer, '14.00')
  setup.simulator.control.removeAccount(withdrawer.login)
  assert.deepEqual(await compare(), [])
  const { day } = await readDay(setup.staff, today, {})
  assert.ok(day.sums.some(({ type, platform }) => type === 'withdrawal' && platform === null))
})

test('keeps an operation missing that was found missing before the platform deleted its account', async () => {
  const withdrawer = await openAccount()
  const id = await debitOne(setup, withdrawer, '15.00')
  const [intent] = await readIntents(setup, id)
  const { control } = setup.simulator
  const [deal] = control.dealsWithComment(String(intent?.tag))
  assert.ok(deal)
  control.removeDeal(deal.deal)
  assert.deepEqual(kindsOf(await compare()), ['missing_at_platform'])
  control.removeAccount(withdrawer.login)
  assert.deepEqual(kindsOf(await compare()), ['missing_at_platform'])
  await explainAll()
})

test('takes over no operation of somebody else whose account got the number', async () => {
  const withdrawer = await openAccount()
  await debitOne(setup, withdrawer, '13.00')
  assert.deepEqual(await compare(), [])
  const registeredAtMs = setup.context.clock.now().getTime()
  const platform_registered_at = new Date(registeredAtMs - 400 * 86_400_000)
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('trading_accounts')
      .where(here)
      .set({ platform_registered_at })
      .where('account_id', '=', withdrawer.accountId)
      .execute(),
  )
  const { control } = setup.simulator
  control.removeAccount(withdrawer.login)
  const seed = { login: withdrawer.login, group: 'real\\standard-usd', name: 'Bea Another', leverage: 100 }
  control.seedAccounts([{ ...seed, balance: '9000.00', registeredAtMs }])
  assert.deepEqual(await compare(), [])
})

test("finds a dealer's operation that is missing here, with its account", async () => {
  const withdrawer = await openAccount()
  const atMs = setup.context.clock.now().getTime()
  setup.simulator.control.addLedger(withdrawer.login, { amount: '-5.50', atMs, comment: 'correction by hand' })
  const [one, ...others] = await compare()
  assert.deepEqual(
    [one?.kind, one?.method, one?.platform, one?.portal],
    ['missing_at_portal', 'platform', '-5.50', null],
  )
  assert.deepEqual([one?.account?.platform_login, one?.transaction, others], [withdrawer.login, null, []])
  const { day } = await readDay(setup.staff, today, { method: 'platform' })
  assert.deepEqual(
    day.sums.map(({ portal, platform }) => [portal, platform]),
    [['0.00', '-5.50']],
  )
  await explainAll()
})

test('names the currency in which an operation was booked, also once the account has another', async () => {
  const withdrawer = await openAccount()
  const { control } = setup.simulator
  const book = (amount: string) =>
    control.addLedger(withdrawer.login, { amount, atMs: setup.context.clock.now().getTime(), comment: 'by hand' })
  book('-5.50')
  await compare()
  control.changeAccount(withdrawer.login, { group: 'real\\standard-jpy' })
  book('-700')
  const found = (await compare()).map(({ platform, currency }) => `${platform} ${currency}`)
  assert.deepEqual(found.sort(), ['-5.50 USD', '-700 JPY'])
  await explainAll()
})

test('finds a different amount, and the same debit twice on the platform', async () => {
  const withdrawer = await openAccount()
  const id = await debitOne(setup, withdrawer, '20.00')
  const [intent] = await readIntents(setup, id)
  assert.ok(intent)
  const atMs = setup.context.clock.now().getTime()
  setup.simulator.control.addLedger(withdrawer.login, { amount: '-20.00', atMs, comment: `${intent.tag} again` })
  assert.deepEqual(kindsOf(await compare()), ['twice_at_platform'])
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('platform_operations')
      .where(here)
      .set({ amount: '-21.00' })
      .where('ticket', '=', intent.ticket ?? '')
      .execute(),
  )
  await explainAll()
  const { compareSides } = await import('./comparison.ts')
  const { readSides } = await import('./sides.ts')
  const span = { from: new Date(atMs - 86_400_000), to: new Date(atMs + 86_400_000) }
  const sides = await reading(setup.system, (tx) => readSides(tx, setup.system, today, span))
  const other = compareSides(sides).found.find(({ kind }) => kind === 'other_amount')
  assert.deepEqual([other?.portal, other?.platform, other?.transaction_id], ['-20.00', '-21.00', id])
})

test("finds a payment not credited here, and a credit that differs from the provider's amount", async () => {
  const { order } = await payOrder('33.00')
  const [waiting] = await compare()
  assert.deepEqual([waiting?.kind, waiting?.provider, waiting?.portal], ['paid_not_credited', '33.00', null])
  await creditOrder(order)
  assert.deepEqual(await compare(), [])
  const { attempt, order: unpaid } = await startOrder(setup, { amount: '12.00' })
  setup.zota.set(attempt, 'APPROVED')
  await sendZotaWebhook(setup, attempt, { amount: '13.00' })
  const [differs] = await compare()
  assert.deepEqual([differs?.kind, differs?.provider], ['paid_not_credited', '13.00'])
  const { transaction_id } = await readOrder(setup, unpaid)
  await approveDeposit(setup.staff, transaction_id)
  await creditOrder(unpaid)
  const [credited] = await compare()
  assert.deepEqual(
    [credited?.kind, credited?.provider, credited?.portal],
    ['other_amount_at_provider', '13.00', '12.00'],
  )
  await explainAll()
})

test('finds one payment used for two withdrawals', async () => {
  for (const amount of ['9.00', '9.50'])
    await markPaidOut(setup.staff, await debitOne(setup, await openAccount(), amount), 'SWIFT 77')
  const found = await compare()
  assert.deepEqual(kindsOf(found), ['paid_out_twice'])
  assert.deepEqual([found[0]?.portal, found[0]?.reference], ['-9.50', 'SWIFT 77'])
  await explainAll()
})

test('keeps staff’s explanation while the mismatch is unchanged, and audits it', async () => {
  const withdrawer = await openAccount()
  const atMs = setup.context.clock.now().getTime()
  setup.simulator.control.addLedger(withdrawer.login, { amount: '3.00', atMs, comment: 'bonus' })
  const [one] = await compare()
  assert.ok(one)
  assert.equal(await countOpen(setup.staff), 1)
  const viewer = staffActor(setup.system, await addStaff(setup.system, { role: 'viewer' }))
  assert.equal(await codeOf(async () => explainMismatch(viewer, one._id, 'x')), 'not_permitted')
  assert.equal(await codeOf(async () => askForDay(viewer, today)), 'not_permitted')
  assert.equal(await codeOf(() => explainMismatch(setup.staff, one._id, 'For other amounts', 'another')), 'conflict')
  const answer = await explainMismatch(setup.staff, one._id, 'A bonus that the dealer granted', one.revision)
  assert.deepEqual(
    [answer.state, answer.note, answer.explained_by],
    ['explained', 'A bonus that the dealer granted', setup.staffSignIn.name],
  )
  assert.equal(await codeOf(() => explainMismatch(setup.staff, one._id, 'again')), 'illegal_move')
  assert.deepEqual(await compare(), [])
  assert.equal((await reopenMismatch(setup.staff, one._id)).state, 'open')
  assert.equal(await codeOf(() => reopenMismatch(setup.staff, one._id)), 'illegal_move')
  await explainMismatch(setup.staff, one._id, 'A bonus, with the dealer’s word')
  const actions = await reading(setup.staff, (tx) =>
    tx
      .selectFrom('audit_log')
      .where(here)
      .select('action')
      .where('subject_id', '=', one._id)
      .orderBy('audit_id')
      .execute(),
  )
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['reconciliation.explained', 'reconciliation.reopened', 'reconciliation.explained'],
  )
  assert.equal(await countOpen(setup.staff), 0)
})

test('keeps an explanation that staff write while the day is compared', async () => {
  const withdrawer = await openAccount()
  const atMs = setup.context.clock.now().getTime()
  setup.simulator.control.addLedger(withdrawer.login, { amount: '4.00', atMs, comment: 'bonus' })
  const [one] = await compare()
  assert.ok(one)
  const watcher = await setup.openOwner()
  const comparing = await inTransaction(setup.staff, async (tx) => {
    const explained = { state: 'explained', note: 'A bonus', explained_by: setup.staff.staffId }
    await tx
      .updateTable('reconciliation_differences')
      .where(here)
      .set(explained)
      .where('difference_id', '=', one._id)
      .execute()
    const compared = compare()
    await untilWaiting(watcher, 1)
    return { compared }
  })
  assert.deepEqual(await comparing.compared, [])
})

test('hides everything from another workspace and refuses its explanations', async () => {
  const elsewhere = await addWorkspace(setup.context, { subdomain: 'quiet' })
  const theirs = staffActor(elsewhere, await addStaff(elsewhere))
  const { differences } = await readDay(setup.staff, today)
  const { days, methods } = await listDays(theirs, {})
  assert.deepEqual([days, methods, await countOpen(theirs)], [[], [], 0])
  assert.equal(await codeOf(() => readDay(theirs, today)), 'not_found')
  assert.equal(await codeOf(() => explainMismatch(theirs, differences[0]?._id ?? '', 'x')), 'not_found')
})

test('reads no operation of an account in a hidden group, whose holder and currency are unknown, and goes on', async () => {
  const [hidden, shown] = [await openAccount(), await openAccount()]
  await debitOne(setup, hidden, '17.00')
  assert.deepEqual(await compare(), [])
  const { control } = setup.simulator
  control.setSwitches({ hiddenGroups: ['real\\standard-eur'] })
  control.changeAccount(hidden.login, { group: 'real\\standard-eur' })
  const atMs = setup.context.clock.now().getTime()
  for (const { login } of [hidden, shown]) control.addLedger(login, { amount: '-3.00', atMs, comment: 'by hand' })
  const found = await compare()
  assert.deepEqual(
    found.map(({ kind, account }) => [kind, account?.platform_login]),
    [['missing_at_portal', shown.login]],
  )
  assert.equal((await readDay(setup.staff, today)).day.platforms[0]?.is_complete, true)
  control.resetSwitches()
  control.changeAccount(hidden.login, { group: 'real\\standard-usd' })
  assert.equal((await compare()).length, 2)
  await explainAll()
})

test('takes no operation of a deleted account for missing when a later reading fails', async () => {
  const [withdrawer, idle] = [await openAccount(), await openAccount()]
  await debitOne(setup, withdrawer, '16.00')
  for (const { login } of [withdrawer, idle]) setup.simulator.control.removeAccount(login)
  const before = await compare()
  const { day } = await readDay(setup.staff, today)
  assert.equal(day.platforms[0]?.is_complete, true)
  const { unread_accounts: unread } = await reading(setup.system, (tx) =>
    tx.selectFrom('reconciliation_readings').where(here).selectAll().where('day', '=', today).executeTakeFirstOrThrow(),
  )
  assert.deepEqual([unread.includes(withdrawer.accountId), unread.includes(idle.accountId)], [true, false])
  await setup.simulator.control.down()
  assert.deepEqual(await compare(), before)
})
