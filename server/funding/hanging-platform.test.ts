import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { eventually } from '../../tests/doubles/child-server.ts'
import { addAccount } from '../../tests/fixtures/platforms.ts'
import {
  type Approved,
  addSecondPlatform,
  approveOne,
  openTradingFloor,
  readTransaction,
  type TradingFloor,
} from '../../tests/fixtures/trading-fixture.ts'
import { syncAccounts } from '../accounts/sync.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import { fundingJobs, sweepIntents } from './jobs.ts'
import { scheduleRecount } from './recount.ts'

/** Two platforms: one hangs for an hour at every call, the other is well. */
let floor: TradingFloor
let sound: TradingFloor
let owner: pg.Client
const hourMs = 3_600_000
const group = 'real\\standard-usd'

before(async () => {
  floor = await openTradingFloor({ writeMs: 60_000, readMs: 60_000 })
  // The queue goes by the real time, and is told of it by ours: a recount in three hours must not be one that is long due.
  floor.ground.clock.advance(Date.now() - floor.ground.clock.now().getTime())
  sound = await addSecondPlatform(floor)
  owner = new pg.Client({ connectionString: floor.ownerUrl })
  await owner.connect()
})
after(async () => {
  await owner.end()
  await floor.close()
  await sound.close()
})

/** One deposit each on accounts of their own, because money of one account goes one after the other. */
async function approveOnOwnAccounts(on: TradingFloor, logins: string[]): Promise<Approved[]> {
  const approved: Approved[] = []
  for (const login of logins) {
    on.simulator.control.seedAccounts([{ login, group, name: 'Mara Member', leverage: 100, balance: '10' }])
    const accountId = await addAccount(floor.system, {
      memberId: floor.member.memberId,
      platformId: on.platformId,
      platform_login: login,
    })
    approved.push(await approveOne({ ...on, accountId }))
  }
  return approved
}

const callsOf = (on: TradingFloor, path: string) =>
  on.simulator.control.calls().filter((call) => call.path === path).length

async function areCredited(deposits: Approved[]): Promise<boolean> {
  const states = await Promise.all(
    deposits.map(async ({ depositId }) => (await readTransaction(floor, depositId)).state),
  )
  return states.every((state) => state === 'approved')
}

test('while one platform hangs, the credits of another go on, by the queue and by the sweep', async () => {
  floor.simulator.control.addFault({ path: '/api/trade/balance', times: 1_000, kind: 'delay', ms: hourMs })
  // More than the queue has workers.
  const stuck = await approveOnOwnAccounts(floor, ['700301', '700302', '700303', '700304', '700305', '700306'])
  await floor.ground.jobs.start(fundingJobs(floor.ground))
  await eventually('a credit hangs', async () => callsOf(floor, '/api/trade/balance') > 0)

  const first = await approveOnOwnAccounts(sound, ['700401', '700402', '700403', '700404', '700405'])
  await eventually('the other platform is credited by the queue', () => areCredited(first))
  const second = await approveOnOwnAccounts(sound, ['700411', '700412'])
  floor.ground.clock.advance(1_000)
  void sweepIntents(floor.ground)
  await eventually('the other platform is credited by the sweep', () => areCredited(second))
  assert.equal(callsOf(floor, '/api/trade/balance'), 1)
  for (const { depositId } of stuck) assert.equal((await readTransaction(floor, depositId)).state, 'crediting')
  // The hanging call is let go, as if the platform had cut the line; then everything finds its end.
  floor.simulator.control.clearFaults()
  floor.simulator.control.landPending()
  await eventually('the first platform is credited', async () => {
    floor.ground.clock.advance(1_000)
    await sweepIntents(floor.ground)
    return areCredited(stuck)
  })
  const tagged = stuck.map(({ tag }) => floor.simulator.control.dealsWithComment(tag).length)
  assert.deepEqual(tagged, [1, 1, 1, 1, 1, 1])
})

test('recounts of one platform that hangs leave the recounts of another to go on, and are asked for again once', async () => {
  const hung = await settled(floor, ['700321', '700322', '700323', '700324', '700325', '700326'])
  const others = await settled(sound, ['700421'])
  const started = [...hung, ...others]
  await owner.query(`delete from pgboss.job where name = 'funding.recount-intent'`)
  floor.simulator.control.addFault({ path: '/api/*', times: 1_000, kind: 'delay', ms: hourMs })
  floor.simulator.control.clearCalls()
  sound.simulator.control.clearCalls()
  await inTransaction(floor.system, async (tx) => {
    for (const { intentId } of started) await scheduleRecount(tx, floor.system, intentId, 0)
  })
  await eventually('the other platform is counted', async () => callsOf(sound, '/api/deal/get_page') > 0)
  await eventually('each that hangs is left to a later job', async () => (await waitingRecounts()).length === 6)
  // They hang on in the lane, where nobody else gets through, while their workers are there for others.
  let isThrough = false
  const last = floor.ground.platforms.visit(floor.system, floor.platformId, 'last', async () => {
    isThrough = true
  })
  await setImmediate()
  assert.equal(isThrough, false)
  // What hung ends with its line, and asks for no second job.
  floor.simulator.control.clearFaults()
  floor.simulator.control.dropConnections()
  await last
  assert.deepEqual((await waitingRecounts()).sort(), hung.map(({ intentId }) => intentId).sort())
})

async function settled(on: TradingFloor, logins: string[]): Promise<Approved[]> {
  const approved = await approveOnOwnAccounts(on, logins)
  await eventually('all are credited', async () => {
    await sweepIntents(floor.ground)
    return areCredited(approved)
  })
  return approved
}

async function waitingRecounts(): Promise<string[]> {
  const found = await owner.query<{ id: string }>(
    `select data ->> 'id' as id from pgboss.job where name = 'funding.recount-intent' and state = 'created'
      and start_after > now() + interval '1 minute'`,
  )
  return found.rows.map(({ id }) => id)
}

test('a dead platform is asked a few times, then its last known figures are shown without asking', async () => {
  const read = (accountId: string) =>
    reading(floor.system, (tx) =>
      tx
        .selectFrom('trading_accounts')
        .select(['balance', 'synced_at'])
        .where('workspace_id', '=', floor.system.workspaceId)
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow(),
    )
  sound.simulator.control.seedAccounts([{ login: '700499', group, name: 'Mara Member', leverage: 100, balance: '77' }])
  const other = await addAccount(floor.system, {
    memberId: floor.member.memberId,
    platformId: sound.platformId,
    platform_login: '700499',
  })
  await syncAccounts(floor.member, [floor.accountId, other])
  const known = await read(floor.accountId)
  floor.simulator.control.addFault({ path: '/api/*', times: 10_000, kind: 'drop-before' })
  const askedFor = async () => {
    floor.ground.clock.advance(2_000)
    floor.simulator.control.clearCalls()
    await syncAccounts(floor.member, [floor.accountId, other])
    return callsOf(floor, '/api/user/get_batch')
  }
  // The probes between are the sign-in's own calls; the member's read is not sent any more.
  let asked = 0
  while ((await askedFor()) > 0) asked += 1
  assert.ok(asked <= 5, `asked ${asked} times`)
  const [dead, alive] = [await read(floor.accountId), await read(other)]
  assert.deepEqual(dead, known)
  assert.equal(alive.balance, '77.00')
  assert.equal(alive.synced_at?.getTime(), floor.ground.clock.now().getTime())

  floor.simulator.control.clearFaults()
  await eventually('it is asked again', async () => (await askedFor()) > 0)
})
