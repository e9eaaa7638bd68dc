// spec: DK workspace
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { staffRoles } from '@atrium/contract/staff/rights.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { FastifyInstance } from 'fastify'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let app: FastifyInstance
let caller: Caller
let token: string
let memberToken: string
let host = 0

before(async () => {
  ;({ made, app, close } = await openAppFixture())
})
after(() => close())
beforeEach(async () => {
  const subdomain = `lists-${++host}`
  system = await addWorkspace(made.context, { subdomain, settings: { taxonomies: { document: ['Passport', 'Visa'] } } })
  caller = callerOf(app, `${subdomain}.localhost`)
  token = await tokenOf('staff', (await addStaff(system)).staffId)
  memberToken = await tokenOf('member', (await addMember(system)).memberId)
})

const tokenOf = async (kind: 'staff' | 'member', id: string) => (await openTestSession(system, { kind, id })).token

type Entry = { key: string | null; name: string; archived: boolean }
type Shown = {
  sections: {
    taxonomies: { taxonomies: { entity: string; entries: Entry[] }[] }
    vendors: { vendor_settings: object[] }
  }
  versions: Record<string, { version: number }>
}
const read = async () => (await caller.get('/desk/api/workspace', token)).body.workspace as Shown
async function save(section: string, values: object, { version, by = token }: { version?: number; by?: string } = {}) {
  const known = version ?? (await read()).versions[section]?.version
  return caller.post('/desk/api/workspace/change', { ...values, section, version: known }, by)
}
async function entriesOf(entity: string): Promise<Entry[]> {
  return (await read()).sections.taxonomies.taxonomies.find((each) => each.entity === entity)?.entries ?? []
}
const saveEntries = (entity: string, entries: Entry[], more?: object) =>
  save('taxonomies', { taxonomies: [{ entity, entries }] }, more)
async function offered(entity: string) {
  const path = `/members/taxonomies/taxonomies-by-entity?entity=${entity}`
  return (await caller.get(path, memberToken)).body.taxonomies as { _id: string; name: string }[]
}
async function audited(action: string) {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('workspace_id', '=', system.workspaceId)
      .where('action', '=', action)
      .execute(),
  )
  return rows.map((row) => ({ before: row.before, after: row.after }))
}

describe('portal lists at the desk', () => {
  test('accept another order and other labels, and keep the ids for members', async () => {
    const [passport, visa] = await entriesOf('document')
    assert.ok(passport && visa)
    const answer = await saveEntries('document', [visa, { ...passport, name: 'Passport or identity card' }])
    assert.equal(answer.status, 200, answer.raw)
    assert.deepEqual(await offered('document'), [
      { _id: 'visa', name: 'Visa', entity: 'document' },
      { _id: 'passport', name: 'Passport or identity card', entity: 'document' },
    ])
    assert.deepEqual(await audited('workspace.taxonomies-changed'), [
      { before: { document: ['Passport', 'Visa'] }, after: { document: ['Visa', 'Passport or identity card'] } },
    ])
  })

  test('begin with the default entries, and leave other lists unchanged', async () => {
    const before = await offered('ticket')
    const entries = await entriesOf('ticket_priority')
    assert.equal(
      (await saveEntries('ticket_priority', [...entries, { key: null, name: 'At once', archived: false }])).status,
      200,
    )
    assert.deepEqual(
      (await offered('ticket_priority')).map(({ _id }) => _id),
      ['low', 'medium', 'high', 'at-once'],
    )
    assert.deepEqual(await offered('ticket'), before)
  })

  test('archive instead of deleting: not offered, still stored, restorable', async () => {
    const entries = await entriesOf('document')
    const archived = entries.map((entry) => ({ ...entry, archived: entry.key === 'visa' }))
    assert.equal((await saveEntries('document', archived)).status, 200)
    assert.deepEqual(
      (await offered('document')).map(({ _id }) => _id),
      ['passport'],
    )
    assert.deepEqual(await entriesOf('document'), archived)
    const gone = await saveEntries('document', entries.slice(0, 1))
    assert.deepEqual([gone.status, gone.body.errors], [422, { taxonomies: [deskTexts.entryGone] }])
    assert.equal((await saveEntries('document', entries)).status, 200)
    assert.equal((await offered('document')).length, 2)
  })

  test('give a new entry an id never used before', async () => {
    const entries = (await entriesOf('document')).map((entry) => ({ ...entry, archived: true }))
    assert.equal(
      (await saveEntries('document', [...entries, { key: null, name: 'visa', archived: false }])).status,
      200,
    )
    assert.deepEqual(await offered('document'), [{ _id: 'visa-2', name: 'visa', entity: 'document' }])
  })

  for (const [what, change, sentence] of [
    ['an entry twice', (all: Entry[]) => [...all, ...all.slice(0, 1)], deskTexts.listTwice],
    ['a name twice', (all: Entry[]) => [...all, { key: null, name: 'VISA', archived: false }], deskTexts.listTwice],
    ['an unknown id', (all: Entry[]) => [...all, { key: 'x', name: 'X', archived: false }], deskTexts.entryUnknown],
  ] as const)
    test(`refuse ${what}`, async () => {
      const answer = await saveEntries('document', change(await entriesOf('document')))
      assert.equal(answer.status, 422)
      assert.match(answer.raw, new RegExp(sentence))
      assert.equal((await offered('document')).length, 2)
    })

  test('refuse an unknown entity and an entry without a name', async () => {
    assert.equal((await saveEntries('constructor', [])).status, 422)
    const entries = await entriesOf('document')
    assert.equal((await saveEntries('document', [...entries, { key: null, name: ' ', archived: false }])).status, 422)
  })

  test('refuse the second of two tabs, and treat identical content as one change', async () => {
    const entries = await entriesOf('document')
    const added = [...entries, { key: null, name: 'Licence', archived: false }]
    for (const _ of [1, 2]) assert.equal((await saveEntries('document', added, { version: 0 })).status, 200)
    assert.equal((await audited('workspace.taxonomies-changed')).length, 1)
    const late = await saveEntries('document', [...entries].reverse(), { version: 0 })
    assert.deepEqual([late.status, late.body.code], [409, 'conflict'])
  })
})

describe('vendors at the desk', () => {
  const north = {
    vendor: 'North',
    name: 'Harbour North',
    accent: '#112233',
    support_email: null,
    default_currency: 'EUR',
  }
  beforeEach(async () => {
    const answer = await save('lists', { vendors: ['North', 'South'], departments: ['Desk'] })
    assert.equal(answer.status, 200, answer.raw)
  })
  const shown = async (vendor: string) =>
    (await caller.get(`/members/crm-settings?vendor=${vendor}`)).body.settings as Record<string, unknown>

  test('have their own settings, and use the workspace’s for the rest', async () => {
    const values = { vendor_settings: [{ ...north, departments: ['Desk North'] }] }
    assert.equal((await save('vendors', values)).status, 200)
    const settings = await shown('North')
    assert.deepEqual(
      [settings.vendor, settings.default_currency, settings.departments],
      ['North', 'EUR', ['Desk North']],
    )
    assert.equal((settings.brand as { name: string }).name, 'Harbour North')
    assert.equal((await shown('South')).default_currency, 'USD')
    const [entry] = await audited('workspace.vendors-changed')
    assert.deepEqual(entry, {
      before: { North: {} },
      after: {
        North: { name: 'Harbour North', accent: '#112233', default_currency: 'EUR', departments: ['Desk North'] },
      },
    })
    const plain = { ...north, name: null, accent: null, default_currency: null, departments: null }
    assert.equal((await save('vendors', { vendor_settings: [plain] })).status, 200)
    assert.deepEqual((await shown('North')).departments, ['Desk'])
  })

  test('have their own logo, keep it through other changes, and can use the workspace’s again', async () => {
    const set = (vendor: string, logo: string | null) =>
      caller.post('/desk/api/workspace/vendor-logo', { vendor, logo }, token)
    const brandOf = async (vendor: string) => (await shown(vendor)).brand as { logo_url: string | null }
    const answer = await set('North', makePng({ width: 8, height: 8 }).toString('base64'))
    assert.equal(answer.status, 200, answer.raw)
    const { logo_url } = await brandOf('North')
    assert.match(logo_url ?? '', /^\/brand\/logos\/[0-9a-f-]{36}\/logo\.png$/)
    assert.deepEqual((answer.body.workspace as { vendor_logos: object }).vendor_logos, { North: logo_url })
    assert.equal((await caller.send({ method: 'GET', url: logo_url ?? '' })).status, 200)
    assert.notEqual((await brandOf('South')).logo_url, logo_url)
    await save('vendors', { vendor_settings: [{ ...north, departments: null }] })
    assert.equal((await brandOf('North')).logo_url, logo_url)
    const stale = { vendor: 'North', logo: null, seen: null }
    assert.equal((await caller.post('/desk/api/workspace/vendor-logo', stale, token)).status, 409)
    assert.equal((await set('North', null)).status, 200)
    assert.deepEqual(await brandOf('North'), {
      ...(await brandOf('North')),
      logo_url: (await brandOf('South')).logo_url,
    })
    assert.equal((await shown('North')).default_currency, 'EUR')
    assert.equal((await audited('vendor.logo-changed')).length, 2)
    for (const [vendor, logo, field] of [
      ['Ghost', null, 'vendor'],
      ['North', Buffer.from('<svg/>').toString('base64'), 'logo'],
      ['North', Buffer.alloc(151_000).toString('base64'), 'logo'],
    ] as const) {
      const refused = await set(vendor, logo)
      assert.deepEqual([refused.status, Object.keys(refused.body.errors as object)], [422, [field]])
    }
    const finance = await tokenOf('staff', (await addStaff(system, { role: 'finance' })).staffId)
    const denied = await caller.post('/desk/api/workspace/vendor-logo', { vendor: 'North', logo: null }, finance)
    assert.equal(denied.status, 403)
  })

  for (const [what, change] of [
    ['an unknown vendor', { vendor: 'Ghost' }],
    ['an unknown currency', { default_currency: 'ABC' }],
    ['an invalid colour', { accent: 'red' }],
    ['a department twice', { departments: ['A', 'a'] }],
  ] as const)
    test(`refuse ${what}`, async () => {
      const answer = await save('vendors', { vendor_settings: [{ ...north, departments: null, ...change }] })
      assert.equal(answer.status, 422, answer.raw)
    })

  test('are archived and restored with their settings; a saved name cannot be deleted', async () => {
    await save('vendors', { vendor_settings: [{ ...north, departments: null }] })
    const gone = await save('lists', { vendors: ['South'], departments: ['Desk'] })
    assert.deepEqual([gone.status, gone.body.errors], [422, { vendors: [deskTexts.entryGone] }])
    const away = { vendors: ['South'], archived_vendors: ['North'], departments: ['Desk'] }
    assert.equal((await save('lists', away)).status, 200)
    assert.equal((await shown('North')).vendor, null)
    const both = await save('lists', { ...away, vendors: ['South', 'north'] })
    assert.deepEqual([both.status, both.body.errors], [422, { vendors: [deskTexts.listTwice] }])
    assert.equal((await save('lists', { vendors: ['South', 'North'], departments: ['Desk'] })).status, 200)
    assert.equal((await shown('North')).default_currency, 'EUR')
  })

  test('are changed only with permission, and never from another workspace', async () => {
    const values = { vendor_settings: [{ ...north, departments: null }] }
    for (const role of staffRoles.filter((each) => each !== 'administrator')) {
      const bearer = await tokenOf('staff', (await addStaff(system, { role })).staffId)
      assert.equal((await save('vendors', values, { by: bearer })).status, 403, role)
    }
    const elsewhere = await addWorkspace(made.context)
    const otherStaff = await openTestSession(elsewhere, { kind: 'staff', id: (await addStaff(elsewhere)).staffId })
    for (const bearer of [otherStaff.token, memberToken])
      assert.equal((await save('vendors', values, { by: bearer })).status, 401)
    assert.equal((await shown('North')).default_currency, 'USD')
  })
})
