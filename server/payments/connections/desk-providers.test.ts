// spec: DK payments
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { type Answered, type Caller, callerOf } from '../../../tests/fixtures/caller.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  sendZotaWebhook,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { switchProvider } from '../../../tests/fixtures/payments/payment-providers.ts'
import { makePng } from '../../../tests/fixtures/sample-files.ts'
import { addStaff, addWorkspace, openTestSession } from '../../../tests/fixtures/workspaces.ts'
import { reading } from '../../foundation/database/database.ts'
import { listPageOrigins } from '../page-origins.ts'
import { listPayoutOffers } from '../payouts/payout-offer.ts'
import { askProvider } from '../reconciliation.ts'
import { connectWith, findProvider } from './provider.ts'

type Body = Record<string, unknown>
type Provider = Body & { _id: string; version: number; settings: (Body & { name: string; value: string | null })[] }

describe('payment providers at the desk', () => {
  let setup: PaymentFixture
  let caller: Caller
  let token: string
  let zotaId: string

  before(async () => {
    setup = await openPaymentFixture()
    caller = callerOf(setup.app)
    token = await deskToken('administrator')
    zotaId = String((await reading(setup.system, (tx) => findProvider(tx, setup.system, 'zotapay')))?.provider_id)
  })
  after(() => setup.close())

  async function deskToken(role: string, of = setup.system): Promise<string> {
    const { staffId } = await addStaff(of, { role })
    return (await openTestSession(of, { kind: 'staff', id: staffId })).token
  }
  const providerOf = (answer: Answered): Provider => {
    assert.equal(answer.status, 200, answer.raw)
    return answer.body.provider as Provider
  }
  const read = async (id = zotaId) => providerOf(await caller.get(`/desk/api/providers/${id}`, token))
  const send = (what: string, body: Body, id = zotaId, as = token) =>
    caller.post(`/desk/api/providers/${id}/${what}`, body, as)
  const errorsOf = (answer: Answered): string[] => {
    assert.equal(answer.status, 422, answer.raw)
    return Object.keys(answer.body.errors as Body)
  }
  const given = async (change: Record<string, string> = {}) => {
    const { settings, version } = await read()
    const values = Object.fromEntries(settings.map(({ name, value }) => [name, value ?? '']))
    return { version, settings: { ...values, ...change } }
  }
  const terms = { amount_min: '10', amount_max: '500', fee_percent: '1.5', fee_fixed: '0' }
  const entries = () =>
    reading(setup.system, (tx) =>
      tx
        .selectFrom('audit_log')
        .select(['action', 'before', 'after'])
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('subject_kind', '=', 'payment_provider')
        .orderBy('audit_id')
        .execute(),
    )

  it('lists the workspace’s and the available providers with their health', async () => {
    await startOrder(setup)
    const { body } = await caller.get('/desk/api/providers', token)
    const found = (body.providers as (Body & { standing: Body })[]).find(({ app_uid }) => app_uid === 'zotapay')
    assert.deepEqual([found?.enabled, found?.currencies], [true, ['EUR', 'JPY', 'USD']])
    assert.deepEqual([found?.standing.is_connected, found?.standing.open_orders], [true, 1])
  })

  it('never returns a secret, in an answer or in the audit log', async () => {
    const provider = await read()
    const secret = provider.settings.find(({ name }) => name === 'secretKey')
    assert.deepEqual([secret?.value, secret?.is_set], [null, true])
    const saved = await send('connection', await given({ secretKey: 'zota-secret-0002' }))
    assert.equal(saved.status, 200, saved.raw)
    await send('connection', await given({ secretKey: 'zota-secret-0001' }))
    const everything = [
      saved.raw,
      JSON.stringify(await entries()),
      (await caller.get('/desk/api/providers', token)).raw,
    ]
    for (const text of everything) assert.ok(!text.includes('zota-secret'), text.slice(0, 300))
    assert.deepEqual((await entries()).at(-1)?.after, { secrets_replaced: ['secretKey'] })
    const now = (await read()).settings.find(({ name }) => name === 'secretKey')
    assert.equal(now?.set_at, setup.context.clock.now().getTime())
  })

  it('saves valid settings, reports errors by field, and changes nothing for identical settings', async () => {
    const before = await read()
    assert.deepEqual(errorsOf(await send('connection', await given({ merchantId: '', endpoints: 'no such line' }))), [
      'merchantId',
      'endpoints',
    ])
    assert.deepEqual(errorsOf(await send('connection', await given({ baseUrl: 'javascript:alert(1)' }))), [
      'baseUrl',
      'secretKey',
    ])
    const same = providerOf(await send('connection', await given()))
    assert.equal(same.version, before.version)
    const late = await send('connection', { ...(await given({ acknowledgement: 'DONE' })), version: 99 })
    assert.deepEqual([late.status, late.body.code], [409, 'conflict'])
    const saved = providerOf(await send('connection', await given({ acknowledgement: 'DONE', __proto__: 'x' })))
    assert.equal(saved.version, before.version + 1)
    assert.equal(saved.settings.find(({ name }) => name === 'acknowledgement')?.value, 'DONE')
  })

  it('never sends a stored secret to another address', async () => {
    const elsewhere = await given({ baseUrl: 'https://api.example.com' })
    assert.deepEqual(errorsOf(await send('connection', elsewhere)), ['secretKey'])
    assert.deepEqual((await read()).settings.find(({ name }) => name === 'baseUrl')?.value, setup.zota.settings.baseUrl)
  })

  it('requires a recent proof before changing a connection', async () => {
    const body = await given({ acknowledgement: 'ASKED' })
    setup.context.clock.advance(16 * 60_000)
    const asked = await send('connection', body)
    assert.deepEqual([asked.status, asked.body.code], [403, 'proof_required'])
    token = await deskToken('administrator')
  })

  it('requires a recent proof before changing an offer, and changes nothing without it', async () => {
    const { version, enabled, title, position, currencies } = await read()
    const current = { version, enabled, title, position, currencies }
    setup.context.clock.advance(16 * 60_000)
    for (const change of [{ enabled: !enabled }, { currencies: [{ ...terms, currency: 'USD', fee_percent: '9' }] }]) {
      const asked = await send('offer', { ...current, ...change })
      assert.deepEqual([asked.status, asked.body.code], [403, 'proof_required'])
    }
    // Saving the same changes nothing, so it needs none.
    providerOf(await send('offer', current))
    assert.equal((await read()).version, version)
    token = await deskToken('administrator')
    assert.equal(providerOf(await send('offer', { ...current, title: 'Cards' })).version, version + 1)
    providerOf(await send('offer', { ...current, version: version + 1 }))
  })

  it('shows members an uploaded logo instead of the default picture, and refuses scripts', async () => {
    const member = (await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })).token
    const seen = async () => {
      const query = '{ available_psps { app_uid app { image_url } } }'
      const { body } = await caller.get(`/graph?q=${Buffer.from(query).toString('base64url')}`, member)
      const { available_psps } = body.data as { available_psps: { app_uid: string; app: { image_url: string } }[] }
      return available_psps.find(({ app_uid }) => app_uid === 'zotapay')?.app.image_url ?? ''
    }
    const before = await read()
    const drawn = await seen()
    assert.match(drawn, /^data:image\/svg\+xml/)
    const png = makePng({ width: 8, height: 8, extra: [['tEXt', Buffer.from('Comment\0by me')]] })
    const withLogo = providerOf(await send('logo', { logo: png.toString('base64') }))
    assert.match(String(withLogo.image_url), /^\/brand\/logos\/[0-9a-f-]{36}\/logo\.png$/)
    assert.deepEqual(
      [withLogo.has_own_logo, withLogo.version, await seen()],
      [true, before.version, withLogo.image_url],
    )
    const shown = await caller.send({ method: 'GET', url: String(withLogo.image_url) })
    assert.deepEqual([shown.status, shown.headers['content-type']], [200, 'image/png'])
    assert.equal(shown.raw.includes('by me'), false)
    for (const content of [Buffer.from('<svg><script>1</script></svg>'), Buffer.alloc(151_000)])
      assert.deepEqual(errorsOf(await send('logo', { logo: content.toString('base64') })), ['logo'])
    assert.equal(await seen(), withLogo.image_url)
    assert.equal((await send('logo', { logo: null, seen: null })).status, 409)
    providerOf(await send('logo', { logo: null, seen: withLogo.image_url }))
    assert.equal(await seen(), drawn)
    const changes = (await entries()).filter(({ action }) => action === 'payment-provider.logo-changed')
    assert.deepEqual(
      changes.map(({ before, after }) => [before, after]),
      [
        [{ logo_url: null }, { logo_url: withLogo.image_url }],
        [{ logo_url: withLogo.image_url }, { logo_url: null }],
      ],
    )
    const body = { logo: null }
    assert.equal(
      (await caller.post(`/desk/api/providers/${zotaId}/logo`, body, await deskToken('finance'))).status,
      403,
    )
  })

  it('adds a provider once, and enables it only when it can be connected and has a currency', async () => {
    const safecharge = await reading(setup.system, (tx) => findProvider(tx, setup.system, 'safecharge'))
    const again = providerOf(await caller.post('/desk/api/providers/add', { app_uid: 'safecharge' }, token))
    assert.equal(again._id, safecharge?.provider_id)
    const unknown = await caller.post('/desk/api/providers/add', { app_uid: 'constructor' }, token)
    assert.deepEqual(errorsOf(unknown), ['app_uid'])

    const other = await addWorkspace(setup.context, { subdomain: 'second' })
    const theirs = await deskToken('administrator', other)
    const host = { host: 'second.localhost' }
    const post = async (url: string, payload: Body) =>
      caller.send({ method: 'POST', url, payload, headers: { ...host, authorization: `Bearer ${theirs}` } })
    const fresh = providerOf(await post('/desk/api/providers/add', { app_uid: 'zotapay' }))
    assert.deepEqual([fresh.enabled, fresh.version], [false, 0])
    const offer = { version: 0, enabled: true, title: null, position: 0, currencies: [{ currency: 'USD', ...terms }] }
    assert.deepEqual(errorsOf(await post(`/desk/api/providers/${fresh._id}/offer`, { ...offer, currencies: [] })), [
      'enabled',
    ])
    assert.deepEqual(errorsOf(await post(`/desk/api/providers/${fresh._id}/offer`, offer)), ['enabled'])
    const off = providerOf(await post(`/desk/api/providers/${fresh._id}/offer`, { ...offer, enabled: false }))
    assert.equal(off.version, 1)
    const settings = { merchantId: 'ZM9', secretKey: 'their-secret-0001', endpoints: 'local_cards USD 402334' }
    providerOf(await post(`/desk/api/providers/${fresh._id}/connection`, { version: 1, settings }))
    const on = providerOf(await post(`/desk/api/providers/${fresh._id}/offer`, { ...offer, version: 2 }))
    assert.equal(on.enabled, true)
    // Another workspace's provider is not found.
    assert.equal((await post(`/desk/api/providers/${zotaId}/offer`, offer)).status, 404)
    assert.equal((await caller.get(`/desk/api/providers/${fresh._id}`, token)).status, 404)
  })

  it('accepts valid terms and names the invalid fields of others', async () => {
    const { version } = await read()
    const offer = { version, enabled: true, title: 'Cards', position: 1 }
    const wrong = [
      { currency: 'USD', amount_min: '0', amount_max: '1e3', fee_percent: '51', fee_fixed: '-1' },
      { currency: 'JPY', ...terms, amount_min: '900' },
    ]
    assert.deepEqual(errorsOf(await send('offer', { ...offer, currencies: wrong })), [
      ...['amount_min', 'amount_max', 'fee_percent', 'fee_fixed'].map((field) => `currencies.USD.${field}`),
      'currencies.JPY.amount_max',
    ])
    const saved = providerOf(await send('offer', { ...offer, currencies: [{ currency: 'USD', ...terms }] }))
    assert.deepEqual(saved.currencies, [
      { currency: 'USD', ...terms, amount_min: '10.00', amount_max: '500.00', fee_fixed: '0.00' },
    ])
    assert.equal((await send('offer', { ...offer, currencies: [{ currency: 'USD', ...terms }] })).status, 200)
    assert.equal((await read()).version, saved.version)
  })

  it('is not offered in a currency in which every deposit would fail, before it is switched off', async () => {
    const { version, enabled, title, position, currencies } = await read()
    const offer = { version, enabled, title, position }
    const wrong = [...(currencies as Body[]), { currency: 'GBP', ...terms }, { currency: 'CHF', ...terms }]
    const refused = await send('offer', { ...offer, currencies: wrong })
    assert.deepEqual(refused.body.errors, {
      currencies: [deskTexts.providerCurrency.replace('{{currencies}}', 'CHF, GBP')],
    })
    assert.equal((await read()).version, version)
    const yuanOnly = { payUrl: 'http://localhost:4500/pay', merchantId: 'R1', secretKey: 'rpn-secret-0001' }
    const provider = connectWith(setup.context, 'rpnpay', yuanOnly)
    assert.deepEqual([provider.takesIn?.('CNY'), provider.takesIn?.('USD')], [true, false])
    const off = providerOf(await send('offer', { ...offer, enabled: false, currencies: wrong }))
    providerOf(await send('offer', { ...offer, version: off.version, currencies }))
  })

  it('keeps a connection that takes the currencies offered to members, until it is switched off', async () => {
    const { version, enabled, title, position, currencies } = await read()
    const kept = await given({ endpoints: 'local_cards GBP 402339' })
    const refused = await send('connection', kept)
    assert.deepEqual(refused.body.errors, {
      endpoints: [deskTexts.providerCurrency.replace('{{currencies}}', 'USD')],
    })
    assert.equal((await read()).version, version)
    const offer = { enabled, title, position, currencies }
    const off = providerOf(await send('offer', { ...offer, version, enabled: false }))
    const { settings } = await given()
    const changed = providerOf(await send('connection', { ...kept, version: off.version }))
    const back = providerOf(await send('connection', { version: changed.version, settings }))
    providerOf(await send('offer', { ...offer, version: back.version }))
  })

  it('is enabled without a currency only for payouts, which its connection makes', async () => {
    const { version, title, position, currencies } = await read()
    const { settings } = await given()
    const offer = { title, position, currencies: [] }
    const connect = async (of: Provider, endpoints: string) =>
      providerOf(await send('connection', { version: of.version, settings: { ...settings, endpoints } }))
    const off = providerOf(await send('offer', { ...offer, version, enabled: false }))
    const taking = await connect(off, 'local_cards USD 402334')
    assert.deepEqual(errorsOf(await send('offer', { ...offer, version: taking.version, enabled: true })), ['enabled'])
    const paying = await connect(taking, 'sd_payout USD 402434')
    const on = providerOf(await send('offer', { ...offer, version: paying.version, enabled: true }))
    const { paying: offered } = await listPayoutOffers(setup.member, 'USD')
    assert.deepEqual([on.enabled, offered.has('zotapay')], [true, true])
    await assert.rejects(startOrder(setup), { code: 'invalid_input' })
    const back = await connect(on, settings.endpoints ?? '')
    providerOf(await send('offer', { ...offer, version: back.version, enabled: true, currencies }))
  })

  it('a disabled provider takes no new order, and its messages about earlier ones still count', async () => {
    const { attempt, order } = await startOrder(setup)
    const { version, currencies } = await read()
    providerOf(await send('offer', { version, enabled: false, title: null, position: 0, currencies }))
    await assert.rejects(startOrder(setup), { code: 'invalid_input' })
    setup.zota.set(attempt, 'APPROVED')
    await sendZotaWebhook(setup, attempt)
    assert.equal((await readOrder(setup, order)).state, 'paid')
  })

  it('lets members continue payments that were begun before a provider was disabled', async () => {
    const page = new URL(setup.safecharge.settings.pageUrl ?? '').origin
    const isAllowed = async () => {
      // The list is cached for ten seconds.
      setup.context.clock.advance(11_000)
      return (await listPageOrigins(setup.context, 'localhost')).forms.includes(page)
    }
    const { order } = await startOrder(setup, { payment_method: 'safecharge' })
    await switchProvider(setup.system, 'safecharge', false)
    assert.equal(await isAllowed(), true)
    setup.context.clock.advance(61 * 60_000)
    await askProvider(setup.system, order)
    assert.equal(await isAllowed(), false)
    token = await deskToken('administrator')
  })

  it('tests the saved settings and reports a failure in our own terms', async () => {
    const well = await send('test', {})
    assert.deepEqual([well.body.works, well.body.failure], [true, null])
    await send('connection', await given({ secretKey: 'not-the-secret-1' }))
    const failed = await send('test', {})
    assert.deepEqual([failed.body.works, failed.body.failure], [false, 'misconfigured'])
    await send('connection', await given({ secretKey: 'zota-secret-0001' }))
  })

  it('is restricted to administrators', async () => {
    for (const role of ['support', 'finance', 'viewer']) {
      const theirs = await deskToken(role)
      const answers = [
        await caller.get('/desk/api/providers', theirs),
        await caller.get(`/desk/api/providers/${zotaId}`, theirs),
        await send('test', {}, zotaId, theirs),
      ]
      for (const { status } of answers) assert.equal(status, 403)
    }
  })
})
