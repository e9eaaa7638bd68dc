import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TradeSeed } from '../../simulators/metatrader/seeds.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { type Mt4Fixture, mt4Login, openMt4Fixture } from '../../tests/fixtures/trading/mt4-fixture.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { dealOf } from '../../tests/fixtures/trading/trade-history.ts'
import {
  type Fixture,
  fixtureLogin,
  openTradingFixture,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { keepDeals } from './deals.ts'
import { askForReading, claimReaderSlot, isBeingRead, isDue, readHistory, releaseReaderSlot } from './history.ts'
import { refreshTrades } from './jobs.ts'
import { listTrades } from './queries.ts'
import { readTrades } from './reading.ts'

const dayMs = 86_400_000

function tradeAt(closedAtMs: number, values: Partial<TradeSeed> = {}): TradeSeed {
  const prices = { openPrice: '1.08000', closePrice: '1.08250' }
  const times = { openedAtMs: closedAtMs - 3_600_000, closedAtMs }
  return { symbol: 'EURUSD', side: 'buy', lots: '0.50', ...prices, ...times, commission: '-0.35', ...values }
}

const tradedOf = (setup: Fixture) => ({
  account_id: setup.accountId,
  member_id: setup.member.memberId,
  platform_id: setup.platformId,
})

function keptDeals(setup: Fixture, accountId = setup.accountId) {
  return reading(setup.system, (tx) =>
    tx
      .selectFrom('trade_deals')
      .selectAll()
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('account_id', '=', accountId)
      .orderBy('at')
      .orderBy('deal_id')
      .execute(),
  )
}

const historyOf = (setup: Fixture) => reading(setup.system, (tx) => readHistory(tx, setup.system, setup.accountId))
const shown = (setup: Fixture, limit = 100) =>
  reading(setup.member, (tx) =>
    listTrades(tx, setup.member, { accountId: setup.accountId }, { limit, offset: 0, sort: 'time', order: 'desc' }),
  )

/** A view and the job that it enqueues. */
async function openAndRead(setup: Fixture, options?: { forMs: number }): Promise<void> {
  setup.context.clock.advance(11_000)
  await askForReading(setup.member, tradedOf(setup))
  await readTrades(setup.system, setup.accountId, options)
}

describe('MetaTrader 5 history', () => {
  let setup: TradingFixture
  before(async () => {
    setup = await openTradingFixture()
    const now = setup.context.clock.now().getTime()
    for (const daysAgo of [0.2, 3, 40, 400, 2_000])
      setup.simulator.control.addTrade(fixtureLogin, tradeAt(now - daysAgo * dayMs))
    setup.simulator.control.addLedger(fixtureLogin, { amount: '250.00', atMs: now - 2 * dayMs, comment: 'Deposit' })
    setup.simulator.control.addLedger(fixtureLogin, { amount: '50.00', atMs: now - dayMs, comment: 'Bonus', action: 3 })
  })
  after(() => setup.close())

  test('reads the newest days first, and only those in a short run', async () => {
    await openAndRead(setup, { forMs: 0 })
    const history = await historyOf(setup)
    assert.equal(history?.is_complete, false)
    assert.equal((await shown(setup)).length, 2, 'the opening and the closing deal of the trade of today')
    assert.ok(isBeingRead(history, setup.context.clock.now()), 'a job continues')
  })

  test('then reads everything to the beginning; stores deposits and credits without counting them as trades', async () => {
    await openAndRead(setup)
    const history = await historyOf(setup)
    assert.deepEqual([history?.is_complete, history?.failing_since, history?.reader_until], [true, null, null])
    assert.equal((await shown(setup)).length, 10)
    const stored = await keptDeals(setup)
    assert.deepEqual(
      stored
        .filter((deal) => !deal.is_trade)
        .map((deal) => deal.cmd)
        .sort(),
      ['OP_BALANCE', 'OP_CREDIT'],
    )
    const [newest] = await shown(setup, 1)
    assert.deepEqual(
      [newest?.cmd, newest?.entry, newest?.volume, newest?.open_price, newest?.price, newest?.state],
      ['OP_SELL', 1, '50', '1.08000', '1.08250', 4],
    )
    assert.equal(newest?.profit, '125.00')
  })

  test('stores nothing twice when read again', async () => {
    const before = await keptDeals(setup)
    await openAndRead(setup)
    await openAndRead(setup)
    assert.deepEqual(await keptDeals(setup), before)
  })

  test('finds new, late and corrected deals', async () => {
    const now = setup.context.clock.now().getTime()
    setup.simulator.control.addTrade(fixtureLogin, tradeAt(now - 60_000, { symbol: 'GBPUSD' }))
    setup.simulator.control.addTrade(
      fixtureLogin,
      tradeAt(now - 2.5 * dayMs, { symbol: 'USDJPY', openPrice: '150.000', closePrice: '150.100' }),
    )
    const [deal] = await keptDeals(setup).then((stored) => stored.filter((each) => each.comment === 'Deposit'))
    assert.ok(deal)
    setup.simulator.control.recomment(deal.deal_id, 'Deposit, corrected')
    await openAndRead(setup)
    const stored = await keptDeals(setup)
    assert.equal(stored.filter((each) => each.symbol === 'GBPUSD').length, 2)
    assert.equal(stored.filter((each) => each.symbol === 'USDJPY').length, 2)
    assert.equal(stored.find((each) => each.deal_id === deal.deal_id)?.comment, 'Deposit, corrected')
  })

  test('removes deals that the platform no longer has', async () => {
    const [newest] = await shown(setup, 1)
    assert.ok(newest)
    setup.simulator.control.removeDeal(newest.deal_id)
    await openAndRead(setup)
    assert.ok(!(await keptDeals(setup)).some((deal) => deal.deal_id === newest.deal_id))
  })

  test('allows one reader for each account, and two for each platform', async () => {
    const others = []
    for (const login of ['700900', '700901', '700902']) {
      const { memberId } = await addMember(setup.system)
      const account = { memberId, platformId: setup.platformId, platform_login: login }
      const account_id = await addAccount(setup.system, account)
      const of = { account_id, member_id: memberId, platform_id: setup.platformId }
      await askForReading(setup.system, of)
      others.push(account_id)
    }
    const [first = '', second = '', third = ''] = others
    const reader = await claimReaderSlot(setup.system, first)
    assert.ok(typeof reader === 'object')
    assert.equal(await claimReaderSlot(setup.system, first), 'taken')
    assert.ok(typeof (await claimReaderSlot(setup.system, second)) === 'object')
    assert.equal(await claimReaderSlot(setup.system, third), 'full')
    await releaseReaderSlot(setup.system, reader, { failed: false, goesOn: false })
    assert.ok(typeof (await claimReaderSlot(setup.system, third)) === 'object')
    // A dead reader loses its slot.
    setup.context.clock.advance(31_000)
    assert.ok(typeof (await claimReaderSlot(setup.system, second)) === 'object')
    setup.context.clock.advance(31_000)
  })

  test('keeps the history while the platform is down, with the time of the first failure, and recovers', async () => {
    const before = await keptDeals(setup)
    await setup.simulator.control.down()
    await openAndRead(setup)
    assert.deepEqual(await keptDeals(setup), before)
    const failing = await historyOf(setup)
    assert.deepEqual(failing?.failing_since, setup.context.clock.now())
    await openAndRead(setup)
    assert.deepEqual((await historyOf(setup))?.failing_since, failing?.failing_since, 'since the first failure')
    await setup.simulator.control.up()
    await openAndRead(setup)
    assert.equal((await historyOf(setup))?.failing_since, null)
  })

  test('keeps the history of an account that the platform no longer has', async () => {
    const login = '700777'
    const now = setup.context.clock.now().getTime()
    setup.simulator.control.seedAccounts([{ login, group: 'real\\standard-usd', name: 'Gone', leverage: 100 }])
    setup.simulator.control.addTrade(login, tradeAt(now - 0.2 * dayMs))
    const { memberId } = await addMember(setup.system)
    const account = { memberId, platformId: setup.platformId, platform_login: login }
    const theirs = { ...setup, accountId: await addAccount(setup.system, account) }
    await askForReading(setup.system, { ...tradedOf(theirs), member_id: memberId })
    await readTrades(setup.system, theirs.accountId)
    const before = await keptDeals(setup, theirs.accountId)
    assert.equal(before.length, 2)
    setup.simulator.control.removeAccount(login)
    setup.context.clock.advance(11_000)
    await askForReading(setup.system, { ...tradedOf(theirs), member_id: memberId })
    await readTrades(setup.system, theirs.accountId)
    assert.deepEqual(await keptDeals(setup, theirs.accountId), before)
    assert.ok((await historyOf(theirs))?.failing_since)
  })

  test('reads no deals of somebody else whose account got the number', async () => {
    const login = '700778'
    const now = setup.context.clock.now().getTime()
    const seed = { login, group: 'real\\standard-usd', name: 'Bea Another', leverage: 100 }
    setup.simulator.control.seedAccounts([{ ...seed, registeredAtMs: now - 100 * dayMs }])
    setup.simulator.control.addTrade(login, tradeAt(now - 0.2 * dayMs))
    const { memberId } = await addMember(setup.system)
    const account = { memberId, platformId: setup.platformId, platform_login: login }
    const platform_registered_at = new Date(now - 400 * dayMs)
    const theirs = { ...setup, accountId: await addAccount(setup.system, { ...account, platform_registered_at }) }
    await askForReading(setup.system, { ...tradedOf(theirs), member_id: memberId })
    await readTrades(setup.system, theirs.accountId)
    assert.deepEqual(await keptDeals(setup, theirs.accountId), [])
    assert.ok((await historyOf(theirs))?.failing_since)
  })

  test('reads no deals while the platform keeps the account in another currency', async () => {
    const { control } = setup.simulator
    await openAndRead(setup)
    const before = await keptDeals(setup)
    control.changeAccount(fixtureLogin, { group: 'real\\standard-jpy' })
    control.addTrade(fixtureLogin, tradeAt(setup.context.clock.now().getTime()))
    await openAndRead(setup)
    assert.deepEqual(await keptDeals(setup), before)
    assert.ok((await historyOf(setup))?.failing_since)
    control.changeAccount(fixtureLogin, { group: 'real\\standard-usd' })
    await openAndRead(setup)
    assert.equal((await keptDeals(setup)).length, before.length + 2)
  })

  test('is due again after our clock was set back', async () => {
    await openAndRead(setup)
    const [history, now] = [await historyOf(setup), setup.context.clock.now()]
    assert.ok(!isDue(history, now))
    assert.ok(isDue(history, new Date(now.getTime() - 3_600_000)))
  })

  test('enqueues one read for two views, and none right after a read', async () => {
    setup.context.clock.advance(60_000)
    const now = setup.context.clock.now()
    assert.ok(isDue(await historyOf(setup), now))
    await askForReading(setup.member, tradedOf(setup))
    const asked = await historyOf(setup)
    assert.deepEqual(asked?.queued_at, now)
    assert.ok(!isDue(asked, now))
    await readTrades(setup.system, setup.accountId)
    assert.ok(!isDue(await historyOf(setup), setup.context.clock.now()))
  })

  test('refreshes viewed histories regularly, and no others', async () => {
    setup.context.clock.advance(16 * 60_000)
    await refreshTrades(setup.system)
    assert.ok(isBeingRead(await historyOf(setup), setup.context.clock.now()))
    await readTrades(setup.system, setup.accountId)
    setup.context.clock.advance(40 * dayMs)
    await refreshTrades(setup.system)
    assert.ok(!isBeingRead(await historyOf(setup), setup.context.clock.now()))
  })

  test('refreshes the histories of a platform though hundreds of another one fail, and of no archived account', async () => {
    const platformId = await addPlatform(setup.system, { name: 'One that does not answer' })
    const { memberId } = await addMember(setup.system)
    const accounts: string[] = []
    for (let count = 0; count < 201; count++) accounts.push(await addAccount(setup.system, { memberId, platformId }))
    const longAgo = new Date(setup.context.clock.now().getTime() - dayMs)
    const failing = { asked_at: setup.context.clock.now(), read_at: longAgo, failing_since: longAgo }
    await inTransaction(setup.system, (tx) =>
      tx
        .insertInto('trade_histories')
        .values(
          accounts.map((account_id) => ({
            ...{ workspace_id: setup.system.workspaceId, account_id, member_id: memberId, platform_id: platformId },
            ...failing,
          })),
        )
        .execute(),
    )
    const { accountId } = setup
    const archive = (archived: boolean) =>
      inTransaction(setup.system, (tx) =>
        tx.updateTable('trading_accounts').where(here).set({ archived }).where('account_id', '=', accountId).execute(),
      )
    await openAndRead(setup)
    setup.context.clock.advance(16 * 60_000)
    await archive(true)
    await refreshTrades(setup.system)
    assert.ok(!isBeingRead(await historyOf(setup), setup.context.clock.now()))
    await archive(false)
    await refreshTrades(setup.system)
    assert.ok(isBeingRead(await historyOf(setup), setup.context.clock.now()))
  })

  test('cannot be written by a member, even with SQL', async () => {
    const worth = await inTransaction(setup.member, (tx) =>
      tx
        .updateTable('trade_deals')
        .set({ profit: '1000000' })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('account_id', '=', setup.accountId)
        .executeTakeFirst(),
    )
    assert.equal(worth.numUpdatedRows, 0n)
  })
})

describe('MetaTrader 4 history', () => {
  let setup: Mt4Fixture
  before(async () => {
    setup = await openMt4Fixture()
    const now = setup.context.clock.now().getTime()
    for (let count = 0; count < 250; count++)
      setup.simulator.control.addTrade(mt4Login, tradeAt(now - count * 0.7 * dayMs))
    setup.simulator.control.addLedger(mt4Login, { amount: '250.00', atMs: now - 2 * dayMs, comment: 'Deposit' })
  })
  after(() => setup.close())

  test('stores a deal that a bridge lists twice once, with its last values', async () => {
    const { memberId } = await addMember(setup.system)
    const account_id = await addAccount(setup.system, { memberId, platformId: setup.platformId })
    const deals = ['first', 'other', 'last'].map((comment) =>
      dealOf({ id: comment === 'other' ? '78' : '77', comment }),
    )
    await inTransaction(setup.system, (tx) => keepDeals(tx, setup.system, { account_id, member_id: memberId }, deals))
    const stored = await keptDeals(setup, account_id)
    assert.deepEqual(
      stored.map(({ deal_id, comment }) => [deal_id, comment]),
      [
        ['77', 'last'],
        ['78', 'other'],
      ],
    )
  })

  test('maps an order to one closed trade with its original direction', async () => {
    await openAndRead(setup)
    assert.equal((await historyOf(setup))?.is_complete, true)
    const trades = await reading(setup.member, (tx) =>
      listTrades(
        tx,
        setup.member,
        { accountId: setup.accountId },
        { limit: 300, offset: 0, sort: 'time', order: 'desc' },
      ),
    )
    assert.equal(trades.length, 250)
    const [newest] = trades
    assert.deepEqual([newest?.cmd, newest?.entry, newest?.state, newest?.volume], ['OP_BUY', 1, 3, '50'])
    assert.ok(newest?.opened_at && newest.opened_at < newest.at)
  })
})
