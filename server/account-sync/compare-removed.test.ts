import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import {
  type AccountSyncFixture,
  dayMs,
  minuteMs,
  openAccountSyncFixture,
  real,
} from '../../tests/fixtures/trading/account-sync-fixture.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { addMember } from '../../tests/fixtures/workspaces.ts'
import { settleDifference } from '../accounts/differences.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { decideDifference } from './decision.ts'

let setup: AccountSyncFixture['setup']
let compare: AccountSyncFixture['compare']
let openAtPlatform: AccountSyncFixture['openAtPlatform']
let accountOf: AccountSyncFixture['accountOf']
let differencesOf: AccountSyncFixture['differencesOf']
let auditOf: AccountSyncFixture['auditOf']
let imported: AccountSyncFixture['imported']

before(async () => {
  ;({ setup, compare, openAtPlatform, accountOf, differencesOf, auditOf, imported } = await openAccountSyncFixture())
})
after(() => setup.close())
beforeEach(() => {
  setup.simulator.control.clearFaults()
  setup.simulator.control.resetSwitches()
  setup.context.clock.advance(minuteMs)
})
test('asks staff about an account whose number the platform gave to somebody else between two comparisons', async () => {
  const { memberId, email } = await addMember(setup.system)
  const login = openAtPlatform({ email, registeredAtMs: Date.now() - 100 * dayMs })
  const known = await addAccount(setup.system, { memberId, platformId: setup.platformId, platform_login: login })
  await compare()
  assert.deepEqual(await differencesOf(login), [])
  setup.simulator.control.removeAccount(login)
  setup.simulator.control.seedAccounts([{ login, group: real, name: 'Bea Another', leverage: 200 }])
  await compare()
  await compare()
  const [found, ...others] = await differencesOf(login)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [found?.kind, found?.reason, found?.state, found?.account_id, found?.holder],
    ['gone', 'number_reused', 'open', known, 'Bea Another'],
  )
  // No program archives it: a platform that was set up again has registered all of its accounts anew.
  assert.equal((await accountOf(login))?.archived, false)
})

test('asks staff too when somebody else got the number in a group that nobody watches', async () => {
  const { memberId, email } = await addMember(setup.system)
  const login = openAtPlatform({ email, registeredAtMs: Date.now() - 100 * dayMs })
  await addAccount(setup.system, { memberId, platformId: setup.platformId, platform_login: login, group_name: real })
  await compare()
  setup.simulator.control.removeAccount(login)
  setup.simulator.control.seedAccounts([{ login, group: 'real\\raw-usd', name: 'Bea Another', leverage: 500 }])
  await compare()
  assert.deepEqual(await statesOf(login), [['gone', 'number_reused', 'open']])
  const { group_name, leverage, enable_read_only } = (await accountOf(login)) ?? {}
  assert.deepEqual([group_name, leverage, enable_read_only], [real, 200, true])
})

test('asks again when a missing account was kept here and its number was then given to somebody else', async () => {
  const { memberId, email } = await addMember(setup.system)
  const login = openAtPlatform({ email, registeredAtMs: Date.now() - 100 * dayMs })
  await addAccount(setup.system, { memberId, platformId: setup.platformId, platform_login: login })
  await compare()
  setup.simulator.control.removeAccount(login)
  await compare()
  await keepHere(login)
  await compare()
  assert.deepEqual(await statesOf(login), [['gone', 'not_there', 'kept']])
  setup.simulator.control.seedAccounts([{ login, group: real, name: 'Bea Another', leverage: 200 }])
  await compare()
  assert.deepEqual(await statesOf(login), [['gone', 'number_reused', 'open']])
  await keepHere(login)
  await compare()
  assert.deepEqual(await statesOf(login), [['gone', 'number_reused', 'kept']])
})

test('asks about a restored account that was archived before its first comparison and came back as somebody else’s', async () => {
  const { memberId } = await addMember(setup.system)
  const place = { memberId, platformId: setup.platformId, platform_login: '700990', group_name: real }
  const account_id = await addAccount(setup.system, { ...place, archived: true })
  const registeredAtMs = setup.context.clock.now().getTime() + 3 * dayMs
  setup.simulator.control.seedAccounts([
    { login: '700990', group: real, name: 'Bea Another', leverage: 500, registeredAtMs },
  ])
  await compare()
  assert.deepEqual(await statesOf('700990'), [['returned', 'archived_here', 'open']])
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('trading_accounts')
      .where(here)
      .set({ archived: false })
      .where('account_id', '=', account_id)
      .execute(),
  )
  await compare()
  assert.ok((await statesOf('700990')).some(([kind, reason]) => kind === 'gone' && reason === 'number_reused'))
})

test('says of an archived account whose number somebody else got that it is probably not the same', async () => {
  const { memberId, email } = await addMember(setup.system)
  const login = openAtPlatform({ email, registeredAtMs: Date.now() - 100 * dayMs })
  const place = { memberId, platformId: setup.platformId, platform_login: login, group_name: real }
  const account_id = await addAccount(setup.system, place)
  await compare()
  setup.simulator.control.removeAccount(login)
  setup.simulator.control.seedAccounts([{ login, group: real, name: 'Bea Another', leverage: 200 }])
  await compare()
  const [found] = await differencesOf(login)
  assert.ok(found)
  await inTransaction(setup.system, async (tx) => {
    await tx
      .updateTable('trading_accounts')
      .where(here)
      .set({ archived: true })
      .where('account_id', '=', account_id)
      .execute()
    await settleDifference(tx, setup.system, found.difference_id, 'archived')
  })
  await compare()
  assert.deepEqual((await statesOf(login)).sort(), [
    ['gone', 'number_reused', 'settled'],
    ['returned', 'archived_reused', 'open'],
  ])
  // Staff say that it is the same account after all: they are not asked again.
  const asked = (await differencesOf(login)).find(({ reason }) => reason === 'archived_reused')
  await decideDifference(setup.staff, asked?.difference_id ?? '', { decision: 'restore' })
  await compare()
  await compare()
  assert.deepEqual(
    (await statesOf(login)).filter(([, , state]) => state === 'open'),
    [],
  )
})

const statesOf = async (login: string) =>
  (await differencesOf(login)).map(({ kind, reason, state }) => [kind, reason, state])
async function keepHere(login: string): Promise<void> {
  const [found] = await differencesOf(login)
  assert.ok(found)
  await inTransaction(setup.system, (tx) => settleDifference(tx, setup.system, found.difference_id, 'kept'))
}

describe('an account removed at the platform', () => {
  test('is archived after two comparisons far enough apart, and returns as a question', async () => {
    const { login, account } = await imported()
    setup.simulator.control.removeAccount(login)
    await compare()
    await compare()
    assert.equal((await accountOf(login))?.archived, false)
    assert.deepEqual(
      (await differencesOf(login)).map(({ kind, reason, state }) => [kind, reason, state]),
      [['gone', 'not_there', 'open']],
    )
    setup.context.clock.advance(5 * minuteMs)
    await compare()
    assert.equal((await accountOf(login))?.archived, true)
    assert.deepEqual((await auditOf(account.account_id)).at(-1)?.action, 'account.archived')
    setup.simulator.control.seedAccounts([{ login, group: real, name: 'Back', leverage: 200 }])
    await compare()
    assert.equal((await accountOf(login))?.archived, true)
    const kinds = (await differencesOf(login)).map(({ kind, state }) => [kind, state])
    assert.deepEqual(kinds.sort(), [
      ['gone', 'settled'],
      ['returned', 'open'],
    ])
  })

  test('is left alone when it reappears before the second comparison', async () => {
    const { login } = await imported()
    setup.simulator.control.removeAccount(login)
    await compare()
    setup.simulator.control.seedAccounts([{ login, group: real, name: 'Back', leverage: 200 }])
    setup.context.clock.advance(10 * minuteMs)
    await compare()
    assert.equal((await accountOf(login))?.archived, false)
    assert.equal((await differencesOf(login))[0]?.decision, 'vanished')
  })

  for (const path of ['/api/user/logins', '/api/user/get_batch', '/api/user/get', '/api/group/next', '/api/*']) {
    test(`is not archived when ${path} fails`, async () => {
      const { login } = await imported()
      setup.simulator.control.removeAccount(login)
      for (let round = 0; round < 4; round += 1) {
        setup.simulator.control.addFault({ path, times: 100, kind: 'answer-code', code: 7 })
        await compare()
        setup.context.clock.advance(10 * minuteMs)
      }
      assert.equal((await accountOf(login))?.archived, false)
      setup.simulator.control.clearFaults()
    })
  }

  test('is not archived when the platform shows nothing, or when many disappear together', async () => {
    const { login } = await imported()
    for (const empty of ['/api/user/logins', '/api/user/get_batch']) {
      for (let round = 0; round < 3; round += 1) {
        setup.simulator.control.addFault({ path: empty, times: 100, kind: 'answer-code', code: 13 })
        setup.simulator.control.addFault({ path: '/api/user/get', times: 100, kind: 'answer-code', code: 13 })
        if (empty === '/api/user/logins') {
          setup.simulator.control.addFault({ path: '/api/user/get_batch', times: 100, kind: 'answer-code', code: 13 })
        }
        await compare()
        setup.simulator.control.clearFaults()
        setup.context.clock.advance(10 * minuteMs)
      }
    }
    assert.equal((await accountOf(login))?.archived, false)
  })
})
