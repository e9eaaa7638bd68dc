// spec: DK accounts
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Caller } from '../../tests/fixtures/caller.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { codeOf } from '../../tests/fixtures/refusal-code.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { fixtureLogin } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, addStaff, addWorkspace, openTestSession, staffActor } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { Refusal } from '../foundation/errors.ts'
import { comparePlatform } from './compare.ts'
import { decideDifference } from './decision.ts'
import { accountDifferences, readAccountForDesk } from './queries.ts'

const group = 'real\\standard-usd'
let setup: ServedFixture
let caller: Caller
let nextLogin = 700_700

before(async () => {
  setup = await openServedFixture()
  caller = setup.caller
  const groups = JSON.stringify([{ name: group, alias: 'Standard' }])
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('trading_platforms')
      .where(here)
      .set({ groups })
      .where('platform_id', '=', setup.platformId)
      .execute(),
  )
})
after(() => setup.close())

const open = { state: 'open', limit: 25 } as const
const compare = () => comparePlatform(setup.system, setup.platformId)

async function openDifference() {
  nextLogin += 1
  const login = String(nextLogin)
  setup.simulator.control.seedAccounts([{ login, group, name: 'Ada Private', email: 'ada@x.test', leverage: 50 }])
  await compare()
  const found = (await accountDifferences.read(setup.staff, open)).differences.find(
    (one) => one.platform_login === login,
  )
  assert.ok(found)
  return { id: found._id, login, found }
}

const customerNumberOf = (memberId: string) =>
  reading(setup.system, (tx) =>
    tx
      .selectFrom('members')
      .where(here)
      .select('customer_number')
      .where('member_id', '=', memberId)
      .executeTakeFirstOrThrow(),
  ).then((row) => row.customer_number)

function accountOf(login: string) {
  return reading(setup.system, (tx) =>
    tx.selectFrom('trading_accounts').where(here).selectAll().where('platform_login', '=', login).executeTakeFirst(),
  )
}

test('shows an unknown account with its holder, and imports it for the member that staff name', async () => {
  const { id, login, found } = await openDifference()
  assert.deepEqual(
    [found.kind, found.reason, found.holder, found.holder_email, found.leverage],
    ['unknown_owner', 'no_member', 'Ada Private', 'ada@x.test', 50],
  )
  const { memberId } = await addMember(setup.system)
  const customer_number = await customerNumberOf(memberId)
  await decideDifference(setup.staff, id, { decision: 'import', customer_number, account_kind: 'live' })
  const account = await accountOf(login)
  assert.deepEqual([account?.member_id, account?.live_account, account?.currency], [memberId, true, 'USD'])
  const { differences } = await accountDifferences.read(setup.staff, open)
  assert.ok(differences.every((one) => one._id !== id))
  await compare()
  assert.ok((await accountDifferences.read(setup.staff, open)).differences.every((one) => one.platform_login !== login))
})

test('accepts one of two concurrent decisions, and only one that fits the difference', async () => {
  const { id } = await openDifference()
  assert.equal(await codeOf(decideDifference(setup.staff, id, { decision: 'archive' })), 'illegal_move')
  const both = await Promise.all([1, 2].map(() => codeOf(decideDifference(setup.staff, id, { decision: 'keep' }))))
  assert.deepEqual(both.sort(), ['done', 'illegal_move'])
})

/** An account of a member's, whose number `reuse` gives to an account that was registered later. */
async function accountWithNumber() {
  const { memberId, email } = await addMember(setup.system)
  nextLogin += 1
  const login = String(nextLogin)
  const register = (daysAgo: number) => {
    const registeredAtMs = Date.now() - daysAgo * 86_400_000
    setup.simulator.control.seedAccounts([{ login, group, name: 'Ada', email, leverage: 50, registeredAtMs }])
  }
  const reuse = (daysAgo: number) => {
    setup.simulator.control.removeAccount(login)
    register(daysAgo)
  }
  const found = async () =>
    (await accountDifferences.read(setup.staff, open)).differences.find((one) => one.platform_login === login)
  register(300)
  await compare()
  assert.equal((await accountOf(login))?.member_id, memberId)
  return { login, reuse, found }
}

test('asks about a number given away again after staff kept its account', async () => {
  const { login, reuse, found } = await accountWithNumber()
  for (const daysAgo of [200, 100]) {
    reuse(daysAgo)
    await compare()
    const asked = await found()
    assert.equal(asked?.reason, 'number_reused')
    // Its member does nothing with it meanwhile.
    const access = async () => {
      const account = await accountOf(login)
      return [account?.enable_read_only, account?.enable_change_password]
    }
    assert.deepEqual(await access(), [true, false])
    await decideDifference(setup.staff, asked._id, { decision: 'keep' })
    await compare()
    await compare()
    assert.equal(await found(), undefined)
    assert.deepEqual(await access(), [false, true])
  }
})

test('asks about a number given away again after staff take back that they kept its account', async () => {
  const { login, reuse, found } = await accountWithNumber()
  reuse(200)
  await compare()
  const id = (await found())?._id ?? ''
  for (const decision of ['keep', 'reopen'] as const) await decideDifference(setup.staff, id, { decision })
  await compare()
  await compare()
  assert.deepEqual([(await found())?._id, (await found())?.reason], [id, 'number_reused'])
  assert.equal((await accountOf(login))?.enable_read_only, true)
  await decideDifference(setup.staff, id, { decision: 'keep' })
  await compare()
  assert.deepEqual([await found(), (await accountOf(login))?.enable_read_only], [undefined, false])
})

test('reports an unknown member and a missing kind by field', async () => {
  const { id } = await openDifference()
  const wrong = decideDifference(setup.staff, id, { decision: 'import', customer_number: '1' })
  await assert.rejects(wrong, (problem: unknown) => {
    assert.ok(problem instanceof Refusal)
    assert.deepEqual(Object.keys(problem.details?.errors ?? {}).sort(), ['account_kind', 'customer_number'])
    return true
  })
})

test('refuses an import while the platform is unreachable, with a message', async () => {
  const { id, login } = await openDifference()
  const { memberId } = await addMember(setup.system)
  const customer_number = await customerNumberOf(memberId)
  await setup.simulator.control.down()
  const attempt = decideDifference(setup.staff, id, { decision: 'import', customer_number, account_kind: 'demo' })
  assert.equal(await codeOf(attempt), 'unavailable')
  assert.equal(await accountOf(login), undefined)
  assert.equal((await readAccountForDesk(setup.staff, setup.accountId)).platform_problem, 'not_answering')
  await setup.simulator.control.up()
})

test('refuses staff without the right and staff of another workspace', async () => {
  const { id } = await openDifference()
  const viewer = await addStaff(setup.system, { role: 'viewer' })
  assert.equal(
    await codeOf(decideDifference(staffActor(setup.system, viewer), id, { decision: 'keep' })),
    'not_permitted',
  )
  const elsewhere = await addWorkspace(setup.context)
  const otherStaff = staffActor(elsewhere, await addStaff(elsewhere))
  assert.equal(await codeOf(decideDifference(otherStaff, id, { decision: 'keep' })), 'not_found')
  assert.equal(await codeOf(readAccountForDesk(otherStaff, setup.accountId)), 'not_found')
  assert.equal((await accountDifferences.read(otherStaff, open)).total, 0)
})

test('shows staff an account as we have it and as its platform has it', async () => {
  const { token } = await openTestSession(setup.system, { kind: 'staff', id: setup.staff.staffId })
  const read = async () => {
    const { body } = await caller.get(`/desk/api/accounts/${setup.accountId}`, token)
    return (body as unknown as { account: Awaited<ReturnType<typeof readAccountForDesk>> }).account
  }
  await compare()
  const same = await read()
  assert.equal(same.platform_problem, null)
  assert.deepEqual([same.platform?.group_name, same.platform?.leverage], [same.portal.group_name, same.portal.leverage])
  setup.simulator.control.changeAccount(fixtureLogin, { leverage: 33 })
  const differing = await read()
  assert.deepEqual([differing.portal.leverage, differing.platform?.leverage], [100, 33])
})

test('pages differences, oldest open ones first, and filters by platform, kind and state', async () => {
  const opened = [await openDifference(), await openDifference(), await openDifference()]
  const logins = ({ differences }: Awaited<ReturnType<typeof accountDifferences.read>>) =>
    differences.map(({ platform_login }) => platform_login)
  const whole = await accountDifferences.read(setup.staff, open)
  assert.deepEqual(
    logins(whole).slice(-3),
    opened.map(({ login }) => login),
  )
  const first = await accountDifferences.read(setup.staff, { state: 'open', limit: 2 })
  const second = await accountDifferences.read(setup.staff, { state: 'open', limit: 2, after: String(first.next) })
  assert.deepEqual([...logins(first), ...logins(second)], logins(whole).slice(0, 4))
  const back = await accountDifferences.read(setup.staff, { state: 'open', limit: 2, before: String(second.previous) })
  assert.deepEqual([logins(back), first.previous, first.total], [logins(first), null, whole.total])
  assert.deepEqual((await accountDifferences.read(setup.staff, { ...open, kind: 'gone' })).differences, [])
  assert.deepEqual(
    logins(await accountDifferences.read(setup.staff, { ...open, platform: setup.platformId })),
    logins(whole),
  )
  assert.deepEqual(first.platforms, [{ _id: setup.platformId, name: 'MetaTrader 5' }])

  setup.context.clock.advance(1_000)
  for (const { id } of opened) await decideDifference(setup.staff, id, { decision: 'keep' })
  const stored = await accountDifferences.read(setup.staff, { state: 'kept', limit: 3 })
  assert.deepEqual(logins(stored), opened.map(({ login }) => login).reverse())
  const by = setup.staffSignIn.name
  assert.deepEqual(stored.differences[0]?.decided, { how: 'kept', at: +setup.context.clock.now(), by })
})
