import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { floorLogin, openTradingFloor, type TradingFloor } from '../../tests/fixtures/trading-fixture.ts'
import { readPositions } from './positions.ts'

let floor: TradingFloor
before(async () => {
  floor = await openTradingFloor()
  const openedAtMs = floor.ground.clock.now().getTime() - 3_600_000
  floor.simulator.control.addPosition(floorLogin, { symbol: 'EURUSD', side: 'sell', lots: '1.05', openedAtMs })
})
after(() => floor.close())

const account = () => ({
  account_id: floor.accountId,
  member_id: floor.member.memberId,
  platform_id: floor.platformId,
  platform_login: floorLogin,
})
const reads = () => floor.simulator.control.calls().filter(({ path }) => path.includes('/position/')).length

test('what is open comes from the platform, once for all who ask at about the same time', async () => {
  floor.simulator.control.clearCalls()
  const [one, other] = await Promise.all([
    readPositions(floor.member, account()),
    readPositions(floor.member, account()),
  ])
  assert.equal(reads(), 1)
  assert.deepEqual(one, other)
  const [position] = one.positions
  assert.deepEqual(
    [position?.symbol, position?.side, position?.hundredths, one.isLive],
    ['EURUSD', 'sell', '105', true],
  )
  await readPositions(floor.member, account())
  assert.equal(reads(), 1, 'seen a moment ago')
  floor.ground.clock.advance(2_000)
  await readPositions(floor.member, account())
  assert.equal(reads(), 2)
})

test('the platform away: what was open last, with its age', async () => {
  const seenAt = (await readPositions(floor.member, account())).readAt
  await floor.simulator.control.down()
  floor.ground.clock.advance(60_000)
  const kept = await readPositions(floor.member, account())
  assert.deepEqual([kept.positions.length, kept.readAt, kept.isLive], [1, seenAt, false])
  await floor.simulator.control.up()
})
