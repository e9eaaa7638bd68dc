import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../tests/doubles/child-server.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { fixtureLogin, openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { noteDifference } from '../accounts/differences.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { readPositions } from './positions.ts'

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
  const openedAtMs = setup.context.clock.now().getTime() - 3_600_000
  setup.simulator.control.addPosition(fixtureLogin, { symbol: 'EURUSD', side: 'sell', lots: '1.05', openedAtMs })
})
after(() => setup.close())

const account = () => ({
  account_id: setup.accountId,
  member_id: setup.member.memberId,
  platform_id: setup.platformId,
  platform_login: fixtureLogin,
})
const reads = () => setup.simulator.control.calls().filter(({ path }) => path.includes('/position/')).length

test('reads open positions from the platform once for concurrent calls', async () => {
  setup.simulator.control.clearCalls()
  const [one, other] = await Promise.all([
    readPositions(setup.member, account()),
    readPositions(setup.member, account()),
  ])
  assert.equal(reads(), 1)
  assert.deepEqual(one, other)
  const [position] = one.positions
  assert.deepEqual(
    [position?.symbol, position?.side, position?.hundredths, one.isLive],
    ['EURUSD', 'sell', '105', true],
  )
  await readPositions(setup.member, account())
  assert.equal(reads(), 1, 'seen a moment ago')
  setup.context.clock.advance(2_000)
  await readPositions(setup.member, account())
  assert.equal(reads(), 2)
})

test('reads again after our clock was set back', async () => {
  setup.context.clock.advance(3_600_000)
  await readPositions(setup.member, account())
  setup.context.clock.advance(-3_600_000)
  assert.deepEqual((await readPositions(setup.member, account())).readAt, setup.context.clock.now())
})

test('returns the last positions with their age while the platform is down', async () => {
  const seenAt = (await readPositions(setup.member, account())).readAt
  await setup.simulator.control.down()
  setup.context.clock.advance(60_000)
  const stored = await readPositions(setup.member, account())
  assert.deepEqual([stored.positions.length, stored.readAt, stored.isLive], [1, seenAt, false])
  await setup.simulator.control.up()
})

test('returns the last positions while the platform keeps the account in another currency', async () => {
  const { control } = setup.simulator
  setup.context.clock.advance(60_000)
  const seen = await readPositions(setup.member, account())
  control.changeAccount(fixtureLogin, { group: 'real\\standard-jpy' })
  setup.context.clock.advance(60_000)
  const stored = await readPositions(setup.member, account())
  assert.deepEqual([stored.positions, stored.readAt, stored.isLive], [seen.positions, seen.readAt, false])
  control.changeAccount(fixtureLogin, { group: 'real\\standard-usd' })
})

test('returns all positions of an account with many, and the last known ones instead of a part', async () => {
  const openedAtMs = setup.context.clock.now().getTime() - 60_000
  const add = (count: number): void => {
    for (let made = 0; made < count; made++)
      setup.simulator.control.addPosition(fixtureLogin, { symbol: 'EURUSD', side: 'buy', lots: '0.01', openedAtMs })
  }
  await eventually('the platform is asked again', async () => {
    setup.context.clock.advance(60_000)
    return (await readPositions(setup.member, account())).isLive
  })
  add(1_200)
  await eventually('all are read', async () => {
    setup.context.clock.advance(2_000)
    return (await readPositions(setup.member, account())).positions.length === 1_201
  })
  add(4_000)
  setup.context.clock.advance(20_000)
  const { positions, isLive } = await readPositions(setup.member, account())
  assert.deepEqual([positions.length, isLive], [1_201, false])
})

test('shows no positions of somebody else before a comparison has noticed that they got the number', async () => {
  const registered = (platform_registered_at: Date | null) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_accounts')
        .where(here)
        .set({ platform_registered_at })
        .where('account_id', '=', setup.accountId)
        .execute(),
    )
  await registered(new Date(setup.context.clock.now().getTime() - 400 * 86_400_000))
  await untilEmpty()
  await registered(null)
})

test('shows no positions under a number that the platform gave to somebody else', async () => {
  const { system, platformId, accountId } = setup
  const found = { kind: 'gone', reason: 'number_reused', login: fixtureLogin, accountId, at: null } as const
  await inTransaction(system, (tx) => noteDifference(tx, system, platformId, found))
  await untilEmpty()
  setup.simulator.control.clearCalls()
  setup.context.clock.advance(20_000)
  assert.deepEqual([await readPositions(setup.member, account()), reads()], [empty, 0])
})

const empty = { positions: [], readAt: null, isLive: false }

/** A read of all positions that began before may still be under way: it is waited for only as long as a member waits. */
const untilEmpty = () =>
  eventually('no positions are shown', async () => {
    setup.context.clock.advance(20_000)
    return (await readPositions(setup.member, account())).readAt === null
  })
