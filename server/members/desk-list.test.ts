// spec: DK members
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addStaff, addWorkspace, chooseSettings, staffActor } from '../../tests/fixtures/workspaces.ts'
import type { Staff, System } from '../foundation/actor.ts'
import { deskMembers } from './desk-list.ts'

let made: MadeContext
let close: () => Promise<void>
let caller: Caller
let system: System
let staff: Staff
let token: string
const day = (text: string) => new Date(`${text}T12:00:00Z`)

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  const signIn = await addStaff(system)
  staff = staffActor(system, signIn)
  token = await caller.signIn(signIn, 'desk')
  await fill()
})
after(() => close())

const people = [
  { first_name: 'Amélie', last_name: 'Okafor-Lindqvist', created_at: day('2026-01-05'), documents_status: 'approved' },
  { first_name: 'نور', last_name: 'الهاشمي', created_at: day('2026-02-05') },
  { first_name: 'Zoë', last_name: 'Åström', created_at: day('2026-03-05'), status: 'locked' },
  { first_name: '=cmd()', last_name: '"Quote", Jr', created_at: day('2026-04-05'), documents_status: 'rejected' },
  { first_name: 'Bo', last_name: "O'Neill", created_at: day('2026-05-05') },
]

async function fill(): Promise<void> {
  const platformId = await addPlatform(system)
  for (const [index, person] of people.entries()) {
    const { memberId } = await addMember(system, {
      ...person,
      customer_number: `90${index}`,
      email: `person-${index}@list.test`,
    })
    if (index === 0) await addAccount(system, { memberId, platformId, platform_login: '7700123' })
    if (index === 1) await addAccount(system, { memberId, platformId, live_account: false })
  }
  const other = await addWorkspace(made.context, { subdomain: 'other' })
  await addMember(other, { first_name: 'Amélie', last_name: 'Foreign' })
}

type MemberListing = Parameters<typeof deskMembers.read>[1]
const plain: MemberListing = { order: 'newest', limit: 25 }
const numbers = async (asked: Partial<MemberListing>) =>
  (await deskMembers.read(staff, { ...plain, ...asked })).members.map(({ customer_number }) => customer_number)

describe('the list of members', () => {
  test('finds members by the beginning of any word, ignoring accents and case', async () => {
    const searches: [string, string[]][] = [
      ['amelie', ['900']],
      ['AMÉ', ['900']],
      ['lindq', ['900']],
      ['okafor-lind', ['900']],
      ['okafor amel', ['900']],
      ['نور', ['901']],
      ['astrom zoe', ['902']],
      ['neill', ['904']],
      ['person-3@list', ['903']],
      ['904', ['904']],
      ['7700', ['900']],
      ['foreign', []],
      ['melie', []],
      ['%', []],
      ["' or 1=1 --", []],
    ]
    for (const [q, found] of searches) assert.deepEqual(await numbers({ q }), found, q)
  })

  test('finds a Greek name in capitals and in small letters, whose last sigma differs', async () => {
    const athens = await addWorkspace(made.context, { subdomain: 'athens' })
    const clerk = staffActor(athens, await addStaff(athens))
    await addMember(athens, { first_name: 'ΝΙΚΟΣ', last_name: 'Παππάς', customer_number: '31' })
    await addMember(athens, { first_name: 'Νίκος', last_name: 'ΠΑΠΠΑΣ', customer_number: '32' })
    await addMember(athens, { first_name: 'Νικόλας', last_name: 'Ρήγας', customer_number: '33' })
    const found = async (q: string) =>
      (await deskMembers.read(clerk, { ...plain, q })).members.map(({ customer_number }) => customer_number).sort()
    for (const q of ['νίκος', 'Νίκος', 'ΝΙΚΟΣ', 'νικοσ', 'ΠΑΠΠΑΣ', 'παππάς νίκος'])
      assert.deepEqual(await found(q), ['31', '32'], q)
    assert.deepEqual([await found('νικ'), await found('ΡΗΓΑΣ')], [['31', '32', '33'], ['33']])
  })

  test('reflects changes of name and email and a new account', async () => {
    const { memberId } = await addMember(system, { last_name: 'Before', created_at: day('2025-01-01') })
    assert.equal((await numbers({ q: 'before' })).length, 1)
    const owner = await made.openOwner()
    await owner.query(`update members set last_name = 'Afterwards', email = 'new@after.test' where member_id = $1`, [
      memberId,
    ])
    await addAccount(system, { memberId, platformId: await addPlatform(system), platform_login: '7799999' })
    for (const [q, count] of [
      ['before', 0],
      ['afterw', 1],
      ['new@after', 1],
      ['77999', 1],
    ] as const)
      assert.equal((await numbers({ q })).length, count, q)
    await owner.query('delete from member_words where member_id = $1', [memberId])
    await owner.query('delete from trading_accounts where member_id = $1', [memberId])
    await owner.query('delete from members where member_id = $1', [memberId])
  })

  test('filters by status, documents, accounts and joining day, and counts the result', async () => {
    assert.deepEqual(await numbers({ status: 'locked' }), ['902'])
    assert.deepEqual(await numbers({ documents: 'rejected' }), ['903'])
    assert.deepEqual(await numbers({ accounts: 'live' }), ['900'])
    assert.deepEqual(await numbers({ accounts: 'demo' }), ['901'])
    assert.deepEqual(await numbers({ accounts: 'none' }), ['904', '903', '902'])
    assert.deepEqual(await numbers({ from: '2026-02-05', to: '2026-03-05' }), ['902', '901'])
    const { total } = await deskMembers.read(staff, { ...plain, accounts: 'none', limit: 1 })
    assert.equal(total, 3)
  })

  test('begins and ends a joining day in the time zone of the brokerage', async () => {
    const withdrawal_cut_off = { time: '15:00', zone: 'Pacific/Auckland', days_min: 1, days_max: 3 }
    await chooseSettings({ system }, { withdrawal_cut_off })
    assert.deepEqual(await numbers({ from: '2026-02-06', to: '2026-03-05' }), ['901'])
    const { raw } = await caller.get('/desk/api/members/table?from=2026-02-06&to=2026-03-05', token)
    assert.match(raw.split('\r\n')[1] ?? '', /^901,.*,2026-02-06,/)
    await chooseSettings({ system }, {})
  })

  test('sorts by day and by name', async () => {
    assert.deepEqual(await numbers({}), ['904', '903', '902', '901', '900'])
    assert.deepEqual(await numbers({ order: 'oldest' }), ['900', '901', '902', '903', '904'])
    assert.deepEqual(await numbers({ order: 'name' }), ['903', '902', '904', '900', '901'])
  })

  test('refuses invalid parameters', async () => {
    for (const search of [
      'after=nonsense',
      'after=WyJ4Il0',
      'before=%00',
      'limit=0',
      'limit=101',
      'from=yesterday',
      'status=x',
    ])
      assert.equal((await caller.get(`/desk/api/members?${search}`, token)).status, 422, search)
  })
})

describe('the table of members', () => {
  test('holds the members of the list, escapes formulas, and writes an audit entry', async () => {
    const answer = await caller.get('/desk/api/members/table?order=oldest&from=2026-01-01', token)
    assert.match(String(answer.headers['content-type']), /^text\/csv/)
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="members.csv"')
    assert.equal(answer.headers['cache-control'], 'no-store')
    const lines = answer.raw.replace('\uFEFF', '').split('\r\n')
    assert.equal(lines.length, people.length + 2)
    assert.equal(lines[1], '900,Amélie Okafor-Lindqvist,person-0@list.test,active,approved,2026-01-05,1,0')
    assert.match(lines[4] ?? '', /^903,"'=cmd\(\) ""Quote"", Jr",/)
    const log = await caller.get('/desk/api/audit?action=members.exported', token)
    const [entry] = log.body.entries as { after: unknown }[]
    assert.deepEqual(entry?.after, { order: 'oldest', from: '2026-01-01' })
  })

  test('refuses a request without a session', async () => {
    assert.equal((await caller.get('/desk/api/members/table')).status, 401)
  })
})
