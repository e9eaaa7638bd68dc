/** Staff, a dealer and another comparison change an account while a comparison runs. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
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

describe('access', () => {
  test('that staff set after the platform was listed is kept, and later follows the platform again', async () => {
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

  test('of an account that a dealer disabled is read-only too, so that no money is moved on it', async () => {
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
