// spec: OP factors
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { eventually } from '../../tests/doubles/child-server.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { debitOne, openWithdrawer } from '../../tests/fixtures/payments/withdrawals.ts'
import {
  addSecondPlatform,
  approveOne,
  openTradingFixture,
  processUntilSettled,
  readIntents,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { markPaidOut } from '../payments/payouts/payout.ts'
import { makeIntentTag } from '../trading-platforms/intent-tag.ts'
import { checkLedger, findViolations, readFindings } from './ledger.ts'

let setup: TradingFixture
let owner: pg.Client
const logLines: string[] = []
before(async () => {
  setup = await openTradingFixture({ logLines })
  owner = await setup.openOwner()
  await owner.query('set session_replication_role = replica') // Bypasses the triggers of the database.
})
after(() => setup.close())

const changeAmount = (id: string, amount: string) =>
  owner.query('update balance_transactions set amount = $2 where transaction_id = $1', [id, amount])
const changeTicket = (id: string, ticket: string) =>
  owner.query('update balance_transactions set platform_ticket = $2 where transaction_id = $1', [id, ticket])
const countTransactions = async () =>
  (await owner.query<{ count: number }>('select count(*)::int as count from balance_transactions')).rows[0]?.count ?? 0

const kindsOf = async () => (await findViolations(setup.system)).map(({ kind }) => kind)
const settleMs = 120_000

test('a correct deposit and withdrawal produce no finding', async () => {
  await processUntilSettled(setup, await approveOne(setup))
  const id = await debitOne(setup, await openWithdrawer(setup))
  assert.deepEqual(await kindsOf(), [])
  await markPaidOut(setup.staff, id, 'SWIFT 4711')
  setup.context.clock.advance(settleMs)
  assert.deepEqual(await kindsOf(), [])
})

test('reports a missing, duplicate, altered or unknown operation once and removes the finding when it is corrected', async () => {
  const withdrawer = await openWithdrawer(setup)
  const id = await debitOne(setup, withdrawer)
  setup.context.clock.advance(settleMs)
  const [intent] = await readIntents(setup, id)
  assert.ok(intent)
  const { control } = setup.simulator
  const [deal] = control.dealsWithComment(intent.tag)
  assert.ok(deal)
  control.recomment(deal.deal, 'edited')
  assert.deepEqual(await kindsOf(), ['missing-on-platform'])
  control.recomment(deal.deal, `${intent.tag} Withdrawal`)
  const atMs = setup.context.clock.now().getTime()
  control.addLedger(withdrawer.login, { amount: '-250.00', atMs, comment: `${intent.tag} Withdrawal` })
  control.addLedger(withdrawer.login, { amount: '-1.00', atMs, comment: `${makeIntentTag()} Withdrawal` })
  const found = await checkLedger(setup.system)
  assert.deepEqual(found.map(({ kind }) => kind).sort(), ['twice-on-platform', 'unknown-on-platform'])
  await checkLedger(setup.system)
  const checked = await readFindings(setup.staff)
  assert.equal(checked.findings.length, 2)
  for (const extra of control.dealsWithComment('A')) {
    if (extra.login === withdrawer.login && extra.deal !== deal.deal) control.removeDeal(extra.deal)
  }
  setup.context.clock.advance(1_000)
  assert.deepEqual(await checkLedger(setup.system), [])
  assert.deepEqual((await readFindings(setup.staff)).findings, [])
})

test('findings of an unreachable platform remain, and the ledger does not count as checked', async () => {
  const other = await addSecondPlatform(setup)
  try {
    const [here, there] = [await openWithdrawer(setup), await openWithdrawer(other)]
    await debitOne(setup, here)
    const [intent] = await readIntents(setup, await debitOne(other, there))
    const atMs = setup.context.clock.now().getTime()
    const stray = () => ({ amount: '-1.00', atMs, comment: `${makeIntentTag()} Withdrawal` })
    const strayHere = stray()
    setup.simulator.control.addLedger(here.login, strayHere)
    const deals = [stray(), { amount: '-250.00', atMs, comment: `${intent?.tag} Withdrawal` }]
    for (const deal of deals) other.simulator.control.addLedger(there.login, deal)
    await checkLedger(setup.system)
    const read = async () => {
      const { checked_at, findings } = await readFindings(setup.staff)
      return { checked_at, kinds: findings.map(({ kind }) => kind).sort() }
    }
    const checked_at = setup.context.clock.now().getTime()
    const kinds = ['twice-on-platform', 'unknown-on-platform']
    assert.deepEqual(await read(), { checked_at, kinds: [...kinds, 'unknown-on-platform'] })

    takeBack(setup, strayHere)
    setup.context.clock.advance(10 * 60_000)
    await switchPlatform(other, false)
    logLines.length = 0
    await checkLedger(setup.system)
    assert.deepEqual(await read(), { checked_at, kinds })
    const [said] = logLines.filter((line) => line.includes('the ledger was not compared with a platform'))
    assert.partialDeepStrictEqual(JSON.parse(said ?? '{}'), { platforms: [other.platformId], accounts: 1 })

    for (const deal of deals) takeBack(other, deal)
    await switchPlatform(other, true)
    await checkLedger(setup.system)
    assert.deepEqual(await read(), { checked_at: setup.context.clock.now().getTime(), kinds: [] })
  } finally {
    await other.close()
  }
})

test('a platform that does not answer does not delay another, and is asked once, whatever the number of accounts', async () => {
  const sound = await addSecondPlatform(setup)
  const dealCalls = ({ simulator: { control } }: TradingFixture) =>
    control.calls().filter(({ path }) => path.startsWith('/api/deal/')).length
  const { control } = setup.simulator
  const breakDown = (kind: 'delay' | 'close-session') =>
    control.addFault({ path: '/api/deal/*', times: 1_000, kind, ms: 3_600_000 })
  try {
    for (const place of [sound, setup, setup]) await debitOne(place, await openWithdrawer(place))
    for (const { simulator } of [sound, setup]) simulator.control.clearCalls()
    breakDown('delay')
    const checking = checkLedger(setup.system)
    await eventually('the hanging platform is asked', async () => dealCalls(setup) > 0)
    await eventually('the other platform is read', async () => dealCalls(sound) > 0)
    assert.equal(dealCalls(setup), 1)
    control.clearFaults()
    breakDown('close-session')
    control.landPending()
    await checking
    control.clearCalls()
    await checkLedger(setup.system)
    // The adapter itself repeats a read once.
    assert.equal(dealCalls(setup), 2)
  } finally {
    control.clearFaults()
    await sound.close()
  }
})

/** Removes the newest deal with this comment. */
const takeBack = ({ simulator: { control } }: TradingFixture, { comment }: { comment: string }): void =>
  control.removeDeal(control.dealsWithComment(comment).at(-1)?.deal ?? '')

const switchPlatform = ({ system, platformId }: TradingFixture, enabled: boolean) =>
  inTransaction(system, (tx) =>
    tx
      .updateTable('trading_platforms')
      .set({ enabled })
      .where('workspace_id', '=', system.workspaceId)
      .where('platform_id', '=', platformId)
      .execute(),
  )

test('reports a row whose amount exceeds the sum of its intents', async () => {
  const withdrawer = await openWithdrawer(setup)
  const id = await debitOne(setup, withdrawer)
  await changeAmount(id, '251')
  await changeTicket(id, '1')
  assert.deepEqual(await kindsOf(), ['other-sum', 'no-ticket'])
  const [intent] = await readIntents(setup, id)
  await changeAmount(id, '250')
  await changeTicket(id, intent?.ticket ?? '')
  assert.deepEqual(await kindsOf(), [])
})

test('an imported transaction without an intent is no finding', async () => {
  const { memberId } = setup.member
  await addTransaction(setup.system, { memberId, accountId: setup.accountId, state: 'approved' })
  assert.deepEqual(await kindsOf(), [])
})

test('with more transactions than one round covers, a later round finds an old error, keeps it and removes it when corrected', async () => {
  const withdrawer = await openWithdrawer(setup)
  const ids = [await debitOne(setup, withdrawer), await debitOne(setup, withdrawer), await debitOne(setup, withdrawer)]
  setup.context.clock.advance(7 * 3_600_000) // Makes every row older than the recent window.
  const wrong = ids[1] ?? ''
  const findingsOf = async (rowsMax: number) => {
    setup.context.clock.advance(10 * 60_000)
    return (await checkLedger(setup.system, { rowsMax })).map(({ kind, subject }) => `${kind} ${subject}`)
  }
  const before = await findViolations(setup.system)
  assert.deepEqual(before, [])
  await changeAmount(wrong, '251')
  try {
    const due = [`other-sum ${wrong}`]
    const rounds: string[][] = []
    const total = await countTransactions()
    for (let round = 0; round < Math.ceil(total / 2) + 1; round += 1) rounds.push(await findingsOf(2))
    const first = rounds.findIndex((found) => found.length > 0)
    assert.ok(first > 0, 'it is beyond the rows of the first round')
    assert.deepEqual(
      rounds.slice(first).filter((found) => !isDeepStrictEqual(found, due)),
      [],
      'every round checks known findings again',
    )
    assert.equal((await readFindings(setup.staff)).findings.length, 1)
  } finally {
    await changeAmount(wrong, '250')
  }
  assert.deepEqual(await findingsOf(1), [])
  assert.deepEqual((await readFindings(setup.staff)).findings, [])
})

test('a ticket shown by two transactions belongs to the one with the intent, and both are reported', async () => {
  const withdrawer = await openWithdrawer(setup)
  const [id, other] = [await debitOne(setup, withdrawer), await debitOne(setup, withdrawer)]
  const tickets = await Promise.all([id, other].map(async (each) => (await readIntents(setup, each))[0]?.ticket ?? ''))
  await changeTicket(other, tickets[0] ?? '')
  try {
    const found = (await findViolations(setup.system)).map(({ kind, subject }) => `${kind} ${subject}`)
    assert.deepEqual(found.sort(), [`no-ticket ${other}`, `ticket-twice ${id}`, `ticket-twice ${other}`].sort())
  } finally {
    await changeTicket(other, tickets[1] ?? '')
  }
  assert.deepEqual(await kindsOf(), [])
})

test('an operation that people named and that another account of the platform has is reported', async () => {
  const [named, shown] = [await openWithdrawer(setup), await openWithdrawer(setup)]
  const [id, other] = [await debitOne(setup, named), await debitOne(setup, shown)]
  const [intent] = await readIntents(setup, other)
  const name = (ticket: string | null) =>
    owner.query(
      'update platform_intents set decided_outcome = $2, decided_ticket = $3 where workspace_id = $4 and transaction_id = $1',
      [id, ticket && 'executed', ticket, setup.system.workspaceId],
    )
  await name(intent?.ticket ?? '')
  try {
    const found = (await findViolations(setup.system)).map(({ kind, subject }) => `${kind} ${subject}`)
    assert.deepEqual(found, [`ticket-twice ${id}`])
  } finally {
    await name(null)
  }
})

test('an account that the platform has deleted misses no operation', async () => {
  const withdrawer = await openWithdrawer(setup)
  await debitOne(setup, withdrawer)
  setup.context.clock.advance(settleMs)
  const before = await kindsOf()
  setup.simulator.control.removeAccount(withdrawer.login)
  assert.deepEqual(await kindsOf(), before)
})

test('an account whose number somebody else got misses no operation either', async () => {
  const withdrawer = await openWithdrawer(setup)
  await debitOne(setup, withdrawer)
  setup.context.clock.advance(settleMs)
  const before = await kindsOf()
  await owner.query(
    "update trading_accounts set platform_registered_at = now() - interval '400 days' where account_id = $1",
    [withdrawer.accountId],
  )
  const { control } = setup.simulator
  control.removeAccount(withdrawer.login)
  const seed = { login: withdrawer.login, group: 'real\\standard-usd', name: 'Bea Another', leverage: 100 }
  control.seedAccounts([{ ...seed, balance: '9000.00' }])
  assert.deepEqual(await kindsOf(), before)
})

test('checks the sum of what staff credited, which no member requested, too', async () => {
  const approved = await approveOne(setup)
  await processUntilSettled(setup, approved)
  await owner.query(`update balance_transactions set source = 'other' where transaction_id = $1`, [approved.depositId])
  assert.deepEqual(await kindsOf(), [])
  await changeAmount(approved.depositId, '250.01')
  assert.deepEqual(await kindsOf(), ['other-sum'])
  await changeAmount(approved.depositId, '250.00')
  assert.deepEqual(await kindsOf(), [])
})
