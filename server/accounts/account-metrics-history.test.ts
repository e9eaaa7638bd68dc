import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { readAccountMetrics, readRecentEquity } from '@atrium/contract/accounts/calls.ts'
import { metricsRanges } from '@atrium/contract/accounts/metrics-ranges.ts'
import { sql } from 'kysely'
import type { Caller } from '../../tests/fixtures/caller.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { addAccount, addAccountMetrics } from '../../tests/fixtures/trading/platforms.ts'
import { startingBalance } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { downsampleAccountMetrics } from './account-metrics-history.ts'
import { syncAccounts } from './sync.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let setup: ServedFixture
let caller: Caller
let memberId: string
let accountId: string
let token: string

before(async () => {
  setup = await openServedFixture()
  caller = setup.caller
})
after(() => setup.close())
beforeEach(async () => {
  memberId = (await addMember(setup.system)).memberId
  accountId = await addAccount(setup.system, { memberId, platformId: setup.platformId })
  token = (await openTestSession(setup.system, { kind: 'member', id: memberId })).token
})

const now = () => setup.context.clock.now().getTime()
const addAt = (ageMs: number, equity = '1000.00') =>
  addAccountMetrics(setup.system, { memberId, accountId, at: new Date(now() - ageMs), equity })

async function ask(range?: string, id = accountId) {
  const answer = await caller.get(`/members/trading-accounts/${id}/figures${range ? `?range=${range}` : ''}`, token)
  return { ...answer, read: () => readAccountMetrics.answer.parse(answer.body) }
}

const moments = (of = accountId) =>
  reading(setup.system, async (tx) => {
    const rows = await tx
      .selectFrom('account_figures')
      .select(['at', 'balance', 'equity'])
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('account_id', '=', of)
      .orderBy('at')
      .execute()
    return rows
  })

describe('the stored history of an account', () => {
  test('holds one row per five minutes, however often it is read', async () => {
    for (let reads = 0; reads < 12; reads++) {
      setup.context.clock.advance(minute)
      await syncAccounts(setup.member, [setup.accountId])
    }
    const rows = await moments(setup.accountId)
    assert.ok(rows.length >= 3 && rows.length <= 4, `${rows.length} rows of twelve minutes`)
    assert.ok(rows.every(({ at, equity }) => at.getTime() % (5 * minute) === 0 && equity === startingBalance))
  })

  test('is thinned to the last row of an hour, later of a day, and never twice', async () => {
    const start = Math.floor(now() / day) * day
    const at = (moment: number) => addAccountMetrics(setup.system, { memberId, accountId, at: new Date(moment) })
    const [recent, older, oldest] = [start - 2 * day, start - 10 * day, start - 105 * day]
    for (const from of [recent, older, oldest]) for (const ago of [0, 10, 20, 70]) await at(from + ago * minute)
    await downsampleAccountMetrics(setup.system)
    const left = (await moments()).map((row) => row.at.getTime())
    assert.deepEqual(left, [
      oldest + 70 * minute,
      ...[20, 70].map((ago) => older + ago * minute),
      ...[0, 10, 20, 70].map((ago) => recent + ago * minute),
    ])
    assert.equal(await downsampleAccountMetrics(setup.system), 0)
  })

  test('is thinned for any number of accounts, including more than one batch', async () => {
    const [accounts, points] = [210, 100]
    const begin = new Date(Math.floor((now() - 10 * day) / hour) * hour)
    await inTransaction(setup.system, (tx) =>
      sql`
        insert into trading_accounts (workspace_id, account_id, member_id, platform_id, platform_login, live_account, group_name, leverage,
          currency, balance, created_at, deleted)
        select ${setup.system.workspaceId}::uuid, gen_random_uuid(), ${memberId}::uuid, ${setup.platformId}::uuid, (8000000 + n)::text, true,
          'many', 100, 'USD', 1, now(), true from generate_series(1, ${accounts}::int) n`.execute(tx),
    )
    for (let point = 1; point <= points; point += 10)
      await inTransaction(setup.system, (tx) =>
        sql`
          insert into account_figures (workspace_id, account_id, member_id, at, balance, equity)
          select workspace_id, account_id, member_id, ${begin}::timestamptz + point * interval '20 seconds', 1, 1
          from trading_accounts cross join generate_series(${point}::int, ${point + 9}::int) point
          where workspace_id = ${setup.system.workspaceId}::uuid and group_name = 'many'`.execute(tx),
      )
    assert.equal(await downsampleAccountMetrics(setup.system), accounts * (points - 1))
    assert.equal(await downsampleAccountMetrics(setup.system), 0)
  })
})

describe('the history chart of an account', () => {
  test('is its owner’s, in ascending order, with the last value of each step in the range', async () => {
    for (const [age, equity] of [
      [40 * day, '1.00'],
      [20 * day, '2.00'],
      [20 * day - minute, '3.00'],
      [hour, '4.00'],
    ] as const)
      await addAt(age, equity)
    const { from, to, points } = (await ask()).read()
    assert.equal(to, now())
    assert.equal(from, now() - 31 * day)
    assert.deepEqual(
      points.map(({ equity }) => equity),
      ['3.00', '4.00'],
    )
    const all = (await ask('all')).read()
    assert.deepEqual(
      all.points.map(({ equity }) => equity),
      ['1.00', '3.00', '4.00'],
    )
  })

  test('has at most a few hundred points in every range', async () => {
    // Few at a time, so that no query exceeds the time limit for a connection.
    for (let first = 0; first < 900; first += 10)
      await Promise.all(Array.from({ length: 10 }, (_, index) => addAt((first + index) * 11 * hour + minute)))
    for (const range of metricsRanges) {
      const { points } = (await ask(range)).read()
      assert.ok(points.length <= 400, `${range}: ${points.length}`)
    }
  })

  test("answers another member's account and an unknown account alike", async () => {
    const theirs = await ask('1d', setup.accountId)
    const unknown = await ask('1d', newId())
    const without = ({ raw }: { raw: string }) => raw.replace(/"request_id":"[^"]*"/, '')
    assert.deepEqual([theirs.status, unknown.status, without(theirs)], [404, 404, without(unknown)])
    assert.equal((await ask('2d')).status, 422)
  })

  test('comes with the list of accounts for the last week, one line each', async () => {
    await addAt(8 * day, '1.00')
    await addAt(2 * day, '2.00')
    const other = await addAccount(setup.system, { memberId, platformId: setup.platformId, platform_login: '700998' })
    const { body } = await caller.get('/members/trading/recent-equity', token)
    const { accounts } = readRecentEquity.answer.parse(body)
    const byId = Object.fromEntries(accounts.map(({ _id, points }) => [_id, points.map(({ equity }) => equity)]))
    assert.deepEqual(byId, { [accountId]: ['2.00'], [other]: [] })
    assert.ok(accounts.every(({ day_equity }) => day_equity === undefined))
  })

  test("includes each account's value at the start of the day, where one is stored", async () => {
    await addAt(2 * day, '2.00')
    await addAt(10 * hour, '3.00')
    await addAt(hour, '5.00')
    const other = await addAccount(setup.system, { memberId, platformId: setup.platformId, platform_login: '700999' })
    const asked = async (dayFrom: number) => {
      const { body } = await caller.get(`/members/trading/recent-equity?day_from=${dayFrom}`, token)
      const { accounts } = readRecentEquity.answer.parse(body)
      return Object.fromEntries(accounts.map(({ _id, day_equity }) => [_id, day_equity]))
    }
    assert.deepEqual(await asked(now() - 9 * hour), { [accountId]: '3.00', [other]: null })
    assert.deepEqual(await asked(now() - 3 * day), { [accountId]: null, [other]: null })
    assert.equal((await caller.get('/members/trading/recent-equity?day_from=soon', token)).status, 422)
  })
})
