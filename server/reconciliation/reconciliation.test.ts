// spec: DK reconciliation
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Mismatch } from '@atrium/contract/reconciliation/desk-calls.ts'
import { eventually } from '../../tests/doubles/child-server.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { debitPayout, latestPayout, openPayee, openTo, processLatest } from '../../tests/fixtures/payments/payouts.ts'
import { debitOne, openWithdrawer, type Withdrawer } from '../../tests/fixtures/payments/withdrawals.ts'
import { zoneOfNoon } from '../../tests/fixtures/reconciliations.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import {
  approveOne,
  fixtureLogin,
  processUntilSettled,
  readIntents,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, addWorkspace, chooseSettings, staffActor } from '../../tests/fixtures/workspaces.ts'
import { approveDeposit } from '../deposits/decision.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { dayIn } from '../foundation/days.ts'
import { Refusal } from '../foundation/errors.ts'
import { settleIntent } from '../funding/crediting/crediting.ts'
import { markPaidOut } from '../payments/payouts/payout.ts'
import { daysBefore } from './day.ts'
import { explainMismatch, reopenMismatch } from './explanation.ts'
import { countOpen, listDays, readDay } from './queries.ts'
import { reconcileDay } from './reconcile-day.ts'
import { askForDay, askForDue } from './requests.ts'
import { exportDays } from './table.ts'

let setup: PaymentFixture
let today: string

before(async () => {
  setup = await openPaymentFixture()
  setup.context.clock.set(new Date())
  const zone = zoneOfNoon()
  await chooseSettings(setup, {
    withdrawal_cut_off: { time: '15:00', zone, days_min: 1, days_max: 3 },
    withdrawal_rules: [openTo('zotapay')],
    withdrawal_four_eyes: false,
  })
  today = dayIn(setup.context.clock.now(), zone)
  forgetBeginning(fixtureLogin)
})
after(() => setup.close())

/** Removes the initial balance of an account, which is not part of this day. */
function forgetBeginning(login: string): void {
  const [first] = setup.simulator.control.ledger(login)
  if (first) setup.simulator.control.removeDeal(first.deal)
}

async function openAccount(): Promise<Withdrawer> {
  const withdrawer = await openWithdrawer(setup)
  forgetBeginning(withdrawer.login)
  return withdrawer
}

const settleMs = 61_000

async function compare(day = today): Promise<Mismatch[]> {
  setup.context.clock.advance(settleMs)
  await askForDay(setup.staff, day)
  await reconcileDay(setup.system, day)
  return open(await readDay(setup.staff, day))
}

const open = ({ differences }: { differences: Mismatch[] }) => differences.filter(({ state }) => state === 'open')
const kindsOf = (found: Mismatch[]) => found.map(({ kind }) => kind).sort()

/** Explains all open mismatches, so that the next test finds only its own. */
async function explainAll(): Promise<void> {
  for (const { _id } of open(await readDay(setup.staff, today)))
    await explainMismatch(setup.staff, _id, 'A test did this on purpose')
}

async function codeOf(attempt: () => Promise<unknown>): Promise<string> {
  try {
    await attempt()
    return 'done'
  } catch (problem) {
    assert.ok(problem instanceof Refusal, `expected a refusal, got ${problem}`)
    return problem.code
  }
}

async function payOrder(amount: string): Promise<{ order: string; attempt: string }> {
  const started = await startOrder(setup, { amount })
  setup.zota.set(started.attempt, 'APPROVED')
  await setup.zota.notify(started.attempt)
  await readWebhookEvents(setup)
  return started
}

async function creditOrder(order: string): Promise<string> {
  const { transaction_id } = await readOrder(setup, order)
  for (const intent of await readIntents(setup, transaction_id)) await settleIntent(setup.system, intent.intent_id)
  return transaction_id
}

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
  await setup.zota.notify(attempt)
  await readWebhookEvents(setup)
  await processLatest(setup, paid)
  assert.deepEqual(await sums(), [['-100.00', '-100.00']])
})

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
  await setup.zota.notify(attempt, { amount: '13.00' })
  await readWebhookEvents(setup)
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
  const answer = await explainMismatch(setup.staff, one._id, 'A bonus that the dealer granted')
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

test('hides everything from another workspace and refuses its explanations', async () => {
  const elsewhere = await addWorkspace(setup.context, { subdomain: 'quiet' })
  const theirs = staffActor(elsewhere, await addStaff(elsewhere))
  const { differences } = await readDay(setup.staff, today)
  const { days, methods } = await listDays(theirs, {})
  assert.deepEqual([days, methods, await countOpen(theirs)], [[], [], 0])
  assert.equal(await codeOf(() => readDay(theirs, today)), 'not_found')
  assert.equal(await codeOf(() => explainMismatch(theirs, differences[0]?._id ?? '', 'x')), 'not_found')
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
