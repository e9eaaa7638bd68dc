// spec: OP faults, OP notifications

/** The hubs have no timer here and the clock is fixed, so that calls to a platform can be counted exactly. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { type AccountMetricsEvent, accountMetricsEvent } from '@atrium/contract/accounts/live-metrics.ts'
import type { Mt5Simulator } from '../../simulators/mt5/simulator.ts'
import { eventually } from '../../tests/doubles/child-server.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import {
  addSecondPlatform,
  openTradingFixture,
  startingBalance,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, openTestSession, setFeatures, setPermissions } from '../../tests/fixtures/workspaces.ts'
import type { Member } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { lockMember } from '../members/lock.ts'
import { endSession } from '../sessions/session.ts'
import { findMember } from '../sessions/session-proof.ts'
import { type LiveHub, openLiveHub } from './live-hub.ts'

let setup: TradingFixture
let others: Mt5Simulator
let first: Member
let second: Member
let accountOfSecond: string
let accountElsewhere: string
let hubs: LiveHub[]

const group = 'real\\standard-usd'
const loginOfSecond = '700124'
const loginElsewhere = '700301'

before(async () => {
  setup = await openTradingFixture()
  const elsewhere = await addSecondPlatform(setup)
  others = elsewhere.simulator
  setup.simulator.control.seedAccounts([
    { login: loginOfSecond, group, name: 'Sol Second', leverage: 100, balance: '2000.00' },
  ])
  others.control.seedAccounts([
    { login: loginElsewhere, group, name: 'Mara Member', leverage: 100, balance: '3000.00' },
  ])
  const memberId = (await addMember(setup.system)).memberId
  accountOfSecond = await addAccount(setup.system, {
    memberId,
    platformId: setup.platformId,
    platform_login: loginOfSecond,
  })
  accountElsewhere = await addAccount(setup.system, {
    memberId: setup.member.memberId,
    platformId: elsewhere.platformId,
    platform_login: loginElsewhere,
  })
  secondId = memberId
})
let secondId: string
after(async () => {
  await setup.close()
  await others.stop()
})
beforeEach(async () => {
  setup.context.clock.advance(60_000)
  hubs = []
  first = await signedIn(setup.member.memberId)
  second = await signedIn(secondId)
  for (const { control } of [setup.simulator, others]) control.clearCalls()
})
afterEach(async () => {
  for (const hub of hubs) await hub.close()
})

function openHub(): LiveHub {
  const hub = openLiveHub(setup.context, { isBeating: false })
  hubs.push(hub)
  return hub
}

async function signedIn(memberId: string): Promise<Member> {
  const { token } = await openTestSession(setup.system, { kind: 'member', id: memberId })
  const member = await findMember(setup.system, { token, of: 'calls' })
  assert.ok(member)
  return member
}

type Received = { events: AccountMetricsEvent[]; ends: string[]; text: string; isClosed: boolean }

function listen(readable: Readable): Received {
  const received: Received = { events: [], ends: [], text: '', isClosed: false }
  readable.on('data', (chunk: Buffer) => {
    received.text += chunk.toString()
    for (const [, name, data] of chunk.toString().matchAll(/event: (\w+)\ndata: (.*)\n\n/g)) {
      if (name === 'figures') received.events.push(accountMetricsEvent.parse(JSON.parse(data ?? '')))
      else received.ends.push(JSON.parse(data ?? '').code)
    }
  })
  readable.on('close', () => {
    received.isClosed = true
  })
  return received
}

/** Waits until the next reading of the platforms is sent to the watchers. */
async function round(hub: LiveHub): Promise<void> {
  await hub.beat()
  await hub.settled()
  await hub.beat()
  await new Promise((resolve) => setImmediate(resolve))
}

const switchOthers = (enabled: boolean) =>
  inTransaction(setup.system, (tx) =>
    tx
      .updateTable('trading_platforms')
      .set({ enabled })
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('platform_id', '<>', setup.platformId)
      .execute(),
  )

async function syncedAt(accountId: string): Promise<number> {
  const row = await reading(setup.system, (tx) =>
    tx
      .selectFrom('trading_accounts')
      .select('synced_at')
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow(),
  )
  return row.synced_at?.getTime() ?? 0
}

const batchCalls = (simulator: Mt5Simulator) =>
  simulator.control.calls().filter(({ path }) => path.startsWith('/api/user/account/get_batch')).length
const accountsOf = (received: Received) => [
  ...new Set(received.events.flatMap(({ accounts }) => accounts.map(({ _id }) => _id))),
]
const lastOf = (received: Received, id: string) =>
  received.events.flatMap(({ accounts }) => accounts.filter(({ _id }) => _id === id)).at(-1)

describe('members who watch', () => {
  test('receive only their own accounts, for one call per platform however many watch', async () => {
    const hub = openHub()
    const [one, again, other] = [listen(hub.watch(first)), listen(hub.watch(first)), listen(hub.watch(second))]
    await round(hub)
    assert.deepEqual([batchCalls(setup.simulator), batchCalls(others)], [1, 1])
    assert.deepEqual(accountsOf(one).sort(), [setup.accountId, accountElsewhere].sort())
    assert.deepEqual(accountsOf(again).sort(), accountsOf(one).sort())
    assert.deepEqual(accountsOf(other), [accountOfSecond])
    const metrics = lastOf(one, setup.accountId)
    assert.deepEqual([metrics?.balance, metrics?.equity, metrics?.balance_is_live], [startingBalance, '1000.00', true])
    assert.ok(!one.text.includes(accountOfSecond) && !other.text.includes(setup.accountId))
  })

  test('receive only what changed', async () => {
    const hub = openHub()
    const [one, other] = [listen(hub.watch(first)), listen(hub.watch(second))]
    await round(hub)
    const [before, beforeOther] = [one.events.length, other.events.length]
    setup.context.clock.advance(1_000)
    await round(hub)
    assert.deepEqual([one.events.length, other.events.length], [before, beforeOther])
    setup.simulator.control.addLedger(loginOfSecond, { amount: '12.34', comment: 'A gift', atMs: 1_780_000_000_000 })
    setup.context.clock.advance(1_000)
    await round(hub)
    assert.deepEqual([one.events.length, other.events.length], [before, beforeOther + 1])
    assert.equal(lastOf(other, accountOfSecond)?.balance, '2012.34')
    assert.equal(batchCalls(setup.simulator), 3)
  })

  test('share one call across two processes, and receive metrics in both', async () => {
    const [here, there] = [openHub(), openHub()]
    const [one, other] = [listen(here.watch(first)), listen(there.watch(first))]
    await Promise.all([here.beat(), there.beat()])
    await Promise.all([here.settled(), there.settled()])
    assert.deepEqual([batchCalls(setup.simulator), batchCalls(others)], [1, 1])
    await Promise.all([round(here), round(there)])
    await Promise.all([here.beat(), there.beat()])
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual([batchCalls(setup.simulator), batchCalls(others)], [1, 1])
    for (const received of [one, other]) assert.equal(lastOf(received, accountElsewhere)?.balance, '3000.00')
    for (const received of [one, other]) assert.equal(lastOf(received, accountElsewhere)?.balance_is_live, true)
  })

  test('are served by one process, and by the other within a second after the first has no watchers', async () => {
    const [here, there] = [openHub(), openHub()]
    const leaving = here.watch(first)
    await round(here)
    const staying = listen(there.watch(first))
    for (let seconds = 0; seconds < 8; seconds++) {
      setup.context.clock.advance(1_000)
      await round(here)
      await round(there)
    }
    assert.deepEqual([batchCalls(setup.simulator), batchCalls(others)], [9, 9])
    leaving.destroy()
    await once(leaving, 'close')
    await round(here)
    setup.context.clock.advance(1_000)
    await round(there)
    assert.deepEqual([batchCalls(setup.simulator), batchCalls(others)], [10, 10])
    assert.equal(lastOf(staying, accountElsewhere)?.balance_is_live, true)
  })

  test('are served by another process within five seconds after theirs is killed', async () => {
    const [killed, other] = [openHub(), openHub()]
    killed.watch(first)
    await round(killed)
    listen(other.watch(first))
    const asked: number[] = []
    for (let seconds = 0; seconds < 8; seconds++) {
      setup.context.clock.advance(1_000)
      await round(other)
      asked.push(batchCalls(others))
    }
    assert.deepEqual(asked, [1, 1, 1, 1, 2, 3, 4, 5])
  })

  test('have their metrics stored every second while they change, and rarely while they do not', async () => {
    const hub = openHub()
    hub.watch(second)
    const ages: number[] = []
    for (let seconds = 0; seconds < 6; seconds++) {
      setup.context.clock.advance(1_000)
      if (seconds > 3)
        setup.simulator.control.addLedger(loginOfSecond, { amount: '1.00', comment: 'Moves', atMs: 1_780_000_000_000 })
      await round(hub)
      const age = setup.context.clock.now().getTime() - (await syncedAt(accountOfSecond))
      ages.push(age)
    }
    assert.deepEqual(ages, [0, 1_000, 0, 1_000, 0, 0])
  })

  test('cause no call to a platform once all of them have left', async () => {
    const hub = openHub()
    await round(hub)
    const stream = hub.watch(first)
    const closed = once(stream, 'close')
    stream.destroy()
    await closed
    await round(hub)
    assert.deepEqual([batchCalls(setup.simulator), batchCalls(others)], [0, 0])
  })

  test('receive the metrics of one platform while another is down, with the age of that one’s metrics', async () => {
    const hub = openHub()
    const one = listen(hub.watch(first))
    await round(hub)
    const asOf = lastOf(one, accountElsewhere)?.balance_as_of
    await others.control.down()
    try {
      for (let seconds = 0; seconds < 16; seconds++) {
        setup.context.clock.advance(1_000)
        await round(hub)
      }
      setup.simulator.control.addLedger('700123', { amount: '1.00', comment: 'Interest', atMs: 1_780_000_000_000 })
      setup.context.clock.advance(1_000)
      await round(hub)
      assert.equal(lastOf(one, setup.accountId)?.balance, '1001.00')
      const away = lastOf(one, accountElsewhere)
      assert.deepEqual([away?.balance, away?.balance_is_live, away?.balance_as_of], ['3000.00', false, asOf])
    } finally {
      await others.control.up()
    }
    // The circuit breaker decides when the platform is called again, not the hub.
    await eventually('metrics of the other platform again', async () => {
      setup.context.clock.advance(16_000)
      await round(hub)
      return lastOf(one, accountElsewhere)?.balance_is_live === true
    })
  })

  test('receive the stored metrics of a disabled platform with their age', async (t) => {
    const hub = openHub()
    const one = listen(hub.watch(first))
    await round(hub)
    const asOf = lastOf(one, accountElsewhere)?.balance_as_of
    t.after(() => switchOthers(true))
    await switchOthers(false)
    for (let seconds = 0; seconds < 16; seconds++) {
      setup.context.clock.advance(1_000)
      await round(hub)
    }
    const away = lastOf(one, accountElsewhere)
    assert.deepEqual([away?.balance, away?.balance_is_live, away?.balance_as_of], ['3000.00', false, asOf])
  })

  test('may open at most eight streams each', async () => {
    const hub = openHub()
    for (let page = 0; page < 8; page++) hub.watch(first)
    assert.throws(() => hub.watch(first), { code: 'too_many_requests' })
    hub.watch(second)
  })
})

describe('the next beat', () => {
  const closings: [string, string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      'ends the stream of a member who signed out, and no other',
      'unauthenticated',
      () => endSession(first),
      async () => undefined,
    ],
    [
      'ends the stream of a member who was idle for too long, and no other',
      'unauthenticated',
      () => beIdle(),
      async () => undefined,
    ],
    [
      'ends the stream of a member who lost the permission, and no other',
      'not_permitted',
      () => setPermissions(setup.system, first.memberId, ['my_accounts-']),
      () => setPermissions(setup.system, first.memberId, []),
    ],
  ]
  for (const [what, code, close, reopen] of closings)
    test(what, async () => {
      const hub = openHub()
      const [one, other] = [listen(hub.watch(first)), listen(hub.watch(second))]
      await round(hub)
      await close()
      await hub.beat()
      await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual([one.ends, one.isClosed], [[code], true])
      assert.deepEqual([other.ends, other.isClosed], [[], false])
      await reopen()
    })

  test('ends the streams of all members when the feature is switched off', async () => {
    const hub = openHub()
    const received = [listen(hub.watch(first)), listen(hub.watch(second))]
    await setFeatures(setup.system, { accounts: false })
    await hub.beat()
    await setFeatures(setup.system, {})
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(
      received.map(({ ends }) => ends),
      [['feature_off'], ['feature_off']],
    )
  })

  test('ends the stream of a member whom staff locked, and no other', async () => {
    const hub = openHub()
    const { memberId } = await addMember(setup.system)
    const locked = listen(hub.watch(await signedIn(memberId)))
    const other = listen(hub.watch(second))
    await lockMember(setup.staff, memberId, 'Asked for it')
    await hub.beat()
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual([locked.ends, locked.isClosed, other.isClosed], [['unauthenticated'], true, false])
  })

  test('ends the stream of a session that only watches', async () => {
    const hub = openHub()
    const one = listen(hub.watch(first))
    for (let minutes = 0; minutes < 31; minutes++) {
      setup.context.clock.advance(60_000)
      await round(hub)
    }
    assert.deepEqual(one.ends, ['unauthenticated'])
  })

  async function beIdle(): Promise<void> {
    await inTransaction(setup.system, (tx) =>
      tx
        .updateTable('sessions')
        .set({ last_seen_at: new Date(0) })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('session_id', '=', first.sessionId)
        .execute(),
    )
  }
})

test('reports an account that is closed or reassigned as gone', async () => {
  const hub = openHub()
  const { memberId } = await addMember(setup.system)
  const accountId = await addAccount(setup.system, { memberId, platformId: setup.platformId })
  const received = listen(hub.watch(await signedIn(memberId)))
  // The platform does not know this login, so the stored metrics follow with the next round.
  await round(hub)
  await round(hub)
  assert.deepEqual(accountsOf(received), [accountId])
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('trading_accounts')
      .set({ deleted: true })
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('account_id', '=', accountId)
      .execute(),
  )
  await round(hub)
  assert.deepEqual(received.events.at(-1), { accounts: [], gone: [accountId] })
})
