import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import {
  type AccountSyncFixture,
  demo,
  minuteMs,
  openAccountSyncFixture,
  real,
} from '../../tests/fixtures/trading/account-sync-fixture.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { addMember } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { listPlatforms } from '../platforms/queries.ts'
import { decideDifference } from './decision.ts'

const elsewhere = 'real\\raw-usd'
let sync: AccountSyncFixture

before(async () => {
  sync = await openAccountSyncFixture()
})
after(() => sync.setup.close())
beforeEach(() => {
  sync.setup.simulator.control.clearFaults()
  sync.setup.simulator.control.resetSwitches()
  sync.setup.context.clock.advance(minuteMs)
})

/** The platform asks for the accounts of its first group first, which is the demo group. */
const refuseAccounts = (times: number) =>
  sync.setup.simulator.control.addFault({ path: '/api/user/logins', times, kind: 'answer-code', code: 8 })
const leverageOf = async (login: string) => (await sync.accountOf(login))?.leverage
const statesOf = async (login: string) =>
  (await sync.differencesOf(login)).map(({ kind, reason, state }) => [kind, reason, state])
const shown = async () => (await listPlatforms(sync.setup.staff))[0]
const problem = () =>
  reading(sync.setup.system, (tx) =>
    tx.selectFrom('platform_connections').where(here).select('compare_problem').executeTakeFirst(),
  ).then((row) => row?.compare_problem)

describe('a group whose accounts may not be read', () => {
  it('stops the comparison of no other, and is named at the desk', async () => {
    const [own, inGroup] = [await sync.imported(), await sync.imported(demo)]
    const stranger = sync.openAtPlatform({ email: 'stranger@example.test', group: demo })
    await sync.compare()
    const before = [await statesOf(stranger), await statesOf(inGroup.login)]
    assert.deepEqual(before, [[['unknown_owner', 'no_member', 'open']], []])
    sync.setup.simulator.control.changeAccount(own.login, { leverage: 50 })
    refuseAccounts(1)
    await sync.compare()
    assert.equal(await leverageOf(own.login), 50)
    assert.deepEqual([await statesOf(stranger), await statesOf(inGroup.login)], before)
    assert.deepEqual([(await shown())?.unread_groups, await problem()], [[demo], null])
    await sync.compare()
    assert.deepEqual((await shown())?.unread_groups, [])
  })

  it('fails the comparison where it is every group, which says nothing about the accounts', async () => {
    const { login } = await sync.imported()
    refuseAccounts(100)
    await sync.compare()
    assert.deepEqual([await problem(), await statesOf(login)], ['not_permitted', []])
  })
})

describe('a group that our manager login cannot see', () => {
  it('stops the comparison of no account but those that were moved into it', async () => {
    const [own, moved] = [await sync.imported(), await sync.imported()]
    const { control } = sync.setup.simulator
    control.setSwitches({ hiddenGroups: [elsewhere] })
    control.changeAccount(moved.login, { group: elsewhere })
    control.changeAccount(own.login, { leverage: 50 })
    for (let times = 0; times < 3; times++) {
      await sync.compare()
      sync.setup.context.clock.advance(10 * minuteMs)
    }
    assert.equal(await leverageOf(own.login), 50)
    assert.deepEqual(await statesOf(moved.login), [['gone', 'group_not_seen', 'open']])
    assert.equal((await sync.accountOf(moved.login))?.archived, false)
    assert.equal(await problem(), null)
  })

  it('keeps what staff decided about an account in it', async () => {
    const group = 'real\\standard-eur'
    await sync.offer([real, demo, group])
    const stranger = sync.openAtPlatform({ email: 'left@example.test', group })
    await sync.compare()
    const [found] = await sync.differencesOf(stranger)
    await decideDifference(sync.setup.staff, found?.difference_id ?? '', { decision: 'keep' })
    sync.setup.simulator.control.setSwitches({ hiddenGroups: [group] })
    await sync.compare()
    assert.deepEqual(await statesOf(stranger), [['unknown_owner', 'no_member', 'kept']])
    assert.deepEqual((await shown())?.unread_groups, [group])
    sync.setup.simulator.control.resetSwitches()
    await sync.offer([real, demo])
    await sync.compare()
    assert.deepEqual(await statesOf(stranger), [['unknown_owner', 'no_member', 'kept']])
    await decideDifference(sync.setup.staff, found?.difference_id ?? '', { decision: 'reopen' })
    sync.setup.context.clock.advance(minuteMs)
    await sync.compare()
    assert.deepEqual(await statesOf(stranger), [['unknown_owner', 'no_member', 'open']])
    await addMember(sync.setup.system, { email: 'left@example.test' })
    await sync.offer([real, demo, group])
    await sync.compare()
    assert.deepEqual(await statesOf(stranger), [['unknown_owner', 'owner_known', 'open']])
    assert.equal(await sync.accountOf(stranger), undefined)
    await sync.offer([real, demo])
  })

  it('makes no missing account of another group one of many', async () => {
    const { control } = sync.setup.simulator
    const hidden = 'real\\standard-gbp'
    const gone = await sync.imported()
    for (let number = 0; number < 21; number++) {
      const at = { memberId: gone.memberId, platformId: sync.setup.platformId, group_name: hidden }
      await addAccount(sync.setup.system, { ...at, platform_login: String(700_400 + number) })
    }
    control.setSwitches({ hiddenGroups: [hidden] })
    control.removeAccount(gone.login)
    await sync.compare()
    assert.deepEqual(await statesOf('700420'), [['gone', 'group_not_seen', 'open']])
    assert.deepEqual(await statesOf(gone.login), [['gone', 'not_there', 'open']])
    sync.setup.context.clock.advance(5 * minuteMs)
    await sync.compare()
    assert.equal((await sync.accountOf(gone.login))?.archived, true)
    assert.equal((await sync.accountOf('700420'))?.archived, false)
  })
})
