// spec: MP 3, MP 6, MP 7, MP 9, AO 3, AO 6, AO 7
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { memberPermissions } from '@atrium/contract/access/scopes.ts'
import type { FastifyInstance } from 'fastify'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { addWorkspace as addNewWorkspace } from '../admin/administration.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let app: FastifyInstance
let caller: Caller
let token: string

before(async () => {
  ;({ made, app, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, {
    isDefault: true,
    name: 'Harbour',
    settings: {
      default_currency: 'USD',
      vendor_settings: {
        North: { name: 'Harbour North', accent: '#112233', default_currency: 'EUR', departments: ['Desk North'] },
        Ghost: { name: 'No vendor of ours' },
      },
      taxonomies: { ticket: ['Ours', 'Other things'] },
    },
  })
  await inTransaction(system, (tx) =>
    tx
      .updateTable('workspaces')
      .set({ vendors: ['North', 'South', '__proto__'], departments: ['Desk'], support_email: 'help@harbour.test' })
      .where('workspace_id', '=', system.workspaceId)
      .execute(),
  )
  const { memberId } = await addMember(system)
  token = (await openTestSession(system, { kind: 'member', id: memberId })).token
})
after(() => close())

type Settings = { brand: { name: string; accent: string; support_email: string } } & Record<string, unknown>
const settings = async (query = '') => (await caller.get(`/members/crm-settings${query}`)).body.settings as Settings

describe('portal settings', () => {
  test('are the workspace’s, with its vendors and departments', async () => {
    const { brand, default_currency, vendor, vendors, departments, time_zone } = await settings()
    assert.equal(time_zone, 'UTC')
    assert.deepEqual(
      { name: brand.name, default_currency, vendor, vendors, departments },
      {
        name: 'Harbour',
        default_currency: 'USD',
        vendor: null,
        vendors: ['North', 'South', '__proto__'],
        departments: ['Desk'],
      },
    )
  })

  test('state which account types members may open', async () => {
    assert.deepEqual((await settings()).account_openings, { live: true, demo: true })
  })

  test('accept a cache-busting parameter and name their vendor', async () => {
    const { status, body } = await caller.get('/members/crm-settings?_=1763717000000&vendor=South')
    assert.deepEqual([status, body.status, (body.settings as Settings).vendor], [200, 'ok', 'South'])
  })

  test('are the vendor’s own for a vendor with settings, else the workspace’s', async () => {
    const { brand, default_currency, vendor, departments } = await settings('?vendor=North')
    assert.deepEqual([brand.name, brand.accent, brand.support_email], ['Harbour North', '#112233', 'help@harbour.test'])
    assert.deepEqual([default_currency, vendor, departments], ['EUR', 'North', ['Desk North']])
    const south = await settings('?vendor=South')
    assert.deepEqual([south.brand.name, south.vendor], ['Harbour', 'South'])
  })

  for (const vendor of ['Ghost', 'north', 'constructor', '__proto__', "' or 1=1 --", 'x'.repeat(100)])
    test(`are the workspace’s for an unknown vendor, or one without settings: ${vendor.slice(0, 20)}`, async () => {
      const { vendor: _, ...shown } = await settings(`?vendor=${encodeURIComponent(vendor)}`)
      const { vendor: __, ...plain } = await settings()
      assert.deepEqual(shown, plain)
    })

  test('refuse two vendors or an overlong name', async () => {
    for (const query of ['?vendor=a&vendor=b', `?vendor=${'x'.repeat(101)}`])
      assert.equal((await caller.get(`/members/crm-settings${query}`)).status, 422)
  })
})

describe('currencies', () => {
  type Currency = { code: string; name: string; decimals: number }

  test('list fiat and crypto currencies separately, sorted, with decimals', async () => {
    const { body } = await caller.get('/members/currencies', token)
    const lists = [body.currencies, body.crypto] as [Currency[], Currency[]]
    for (const list of lists) {
      const codes = list.map(({ code }) => code)
      assert.deepEqual(codes, [...new Set(codes)].sort())
    }
    const [fiat, crypto] = lists
    assert.ok(fiat.length >= 150 && crypto.length >= 200, `${fiat.length} and ${crypto.length}`)
    assert.ok(fiat.every(({ code }) => /^[A-Z]{3}$/.test(code)))
    const of = (list: Currency[], code: string) => list.find((each) => each.code === code)
    assert.deepEqual(of(fiat, 'USD'), { code: 'USD', name: 'US Dollar', decimals: 2 })
    assert.deepEqual([of(fiat, 'JPY')?.decimals, of(fiat, 'KWD')?.decimals, of(fiat, 'BTC')], [0, 3, undefined])
    assert.deepEqual(
      [of(crypto, 'BTC')?.decimals, of(crypto, 'ETH')?.decimals, of(crypto, 'LTC')?.decimals],
      [8, 18, 8],
    )
  })

  test('require a signed-in member, like taxonomies', async () => {
    for (const path of ['/members/currencies', '/members/taxonomies/taxonomies-by-entity?entity=ticket'])
      assert.equal((await caller.get(path)).status, 401)
  })
})

describe('taxonomies', () => {
  const list = async (entity: string) => {
    const path = `/members/taxonomies/taxonomies-by-entity?entity=${encodeURIComponent(entity)}`
    return (await caller.get(path, token)).body.taxonomies as { _id: string; name: string }[]
  }

  test('are the brokerage’s own where defined, else the defaults', async () => {
    assert.deepEqual(await list('ticket'), [
      { _id: 'ours', name: 'Ours', entity: 'ticket' },
      { _id: 'other-things', name: 'Other things', entity: 'ticket' },
    ])
    assert.deepEqual(
      (await list('request_status')).map(({ _id }) => _id),
      ['not-assigned', 'open', 'in-progress', 'done', 'canceled', 'rejected'],
    )
  })

  test('are empty for an unknown entity, whatever its name', async () => {
    for (const entity of ['nothing', '__proto__', 'constructor', 'toString', "' or 1=1"])
      assert.deepEqual(await list(entity), [])
  })

  test('require an entity name', async () => {
    for (const query of ['', '?entity=', `?entity=${'x'.repeat(61)}`])
      assert.equal((await caller.get(`/members/taxonomies/taxonomies-by-entity${query}`, token)).status, 422)
  })
})

describe('the start of a session', () => {
  test('lists all permissions that exist, with the denials of the member', async () => {
    const { memberId } = await addMember(system, { permissions: ['deposit-', 'vip'] })
    const own = (await openTestSession(system, { kind: 'member', id: memberId })).token
    const { status, body } = await caller.get('/user/permissions', own)
    assert.deepEqual([status, body.status], [200, 'ok'])
    assert.deepEqual(body.permissions, [...memberPermissions, 'deposit-', 'vip'])
    const nobody = await caller.get('/user/permissions')
    assert.deepEqual([nobody.status, nobody.body.code], [401, 'unauthenticated'])
  })

  test('lists countries with names and two-letter codes, for anyone', async () => {
    const { status, body } = await caller.get('/countries/all')
    const countries = body.countries as { _id: string; name: string; alpha_2: string }[]
    assert.deepEqual([status, body.status, countries.length], [200, 'ok', 250])
    assert.deepEqual(
      countries.find(({ alpha_2 }) => alpha_2 === 'MT'),
      { _id: 'MT', name: 'Malta', alpha_2: 'MT' },
    )
    assert.ok(countries.some(({ name, alpha_2 }) => name === 'Kosovo' && alpha_2 === 'XK'))
  })

  test('returns the trading configuration: platforms with groups, opening rules, leverages, banks', async () => {
    const { body } = await caller.get('/members/trading/configuration', token)
    const config = body.config as Record<string, unknown>
    assert.deepEqual(Object.keys(config).sort(), [
      'acc_creation_demo_configuration',
      'acc_creation_live_configuration',
      'default_bank_accounts_for_clients',
      'demo_deposit_daily',
      'leverage',
      'platforms',
    ])
    for (const kind of ['live', 'demo'])
      assert.deepEqual(Object.keys(config[`acc_creation_${kind}_configuration`] as object).sort(), [
        'account_limit',
        'enabled',
        'require_kyc',
      ])
    assert.equal((await caller.get('/members/trading/configuration')).status, 401)
  })

  test('offers support, requests and documents only, in dollars, in a new workspace', async () => {
    await addNewWorkspace(made.context, { subdomain: 'newcomer', name: 'Newcomer' })
    const theirs = callerOf(app, 'newcomer.localhost')
    const { features, default_currency } = (await theirs.get('/members/crm-settings')).body.settings as Settings
    const on = Object.entries(features as Record<string, boolean>).filter(([, isOn]) => isOn)
    assert.deepEqual(on.map(([name]) => name).sort(), ['documents', 'requests', 'support'])
    assert.equal(default_currency, 'USD')
  })
})
