import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TradeSeed } from '../../simulators/metatrader/seeds.ts'
import { type Mt4Floor, mt4Login, openMt4Floor } from '../../tests/fixtures/mt4-fixture.ts'
import { addAccount } from '../../tests/fixtures/platforms.ts'
import { type Floor, floorLogin, openTradingFloor, type TradingFloor } from '../../tests/fixtures/trading-fixture.ts'
import { addMember } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database.ts'
import { askForReading, becomeReader, isBeingRead, isDue, leaveReading, readHistory } from './history.ts'
import { refreshTrades } from './jobs.ts'
import { listTrades } from './queries.ts'
import { readTrades } from './reading.ts'

const dayMs = 86_400_000

function tradeAt(closedAtMs: number, values: Partial<TradeSeed> = {}): TradeSeed {
  const prices = { openPrice: '1.08000', closePrice: '1.08250' }
  const times = { openedAtMs: closedAtMs - 3_600_000, closedAtMs }
  return { symbol: 'EURUSD', side: 'buy', lots: '0.50', ...prices, ...times, commission: '-0.35', ...values }
}

const tradedOf = (floor: Floor) => ({
  account_id: floor.accountId,
  member_id: floor.member.memberId,
  platform_id: floor.platformId,
})

function keptDeals(floor: Floor, accountId = floor.accountId) {
  return reading(floor.system, (tx) =>
    tx
      .selectFrom('trade_deals')
      .selectAll()
      .where('workspace_id', '=', floor.system.workspaceId)
      .where('account_id', '=', accountId)
      .orderBy('at')
      .orderBy('deal_id')
      .execute(),
  )
}

const historyOf = (floor: Floor) => reading(floor.system, (tx) => readHistory(tx, floor.system, floor.accountId))
const shown = (floor: Floor, limit = 100) =>
  reading(floor.member, (tx) =>
    listTrades(tx, floor.member, { accountId: floor.accountId }, { limit, offset: 0, sort: 'time', order: 'desc' }),
  )

/** As a look and the job behind it. */
async function lookAndRead(floor: Floor, options?: { forMs: number }): Promise<void> {
  floor.ground.clock.advance(11_000)
  await askForReading(floor.member, tradedOf(floor))
  await readTrades(floor.system, floor.accountId, options)
}

describe('a history on MetaTrader 5', () => {
  let floor: TradingFloor
  before(async () => {
    floor = await openTradingFloor()
    const now = floor.ground.clock.now().getTime()
    for (const daysAgo of [0.2, 3, 40, 400, 2_000])
      floor.simulator.control.addTrade(floorLogin, tradeAt(now - daysAgo * dayMs))
    floor.simulator.control.addLedger(floorLogin, { amount: '250.00', atMs: now - 2 * dayMs, comment: 'Deposit' })
    floor.simulator.control.addLedger(floorLogin, { amount: '50.00', atMs: now - dayMs, comment: 'Bonus', action: 3 })
  })
  after(() => floor.close())

  test('the newest days stand first, and are all that a short reading reads', async () => {
    await lookAndRead(floor, { forMs: 0 })
    const history = await historyOf(floor)
    assert.equal(history?.is_complete, false)
    assert.equal((await shown(floor)).length, 2, 'the way in and the way out of the trade of today')
    assert.ok(isBeingRead(history, floor.ground.clock.now()), 'a job goes on')
  })

  test('then everything is read, to the beginning; deposits and credits are kept and are no trades', async () => {
    await lookAndRead(floor)
    const history = await historyOf(floor)
    assert.deepEqual([history?.is_complete, history?.failing_since, history?.reader_until], [true, null, null])
    assert.equal((await shown(floor)).length, 10)
    const kept = await keptDeals(floor)
    assert.deepEqual(
      kept
        .filter((deal) => !deal.is_trade)
        .map((deal) => deal.cmd)
        .sort(),
      ['OP_BALANCE', 'OP_CREDIT'],
    )
    const [newest] = await shown(floor, 1)
    assert.deepEqual(
      [newest?.cmd, newest?.entry, newest?.volume, newest?.open_price, newest?.price, newest?.state],
      ['OP_SELL', 1, '50', '1.08000', '1.08250', 4],
    )
    assert.equal(newest?.profit, '125.00')
  })

  test('reading again writes nothing twice', async () => {
    const before = await keptDeals(floor)
    await lookAndRead(floor)
    await lookAndRead(floor)
    assert.deepEqual(await keptDeals(floor), before)
  })

  test('what is new, what came late and what was put right are found', async () => {
    const now = floor.ground.clock.now().getTime()
    floor.simulator.control.addTrade(floorLogin, tradeAt(now - 60_000, { symbol: 'GBPUSD' }))
    floor.simulator.control.addTrade(
      floorLogin,
      tradeAt(now - 2.5 * dayMs, { symbol: 'USDJPY', openPrice: '150.000', closePrice: '150.100' }),
    )
    const [deal] = await keptDeals(floor).then((kept) => kept.filter((each) => each.comment === 'Deposit'))
    assert.ok(deal)
    floor.simulator.control.recomment(deal.deal_id, 'Deposit, corrected')
    await lookAndRead(floor)
    const kept = await keptDeals(floor)
    assert.equal(kept.filter((each) => each.symbol === 'GBPUSD').length, 2)
    assert.equal(kept.filter((each) => each.symbol === 'USDJPY').length, 2)
    assert.equal(kept.find((each) => each.deal_id === deal.deal_id)?.comment, 'Deposit, corrected')
  })

  test('what the platform no longer has leaves the list', async () => {
    const [newest] = await shown(floor, 1)
    assert.ok(newest)
    floor.simulator.control.removeDeal(newest.deal_id)
    await lookAndRead(floor)
    assert.ok(!(await keptDeals(floor)).some((deal) => deal.deal_id === newest.deal_id))
  })

  test('one reader at a time, and at most two of one platform', async () => {
    const others = []
    for (const login of ['700900', '700901', '700902']) {
      const { memberId } = await addMember(floor.system)
      const account = { memberId, platformId: floor.platformId, platform_login: login }
      const account_id = await addAccount(floor.system, account)
      const of = { account_id, member_id: memberId, platform_id: floor.platformId }
      await askForReading(floor.system, of)
      others.push(account_id)
    }
    const [first = '', second = '', third = ''] = others
    const reader = await becomeReader(floor.system, first)
    assert.ok(typeof reader === 'object')
    assert.equal(await becomeReader(floor.system, first), 'taken')
    assert.ok(typeof (await becomeReader(floor.system, second)) === 'object')
    assert.equal(await becomeReader(floor.system, third), 'full')
    await leaveReading(floor.system, reader, { failed: false, goesOn: false })
    assert.ok(typeof (await becomeReader(floor.system, third)) === 'object')
    // A reader that died is not waited for for ever.
    floor.ground.clock.advance(31_000)
    assert.ok(typeof (await becomeReader(floor.system, second)) === 'object')
    floor.ground.clock.advance(31_000)
  })

  test('the platform away: what is kept stays, with since when; once it is back all is well', async () => {
    const before = await keptDeals(floor)
    await floor.simulator.control.down()
    await lookAndRead(floor)
    assert.deepEqual(await keptDeals(floor), before)
    const failing = await historyOf(floor)
    assert.deepEqual(failing?.failing_since, floor.ground.clock.now())
    await lookAndRead(floor)
    assert.deepEqual((await historyOf(floor))?.failing_since, failing?.failing_since, 'since the first failure')
    await floor.simulator.control.up()
    await lookAndRead(floor)
    assert.equal((await historyOf(floor))?.failing_since, null)
  })

  test('looking twice asks once, and what was just read is not asked for', async () => {
    floor.ground.clock.advance(60_000)
    const now = floor.ground.clock.now()
    assert.ok(isDue(await historyOf(floor), now))
    await askForReading(floor.member, tradedOf(floor))
    const asked = await historyOf(floor)
    assert.deepEqual(asked?.queued_at, now)
    assert.ok(!isDue(asked, now))
    await readTrades(floor.system, floor.accountId)
    assert.ok(!isDue(await historyOf(floor), floor.ground.clock.now()))
  })

  test('histories that are looked at are kept near the present by themselves, others are left alone', async () => {
    floor.ground.clock.advance(16 * 60_000)
    await refreshTrades(floor.system)
    assert.ok(isBeingRead(await historyOf(floor), floor.ground.clock.now()))
    await readTrades(floor.system, floor.accountId)
    floor.ground.clock.advance(40 * dayMs)
    await refreshTrades(floor.system)
    assert.ok(!isBeingRead(await historyOf(floor), floor.ground.clock.now()))
  })

  test('a member writes no trade, not even with SQL of their own', async () => {
    const { inTransaction } = await import('../foundation/database.ts')
    const worth = await inTransaction(floor.member, (tx) =>
      tx
        .updateTable('trade_deals')
        .set({ profit: '1000000' })
        .where('workspace_id', '=', floor.system.workspaceId)
        .where('account_id', '=', floor.accountId)
        .executeTakeFirst(),
    )
    assert.equal(worth.numUpdatedRows, 0n)
  })
})

describe('a history on MetaTrader 4', () => {
  let floor: Mt4Floor
  before(async () => {
    floor = await openMt4Floor()
    const now = floor.ground.clock.now().getTime()
    for (let count = 0; count < 250; count++)
      floor.simulator.control.addTrade(mt4Login, tradeAt(now - count * 0.7 * dayMs))
    floor.simulator.control.addLedger(mt4Login, { amount: '250.00', atMs: now - 2 * dayMs, comment: 'Deposit' })
  })
  after(() => floor.close())

  test('one order is one trade, closed, with the direction that it had', async () => {
    await lookAndRead(floor)
    assert.equal((await historyOf(floor))?.is_complete, true)
    const trades = await reading(floor.member, (tx) =>
      listTrades(
        tx,
        floor.member,
        { accountId: floor.accountId },
        { limit: 300, offset: 0, sort: 'time', order: 'desc' },
      ),
    )
    assert.equal(trades.length, 250)
    const [newest] = trades
    assert.deepEqual([newest?.cmd, newest?.entry, newest?.state, newest?.volume], ['OP_BUY', 1, 3, '50'])
    assert.ok(newest?.opened_at && newest.opened_at < newest.at)
  })
})
