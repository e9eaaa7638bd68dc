import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildApp } from '../../server/app.ts'
import { openAppFixture } from '../fixtures/app-fixture.ts'
import { type Caller, callerOf } from '../fixtures/caller.ts'
import type { MadeContext } from '../fixtures/context.ts'
import { addWorkspace } from '../fixtures/workspaces.ts'

let made: MadeContext
let close: () => Promise<void>
let caller: Caller

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  await addWorkspace(made.context, { isDefault: true })
})
after(() => close())

describe('malformed requests', () => {
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const cases: [string, string, Record<string, string>, number][] = [
    ['broken JSON', '{"email":', json, 400],
    ['duplicate keys, read as one', '{"email":"a","email":"b","password":"c"}', json, 401],
    ['a NUL in a text', '{"email":"a\\u0000","password":"b"}', json, 422],
    ['a prototype in the body', '{"__proto__":{"polluted":1},"email":"a","password":"b"}', json, 400],
    ['a constructor in the body', '{"constructor":{"prototype":{"polluted":1}},"email":"a","password":"b"}', json, 400],
    ['an array', '[]', json, 400],
    ['text', 'email=a', { 'content-type': 'text/plain' }, 415],
    ['a form with a missing index', 'email=a', form, 422],
    ['a form of another page', 'email=a&password=b', { ...form, origin: 'https://evil.test' }, 415],
    ['an unreadable form', 'email=%ff', form, 400],
    ['a prototype in a form', '__proto__[polluted]=1&email=a&password=b', form, 400],
    ['a constructor in a form', 'email[constructor]=1&password=b', form, 400],
    ['a form of 2,000 fields', 'a[]=1&'.repeat(2_000), form, 413],
    ['no content type', 'x', {}, 415],
    ['a body of 300 KB', JSON.stringify({ email: 'x'.repeat(300_000) }), json, 413],
    ['deep nesting', `{"email":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, json, 400],
  ]
  for (const [name, payload, headers, status] of cases) {
    test(`are answered with ${status}: ${name}`, async () => {
      const answer = await caller.send({ method: 'POST', url: '/members/login', payload, headers })
      assert.equal(answer.status, status, answer.raw)
      assert.ok(!/stack|select |node_modules|at \w+ \(/i.test(answer.raw), answer.raw)
    })
  }

  test('answers an unknown path or method and an unreadable URL with the standard error, without echoing it', async () => {
    const cases: [Parameters<Caller['send']>[0], number, string][] = [
      [{ method: 'POST', url: '/secret-nothing' }, 404, 'not_found'],
      [{ method: 'PUT', url: '/graph' }, 404, 'not_found'],
      [{ method: 'OPTIONS', url: '/members/login', headers: { origin: 'https://evil.test' } }, 404, 'not_found'],
      [{ method: 'GET', url: '/secret-%zz' }, 400, 'malformed'],
      [{ method: 'GET', url: '/brand/%00' }, 404, 'not_found'],
      [{ method: 'GET', url: '/brand/%2e%2e%2f%2e%2e%2fpackage.json' }, 404, 'not_found'],
      [{ method: 'GET', url: '/brand/harbour-markets.svg', headers: { range: 'bytes=999999-' } }, 416, 'malformed'],
      [{ method: 'GET', url: '/brand/harbour-markets.svg', headers: { 'if-match': 'x' } }, 412, 'malformed'],
    ]
    const demo = await buildApp({ ...made.context, config: { ...made.context.config, demo: true } })
    for (const [asked, status, code] of cases) {
      const answer = await callerOf(demo).send(asked)
      assert.deepEqual([answer.status, answer.body.status, answer.body.code], [status, 'error', code], answer.raw)
      assert.ok(!answer.raw.includes('secret'), answer.raw)
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal(answer.headers['x-request-id'], answer.body.request_id)
    }
    await demo.close()
  })

  test('answers unknown paths below the API with the standard error, and every other path with the page', async () => {
    for (const url of [
      '/members/nothing',
      '/desk/api/nothing',
      '/graph/nothing',
      '/cp/nothing',
      '/coinpayments/nothing',
    ]) {
      const answer = await caller.get(url)
      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], url)
    }
  })
})
