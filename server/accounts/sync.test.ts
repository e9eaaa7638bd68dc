import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addAccount } from '../../tests/fixtures/platforms.ts'
import {
  floorLogin,
  openTradingFloor,
  startingBalance,
  type TradingFloor,
} from '../../tests/fixtures/trading-fixture.ts'
import { addMember, memberActor } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database.ts'
import { isLive, syncAccounts } from './sync.ts'

let floor: TradingFloor
before(async () => {
  floor = await openTradingFloor()
})
after(() => floor.close())

function readAccount(accountId: string) {
  return reading(floor.system, (tx) =>
    tx
      .selectFrom('trading_accounts')
      .select(['balance', 'equity', 'floating', 'credit', 'margin', 'margin_free', 'margin_level', 'leverage'])
      .select('synced_at')
      .where('workspace_id', '=', floor.system.workspaceId)
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow(),
  )
}

test('figures come from the platform, exact, with the moment they were read', async () => {
  await syncAccounts(floor.member, [floor.accountId])
  const account = await readAccount(floor.accountId)
  assert.deepEqual([account.balance, account.equity, account.floating], [startingBalance, startingBalance, '0.00'])
  assert.deepEqual([account.credit, account.margin, account.margin_free], ['0.00', '0.00', startingBalance])
  assert.equal(account.margin_level, null)
  assert.ok(isLive(account.synced_at, floor.ground.clock))
  floor.ground.clock.advance(60_000)
  assert.ok(!isLive(account.synced_at, floor.ground.clock))
})

test('a login that the platform does not know keeps what was known', async () => {
  const unknown = await addAccount(floor.system, {
    memberId: floor.member.memberId,
    platformId: floor.platformId,
    platform_login: '699999',
    balance: '12.00',
  })
  floor.ground.clock.advance(60_000)
  await syncAccounts(floor.member, [floor.accountId, unknown])
  assert.equal((await readAccount(unknown)).balance, '12.00')
  assert.equal((await readAccount(unknown)).synced_at, null)
  assert.ok(isLive((await readAccount(floor.accountId)).synced_at, floor.ground.clock))
})

test('the platform away: the last known figures stay, and nothing is thrown', async () => {
  await floor.simulator.control.down()
  floor.ground.clock.advance(60_000)
  await syncAccounts(floor.member, [floor.accountId])
  const account = await readAccount(floor.accountId)
  assert.equal(account.balance, startingBalance)
  assert.ok(!isLive(account.synced_at, floor.ground.clock))
  await floor.simulator.control.up()
})

test("somebody else's account is not read, whoever names it", async () => {
  const stranger = await memberActor(floor.system, (await addMember(floor.system)).memberId)
  floor.simulator.control.clearCalls()
  floor.ground.clock.advance(60_000)
  await syncAccounts(stranger, [floor.accountId])
  assert.deepEqual(
    floor.simulator.control.calls().filter((call) => call.path.includes(floorLogin)),
    [],
  )
  assert.equal(floor.simulator.control.calls().length, 0)
})
