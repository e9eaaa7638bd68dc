/** Two platforms: one hangs for an hour at every call, the other is healthy. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import { eventually } from '../../../tests/doubles/child-server.ts'
import { addAccount } from '../../../tests/fixtures/trading/platforms.ts'
import {
  type Approved,
  addSecondPlatform,
  approveOne,
  openTradingFixture,
  readTransaction,
  type TradingFixture,
} from '../../../tests/fixtures/trading/trading-fixture.ts'
import { syncAccounts } from '../../accounts/sync.ts'
import { inTransaction, reading } from '../../foundation/database/database.ts'
import { fundingJobs, sweepIntents } from '../jobs.ts'
import { schedulePostSettlementCheck } from './post-settlement-check.ts'

let setup: TradingFixture
let sound: TradingFixture
let owner: pg.Client
const hourMs = 3_600_000
const group = 'real\\standard-usd'

before(async () => {
  setup = await openTradingFixture({ writeMs: 60_000, readMs: 60_000 })
  // The queue uses real time but gets its dates from our clock: without this, a check due in three hours would already
  // be overdue.
  setup.context.clock.advance(Date.now() - setup.context.clock.now().getTime())
  sound = await addSecondPlatform(setup)
  owner = await setup.openOwner()
})
after(async () => {
  await setup.close()
  await sound.close()
})

/** One deposit on each account, because the operations of one account run one after the other. */
async function approveOnOwnAccounts(on: TradingFixture, logins: string[]): Promise<Approved[]> {
  const approved: Approved[] = []
  for (const login of logins) {
    on.simulator.control.seedAccounts([{ login, group, name: 'Mara Member', leverage: 100, balance: '10' }])
    const accountId = await addAccount(setup.system, {
      memberId: setup.member.memberId,
      platformId: on.platformId,
      platform_login: login,
    })
    approved.push(await approveOne({ ...on, accountId }))
  }
  return approved
}

const callsOf = (on: TradingFixture, path: string) =>
  on.simulator.control.calls().filter((call) => call.path === path).length

async function areCredited(deposits: Approved[]): Promise<boolean> {
  const states = await Promise.all(
    deposits.map(async ({ depositId }) => (await readTransaction(setup, depositId)).state),
  )
  return states.every((state) => state === 'approved')
}

test('while one platform hangs, the credits of another continue, through the queue and the sweep', async () => {
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1_000, kind: 'delay', ms: hourMs })
  // More than the queue has workers.
  const stuck = await approveOnOwnAccounts(setup, ['700301', '700302', '700303', '700304', '700305', '700306'])
  await setup.context.jobs.start(fundingJobs(setup.context))
  await eventually('a credit hangs', async () => callsOf(setup, '/api/trade/balance') > 0)

  const first = await approveOnOwnAccounts(sound, ['700401', '700402', '700403', '700404', '700405'])
  await eventually('the other platform is credited by the queue', () => areCredited(first))
  const second = await approveOnOwnAccounts(sound, ['700411', '700412'])
  setup.context.clock.advance(1_000)
  void sweepIntents(setup.context)
  await eventually('the other platform is credited by the sweep', () => areCredited(second))
  assert.equal(callsOf(setup, '/api/trade/balance'), 1)
  for (const { depositId } of stuck) assert.equal((await readTransaction(setup, depositId)).state, 'crediting')
  // Drops the hanging calls as if the platform had closed the connection; then every intent completes.
  setup.simulator.control.clearFaults()
  setup.simulator.control.landPending()
  await eventually('the first platform is credited', async () => {
    setup.context.clock.advance(1_000)
    await sweepIntents(setup.context)
    return areCredited(stuck)
  })
  const tagged = stuck.map(({ tag }) => setup.simulator.control.dealsWithComment(tag).length)
  assert.deepEqual(tagged, [1, 1, 1, 1, 1, 1])
})

test('post-settlement checks of a hanging platform do not block those of another and are rescheduled once', async () => {
  const hung = await settled(setup, ['700321', '700322', '700323', '700324', '700325', '700326'])
  const others = await settled(sound, ['700421'])
  const started = [...hung, ...others]
  await owner.query(`delete from pgboss.job where name = 'funding.recount-intent'`)
  setup.simulator.control.addFault({ path: '/api/*', times: 1_000, kind: 'delay', ms: hourMs })
  setup.simulator.control.clearCalls()
  sound.simulator.control.clearCalls()
  await inTransaction(setup.system, async (tx) => {
    for (const { intentId } of started) await schedulePostSettlementCheck(tx, setup.system, intentId, 0)
  })
  await eventually('the other platform is checked', async () => callsOf(sound, '/api/deal/get_page') > 0)
  await eventually('each hanging check is left to a later job', async () => (await waitingChecks()).length === 6)
  // The hanging checks still occupy their platform's queue, but no longer a worker.
  let isThrough = false
  const last = setup.context.platforms.runQueued(setup.system, setup.platformId, 'last', async () => {
    isThrough = true
  })
  await setImmediate()
  assert.equal(isThrough, false)
  // A hanging check ends with its connection and schedules no second job.
  setup.simulator.control.clearFaults()
  setup.simulator.control.dropConnections()
  await last
  assert.deepEqual((await waitingChecks()).sort(), hung.map(({ intentId }) => intentId).sort())
})

async function settled(on: TradingFixture, logins: string[]): Promise<Approved[]> {
  const approved = await approveOnOwnAccounts(on, logins)
  await eventually('all are credited', async () => {
    await sweepIntents(setup.context)
    return areCredited(approved)
  })
  return approved
}

async function waitingChecks(): Promise<string[]> {
  const found = await owner.query<{ id: string }>(
    `select data ->> 'id' as id from pgboss.job where name = 'funding.recount-intent' and state = 'created'
      and start_after > now() + interval '1 minute'`,
  )
  return found.rows.map(({ id }) => id)
}

test('a dead platform is queried a few times, then its last known metrics are shown without a call', async () => {
  const read = (accountId: string) =>
    reading(setup.system, (tx) =>
      tx
        .selectFrom('trading_accounts')
        .select(['balance', 'synced_at'])
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow(),
    )
  sound.simulator.control.seedAccounts([{ login: '700499', group, name: 'Mara Member', leverage: 100, balance: '77' }])
  const other = await addAccount(setup.system, {
    memberId: setup.member.memberId,
    platformId: sound.platformId,
    platform_login: '700499',
  })
  await syncAccounts(setup.member, [setup.accountId, other])
  const known = await read(setup.accountId)
  setup.simulator.control.addFault({ path: '/api/*', times: 10_000, kind: 'drop-before' })
  const askedFor = async () => {
    setup.context.clock.advance(2_000)
    setup.simulator.control.clearCalls()
    await syncAccounts(setup.member, [setup.accountId, other])
    return callsOf(setup, '/api/user/get_batch')
  }
  // The probes between are the sign-in's own calls; the member's read is not sent any more.
  let asked = 0
  while ((await askedFor()) > 0) asked += 1
  assert.ok(asked <= 5, `asked ${asked} times`)
  const [dead, alive] = [await read(setup.accountId), await read(other)]
  assert.deepEqual(dead, known)
  assert.equal(alive.balance, '77.00')
  assert.equal(alive.synced_at?.getTime(), setup.context.clock.now().getTime())

  setup.simulator.control.clearFaults()
  await eventually('the platform is called again', async () => (await askedFor()) > 0)
})
