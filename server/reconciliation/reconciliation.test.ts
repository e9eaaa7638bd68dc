// spec: DK reconciliation
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../tests/doubles/child-server.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { sendZotaWebhook } from '../../tests/fixtures/payments/payment-fixture.ts'
import { debitPayout, latestPayout, openPayee, processLatest } from '../../tests/fixtures/payments/payouts.ts'
import {
  openReconciliationFixture,
  type ReconciliationFixture,
} from '../../tests/fixtures/payments/reconciliation-fixture.ts'
import { debitOne } from '../../tests/fixtures/payments/withdrawals.ts'
import { codeOf } from '../../tests/fixtures/refusal-code.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { approveOne, processUntilSettled } from '../../tests/fixtures/trading/trading-fixture.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { markPaidOut } from '../payments/payouts/payout.ts'
import { daysBefore } from './day.ts'
import { explainMismatch } from './explanation.ts'
import { listDays, readDay } from './queries.ts'
import { reconcileDay } from './reconcile-day.ts'
import { askForDay, askForDue } from './requests.ts'
import { exportDays } from './table.ts'

let setup: ReconciliationFixture['setup']
let today: string
let forgetBeginning: ReconciliationFixture['forgetBeginning']
let openAccount: ReconciliationFixture['openAccount']
let compare: ReconciliationFixture['compare']
let payOrder: ReconciliationFixture['payOrder']
let creditOrder: ReconciliationFixture['creditOrder']

before(async () => {
  ;({ setup, today, forgetBeginning, openAccount, compare, payOrder, creditOrder } = await openReconciliationFixture())
})
after(() => setup.close())
test('finds no mismatch when all sides agree, and lists their sums side by side', async () => {
  await processUntilSettled(setup, await approveOne(setup, '250.00'))
  await creditOrder((await payOrder('40.10')).order)
  await markPaidOut(setup.staff, await debitOne(setup, await openAccount(), '70.00'), 'SWIFT 1')
  assert.deepEqual(await compare(), [])
  const { day } = await readDay(setup.staff, today)
  const sums = day.sums.map(({ method, type, portal, provider, platform }) => [
    method,
    type,
    portal,
    provider,
    platform,
  ])
  assert.deepEqual(sums, [
    ['manual', 'deposit', '250.00', null, '250.00'],
    ['psp:zotapay', 'deposit', '40.10', '40.10', '40.10'],
    ['manual', 'withdrawal', '-70.00', null, '-70.00'],
  ])
  assert.deepEqual([day.state, day.open, day.platforms.length], ['compared', 0, 1])
  assert.deepEqual([day.platforms[0]?.is_complete, day.platforms[0]?.problem], [true, null])
  assert.ok((day.platforms[0]?.accounts_read ?? 0) > 1)
  assert.equal(day.platforms[0]?.accounts_read, day.platforms[0]?.accounts_total)
})

test('reports no operation as missing that was booked while the platform was being read', async () => {
  const { memberId } = setup.member
  // More than are read in one task.
  for (let count = 0; count < 20; count += 1) await addAccount(setup.system, { memberId, platformId: setup.platformId })
  const begun = setup.context.clock.now()
  setup.context.clock.advance(5 * 60_000)
  const { tag, ...booked } = await approveOne(setup, '9.00')
  await processUntilSettled(setup, { tag, ...booked })
  const settled = setup.context.clock.now()
  setup.context.clock.set(begun)
  await askForDay(setup.staff, today)
  const { platforms } = setup.context
  const link: typeof platforms.link = async (...asked) => {
    const found = await platforms.link(...asked)
    if (!found) return found
    const { gateway } = found
    async function* listDeals(...range: Parameters<typeof gateway.listDeals>) {
      // Read before it was booked; the reading of all accounts ends later.
      for await (const deal of gateway.listDeals(...range)) if (!deal.comment.startsWith(tag)) yield deal
      setup.context.clock.set(new Date(settled.getTime() + 3 * 60_000))
    }
    const slow = new Proxy(gateway, {
      get: (target, name) => (name === 'listDeals' ? listDeals : Reflect.get(target, name)),
    })
    return { ...found, gateway: slow }
  }
  await reconcileDay({ ...setup.system, context: { ...setup.context, platforms: { ...platforms, link } } }, today)
  const { day, differences } = await readDay(setup.staff, today)
  assert.deepEqual([day.state, differences.filter(({ state }) => state === 'open')], ['compared', []])
  assert.deepEqual(await compare(), [])
})

test("counts a provider's payout on the day of its debit, and shows no sum while the outcome is unknown", async () => {
  const payee = await openPayee(setup, 'zotapay')
  forgetBeginning(payee.login)
  const sums = async () => {
    await compare()
    const { day } = await readDay(setup.staff, today)
    return day.sums.flatMap(({ method, type, portal, provider }) =>
      method === 'psp:zotapay' && type === 'withdrawal' ? [[portal, provider]] : [],
    )
  }
  const paid = await debitPayout(setup, 'zotapay', payee, '100.00')
  assert.deepEqual(await sums(), [['-100.00', null]])
  await processLatest(setup, paid)
  const { attempt } = await latestPayout(setup, paid)
  setup.zota.set(attempt, 'APPROVED')
  await sendZotaWebhook(setup, attempt)
  await processLatest(setup, paid)
  assert.deepEqual(await sums(), [['-100.00', '-100.00']])
})

test('lists an older day while it has open mismatches, unless dates are chosen', async () => {
  const withdrawer = await openAccount()
  const older = daysBefore(today, 60)
  const atMs = setup.context.clock.now().getTime() - 60 * 86_400_000
  setup.simulator.control.addLedger(withdrawer.login, { amount: '-3.00', atMs, comment: 'correction by hand' })
  const [one] = await compare(older)
  assert.ok(one)
  const daysOf = async (filter: Parameters<typeof listDays>[1]) =>
    (await listDays(setup.staff, filter)).days.map(({ day }) => day)
  assert.ok((await daysOf({})).includes(older))
  assert.ok(!(await daysOf({ from: daysBefore(today, 5) })).includes(older))
  await explainMismatch(setup.staff, one._id, 'A test did this on purpose')
  assert.ok(!(await daysOf({})).includes(older))
})

test('reports an unreachable platform as not read, and unread operations not as missing', async () => {
  const before = (await readDay(setup.staff, today)).day.platforms[0]
  await processUntilSettled(setup, await approveOne(setup, '8.00'))
  await setup.simulator.control.down()
  assert.deepEqual(await compare(), [])
  const { day } = await readDay(setup.staff, today)
  const [platform] = day.platforms
  assert.equal(platform?.read_at, before?.read_at)
  assert.ok(platform?.problem)
  assert.equal(platform?.is_complete, false)
  assert.equal(day.state, 'compared')
  const transfers = day.sums.find(({ method, type }) => method === 'manual' && type === 'deposit')
  assert.equal(transfers?.platform, null)
})

test('lists days newest first, filters them, and exports a table without formulas', async () => {
  const accountId = await addAccount(setup.system, { memberId: setup.member.memberId, platformId: setup.platformId })
  await inTransaction(setup.system, (tx) =>
    tx
      .insertInto('reconciliation_differences')
      .values({
        ...{ workspace_id: setup.system.workspaceId, difference_id: crypto.randomUUID(), day: today },
        ...{ kind: 'missing_at_portal', subject: 'x', currency: 'USD', method: 'platform', account_id: accountId },
        ...{ platform: '-1', state: 'explained', note: '=1+1', explained_by: setup.staff.staffId },
        ...{ found_at: setup.context.clock.now(), seen_at: setup.context.clock.now() },
      })
      .execute(),
  )
  await askForDay(setup.staff, daysBefore(today, 1))
  const { days, currencies } = await listDays(setup.staff, {})
  assert.deepEqual(
    days.map(({ day }) => day),
    [today, daysBefore(today, 1)],
  )
  assert.deepEqual(currencies, ['USD'])
  assert.deepEqual(
    (await listDays(setup.staff, { only: 'differences' })).days.map(({ day }) => day),
    [today],
  )
  assert.deepEqual((await listDays(setup.staff, { to: daysBefore(today, 5) })).days, [])
  assert.deepEqual((await listDays(setup.staff, { currency: 'EUR' })).days[0]?.sums, [])
  const lines = async (of: 'sums' | 'differences') => {
    let text = ''
    for await (const part of await exportDays(setup.staff, { of })) text += part
    return text
  }
  assert.match(await lines('sums'), new RegExp(`${today},USD,psp:zotapay,deposit,\\d+\\.10,`))
  assert.match(await lines('differences'), /,platform,,,,-1\.00,\d+,,,explained,'=1\+1,/)
  assert.equal(await codeOf(() => askForDay(setup.staff, daysBefore(today, -1))), 'illegal_move')
})

test('compares the last days every night, once, and resumes an abandoned comparison', async () => {
  const queued = async () => {
    const { rows } = await setup.context.database.pool.query(
      `select data->>'id' as id from pgboss.job where name = 'reconciliation.read-day' and state = 'created'`,
    )
    return rows.map(({ id }) => id).sort()
  }
  const before = await queued()
  await askForDue(setup.system)
  await askForDue(setup.system)
  const asked = (await queued()).filter((day) => !before.includes(day))
  assert.deepEqual(asked, [daysBefore(today, 3), daysBefore(today, 2)])
  setup.context.clock.advance(3 * 60_000)
  const count = (await queued()).length
  await askForDue(setup.system)
  assert.equal((await queued()).length, count + 3)
})

test('enqueues a day once for several concurrent requests', async () => {
  const asked = daysBefore(today, 9)
  await Promise.all([1, 2, 3, 4, 5].map(() => askForDay(setup.staff, asked)))
  const entries = await reading(setup.staff, (tx) =>
    tx
      .selectFrom('audit_log')
      .select('after')
      .where('workspace_id', '=', setup.staff.workspaceId)
      .where('action', '=', 'reconciliation.asked')
      .execute(),
  )
  assert.equal(entries.filter(({ after }) => JSON.stringify(after).includes(asked)).length, 1)
})

test('exports the days that the list shows, also open ones from before its range, and no shorter range than chosen', async () => {
  const [early, old] = [daysBefore(today, 200), daysBefore(today, 150)]
  for (const day of [early, old]) await askForDay(setup.staff, day)
  await inTransaction(setup.system, (tx) =>
    tx
      .insertInto('reconciliation_differences')
      .values({
        ...{ workspace_id: setup.system.workspaceId, difference_id: crypto.randomUUID(), day: old },
        ...{ kind: 'missing_at_portal', subject: 'old', currency: 'USD', method: 'platform', platform: '-1' },
        ...{ state: 'open', found_at: setup.context.clock.now(), seen_at: setup.context.clock.now() },
      })
      .execute(),
  )
  const exported = async (filter: { from?: string }) => {
    let text = ''
    for await (const part of await exportDays(setup.staff, { of: 'differences', ...filter })) text += part
    return text
  }
  const shown = async (filter: { from?: string }) => {
    const { days, is_cut } = await listDays(setup.staff, filter)
    return { isShown: days.some(({ day }) => day === old), is_cut }
  }
  assert.deepEqual(await shown({}), { isShown: true, is_cut: false })
  assert.match(await exported({}), new RegExp(`^${old},`, 'm'))
  assert.deepEqual(await shown({ from: early }), { isShown: false, is_cut: true })
  assert.match(await exported({ from: early }), new RegExp(`^${old},`, 'm'))
  assert.doesNotMatch(await exported({ from: daysBefore(today, 149) }), new RegExp(`^${old},`, 'm'))
})

test('waits for no platform that was switched off, keeps its finished reading, and asks for no day again', async () => {
  const yesterday = daysBefore(today, 1)
  const switchPlatform = (enabled: boolean) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_platforms')
        .where(here)
        .set({ enabled })
        .where('platform_id', '=', setup.platformId)
        .execute(),
    )
  const dayOf = async () => (await readDay(setup.staff, yesterday)).day
  await setup.simulator.control.up()
  await eventually('the platform is read again', async () => {
    await compare(yesterday)
    return (await dayOf()).platforms[0]?.is_complete === true
  })
  const [finished] = (await dayOf()).platforms
  await switchPlatform(false)
  await compare(yesterday)
  const compared = await dayOf()
  assert.deepEqual([compared.state, compared.platforms], ['compared', [finished]])
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('reconciliation_readings')
      .where(here)
      .set({ is_complete: false, problem: 'auth_failed' })
      .where('day', '=', yesterday)
      .execute(),
  )
  setup.context.clock.advance(16 * 60_000)
  await askForDue(setup.system)
  assert.equal((await dayOf()).state, 'compared')
  await switchPlatform(true)
  await askForDue(setup.system)
  assert.equal((await dayOf()).state, 'asked')
  await reconcileDay(setup.system, yesterday)
})

test('reads the days of a longer outage once the platform answers again, one at a time', async () => {
  const days = [daysBefore(today, 12), daysBefore(today, 11)]
  for (const day of days) {
    await askForDay(setup.system, day)
    await reconcileDay(setup.system, day)
  }
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('reconciliation_readings')
      .where(here)
      .set({ is_complete: false, problem: 'unreachable' })
      .where('day', 'in', days)
      .execute(),
  )
  const states = async () => {
    await askForDue(setup.system)
    return Promise.all(days.map(async (day) => (await readDay(setup.staff, day)).day.state))
  }
  assert.deepEqual(await states(), ['compared', 'compared'], 'nothing was read since')
  setup.context.clock.advance(60_000)
  await compare(daysBefore(today, 1))
  for (const [one, other] of [
    ['asked', 'compared'],
    ['compared', 'asked'],
  ] as const) {
    assert.deepEqual(await states(), [one, other])
    for (const day of days) await reconcileDay(setup.system, day)
  }
  assert.deepEqual(await states(), ['compared', 'compared'])
})
