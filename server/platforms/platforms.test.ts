// spec: DK platforms
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { eventually } from '../../tests/doubles/child-server.ts'
import type { Answered, Caller } from '../../tests/fixtures/caller.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { addStaff, openTestSession, staffActor } from '../../tests/fixtures/workspaces.ts'
import { comparePlatform } from '../account-sync/compare.ts'
import { listAccounts, readOfferedPlatforms } from '../accounts/queries.ts'
import type { Staff } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { cert, key } from '../trading-platforms/tls-tests.ts'

let setup: ServedFixture
let caller: Caller
let token: string
let staff: Staff

type Body = Record<string, unknown>
type Platform = Body & { _id: string; version: number; connection: Body | null; groups: Body[]; downloads: Body[] }

before(async () => {
  setup = await openServedFixture()
  caller = setup.caller
  const made = await addStaff(setup.system)
  staff = staffActor(setup.system, made)
  token = (await openTestSession(setup.system, { kind: 'staff', id: made.staffId })).token
})
after(() => setup.close())

const platformOf = (answer: Answered): Platform => {
  assert.equal(answer.status, 200, answer.raw)
  return answer.body.platform as Platform
}
const read = async (id = setup.platformId) => platformOf(await caller.get(`/desk/api/platforms/${id}`, token))
const send = (what: string, body: Body, id = setup.platformId) =>
  caller.post(`/desk/api/platforms/${id}/${what}`, body, token)
const errorsOf = (answer: Answered): string[] => {
  assert.equal(answer.status, 422, answer.raw)
  return Object.keys(answer.body.errors as Body)
}
const lastEntry = async (action: string) =>
  reading(setup.system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['before', 'after', 'actor_id'])
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('action', '=', action)
      .orderBy('audit_id', 'desc')
      .executeTakeFirst(),
  )
const connectionOf = ({ connection, version }: Platform): Body => ({
  ...connection,
  version,
  enabled: true,
  secret: null,
})
const groups = [
  { name: 'real\\standard-usd', alias: 'Standard', kind: 'live' },
  { name: 'demo\\standard-usd', alias: 'Practice', kind: 'demo' },
]

describe('a platform at the desk', () => {
  test('is listed with its accounts and the time of its last reading', async () => {
    const { body } = await caller.get('/desk/api/platforms', token)
    const [first] = body.platforms as Body[]
    assert.equal(first?.accounts, 1)
    assert.equal(first?.is_connected, true)
    assert.equal(first?.enabled, true)
  })

  test('is listed with its health, without a call to it', async () => {
    const row = async () => ((await caller.get('/desk/api/platforms', token)).body.platforms as Body[])[0]
    const link = await setup.context.platforms.link(setup.system, setup.platformId)
    await link?.gateway.serverClock()
    setup.simulator.control.clearCalls()
    const well = await row()
    assert.deepEqual([well?.standing, well?.compare_problem, well?.compared_at], ['answering', null, null])
    assert.ok(Number(well?.last_answer_at) > 0)
    assert.deepEqual(setup.simulator.control.calls(), [])
    await setup.simulator.control.down()
    for (let failures = 0; failures < 3; failures++)
      await assert.rejects(async () => link?.gateway.listPositions('700123'))
    assert.equal((await row())?.standing, 'left_in_peace')
    await setup.simulator.control.up()
    await eventually('it answers again', async () => (await row())?.standing === 'answering')
    await comparePlatform(setup.system, setup.platformId)
    assert.ok(Number((await row())?.compared_at) > 0)
  })

  test('shows its connection and never its secret', async () => {
    const answer = await caller.get(`/desk/api/platforms/${setup.platformId}`, token)
    assert.equal(platformOf(answer).connection?.base_url, setup.simulator.url)
    assert.equal(platformOf(answer).is_simulated, true)
    assert.ok(!answer.raw.includes('Test-Manager-1'))
  })

  test('accepts a name, and groups of the platform with our names, in our order', async () => {
    const { version } = await read()
    const saved = platformOf(await send('change', { version, name: 'Harbour', groups: groups.toReversed() }))
    assert.deepEqual(saved.groups, groups.toReversed())
    assert.equal(saved.version, version + 1)
    const offered = await reading(setup.member, (tx) => readOfferedPlatforms(tx, setup.member))
    assert.deepEqual(
      offered.map(({ name, groups: [first] }) => [name, first?.alias, first?.kind]),
      [['Harbour', 'Practice', 'demo']],
    )
    const entry = await lastEntry('platform.changed')
    assert.equal(entry?.actor_id, staff.staffId)
    assert.match(JSON.stringify(entry?.after), /Practice/)
  })

  test("accepts the members' server, and keeps it when a form omits it", async () => {
    const serversOfMember = () =>
      reading(setup.member, async (tx) => (await listAccounts(tx, setup.member)).map((row) => row.client_server))
    const { version } = await read()
    const body = { name: 'Harbour', groups }
    const saved = platformOf(await send('change', { version, ...body, client_server: '  Harbour-Live ' }))
    assert.equal(saved.client_server, 'Harbour-Live')
    assert.deepEqual(await serversOfMember(), ['Harbour-Live'])
    assert.match(JSON.stringify((await lastEntry('platform.changed'))?.after), /Harbour-Live/)
    const renamed = platformOf(await send('change', { version: saved.version, ...body, name: 'Harbour of old' }))
    assert.equal(renamed.client_server, 'Harbour-Live')
    const emptied = platformOf(await send('change', { version: renamed.version, ...body, client_server: null }))
    assert.equal(emptied.client_server, null)
    assert.deepEqual(errorsOf(await send('change', { version: emptied.version, ...body, client_server: ' ' })), [
      'client_server',
    ])
  })

  test('saves a repeated form once, and refuses an outdated one', async () => {
    const { version } = await read()
    const body = { version, name: 'Harbour twice', groups }
    platformOf(await send('change', body))
    assert.equal(platformOf(await send('change', body)).version, version + 1)
    const late = await send('change', { ...body, name: 'Too late' })
    assert.deepEqual([late.status, late.body.code], [409, 'conflict'])
  })

  test('keeps a name of its own: another platform’s is refused', async () => {
    const added = await caller.post('/desk/api/platforms/add', { type: 'mt5', name: 'Harbour Zero' }, token)
    assert.equal(added.status, 200, added.raw)
    const { version } = await read()
    const taken = await send('change', { version, name: 'Harbour Zero', groups })
    assert.deepEqual(taken.body.errors, { name: [deskTexts.platformNameTaken] })
    assert.equal((await read()).version, version)
  })

  test("offers no group that the platform lacks, and never the managers' group", async () => {
    const { version } = await read()
    const wrong = (name: string) => send('change', { version, name: 'X', groups: [{ name, alias: 'A', kind: 'live' }] })
    assert.deepEqual(errorsOf(await wrong('real\\made-up')), ['groups'])
    for (const name of ['manager', 'Manager', 'MANAGER']) assert.deepEqual(errorsOf(await wrong(name)), ['groups'])
    const twice = await send('change', { version, name: 'X', groups: [groups[0], groups[0]] })
    assert.deepEqual(errorsOf(twice), ['groups'])
  })

  test('never turns a group with live accounts into a demo group, not even by removing it first', async () => {
    const accountId = await addAccount(setup.system, {
      memberId: setup.member.memberId,
      platformId: setup.platformId,
      group_name: 'real\\standard-jpy',
    })
    const save = async (wanted: Body[]) =>
      send('change', { version: (await read()).version, name: 'Harbour', groups: wanted })
    const yen = (kind: string) => [{ name: 'real\\standard-jpy', alias: 'Yen', kind }, ...groups]
    platformOf(await save(yen('live')))
    const refused = await save(yen('demo'))
    assert.deepEqual(errorsOf(refused), ['groups'])
    assert.match(refused.raw, /has live accounts/)
    platformOf(await save(groups))
    assert.deepEqual(errorsOf(await save(yen('demo'))), ['groups'])
    await inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_accounts')
        .set({ deleted: true })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('account_id', '=', accountId)
        .execute(),
    )
    assert.deepEqual(platformOf(await save(yen('demo'))).groups, yen('demo'))
    platformOf(await save(groups))
  })

  test('lists its groups for selection', async () => {
    const { body } = await caller.get(`/desk/api/platforms/${setup.platformId}/groups`, token)
    const names = (body.groups as { name: string }[]).map(({ name }) => name)
    assert.ok(names.includes('real\\standard-usd'))
    assert.ok(!names.some((name) => name.toLowerCase() === 'manager'))
  })

  test('is tested with the saved connection', async () => {
    const { body } = await send('try', {})
    assert.deepEqual([body.reachable, body.authenticated, body.problems], [true, true, []])
  })
})

describe('its connection', () => {
  test('accepts timeouts without the secret, and preserves settings that the desk does not show', async () => {
    const before = await read()
    const saved = platformOf(await send('connection', { ...connectionOf(before), read_ms: 2_345 }))
    assert.equal(saved.connection?.read_ms, 2_345)
    assert.equal((await send('try', {})).body.authenticated, true)
    const entry = await lastEntry('platform.connection-changed')
    assert.match(JSON.stringify(entry?.after), /2345/)
    assert.ok(!JSON.stringify(entry).includes('Test-Manager-1'))
  })

  test('accepts settling times within bounds, with proof of identity and an audit entry', async () => {
    const before = await read()
    const wanted = { settle_ms: 240_000, look_again_ms: 20_000, lease_ms: 90_000 }
    const saved = platformOf(await send('connection', { ...connectionOf(before), ...wanted }))
    assert.partialDeepStrictEqual(saved.connection, wanted)
    assert.partialDeepStrictEqual((await lastEntry('platform.connection-changed'))?.after, wanted)
    const link = await setup.context.platforms.link(setup.system, setup.platformId)
    assert.deepEqual(link?.timing, { settleMs: 240_000, lookAgainMs: 20_000, leaseMs: 90_000 })
    for (const wrong of [{ settle_ms: 999 }, { settle_ms: 3_600_001 }, { look_again_ms: 0 }, { lease_ms: 1.5 }])
      assert.deepEqual(errorsOf(await send('connection', { ...connectionOf(saved), ...wrong })), Object.keys(wrong))
    const short = { ...connectionOf(saved), connect_ms: 10_000, write_ms: 30_000, lease_ms: 40_000 }
    assert.deepEqual(errorsOf(await send('connection', short)), ['lease_ms'])
    platformOf(await send('connection', connectionOf({ ...saved, connection: before.connection })))
  })

  for (const [what, change] of [
    ['address', { base_url: 'https://elsewhere.example.com' }],
    ['manager', { manager_login: '9999' }],
    ['name in the certificate', { server_name: 'elsewhere.example.com' }],
  ] as const)
    test(`never sends the stored secret to another ${what}`, async () => {
      assert.deepEqual(errorsOf(await send('connection', { ...connectionOf(await read()), ...change })), ['secret'])
    })

  test('accepts a new secret, and audits the change without it', async () => {
    const secret = 'Another-Secret-99'
    platformOf(await send('connection', { ...connectionOf(await read()), secret }))
    const tried = await send('try', {})
    assert.equal(tried.body.authenticated, false)
    const entry = JSON.stringify(await lastEntry('platform.connection-changed'))
    assert.match(entry, /"secret_replaced":true/)
    assert.ok(!entry.includes(secret))
    platformOf(await send('connection', { ...connectionOf(await read()), secret: 'Test-Manager-1' }))
  })

  test('refuses plain HTTP except for the simulator, and malformed addresses', async () => {
    const platform = platformOf(
      await caller.post('/desk/api/platforms/add', { type: 'mt4', name: 'Bridge of the harbour' }, token),
    )
    assert.equal(platform.enabled, false)
    const given = {
      ...{ version: 0, enabled: true, secret: 'x'.repeat(20), manager_login: null, time_zone: null },
      ...{ time_zone_shift_minutes: null, ca_pem: null, server_name: null },
      ...{ connect_ms: 1_000, read_ms: 1_000, write_ms: 1_000 },
      ...{ settle_ms: 60_000, look_again_ms: 5_000, lease_ms: 20_000 },
    }
    for (const base_url of ['http://bridge.example.com', 'javascript:alert(1)', 'nowhere', 'https://u:p@b.example.com'])
      assert.deepEqual(errorsOf(await send('connection', { ...given, base_url }, platform._id)), ['base_url'])
    const saved = await send('connection', { ...given, base_url: 'https://bridge.example.com' }, platform._id)
    assert.equal(platformOf(saved).enabled, true)
  })

  test('accepts whole certificates only, and never a private key beside them', async () => {
    const before = connectionOf(await read())
    const secret = 'Test-Manager-1'
    const wrong = [
      cert.slice(0, 300),
      cert.replace('MIIB', 'AAAA'),
      `${cert}\n${key}`,
      key,
      `${cert} ${cert.slice(0, 90)}`,
    ]
    for (const ca_pem of wrong)
      assert.deepEqual(errorsOf(await send('connection', { ...before, secret, ca_pem })), ['ca_pem'], ca_pem)
    const ca_pem = `${cert}\n${cert}\n`
    platformOf(await send('connection', { ...before, secret, ca_pem }))
    platformOf(await send('connection', { ...connectionOf(await read()), secret, ca_pem: null }))
  })

  test('changes only after a recent proof of identity, as groups and server do', async () => {
    const { version, name, groups, ...before } = await read()
    const made = await addStaff(setup.system)
    const old = await openTestSession(setup.system, { kind: 'staff', id: made.staffId })
    await inTransaction(setup.system, (tx) =>
      tx
        .updateTable('sessions')
        .set({ proven_at: new Date(setup.context.clock.now().getTime() - 20 * 60_000) })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('staff_id', '=', made.staffId)
        .execute(),
    )
    const seenByMembers = { version, name, groups, client_server: 'Elsewhere-Live' }
    const bodies = {
      connection: { ...before.connection, version, enabled: false, secret: null },
      change: seenByMembers,
    }
    for (const [what, body] of Object.entries(bodies)) {
      const answer = await caller.post(`/desk/api/platforms/${setup.platformId}/${what}`, body, old.token)
      assert.deepEqual([answer.status, answer.body.code], [403, 'proof_required'], what)
    }
    assert.deepEqual(await read(), { version, name, groups, ...before })
  })

  test('is not offered or called while disabled, and can be enabled again', async () => {
    const isOffered = async () =>
      (await reading(setup.member, (tx) => readOfferedPlatforms(tx, setup.member))).some(
        ({ id }) => id === setup.platformId,
      )
    const isConnected = () => setup.context.platforms.circuitState(setup.system, setup.platformId) !== null
    assert.equal((await send('try', {})).body.authenticated, true)
    assert.equal(isConnected(), true)
    platformOf(await send('connection', { ...connectionOf(await read()), enabled: false }))
    assert.equal(isConnected(), false)
    assert.equal(await isOffered(), false)
    assert.deepEqual((await send('try', {})).body.problems, ['not_connected'])
    assert.equal((await caller.get(`/desk/api/platforms/${setup.platformId}/groups`, token)).status, 409)
    platformOf(await send('connection', { ...connectionOf(await read()), enabled: true }))
    assert.equal(await isOffered(), true)
  })
})
