import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database.ts'
import { type Caller, callerOf } from '../testing/caller.ts'
import { type MadeGround, makeGround } from '../testing/ground.ts'
import { addMember, addWorkspace, openTestSession } from '../testing/harbour.ts'

let made: MadeGround
let system: System
let app: FastifyInstance
let caller: Caller
let token: string

before(async () => {
  made = await makeGround()
  system = await addWorkspace(made.ground, {
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
  app = await buildApp(made.ground)
  caller = callerOf(app)
  const { memberId } = await addMember(system)
  token = (await openTestSession(system, { kind: 'member', id: memberId })).token
})
after(async () => {
  await app.close()
  await made.close()
})

type Settings = { brand: { name: string; accent: string; support_email: string } } & Record<string, unknown>
const settings = async (query = '') => (await caller.get(`/members/crm-settings${query}`)).body.settings as Settings

describe('the settings', () => {
  test('are the workspace’s, with its vendors and departments', async () => {
    const { brand, default_currency, vendor, vendors, departments } = await settings()
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

  test('of a vendor are what is set for it, and the workspace’s otherwise', async () => {
    const { brand, default_currency, vendor, departments } = await settings('?vendor=North')
    assert.deepEqual([brand.name, brand.accent, brand.support_email], ['Harbour North', '#112233', 'help@harbour.test'])
    assert.deepEqual([default_currency, vendor, departments], ['EUR', 'North', ['Desk North']])
    const south = await settings('?vendor=South')
    assert.deepEqual([south.brand.name, south.vendor], ['Harbour', 'South'])
  })

  for (const vendor of ['Ghost', 'north', 'constructor', '__proto__', "' or 1=1 --", 'x'.repeat(100)])
    test(`of a vendor that nobody knows, or that has nothing set, are the workspace’s: ${vendor.slice(0, 20)}`, async () => {
      const { vendor: _, ...shown } = await settings(`?vendor=${encodeURIComponent(vendor)}`)
      const { vendor: __, ...plain } = await settings()
      assert.deepEqual(shown, plain)
    })

  test('of two vendors at once, or of a name without end, are refused', async () => {
    for (const query of ['?vendor=a&vendor=b', `?vendor=${'x'.repeat(101)}`])
      assert.equal((await caller.get(`/members/crm-settings${query}`)).status, 422)
  })
})

describe('the currencies', () => {
  type Currency = { code: string; name: string; decimals: number }

  test('are fiat and coins apart, sorted, with their decimals', async () => {
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

  test('and the lists of an entity are for members', async () => {
    for (const path of ['/members/currencies', '/members/taxonomies/taxonomies-by-entity?entity=ticket'])
      assert.equal((await caller.get(path)).status, 401)
  })
})

describe('the lists of an entity', () => {
  const list = async (entity: string) => {
    const path = `/members/taxonomies/taxonomies-by-entity?entity=${encodeURIComponent(entity)}`
    return (await caller.get(path, token)).body.taxonomies as { _id: string; name: string }[]
  }

  test('are the brokerage’s own where it has words of its own, and the usual ones otherwise', async () => {
    assert.deepEqual(await list('ticket'), [
      { _id: 'ours', name: 'Ours', entity: 'ticket' },
      { _id: 'other-things', name: 'Other things', entity: 'ticket' },
    ])
    assert.deepEqual(
      (await list('request_status')).map(({ _id }) => _id),
      ['not-assigned', 'open', 'in-progress', 'done', 'canceled', 'rejected'],
    )
  })

  test('are empty for what has none, whatever it is called', async () => {
    for (const entity of ['nothing', '__proto__', 'constructor', 'toString', "' or 1=1"])
      assert.deepEqual(await list(entity), [])
  })

  test('are asked for by the entity’s name', async () => {
    for (const query of ['', '?entity=', `?entity=${'x'.repeat(61)}`])
      assert.equal((await caller.get(`/members/taxonomies/taxonomies-by-entity${query}`, token)).status, 422)
  })
})
