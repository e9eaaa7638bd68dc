// spec: OP factors
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { InjectOptions } from 'fastify'
import {
  creditsOf,
  type FixtureOrder,
  listWebhookEvents,
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { openTestSession } from '../../../tests/fixtures/workspaces.ts'
import { fileCookies } from '../../sessions/cookies.ts'

/**
 * Some payment pages return the browser by a form post. Anyone can post this form, with any order and content: it
 * redirects to the page of that order and does nothing else.
 */
describe('a browser returning by a form post', () => {
  let setup: PaymentFixture
  let started: FixtureOrder
  before(async () => {
    setup = await openPaymentFixture()
    started = await startOrder(setup)
  })
  after(() => setup.close())

  const post = (order: string, asked: Partial<InjectOptions> = {}) =>
    setup.app.inject({
      method: 'POST',
      url: `/deposit-processing/${order}`,
      ...asked,
      headers: { host: 'harbour.localhost', ...asked.headers },
    })
  const form = 'application/x-www-form-urlencoded'
  const paid =
    'ppp_status=OK&status=APPROVED&order=x&amount=250.00&PPP_TransactionID=7001&location=https://evil.example'

  for (const [what, type, payload] of [
    ['a form', form, paid],
    [
      'a form with files',
      'multipart/form-data; boundary=x',
      `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--`,
    ],
    ['JSON', 'application/json', '{"status":"APPROVED"}'],
    ['invalid JSON', 'application/json', '{'],
    ['an unknown content type', 'a/b', '\u0000'],
  ] as const)
    it(`is redirected to the page of the order without anything of ${what}`, async () => {
      const answer = await post(started.order, { payload, headers: { 'content-type': type } })
      assert.equal(answer.statusCode, 303)
      assert.equal(answer.headers.location, `/deposit-processing/${started.order}`)
      assert.equal(answer.body, '')
      assert.deepEqual(answer.cookies, [])
    })

  it('is redirected without a body too, and refused with one that is too large', async () => {
    assert.equal((await post(started.order)).statusCode, 303)
    const large = await post(started.order, { payload: 'a'.repeat(64 * 1024 + 1), headers: { 'content-type': form } })
    assert.equal(large.statusCode, 413)
  })

  it('loses its query string', async () => {
    const answer = await post(`${started.order}?ppp_status=OK&message=paid`, {
      payload: paid,
      headers: { 'content-type': form },
    })
    assert.equal(answer.headers.location, `/deposit-processing/${started.order}`)
  })

  it('changes nothing, whoever is signed in and whatever it contains', async () => {
    const { member } = setup
    const { token, fileToken } = await openTestSession(setup.system, { kind: 'member', id: member.memberId })
    const before = await readOrder(setup, started.order)
    const answer = await post(started.order, {
      payload: paid,
      headers: { 'content-type': form, authorization: `Bearer ${token}`, cookie: `${fileCookies.member}=${fileToken}` },
    })
    assert.equal(answer.statusCode, 303)
    assert.deepEqual(await readOrder(setup, started.order), before)
    assert.deepEqual([await creditsOf(setup), await listWebhookEvents(setup)], [[], []])
  })

  it('gets the same answer for an own, another and an unknown order', async () => {
    const seen = async (order: string) => {
      const { statusCode, headers, body } = await post(order, { payload: paid, headers: { 'content-type': form } })
      const { location, date: _date, 'x-request-id': _id, ...others } = headers
      return { statusCode, body, others, leadsTo: String(location).replace(order, 'ORDER') }
    }
    const own = await seen(started.order)
    for (const order of ['0190a0b0-0000-7000-8000-000000000002', 'nobody'])
      assert.deepEqual(await seen(order), own, order)
  })

  it('is redirected nowhere else, whatever the path contains', async () => {
    for (const order of [
      '%2F%2Fevil.example',
      '..%2F..%2Fdesk',
      'a%0d%0aset-cookie:%20x=1',
      '%5Cevil.example',
      '%3Fq',
      '%23',
    ]) {
      const { statusCode, headers } = await post(order, { payload: paid, headers: { 'content-type': form } })
      assert.equal(statusCode, 303, order)
      const led = new URL(String(headers.location), 'https://harbour.example')
      assert.equal(led.origin, 'https://harbour.example', order)
      assert.match(led.pathname, /^\/deposit-processing\/[^/]+$/, order)
      assert.deepEqual([led.search, led.hash, headers['set-cookie']], ['', '', undefined], order)
    }
  })

  it('gets an empty page inside a frame, which only the portal may embed', async () => {
    const answer = await post(started.order, {
      payload: paid,
      headers: { 'content-type': form, 'sec-fetch-dest': 'iframe' },
    })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.body, '<!doctype html><title>Back</title>')
    assert.equal(answer.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'self'")
    assert.equal(answer.headers.location, undefined)
  })
})
