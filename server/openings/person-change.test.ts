import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { eventually } from '../../tests/doubles/child-server.ts'
import {
  addCall,
  type Opener,
  type OpeningFixture,
  openOpeningFixture,
  realGroup,
} from '../../tests/fixtures/trading/opening-fixture.ts'
import { collect } from '../../tests/fixtures/trading/trading-platforms.ts'
import { addStaff, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { decideDifference } from '../account-sync/decision.ts'
import { accountDifferences, readAccountForDesk } from '../account-sync/queries.ts'
import { noteDifference } from '../accounts/differences.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { changePersonAt, changePersonInQueue, resumePersonChanges } from './person-change.ts'

const update = '/api/user/update'

let setup: OpeningFixture
let compliance: string
before(async () => {
  setup = await openOpeningFixture()
  const { staffId } = await addStaff(setup.system, { role: 'compliance', name: 'Cora Compliance' })
  compliance = (await openTestSession(setup.system, { kind: 'staff', id: staffId })).token
})
after(() => setup.close())
beforeEach(async () => {
  await setup.clear()
  setup.simulator.control.setSwitches({ altered: {} })
})

async function openAccount(altered: Record<string, string> = {}) {
  const person = await setup.enter()
  assert.equal((await setup.openLive(person)).status, 200)
  const [account] = await setup.accountsOf(person)
  assert.ok(account)
  setup.simulator.control.setSwitches({ altered })
  return { person, id: account.account_id, login: account.platform_login }
}

async function rename({ id }: Opener, last_name: string): Promise<void> {
  const { body } = await setup.caller.get(`/desk/api/members/${id}`, compliance)
  const { details } = body.member as { details: { first_name: string; email: string; version: number } }
  const wanted = { ...details, last_name, reason: 'A marriage certificate was shown.' }
  const answer = await setup.caller.post(`/desk/api/members/${id}/details`, wanted, compliance)
  assert.equal(answer.status, 200, answer.raw)
}

async function jobsFor(id: string): Promise<number> {
  const owner = await setup.openOwner()
  const { rowCount } = await owner.query(
    `select from pgboss.job where name = 'openings.change-person' and data ->> 'id' = $1 and state in ('created', 'active')`,
    [id],
  )
  return rowCount ?? 0
}

const sent = () => setup.simulator.control.calls().filter(({ path }) => path === update).length

async function keptOf(login: string) {
  const link = await findLink(setup.system, setup.platformId)
  assert.ok('gateway' in link)
  const accounts = (await collect(link.gateway.listAccounts([realGroup]))).flat()
  const { name, email } = accounts.find((account) => account.login === login) ?? assert.fail()
  return { name, email }
}
const dueSince = async (id: string) => (await readAccountForDesk(setup.staff, id)).details_due_since
const differencesOf = async (id: string) =>
  (await accountDifferences.read(setup.staff, { state: 'open', limit: 100 })).differences
    .filter(({ account_id }) => account_id === id)
    .map(({ kind, reason }) => [kind, reason])
const auditOf = (id: string) =>
  reading(setup.system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('subject_id', '=', id)
      .where('action', 'like', 'account.details-%')
      .orderBy('audit_id')
      .execute(),
  )

test('sends a name changed by staff to the platform of each account, once, and audits it', async () => {
  const { person, id, login } = await openAccount()
  await rename(person, 'Newname')
  assert.equal(await jobsFor(id), 1)
  assert.doesNotMatch((await keptOf(login)).name ?? '', /Newname/)
  await changePersonInQueue(setup.system, id)
  assert.match((await keptOf(login)).name ?? '', / Newname$/)
  assert.deepEqual(await auditOf(id), [{ action: 'account.details-written', after: {} }])
  assert.deepEqual([await differencesOf(id), await dueSince(id)], [[], null])
})

test('a due change whose job is lost, as with a restored backup, is scheduled again, once', async () => {
  const { person, id } = await openAccount()
  await setup.simulator.control.down()
  await rename(person, 'Restored')
  await changePersonInQueue(setup.system, id)
  await setup.simulator.control.up()
  assert.notEqual(await dueSince(id), null)
  const waiting = await jobsFor(id)
  await resumePersonChanges(setup.system)
  assert.equal(await jobsFor(id), waiting, 'its next try is waiting')
  await setup.context.database.pool.query(`delete from pgboss.job where data ->> 'id' = $1`, [id])
  for (const _again of [1, 2]) await resumePersonChanges(setup.system)
  assert.equal(await jobsFor(id), 1)
})

test('sends an address or phone changed by the member', async () => {
  const { person, id } = await openAccount()
  const [phones, home] = [
    ['+35621224455'],
    { address_line_1: '14 Strait Street', city: 'Valletta', country: 'MT', primary: true },
  ]
  await setup.caller.post('/members/profile/contacts', { version: 1, phones }, person.token)
  const answer = await setup.caller.post('/members/profile/addresses', { version: 2, addresses: [home] }, person.token)
  assert.equal(answer.status, 200, answer.raw)
  assert.equal(await jobsFor(id), 2)
})

test('sends a change made while it was unknown whether the account was opened', async () => {
  const person = await setup.enter()
  setup.simulator.control.addFault({ path: addCall, times: 1, kind: 'execute-then-drop' })
  assert.equal((await setup.openLive(person)).status, 202)
  await rename(person, 'Whilechecked')
  assert.equal(await setup.processUntilEnded(person), 'done')
  const [account] = await setup.accountsOf(person)
  assert.ok(account)
  assert.doesNotMatch((await keptOf(account.platform_login)).name ?? '', /Whilechecked/)
  assert.equal(await jobsFor(account.account_id), 1)
  await changePersonInQueue(setup.system, account.account_id)
  assert.match((await keptOf(account.platform_login)).name ?? '', / Whilechecked$/)
})

test('waits no longer for a change of a member who was erased meanwhile', async () => {
  const { person, id } = await openAccount()
  await rename(person, 'Erasedlater')
  setup.simulator.control.addFault({ path: update, times: 1, kind: 'execute-then-drop' })
  await changePersonInQueue(setup.system, id)
  assert.notEqual(await dueSince(id), null)
  const { system } = setup
  await inTransaction(system, async (tx) => {
    const members = tx.updateTable('members').where('workspace_id', '=', system.workspaceId)
    await members.where('member_id', '=', person.id).set({ status: 'erased' }).execute()
  })
  await changePersonInQueue(system, id)
  assert.equal(await dueSince(id), null)
})

test('sends the change to an account that was archived meanwhile once it is restored', async () => {
  const { person, id, login } = await openAccount()
  const { system, staff, platformId } = setup
  await inTransaction(system, async (tx) => {
    const accounts = tx.updateTable('trading_accounts').where('workspace_id', '=', system.workspaceId)
    await accounts.where('account_id', '=', id).set({ archived: true }).execute()
    const returned = { kind: 'returned', login, accountId: id, reason: 'archived_here', at: null } as const
    await noteDifference(tx, system, platformId, returned)
  })
  await rename(person, 'Meanwhile')
  assert.equal(await jobsFor(id), 0)
  const found = (await accountDifferences.read(staff, { state: 'open', limit: 100 })).differences
  const difference = found.find(({ account_id }) => account_id === id) ?? assert.fail()
  await decideDifference(staff, difference._id, { decision: 'restore' })
  assert.equal(await jobsFor(id), 1)
})

test('sends nothing to somebody else who got the number, even once staff restored the account', async () => {
  const { person, id, login } = await openAccount()
  const { system, staff, platformId } = setup
  const registered = new Date(setup.context.clock.now().getTime() - 400 * 86_400_000)
  const reused = { kind: 'gone', login, accountId: id, reason: 'number_reused', at: null } as const
  await inTransaction(system, async (tx) => {
    const accounts = tx.updateTable('trading_accounts').where('workspace_id', '=', system.workspaceId)
    await accounts.where('account_id', '=', id).set({ platform_registered_at: registered }).execute()
    await noteDifference(tx, system, platformId, reused)
  })
  await rename(person, 'Nobodyelse')
  const before = sent()
  assert.equal(await changePersonAt(system, id), true)
  assert.deepEqual([sent(), await auditOf(id), await differencesOf(id)], [before, [], [['gone', 'number_reused']]])
  const waiting = await jobsFor(id)
  const found = (await accountDifferences.read(staff, { state: 'open', limit: 100 })).differences
  const difference = found.find(({ account_id }) => account_id === id) ?? assert.fail()
  await decideDifference(staff, difference._id, { decision: 'keep' })
  assert.equal(await jobsFor(id), waiting + 1)
  await changePersonAt(system, id)
  assert.match((await keptOf(login)).name ?? '', / Nobodyelse$/)
})

test('reports a field that the platform stores differently, and settles it once it matches', async () => {
  const { person, id } = await openAccount({ LastName: 'Formername' })
  await rename(person, 'Othername')
  assert.equal(await changePersonAt(setup.system, id), true)
  assert.deepEqual(await differencesOf(id), [['fields', 'lastName']])
  setup.simulator.control.setSwitches({ altered: {} })
  await changePersonAt(setup.system, id)
  assert.deepEqual(await differencesOf(id), [])
  assert.deepEqual(await auditOf(id), [
    { action: 'account.details-differ', after: { kept_otherwise: 'lastName' } },
    { action: 'account.details-written', after: {} },
  ])
})

test('keeps what the platform stored differently when the account was opened', async () => {
  const { person, id, login } = await openAccount({ LastName: 'Formername' })
  const opened = { kind: 'fields', login, accountId: id, reason: 'leverage, lastName', at: null } as const
  await inTransaction(setup.system, (tx) => noteDifference(tx, setup.system, setup.platformId, opened))
  await rename(person, 'Levername')
  await changePersonAt(setup.system, id)
  assert.deepEqual(await differencesOf(id), [['fields', 'leverage, lastName']])
  setup.simulator.control.setSwitches({ altered: {} })
  await changePersonAt(setup.system, id)
  assert.deepEqual(await differencesOf(id), [['fields', 'leverage']])
})

test('asks staff again about other fields than those that they left as they are', async () => {
  const { person, id } = await openAccount({ LastName: 'Formername' })
  await rename(person, 'Leftname')
  await changePersonAt(setup.system, id)
  const found = (await accountDifferences.read(setup.staff, { state: 'open', limit: 100 })).differences
  const difference = found.find(({ account_id }) => account_id === id) ?? assert.fail()
  await decideDifference(setup.staff, difference._id, { decision: 'keep' })
  await changePersonAt(setup.system, id)
  assert.deepEqual(await differencesOf(id), [])
  setup.simulator.control.setSwitches({ altered: { LastName: 'Formername', FirstName: 'Other' } })
  await changePersonAt(setup.system, id)
  assert.deepEqual(await differencesOf(id), [['fields', 'firstName, lastName']])
})

test('asks staff no more about fields that they left as they are, also after fewer of them differed', async () => {
  const both = { LastName: 'Formername', FirstName: 'Other' }
  const { person, id } = await openAccount(both)
  await rename(person, 'Stillname')
  await changePersonAt(setup.system, id)
  const found = (await accountDifferences.read(setup.staff, { state: 'open', limit: 100 })).differences
  const difference = found.find(({ account_id }) => account_id === id) ?? assert.fail()
  await decideDifference(setup.staff, difference._id, { decision: 'keep' })
  for (const altered of [{ LastName: 'Formername' }, both]) {
    setup.simulator.control.setSwitches({ altered })
    await changePersonAt(setup.system, id)
    assert.deepEqual(await differencesOf(id), [])
  }
})

test('leaves a refused change as a discrepancy to staff', async () => {
  const { person, id } = await openAccount()
  await rename(person, 'Refusedname')
  setup.simulator.control.addFault({ path: update, times: 1, kind: 'answer-code', code: 8 })
  assert.equal(await changePersonAt(setup.system, id), true)
  assert.deepEqual(await differencesOf(id), [['fields', 'name, lastName']])
})

test('retries a platform that does not answer, and shows staff since when it is due', async () => {
  const { person, id, login } = await openAccount()
  await rename(person, 'Latername')
  const before = await jobsFor(id)
  setup.simulator.control.addFault({ path: update, times: 1, kind: 'execute-then-drop' })
  await changePersonInQueue(setup.system, id)
  assert.equal(await jobsFor(id), before + 1)
  assert.equal(await dueSince(id), setup.context.clock.now().getTime())
  assert.deepEqual([await differencesOf(id), await auditOf(id)], [[], []])
  await changePersonInQueue(setup.system, id)
  assert.match((await keptOf(login)).name ?? '', / Latername$/)
  assert.equal(await dueSince(id), null)
})

test('keeps the later of two concurrent changes', async () => {
  const { person, id, login } = await openAccount()
  await rename(person, 'Firstname')
  setup.simulator.control.addFault({ path: update, times: 1, kind: 'late-answer', ms: 60_000 })
  const before = sent()
  const first = changePersonAt(setup.system, id)
  await eventually('the first is sent', async () => sent() > before)
  await rename(person, 'Secondname')
  setup.simulator.control.landPending()
  assert.equal(await first, false)
  await changePersonAt(setup.system, id)
  assert.match((await keptOf(login)).name ?? '', / Secondname$/)
})
