/** Staff, a dealer and another comparison change an account while a comparison runs. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { eventually } from '../../tests/doubles/child-server.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { noteDifference, settleDifference } from '../accounts/differences.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { comparePlatform } from './compare.ts'
import { readAccountForDesk } from './queries.ts'

const group = 'real\\standard-usd'
const minuteMs = 60_000

let setup: TradingFixture
let nextLogin = 700_600
let login: string
let accountId: string

before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())
beforeEach(async () => {
  setup.context.clock.advance(minuteMs)
  nextLogin += 1
  login = String(nextLogin)
  setup.simulator.control.seedAccounts([{ login, group, name: 'Mara Member', leverage: 100, balance: '10' }])
  const place = { memberId: setup.member.memberId, platformId: setup.platformId }
  accountId = await addAccount(setup.system, { ...place, platform_login: login, group_name: group })
  await compare()
})

const compare = () => comparePlatform(setup.system, setup.platformId)

function account() {
  return reading(setup.system, (tx) =>
    tx
      .selectFrom('trading_accounts')
      .where(here)
      .select(['status', 'enable_read_only', 'archived'])
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow(),
  )
}

async function access() {
  const { status, enable_read_only } = await account()
  return [status, enable_read_only]
}

function differenceOf(of: string) {
  return reading(setup.system, (tx) =>
    tx
      .selectFrom('account_differences')
      .where(here)
      .selectAll()
      .where('platform_login', '=', of)
      .executeTakeFirstOrThrow(),
  )
}

describe('the access of an account', () => {
  test('stays as staff set it after the platform was listed, and later follows the platform again', async () => {
    const leased = new Date(setup.context.clock.now().getTime() + 1_000)
    await inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_accounts')
        .where(here)
        .set({ status: 'disabled', enable_read_only: true, access_leased_until: leased })
        .where('account_id', '=', accountId)
        .execute(),
    )
    await compare()
    assert.deepEqual(await access(), ['disabled', true])
    setup.context.clock.advance(minuteMs)
    await compare()
    assert.deepEqual(await access(), ['active', false])
  })

  test('is read-only after a dealer disabled the account, so that no money is moved on it', async () => {
    // Not enabled; trading and the password are left as they were.
    setup.simulator.control.changeAccount(login, { rights: '2' })
    await compare()
    assert.deepEqual(await access(), ['disabled', true])
    const { portal, platform } = await readAccountForDesk(setup.staff, accountId)
    assert.deepEqual(
      [portal, platform].map((side) => [side?.is_enabled, side?.is_read_only]),
      [
        [false, true],
        [false, true],
      ],
    )
    setup.simulator.control.changeAccount(login, { rights: '3' })
    await compare()
    assert.deepEqual(await access(), ['active', false])
  })
})

describe('a discrepancy', () => {
  test('archives nothing if staff keep it while the account is looked for', async () => {
    const { control } = setup.simulator
    control.removeAccount(login)
    await compare()
    setup.context.clock.advance(10 * minuteMs)
    control.clearCalls()
    control.addFault({ path: '/api/user/get', times: 1, kind: 'late-answer', ms: 3_600_000 })
    const running = compare()
    await eventually('the account is looked for', async () =>
      control.calls().some(({ path }) => path === '/api/user/get'),
    )
    const { difference_id } = await differenceOf(login)
    await inTransaction(setup.staff, (tx) => settleDifference(tx, setup.staff, difference_id, 'kept'))
    control.landPending()
    await running
    const { state, decision } = await differenceOf(login)
    assert.deepEqual([state, decision], ['kept', 'kept'])
    assert.equal((await account()).archived, false)
  })

  test('is not ended by an earlier comparison than the one that noted it', async () => {
    const found = { kind: 'unknown_owner', login: '799001', accountId: null, reason: 'no_member', at: null } as const
    await inTransaction(setup.system, async (tx) => {
      await noteDifference(tx, setup.system, setup.platformId, found)
      await tx
        .updateTable('account_differences')
        .where(here)
        .set({ last_seen_at: new Date(setup.context.clock.now().getTime() + 1_000) })
        .where('platform_login', '=', found.login)
        .execute()
    })
    await compare()
    assert.equal((await differenceOf(found.login)).state, 'open')
    setup.context.clock.advance(minuteMs)
    await compare()
    assert.equal((await differenceOf(found.login)).decision, 'vanished')
  })
})
