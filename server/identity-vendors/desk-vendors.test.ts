// spec: DK documents
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import {
  type IdentityCalls,
  type IdentityFixture,
  openIdentityFixture,
} from '../../tests/fixtures/identity/identity-fixture.ts'
import { sumsubSettings } from '../../tests/fixtures/identity/identity-vendors.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { addStaff, openTestSession } from '../../tests/fixtures/workspaces.ts'

let fixture: IdentityFixture
let made: IdentityFixture['made']
let simulator: IdentityFixture['simulator']
let system: IdentityCalls['system']
let send: IdentityCalls['send']
let start: IdentityCalls['start']

before(async () => {
  fixture = await openIdentityFixture()
  made = fixture.made
  simulator = fixture.simulator
})
after(() => fixture.close())
beforeEach(async () => {
  ;({ system, send, start } = await fixture.begin())
})

describe('staff who set up a vendor', () => {
  let staffToken: string
  beforeEach(async () => {
    staffToken = await enter('administrator')
  })
  const enter = async (role: string) => {
    const { staffId } = await addStaff(system, { role })
    return (await openTestSession(system, { kind: 'staff', id: staffId })).token
  }
  const change = async (over: object = {}, by = staffToken) =>
    send('POST', '/desk/api/identity-vendors/change', by, {
      app_uid: 'sumsub',
      version: 0,
      enabled: true,
      settings: await sumsubSettings(made.context),
      ...over,
    })
  type Vendor = { enabled: boolean; version: number; notify_url: string; settings: { name: string; value: unknown }[] }
  const vendorOf = (body: Record<string, unknown>) => (body.vendors as Vendor[])[0]

  it('need the permission', async () => {
    const viewer = await enter('viewer')
    assert.equal((await change({}, viewer)).status, 403)
    assert.equal((await send('GET', '/desk/api/identity-vendors', viewer)).status, 403)
  })

  it('are reported to the other administrators, without the keys', async () => {
    const { email } = await addStaff(system)
    await change()
    const notices = async () =>
      (await mailsTo(system, email)).flatMap(({ text }) => /changed the connection[^\n]*/.exec(text)?.[0] ?? [])
    const [first, ...others] = await notices()
    assert.match(
      first ?? '',
      /^changed the connection of the identity vendor Sumsub: switched on, .*Secret of the webhook/,
    )
    assert.doesNotMatch(first ?? '', new RegExp(simulator.keys.webhookSecret))
    assert.deepEqual(others, [])
    await change({ version: 1, enabled: false })
    assert.equal((await notices())[1], 'changed the connection of the identity vendor Sumsub: switched off.')
    await change({ version: 2, enabled: false })
    assert.equal((await notices()).length, 2)
  })

  it('read the settings without secrets, and members are sent to the vendor', async () => {
    const answer = await change()
    assert.equal(answer.status, 200, answer.raw)
    const { appToken, secretKey, webhookSecret, level } = simulator.keys
    for (const secret of [appToken, secretKey, webhookSecret]) assert.ok(!answer.raw.includes(secret))
    const vendor = vendorOf(answer.body)
    assert.deepEqual([vendor?.enabled, vendor?.version], [true, 1])
    assert.ok(vendor?.notify_url.endsWith('/callbacks/identity/sumsub'), vendor?.notify_url)
    assert.equal(vendor?.settings.find(({ name }) => name === 'level_name')?.value, level)
    assert.equal((await start()).status, 200)
  })

  it('save a repeated form once, and get a conflict after a change by others', async () => {
    await change()
    assert.equal(vendorOf((await change()).body)?.version, 1)
    const late = await change({ enabled: false })
    assert.deepEqual([late.status, late.body.error], [409, deskTexts.settingsChanged])
    assert.equal(vendorOf((await change({ version: 1, enabled: false, settings: stored() })).body)?.version, 2)
    assert.equal((await start()).status, 409)
    assert.equal(await settlesAsked(), 2)
  })
  const stored = () => ({ base_url: simulator.url, level_name: simulator.keys.level })
  const settlesAsked = async () => {
    const owner = await made.openOwner()
    const { rowCount } = await owner.query(
      `select from pgboss.job where name = 'documents.settle-standings' and data ->> 'id' = $1`,
      [system.workspaceId],
    )
    return rowCount
  }

  it('get every wrong field in one answer, and must enter the secrets again for another address', async () => {
    const empty = await change({ settings: {} })
    assert.deepEqual(Object.keys(empty.body.errors as object).sort(), [
      'app_token',
      'level_name',
      'secret_key',
      'webhook_secret',
    ])
    assert.equal((await change({ app_uid: 'nobody' })).status, 422)
    await change()
    const moved = await change({ version: 1, settings: { ...stored(), base_url: 'https://elsewhere.example' } })
    assert.equal(moved.status, 422)
    assert.deepEqual((moved.body.errors as Record<string, string[]>).secret_key, [deskTexts.providerSecret])
  })
})
