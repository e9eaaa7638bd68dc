import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { codeOf } from '../../tests/fixtures/refusal-code.ts'
import {
  type AccountSyncFixture,
  demo,
  minuteMs,
  openAccountSyncFixture,
  real,
  type Seed,
} from '../../tests/fixtures/trading/account-sync-fixture.ts'
import { addOpening } from '../../tests/fixtures/trading/platforms.ts'
import { addMember } from '../../tests/fixtures/workspaces.ts'
import { settleDifference } from '../accounts/differences.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { lockOpening, moveOpening, type Opening, type OpeningState } from '../openings/opening.ts'
import { decideDifference } from './decision.ts'

let setup: AccountSyncFixture['setup']
let compare: AccountSyncFixture['compare']
let offer: AccountSyncFixture['offer']
let openAtPlatform: AccountSyncFixture['openAtPlatform']
let accountOf: AccountSyncFixture['accountOf']
let differencesOf: AccountSyncFixture['differencesOf']
let auditOf: AccountSyncFixture['auditOf']
let imported: AccountSyncFixture['imported']

before(async () => {
  ;({ setup, compare, offer, openAtPlatform, accountOf, differencesOf, auditOf, imported } =
    await openAccountSyncFixture())
})
after(() => setup.close())
beforeEach(() => {
  setup.simulator.control.clearFaults()
  setup.simulator.control.resetSwitches()
  setup.context.clock.advance(minuteMs)
})
/** An opening whose answer was lost and whose look-up found nothing. */
async function moveTo(opening: string, states: readonly OpeningState[]): Promise<Opening> {
  return inTransaction(setup.system, async (tx) => {
    for (const state of states) {
      const current = await lockOpening(tx, setup.system, opening)
      assert.ok(current)
      const now = setup.context.clock.now()
      await moveOpening(tx, setup.system, current, state, { currency: 'USD', sent_at: now })
    }
    const moved = await lockOpening(tx, setup.system, opening)
    assert.ok(moved)
    return moved
  })
}

test('imports an account whose address matches exactly one member, once, and audits it', async () => {
  const { login, memberId, account } = await imported()
  assert.deepEqual([account.member_id, account.live_account, account.leverage], [memberId, true, 200])
  assert.deepEqual([account.group_name, account.currency, account.status], [real, 'USD', 'active'])
  await compare()
  const entries = await auditOf(account.account_id)
  assert.deepEqual(
    entries.map(({ action, actor_kind, member_id }) => [action, actor_kind, member_id]),
    [['account.imported', 'system', memberId]],
  )
  assert.deepEqual(await differencesOf(login), [])
  assert.equal((await imported(demo)).account.live_account, false)
})

describe('an account of an unknown owner', () => {
  const unknown = async (seed: Seed, reason: string) => {
    const login = openAtPlatform(seed)
    await compare()
    assert.equal(await accountOf(login), undefined)
    const found = await differencesOf(login)
    assert.deepEqual(
      found.map((one) => [one.kind, one.reason, one.state, one.account_id]),
      [['unknown_owner', reason, 'open', null]],
    )
    await compare()
    assert.equal((await differencesOf(login)).length, 1)
    return found[0]
  }
  test('is reported when its address belongs to no member', async () => {
    const found = await unknown({ email: 'stranger@example.test' }, 'no_member')
    assert.deepEqual([found?.holder, found?.holder_email], ['Ada Private', 'stranger@example.test'])
  })
  test('is reported when it has no address', () => unknown({}, 'no_address').then(() => undefined))
  test('is reported when the manager login cannot read personal data', async () => {
    const { email } = await addMember(setup.system)
    setup.simulator.control.setSwitches({ personalDataVisible: false })
    await unknown({ email }, 'no_address')
  })
  test('is reported when its group is watched because of another member but not offered', async () => {
    const { email } = await addMember(setup.system)
    await offer([demo])
    await unknown({ email, group: real }, 'group_not_offered')
    await offer([real, demo])
  })
  test('leaves an account created by a pending opening to that opening', async () => {
    const { memberId, email } = await addMember(setup.system)
    const opening = await addOpening(setup.system, { memberId, platformId: setup.platformId })
    const { tag } = await reading(setup.system, (tx) =>
      tx
        .selectFrom('account_openings')
        .where(here)
        .select('tag')
        .where('opening_id', '=', opening)
        .executeTakeFirstOrThrow(),
    )
    const login = openAtPlatform({ email, comment: tag })
    await compare()
    assert.deepEqual([await accountOf(login), await differencesOf(login)], [undefined, []])
  })
  test('settles an opening recorded as not opened when its account appears', async () => {
    const { memberId, email } = await addMember(setup.system)
    const opening = await addOpening(setup.system, { memberId, platformId: setup.platformId, group: real })
    const { tag } = await moveTo(opening, ['sending', 'unknown', 'not_opened'])
    const login = openAtPlatform({ email, comment: tag })
    await compare()
    const account = await accountOf(login)
    assert.deepEqual([account?.member_id, await differencesOf(login)], [memberId, []])
    const ended = await reading(setup.system, (tx) =>
      tx
        .selectFrom('account_openings')
        .where(here)
        .selectAll()
        .where('opening_id', '=', opening)
        .executeTakeFirstOrThrow(),
    )
    assert.deepEqual([ended.state, ended.platform_login], ['done', login])
    // A second account with the same tag is another account of the member, not one with an unknown owner.
    const another = openAtPlatform({ email, comment: tag })
    await compare()
    assert.equal((await accountOf(another))?.member_id, memberId)
  })
  test('does not reopen a kept difference, and clears the holder with the decision', async () => {
    const found = await unknown({ email: 'kept@example.test' }, 'no_member')
    await inTransaction(setup.staff, (tx) => settleDifference(tx, setup.staff, found?.difference_id ?? '', 'kept'))
    await compare()
    const [again] = await differencesOf(found?.platform_login ?? '')
    assert.deepEqual([again?.state, again?.decision, again?.holder, again?.holder_email], ['kept', 'kept', null, null])
  })
  test('stays without an owner as staff decided, also once its address is a member’s, until staff assign it', async () => {
    const email = 'known-later@example.test'
    const found = await unknown({ email }, 'no_member')
    const [id, login] = [found?.difference_id ?? '', found?.platform_login ?? '']
    const decide = (decision: 'keep' | 'reopen') => decideDifference(setup.staff, id, { decision })
    assert.equal(await codeOf(decide('reopen')), 'illegal_move')
    await decide('keep')
    const { memberId } = await addMember(setup.system, { email, customer_number: '700499' })
    await compare()
    await compare()
    const shown = async () => (await differencesOf(login)).map(({ state, reason }) => [state, reason])
    assert.deepEqual([await accountOf(login), await shown()], [undefined, [['kept', 'owner_known']]])
    assert.equal(await codeOf(decide('keep')), 'illegal_move')
    await decide('reopen')
    assert.deepEqual(await shown(), [['open', 'owner_known']])
    // Asking again assigns nothing: that takes as many people as the balance, none of whom is the member.
    setup.context.clock.advance(minuteMs)
    await compare()
    await compare()
    assert.deepEqual([await accountOf(login), await shown()], [undefined, [['open', 'owner_known']]])
    await decideDifference(setup.staff, id, { decision: 'import', customer_number: '700499', account_kind: 'live' })
    assert.equal((await accountOf(login))?.member_id, memberId)
    const actions = (await auditOf(id)).map(({ action }) => action.replace('account-difference.', ''))
    assert.deepEqual(actions, ['found', 'settled', 'reopened', 'settled'])
  })
  test('reports a new holder when the platform changes it', async () => {
    const found = await unknown({ email: 'first@example.test' }, 'no_member')
    const login = found?.platform_login ?? ''
    setup.context.clock.advance(minuteMs)
    await compare()
    const [seen] = await differencesOf(login)
    assert.ok(seen && found && seen.last_seen_at > found.last_seen_at)
    setup.simulator.control.removeAccount(login)
    setup.simulator.control.seedAccounts([
      { login, group: real, name: 'Ada Private', email: 'second@example.test', leverage: 200 },
    ])
    await compare()
    assert.deepEqual(
      (await differencesOf(login)).map(({ holder_email }) => holder_email),
      ['second@example.test'],
    )
  })
  test('reports each of many differences, and confirms them again without further audit entries', async () => {
    const logins = Array.from({ length: 1_201 }, () => openAtPlatform({ email: 'crowd@example.test' }))
    await compare()
    const [first, last] = [await differencesOf(logins[0] ?? ''), await differencesOf(logins.at(-1) ?? '')]
    assert.deepEqual(
      [first, last].map(([one]) => one?.reason),
      ['no_member', 'no_member'],
    )
    const entries = await auditOf(last[0]?.difference_id ?? '')
    await compare()
    assert.deepEqual(await auditOf(last[0]?.difference_id ?? ''), entries)
    for (const login of logins) setup.simulator.control.removeAccount(login)
    await compare()
    assert.equal((await differencesOf(logins.at(-1) ?? ''))[0]?.decision, 'vanished')
  })
  test('ends a difference once the platform no longer shows it', async () => {
    const found = await unknown({ email: 'gone@example.test' }, 'no_member')
    setup.simulator.control.removeAccount(found?.platform_login ?? '')
    await compare()
    const [ended] = await differencesOf(found?.platform_login ?? '')
    assert.deepEqual([ended?.state, ended?.decision, ended?.holder], ['settled', 'vanished', null])
    const { kind, platform_login: login, platform_id: platform } = ended ?? {}
    const settled = (await auditOf(ended?.difference_id ?? '')).at(-1)
    assert.deepEqual(
      [settled?.action, settled?.after],
      ['account-difference.settled', { decision: 'vanished', kind, login, platform }],
    )
  })
})

test('takes leverage, group and flags from the platform and audits the values before each change', async () => {
  const { login, account } = await imported()
  // Disabled, no trading, no password change.
  setup.simulator.control.changeAccount(login, { leverage: 50, group: 'real\\raw-usd', rights: '4' })
  await compare()
  const now = await accountOf(login)
  assert.deepEqual(
    [now?.leverage, now?.group_name, now?.status, now?.enable_read_only, now?.enable_change_password],
    [50, 'real\\raw-usd', 'disabled', true, false],
  )
  const corrected = (await auditOf(account.account_id)).at(-1)
  assert.deepEqual([corrected?.action, corrected?.actor_kind], ['account.corrected', 'system'])
  assert.deepEqual(corrected?.before, {
    leverage: 200,
    group_name: real,
    status: 'active',
    enable_read_only: false,
    enable_change_password: true,
  })
  await compare()
  assert.equal((await auditOf(account.account_id)).length, 2)
})

test('an account without leverage stops the comparison of no other', async () => {
  const [without, other] = [await imported(), await imported()]
  setup.simulator.control.changeAccount(without.login, { leverage: 0 })
  setup.simulator.control.changeAccount(other.login, { leverage: 50 })
  await compare()
  const leverageAt = async ({ login }: { login: string }) => (await accountOf(login))?.leverage
  assert.deepEqual([await leverageAt(without), await leverageAt(other)], [1, 50])
})

test('leaves a changed currency to staff, because the money was booked in ours', async () => {
  const { login, account } = await imported()
  setup.simulator.control.changeAccount(login, { group: 'real\\standard-eur' })
  await compare()
  const [found] = await differencesOf(login)
  assert.deepEqual([found?.kind, found?.reason, found?.account_id], ['currency', 'EUR', account.account_id])
  assert.equal((await accountOf(login))?.currency, 'USD')
})

test('does not import an account again that staff removed', async () => {
  const { login, account } = await imported()
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('trading_accounts')
      .where(here)
      .set({ deleted: true })
      .where('account_id', '=', account.account_id)
      .execute(),
  )
  await compare()
  assert.equal((await accountOf(login))?.deleted, true)
  assert.deepEqual(await differencesOf(login), [])
})

test('records a platform that cannot be read for operators, and reads it again later', async () => {
  const connection = () =>
    reading(setup.system, (tx) =>
      tx
        .selectFrom('platform_connections')
        .where(here)
        .select(['compared_at', 'compare_problem'])
        .where('platform_id', '=', setup.platformId)
        .executeTakeFirstOrThrow(),
    )
  const before = await connection()
  setup.simulator.control.setSwitches({ authCode: 1012 })
  setup.simulator.control.dropConnections()
  await compare()
  assert.deepEqual(await connection(), { ...before, compare_problem: 'auth_failed' })
})
