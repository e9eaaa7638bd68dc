// spec: MP 2.2, DK members
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { referredClient } from '@atrium/contract/members/sales.ts'
import { sql } from 'kysely'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addStaff, addWorkspace, memberActor, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let seller: string
let token: string
let platformId: string

type Client = { _id: string; name: string; customer_number: string; live_count: number; demo_count: number }

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { isDefault: true })
  platformId = await addPlatform(system)
  seller = (await addMember(system, { type: 'sales_person', last_name: 'Seller' })).memberId
  token = await tokenOf(seller)
  for (const [first_name, last_name, live, demo] of [
    ['Ada', 'Abela', 2, 1],
    ['Ben', 'Borg', 0, 3],
    ['=cmd()', 'Camilleri', 1, 0],
    ['100%', 'Dalli_', 0, 0],
  ] as const)
    await addClient({ first_name, last_name, referred_by: seller }, live, demo)
  const rival = (await addMember(system, { type: 'sales_person' })).memberId
  await addClient({ first_name: 'Eva', last_name: 'Elsewhere', referred_by: rival }, 1, 1)
  await addClient({ first_name: 'Finn', last_name: 'Found-us-alone' }, 1, 1)
})
after(() => close())

const tokenOf = async (id: string) => (await openTestSession(system, { kind: 'member', id })).token

async function addClient(values: Parameters<typeof addMember>[1], live: number, demo: number): Promise<string> {
  const { memberId } = await addMember(system, values)
  for (let index = 0; index < live + demo; index += 1)
    await addAccount(system, {
      memberId,
      platformId,
      live_account: index < live,
      balance: '7777.77',
      equity: '8888.88',
    })
  await addAccount(system, { memberId, platformId, deleted: true })
  return memberId
}

async function list(query = '', of = token) {
  const { status, body, raw } = await caller.get(`/members/sales/clients${query}`, of)
  return { status, total: body.total, raw, names: ((body.clients ?? []) as Client[]).map(({ name }) => name), body }
}

describe('clients of a salesperson', () => {
  test('lists only their referrals, with name, number, status and counts', async () => {
    const { status, body, total, names } = await list()
    assert.deepEqual([status, total], [200, 4])
    assert.deepEqual(new Set(names), new Set(['Ada Abela', 'Ben Borg', '=cmd() Camilleri', '100% Dalli_']))
    const [ada] = (body.clients as Client[]).filter(({ name }) => name === 'Ada Abela')
    assert.deepEqual([ada?.live_count, ada?.demo_count], [2, 1])
    for (const client of body.clients as Client[])
      assert.deepEqual(Object.keys(client).sort(), Object.keys(referredClient.shape).sort())
  })

  test('contains no balances, in the list or in the CSV export', async () => {
    const answers = [(await list()).raw, (await caller.get('/members/sales/clients/export', token)).raw]
    for (const raw of answers) assert.doesNotMatch(raw, /7777|8888|balance|equity|amount|email|phone/i)
  })

  test('searches, filters, sorts and pages; treats wildcards literally', async () => {
    assert.deepEqual((await list('?q=BORG')).names, ['Ben Borg'])
    assert.deepEqual((await list('?q=100%25')).names, ['100% Dalli_'])
    assert.deepEqual((await list('?q=%25')).names, ['100% Dalli_'])
    assert.deepEqual((await list('?q=_')).names, ['100% Dalli_'])
    assert.deepEqual((await list('?status=locked')).names, [])
    assert.deepEqual((await list('?sort=demo_count&order=desc&limit=2')).names, ['Ben Borg', 'Ada Abela'])
    const pages = [await list('?sort=live_count&limit=2&page=1'), await list('?sort=live_count&limit=2&page=2')]
    assert.equal(new Set(pages.flatMap(({ names }) => names)).size, 4)
    for (const wrong of ['?sort=email', '?sort=balance', '?order=up', '?limit=101', '?page=0', '?limit=1e9'])
      assert.equal((await list(wrong)).status, 422, wrong)
  })

  test('exports cells that a spreadsheet does not run as formulas', async () => {
    const { body } = await caller.get('/members/sales/clients/export?sort=live_count&order=desc', token)
    const lines = String(body.csv).split('\r\n')
    assert.equal(lines[0], '\ufeffName,Client number,Status,Live accounts,Demo accounts')
    assert.match(String(lines[2]), /^'=cmd\(\) Camilleri,\d+,active,1,0$/)
    assert.deepEqual([lines.length, body.is_cut, body.file_name], [6, false, 'clients-2026-11-21.csv'])
  })
})

describe('access to referred clients', () => {
  test('rejects an ordinary member, staff and an anonymous caller', async () => {
    const client = await tokenOf((await addMember(system)).memberId)
    const staff = (await openTestSession(system, { kind: 'staff', id: (await addStaff(system)).staffId })).token
    for (const path of ['/members/sales/clients', '/members/sales/clients/export']) {
      const answers = []
      for (const each of [client, staff, undefined]) answers.push((await caller.get(path, each)).body.code)
      assert.deepEqual(answers, ['not_permitted', 'unauthenticated', 'unauthenticated'])
    }
  })

  test('rejects a former salesperson at the next call', async () => {
    const { memberId } = await addMember(system, { type: 'sales_person' })
    const theirs = await tokenOf(memberId)
    assert.equal((await list('', theirs)).status, 200)
    await inTransaction(system, (tx) =>
      tx.updateTable('members').where(here).set({ type: 'client' }).where('member_id', '=', memberId).execute(),
    )
    assert.equal((await list('', theirs)).status, 403)
  })

  test('row security shows the clients to their salesperson only, and no other rows', async () => {
    const seen = async (memberId: string, of = system) => {
      const actor = await memberActor(of, memberId)
      const rows = await reading(actor, (tx) =>
        sql<{ member_id: string }>`select * from referred_clients()`.execute(tx),
      )
      return rows.rows
    }
    assert.equal((await seen(seller)).length, 4)
    const client = (await addMember(system, { referred_by: seller })).memberId
    assert.equal((await seen(client)).length, 0)
    const elsewhere = await addWorkspace(made.context, { subdomain: 'elsewhere' })
    const foreignMember = (await addMember(elsewhere, { type: 'sales_person' })).memberId
    assert.equal((await seen(foreignMember, elsewhere)).length, 0)
    const actor = await memberActor(system, seller)
    const rows = await reading(actor, (tx) => tx.selectFrom('members').where(here).select('member_id').execute())
    assert.deepEqual(rows, [{ member_id: seller }])
  })
})

describe('referrals at the desk', () => {
  const at = (id: string, what: string) => `/desk/api/members/${id}/${what}`
  const enter = async (role: string) => {
    const { staffId } = await addStaff(system, { role, name: `Of ${role}` })
    return (await openTestSession(system, { kind: 'staff', id: staffId })).token
  }
  type Referral = { from: { _id: string } | null; to: { _id: string } | null; reason: string; by: string }
  type Shown = { type: string; referrer: { _id: string } | null; referrals: Referral[]; referred_count: number }
  const shownIn = (answer: { body: Record<string, unknown> }) => answer.body.member as Shown

  test('makes a client a salesperson with a reason and shows the Sales page immediately', async () => {
    const staff = await enter('compliance')
    const { memberId } = await addMember(system)
    const own = await tokenOf(memberId)
    assert.equal((await list('', own)).status, 403)
    assert.equal((await caller.post(at(memberId, 'type'), { type: 'sales_person' }, staff)).status, 422)
    const body = { type: 'sales_person', reason: 'Joined the sales team' }
    assert.equal(shownIn(await caller.post(at(memberId, 'type'), body, staff)).type, 'sales_person')
    assert.equal((await list('', own)).status, 200)
    await caller.post(at(memberId, 'type'), { type: 'client', reason: 'Left the team' }, staff)
    assert.equal((await list('', own)).status, 403)
    const log = await reading(system, (tx) =>
      tx
        .selectFrom('audit_log')
        .where(here)
        .select(['action', 'before', 'after'])
        .where('member_id', '=', memberId)
        .where('action', '=', 'member.type-changed')
        .orderBy('audit_id')
        .execute(),
    )
    assert.deepEqual(log[0]?.after, body)
    assert.equal(log.length, 2)
  })

  test('sets, changes and removes a referrer, each with reason and history', async () => {
    const staff = await enter('compliance')
    const { memberId } = await addMember(system, { first_name: 'Nora', last_name: 'New' })
    const another = (await addMember(system, { type: 'sales_person' })).memberId
    const change = (seen: string | null, referrer: string | null, reason = 'They told us') =>
      caller.post(at(memberId, 'referrer'), { seen, referrer, reason }, staff)
    assert.equal(shownIn(await change(null, seller)).referrer?._id, seller)
    assert.ok((await list('?q=Nora')).names.includes('Nora New'))
    assert.equal((await change(null, another)).status, 409)
    assert.equal(shownIn(await change(seller, another)).referrer?._id, another)
    assert.deepEqual((await list('?q=Nora')).names, [])
    const found = await caller.get(`/desk/api/members?referrer=${another}`, staff)
    assert.deepEqual(
      (found.body.members as { _id: string }[]).map(({ _id }) => _id),
      [memberId],
    )
    const last = shownIn(await change(another, null, 'A slip'))
    assert.equal(last.referrer, null)
    assert.deepEqual(
      last.referrals.map(({ from, to, reason, by }) => [from?._id, to?._id, reason, by]),
      [
        [another, undefined, 'A slip', 'Of compliance'],
        [seller, another, 'They told us', 'Of compliance'],
        [undefined, seller, 'They told us', 'Of compliance'],
      ],
    )
  })

  test('accepts only another active salesperson of the brokerage, and only from staff with the permission', async () => {
    const staff = await enter('compliance')
    const { memberId } = await addMember(system)
    const locked = await addMember(system, { type: 'sales_person', status: 'locked' })
    const foreignMember = await addMember(await addWorkspace(made.context), { type: 'sales_person' })
    const body = (referrer: string) => ({ seen: null, referrer, reason: 'They told us' })
    for (const id of [memberId, locked.memberId, foreignMember.memberId, (await addMember(system)).memberId]) {
      const refused = await caller.post(at(memberId, 'referrer'), body(id), staff)
      assert.deepEqual([refused.status, Object.keys(refused.body.errors as object)], [422, ['referrer']])
    }
    assert.equal((await caller.post(at(seller, 'referrer'), body(seller), staff)).status, 422)
    const support = await enter('support')
    assert.equal((await caller.post(at(memberId, 'referrer'), body(seller), support)).status, 403)
    const asked = { type: 'sales_person', reason: 'Mine' }
    assert.equal((await caller.post(at(memberId, 'type'), asked, support)).status, 403)
  })

  test('finds salespeople by name and number, and lists them by type', async () => {
    const staff = await enter('viewer')
    const people = (await caller.get('/desk/api/sales-people?q=Seller', staff)).body.sales_people as { _id: string }[]
    assert.deepEqual(
      people.map(({ _id }) => _id),
      [seller],
    )
    const found = await caller.get('/desk/api/members?type=sales_person&q=Seller', staff)
    assert.deepEqual(
      (found.body.members as { _id: string }[]).map(({ _id }) => _id),
      [seller],
    )
  })

  test('lists an invited client, and drops an erased one', async () => {
    await addClient({ first_name: 'Ivo', last_name: 'Invited', referred_by: seller, status: 'invited' }, 0, 0)
    await addClient({ first_name: 'Gone', last_name: 'Member', referred_by: seller, status: 'erased' }, 0, 0)
    assert.deepEqual((await list('?status=invited')).names, ['Ivo Invited'])
    assert.ok(!(await list()).names.includes('Gone Member'))
  })
})
