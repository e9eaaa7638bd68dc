// spec: MP 7, OP faults

/** Headers in production for every kind of answer, scored like a page by MDN's HTTP Observatory. */

import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type pg from 'pg'
import { type Answered, type Caller, callerOf } from '../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext, productionMode } from '../tests/fixtures/context.ts'
import { exchangeRaw } from '../tests/fixtures/raw-exchange.ts'
import { addMedia } from '../tests/fixtures/requests.ts'
import { addMember, addWorkspace, openTestSession } from '../tests/fixtures/workspaces.ts'
import { buildApp } from './app.ts'

let made: MadeContext
let app: FastifyInstance
let caller: Caller
let token: string
let file: string
let person: { email: string; password: string }
let owner: pg.Client

before(async () => {
  made = await makeTestContext({ environment: productionMode })
  app = await buildApp(made.context)
  caller = callerOf(app)
  const system = await addWorkspace(made.context, { isDefault: true })
  const member = await addMember(system)
  person = member
  token = (await openTestSession(system, { kind: 'member', id: member.memberId })).token
  file = `/cp/private/files/${await addMedia(system, { memberId: member.memberId })}/receipt.pdf`
  owner = await made.openOwner()
})
after(async () => {
  await app.close()
  await made.close()
})

const built = fileURLToPath(new URL('../web/dist/assets/', import.meta.url))
const json = { 'content-type': 'application/json' }

async function answers(): Promise<[string, number | null, Answered][]> {
  const authorization = `Bearer ${token}`
  const asked: [string, number | null, InjectOptions][] = [
    ['the portal', null, { url: '/' }],
    ['the sign-in', null, { url: '/login' }],
    ['the desk', null, { url: '/desk' }],
    ['a page of the desk', null, { url: '/desk/login' }],
    ['an answer', 200, { url: '/members/crm-settings' }],
    [
      'a query',
      200,
      { method: 'POST', url: '/graph', payload: { query: '{ __typename }' }, headers: { authorization } },
    ],
    ['a file', 200, { url: file, headers: { authorization } }],
    ['the developers mailbox', 404, { url: '/dev/mailbox' }],
    ['health', 200, { url: '/healthz' }],
    ['400', 400, { url: '/%zz' }],
    ['401', 401, { url: '/user/permissions' }],
    ['404', 404, { url: '/members/nothing' }],
    ['404 of a file', 404, { url: '/cp/private/files/x/y', headers: { authorization } }],
    ['413', 413, { method: 'POST', url: '/members/login', payload: 'x'.repeat(300_000), headers: json }],
    ['415', 415, { method: 'POST', url: '/members/login', payload: 'x', headers: { 'content-type': 'text/plain' } }],
    ['422', 422, { method: 'POST', url: '/members/login', payload: {} }],
  ]
  if (existsSync(built)) asked.push(['an asset', 200, { url: `/assets/${readdirSync(built)[0]}` }])
  const found: [string, number | null, Answered][] = []
  for (const [name, status, options] of asked) found.push([name, status, await caller.send(options)])
  found.push(['429', 429, await tooMany()])
  await owner.query('revoke select on workspaces from atrium_program')
  found.push(['500', 500, await caller.get('/user/permissions', token)])
  await owner.query('grant select on workspaces to atrium_program')
  return found
}

async function tooMany(): Promise<Answered> {
  for (let tries = 0; tries < 40; tries += 1) {
    const answer = await caller.post('/members/login', { email: 'nobody@harbour.test', password: 'Wrong-2026' })
    if (answer.status === 429) return answer
  }
  throw new Error('Guesses are not limited')
}

const policyOf = ({ headers }: Answered): Map<string, string[]> =>
  new Map(
    String(headers['content-security-policy'] ?? '')
      .split(';')
      .map((part) => part.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name, sources]),
  )

/** The Observatory's rules that apply to our answers; a page starts at 100, and A+ needs at least 100. */
const rules: [string, (answer: Answered) => number][] = [
  ['policy', (answer) => (isStrict(policyOf(answer)) ? 10 : -25)],
  ['framing by the policy', (answer) => (policyOf(answer).get('frame-ancestors')?.join() === "'none'" ? 5 : -20)],
  ['TLS kept for half a year', ({ headers }) => (hstsOf(headers) >= 15_768_000 ? 0 : -20)],
  ['no sniffing', ({ headers }) => (headers['x-content-type-options'] === 'nosniff' ? 0 : -5)],
  ['no referrer', ({ headers }) => (headers['referrer-policy'] === 'no-referrer' ? 5 : -5)],
  ['resources for us alone', ({ headers }) => (headers['cross-origin-resource-policy'] === 'same-origin' ? 10 : 0)],
  ['no other origin', ({ headers }) => (headers['access-control-allow-origin'] === undefined ? 0 : -50)],
]
const hstsOf = (headers: Answered['headers']): number =>
  Number(/max-age=(\d+)/.exec(String(headers['strict-transport-security']))?.[1] ?? 0)

/** Judges like a policy evaluator: nothing by default, no inline or evaluated scripts, no wildcard scheme or host. */
function isStrict(policy: Map<string, string[]>): boolean {
  const scripts = policy.get('script-src') ?? policy.get('default-src') ?? ['*']
  const isOwn = scripts.every((source) => ["'self'", "'none'"].includes(source))
  const all = [...policy.values()].flat()
  const isUnsafe = all.some((source) => /unsafe-|^\*$|^https?:$/.test(source))
  const isScripted = scripts.includes("'self'")
  const isClosed = !isScripted || ["'none'", "'self'"].includes(policy.get('base-uri')?.join() ?? '')
  const formsStay = !isScripted || policy.get('form-action')?.join() === "'self'"
  return policy.get('default-src')?.join() === "'none'" && isOwn && !isUnsafe && isClosed && formsStay
}

describe('every kind of answer', () => {
  it('scores at least 120, errors included', async () => {
    for (const [name, status, answer] of await answers()) {
      if (status !== null) assert.equal(answer.status, status, `${name}: ${answer.raw}`)
      const lost = rules.filter(([, rule]) => rule(answer) < 0).map(([rule]) => rule)
      const score = 100 + rules.reduce((sum, [, rule]) => sum + rule(answer), 0)
      assert.ok(score >= 120, `${name} scores ${score}: ${lost.join(', ')} in ${JSON.stringify(answer.headers)}`)
      assert.equal(answer.headers['x-frame-options'], 'DENY', name)
      assert.equal(answer.headers['cross-origin-opener-policy'], 'same-origin', name)
      assert.match(String(answer.headers['permissions-policy']), /camera=\(\)/, name)
      if (status === null || status >= 400) assert.equal(answer.headers['cache-control'], 'no-store', name)
      assert.equal(answer.headers.server ?? answer.headers['x-powered-by'], undefined, name)
    }
  })
})

it('a request for two hosts gets the headers of every answer', async () => {
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const asked = 'GET /healthz HTTP/1.1\r\nHost: one.example\r\nHost: other.example\r\nConnection: close\r\n\r\n'
  const answer = await exchangeRaw(Number(port), asked, { ends: false })
  assert.match(answer, /^HTTP\/1\.1 400 /)
  for (const header of ['cache-control: no-store', 'permissions-policy: ', 'content-security-policy: '])
    assert.ok(answer.includes(`\r\n${header}`), `${header} in ${answer}`)
})

describe('the page of a standalone form', () => {
  it('can be framed by our own pages only, and is otherwise as strict as other pages', async () => {
    const origins = ['https://evil.example', 'null', 'https://harbour.members.example.evil.example', 'http://localhost']
    for (const origin of [undefined, ...origins]) {
      const headers = { ...(origin && { origin, referer: `${origin}/`, 'sec-fetch-dest': 'iframe' }) }
      const answer = await caller.send({ url: '/forms/view?form=x&dark=1&members-portal=1&id=y', headers })
      const policy = policyOf(answer)
      assert.deepEqual(policy.get('frame-ancestors'), ["'self'"])
      assert.equal(answer.headers['x-frame-options'], 'SAMEORIGIN')
      assert.ok(isStrict(policy), String(answer.headers['content-security-policy']))
      assert.equal(policy.get('frame-src'), undefined)
      assert.equal(answer.headers['access-control-allow-origin'], undefined)
    }
    for (const url of ['/forms/view/', '/forms/viewer', '/form/x/y', '/requests'])
      assert.deepEqual(policyOf(await caller.send({ url })).get('frame-ancestors'), ["'none'"], url)
  })
})

describe('cookies', () => {
  it('are sent to this host only, over TLS, and not to scripts or other sites', async () => {
    await owner.query('delete from rate_limits')
    const { headers } = await caller.post('/members/login', person)
    const cookies = headers['set-cookie'] as string[]
    assert.ok(cookies.length > 0)
    for (const cookie of cookies) {
      assert.match(cookie, /^__(Host|Secure)-\w+=[\w-]+; /, cookie)
      assert.match(cookie, /; HttpOnly; Secure; SameSite=Strict$/, cookie)
      if (cookie.startsWith('__Host-')) assert.match(cookie, /; Path=\/; HttpOnly/)
    }
    const [, fileCookie] = /^(__Host-atrium_files=[\w-]+)/.exec(cookies.join('\n')) ?? []
    assert.ok(fileCookie)
    const by = (options: InjectOptions) => caller.send({ ...options, headers: { cookie: fileCookie } })
    assert.equal((await by({ url: file })).status, 200)
    // The browser sends this cookie with every request, and it gives access to files only.
    for (const url of ['/user/permissions', '/members/sessions', '/graph?q=e19fdHlwZW5hbWV9', '/desk/api/me'])
      assert.equal((await by({ url })).status, 401, url)
    assert.equal((await by({ method: 'POST', url: '/users/logout', payload: {} })).status, 401)
    assert.equal((await by({ method: 'POST', url: file, payload: {} })).status, 404)
    // Without the prefix a neighbouring host could have set it.
    const plain = fileCookie.replace('__Host-', '')
    assert.equal((await caller.send({ url: file, headers: { cookie: plain } })).status, 401)
  })
})

describe('another origin', () => {
  const hostile = [
    'null',
    'https://evil.test',
    'http://localhost',
    'https://localhost:444',
    'https://localhost.evil.test',
    'https://evil-localhost',
    'https://evillocalhost',
    'https://evil.localhost',
    'https://localhost@evil.test',
    'https://localhost%00.evil.test',
    'https://localhost\\.evil.test',
    'https://LOCALHOST.evil.test',
    'https://xn--lcalhost-9za',
    'https://localhost.',
    'https://127.0.0.1',
    'https://[::1]',
    'file://',
    'chrome-extension://localhost',
    'data:text/html,x',
    '*',
  ]

  it('gets no CORS headers, whatever form its name takes', async () => {
    for (const origin of hostile) {
      for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
        const headers = { origin, authorization: `Bearer ${token}`, 'access-control-request-method': 'POST' }
        for (const url of ['/user/permissions', '/members/login', '/graph', file]) {
          const answer = await caller.send({ method, url, headers })
          const allowed = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))
          assert.deepEqual(allowed, [], `${method} ${url} from ${origin}`)
        }
      }
    }
  })
})
