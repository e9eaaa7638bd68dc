// spec: MP 3, AO 4, AO 7, AO 8
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import {
  fixtureLogin,
  openTradingFixture,
  startingBalance,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, memberActor } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { isLive, syncAccounts } from './sync.ts'

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())

function readAccount(accountId: string) {
  return reading(setup.system, (tx) =>
    tx
      .selectFrom('trading_accounts')
      .select(['balance', 'equity', 'floating', 'credit', 'margin', 'margin_free', 'margin_level', 'leverage'])
      .select('synced_at')
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow(),
  )
}

test('stores exact metrics from the platform with the time they were read', async () => {
  await syncAccounts(setup.member, [setup.accountId])
  const account = await readAccount(setup.accountId)
  assert.deepEqual([account.balance, account.equity, account.floating], [startingBalance, startingBalance, '0.00'])
  assert.deepEqual([account.credit, account.margin, account.margin_free], ['0.00', '0.00', startingBalance])
  assert.equal(account.margin_level, null)
  assert.ok(isLive(account.synced_at, setup.context.clock))
  setup.context.clock.advance(60_000)
  assert.ok(!isLive(account.synced_at, setup.context.clock))
})

test('leaves the stored metrics of a login that the platform does not know', async () => {
  const unknown = await addAccount(setup.system, {
    memberId: setup.member.memberId,
    platformId: setup.platformId,
    platform_login: '699999',
    balance: '12.00',
  })
  setup.context.clock.advance(60_000)
  await syncAccounts(setup.member, [setup.accountId, unknown])
  assert.equal((await readAccount(unknown)).balance, '12.00')
  assert.equal((await readAccount(unknown)).synced_at, null)
  assert.ok(isLive((await readAccount(setup.accountId)).synced_at, setup.context.clock))
})

test('shows nothing of somebody else’s account that got the number', async () => {
  const { system, platformId, simulator } = setup
  const { memberId } = setup.member
  const place = { memberId, platformId, platform_login: '700777', balance: '12.00' }
  const platform_registered_at = new Date(setup.context.clock.now().getTime() - 100 * 86_400_000)
  const former = await addAccount(system, { ...place, platform_registered_at })
  simulator.control.seedAccounts([
    { login: '700777', group: 'real\\standard-usd', name: 'Bea Another', leverage: 500, balance: '9000.00' },
  ])
  await syncAccounts(setup.member, [former])
  const { balance, leverage, synced_at } = await readAccount(former)
  assert.deepEqual([balance, leverage, synced_at], ['12.00', 100, null])
})

test('shows no amounts of an account that has another currency at the platform', async () => {
  const { system, platformId, simulator } = setup
  const place = { memberId: setup.member.memberId, platformId, platform_login: '700779', balance: '12.00' }
  const account = await addAccount(system, place)
  simulator.control.seedAccounts([
    { login: '700779', group: 'real\\standard-eur', name: 'Mara Member', leverage: 500, balance: '9000.00' },
  ])
  await syncAccounts(setup.member, [account])
  const { balance, synced_at } = await readAccount(account)
  assert.deepEqual([balance, synced_at], ['12.00', null])
})

test('reads again after our clock was set back, and calls nothing live meanwhile', async () => {
  setup.context.clock.advance(3_600_000)
  await syncAccounts(setup.member, [setup.accountId])
  setup.context.clock.advance(-3_600_000)
  const { synced_at: ahead } = await readAccount(setup.accountId)
  assert.equal(isLive(ahead, setup.context.clock), false)
  await syncAccounts(setup.member, [setup.accountId])
  const { synced_at } = await readAccount(setup.accountId)
  assert.deepEqual(synced_at, setup.context.clock.now())
})

test('leaves the last known metrics and throws nothing while the platform is down', async () => {
  await setup.simulator.control.down()
  setup.context.clock.advance(60_000)
  await syncAccounts(setup.member, [setup.accountId])
  const account = await readAccount(setup.accountId)
  assert.equal(account.balance, startingBalance)
  assert.ok(!isLive(account.synced_at, setup.context.clock))
  await setup.simulator.control.up()
})

test('never reads the account of another member', async () => {
  const foreignMember = await memberActor(setup.system, (await addMember(setup.system)).memberId)
  setup.simulator.control.clearCalls()
  setup.context.clock.advance(60_000)
  await syncAccounts(foreignMember, [setup.accountId])
  assert.deepEqual(
    setup.simulator.control.calls().filter((call) => call.path.includes(fixtureLogin)),
    [],
  )
  assert.equal(setup.simulator.control.calls().length, 0)
})
