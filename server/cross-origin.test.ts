/** API_ORIGIN set: only a brokerage's own portal may call its API host, and other origins get no CORS headers. */

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { formFramePath } from '@atrium/contract/forms/frame.ts'
import type { FastifyInstance } from 'fastify'
import { type Answered, callerOf } from '../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext, productionMode } from '../tests/fixtures/context.ts'
import { addMedia } from '../tests/fixtures/requests.ts'
import { addMember, addWorkspace, openTestSession } from '../tests/fixtures/workspaces.ts'
import { buildApp } from './app.ts'
import { readConfig } from './config.ts'
import type { System } from './foundation/actor.ts'
import { inTransaction } from './foundation/database/database.ts'
import { apiAddress, apiLabel } from './workspaces/address.ts'

const environment = {
  ...productionMode,
  ATRIUM_DOMAIN: 'example.test',
  PUBLIC_URL: 'https://{workspace}.example.test',
  API_ORIGIN: 'https://{workspace}.api.example.test',
}
const portal = 'https://harbour.example.test'
const portalHost = 'harbour.example.test'
const apiHost = 'harbour.api.example.test'
const isBuilt = existsSync(fileURLToPath(new URL('../web/dist/portal/index.html', import.meta.url)))

let made: MadeContext
let app: FastifyInstance
let system: System
let token: string
let person: { email: string; password: string }
let file: string
before(async () => {
  made = await makeTestContext({ environment })
  app = await buildApp(made.context)
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  await addWorkspace(made.context, { subdomain: 'elsewhere' })
  const member = await addMember(system)
  person = member
  token = (await openTestSession(system, { kind: 'member', id: member.memberId })).token
  file = `/cp/private/files/${await addMedia(system, { memberId: member.memberId })}/receipt.pdf`
})
after(async () => {
  await app.close()
  await made.close()
})

type Asked = { host?: string; origin?: string; method?: 'GET' | 'POST' | 'OPTIONS'; url?: string; payload?: object }
function ask({ host = apiHost, origin, method = 'GET', url = '/user/permissions', payload }: Asked): Promise<Answered> {
  const asks = method === 'OPTIONS' && { 'access-control-request-method': 'POST' }
  const headers = { authorization: `Bearer ${token}`, ...(origin !== undefined && { origin }), ...asks }
  return callerOf(app, host).send({ method, url, headers, ...(payload && { payload }) })
}

const revealed = ({ headers }: Answered): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'))

describe("the brokerage's own portal", () => {
  it('may call with credentials and the headers that its calls send, after a preflight', async () => {
    const asked = await ask({ origin: portal, method: 'OPTIONS', url: '/members/login' })
    assert.equal(asked.status, 204)
    assert.equal(asked.headers['access-control-allow-origin'], portal)
    assert.equal(asked.headers['access-control-allow-credentials'], 'true')
    assert.equal(asked.headers['access-control-allow-methods'], 'GET, POST, HEAD, PATCH, DELETE')
    assert.match(
      String(asked.headers['access-control-allow-headers']),
      /^authorization, content-type, last-event-id, tus-resumable, upload-/,
    )
    assert.equal(asked.headers.vary, 'Origin')
    const answer = await ask({ origin: portal })
    assert.equal(answer.status, 200, answer.raw)
    assert.equal(answer.headers['access-control-allow-origin'], portal)
    assert.match(
      String(answer.headers['access-control-expose-headers']),
      /^date, x-app-version.*location.*upload-offset/,
    )
  })

  it('can read error responses, and gets its cookie from the API host', async () => {
    const wrong = await ask({ origin: portal, method: 'POST', url: '/members/login', payload: {} })
    assert.deepEqual([wrong.status, wrong.headers['access-control-allow-origin']], [422, portal])
    const unknown = await ask({ origin: portal, url: '/members/nothing' })
    assert.deepEqual([unknown.status, unknown.headers['access-control-allow-origin']], [404, portal])
    const signedIn = await ask({ origin: portal, method: 'POST', url: '/members/login', payload: person })
    assert.match(
      String(signedIn.headers['set-cookie']),
      /__Host-atrium_files=[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Strict/,
    )
    const picture = await ask({ url: file })
    assert.deepEqual([picture.status, picture.headers['cross-origin-resource-policy']], [200, 'same-site'])
    assert.equal((await ask({ url: file, host: portalHost })).headers['cross-origin-resource-policy'], 'same-origin')
  })
})

describe('another origin', () => {
  const hostile = [
    'null',
    '*',
    'https://evil.test',
    'http://harbour.example.test',
    'https://harbour.example.test:444',
    'https://harbour.example.test.evil.test',
    'https://harbour.example.test.',
    'https://HARBOUR.example.test',
    'https://evil-harbour.example.test',
    'https://evil.harbour.example.test',
    'https://harbourxexample.test',
    'https://example.test',
    'https://elsewhere.example.test',
    'https://harbour.api.example.test',
    'https://harbour.example.test@evil.test',
    'https://harbour.example.test%00.evil.test',
    'https://harbour.example.test, https://evil.test',
    ' https://evil.test',
    'https://{workspace}.example.test',
    'https://localhost',
    'file://',
    'chrome-extension://harbour.example.test',
  ]
  for (const origin of hostile) {
    it(`gets no CORS headers: ${origin}`, async () => {
      for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
        for (const url of ['/user/permissions', '/members/login', '/graph', file]) {
          const answer = await ask({ origin, method, url })
          assert.deepEqual(revealed(answer), [], `${method} ${url}`)
          assert.equal(answer.headers.vary, 'Origin')
        }
      }
    })
  }

  it('gets no CORS headers from the host of the pages, whichever origin asks', async () => {
    for (const origin of [portal, 'https://evil.test', `https://${apiHost}`])
      for (const method of ['GET', 'OPTIONS'] as const)
        assert.deepEqual(revealed(await ask({ origin, method, host: portalHost })), [])
  })

  it('gets no CORS headers from the API host of another brokerage, which also refuses its token', async () => {
    const answer = await ask({ origin: portal, host: 'elsewhere.api.example.test' })
    assert.deepEqual([answer.status, revealed(answer)], [401, []])
    assert.equal((await ask({ host: 'nobody.api.example.test' })).status, 404)
    assert.equal((await ask({ host: 'a.b.api.example.test' })).status, 404)
  })
})

describe('the pages', () => {
  it('allow only this API host in their content security policy, and name it', async () => {
    if (!isBuilt) return
    for (const url of ['/', '/login', '/desk']) {
      const page = await ask({ host: portalHost, url })
      assert.match(
        String(page.headers['content-security-policy']),
        /; connect-src https:\/\/harbour\.api\.example\.test;/,
      )
      assert.match(
        String(page.headers['content-security-policy']),
        /; img-src 'self' blob: data: https:\/\/harbour\.api\.example\.test;/,
      )
      assert.ok(page.raw.includes('<meta name="api-origin" content="https://harbour.api.example.test">'))
    }
  })

  it('show the name of the brokerage before any script has run', async () => {
    if (!isBuilt) return
    await inTransaction(system, (tx) =>
      tx
        .updateTable('workspaces')
        .set({ name: 'Hart & <b>Co' })
        .where('workspace_id', '=', system.workspaceId)
        .execute(),
    )
    const page = await ask({ host: portalHost, url: '/login' })
    assert.ok(page.raw.includes('<title>Hart &amp; &lt;b&gt;Co</title>'), page.raw)
    assert.ok(page.raw.includes('<p>Hart &amp; &lt;b&gt;Co</p>'))
    assert.ok(page.raw.includes('withdrawals at Hart &amp; &lt;b&gt;Co." />'), page.raw)
    for (const url of ['/login', '/forgot-password/', '/reset-password/code', '/rpnpay-payment?order=1'])
      assert.match((await ask({ host: portalHost, url })).raw, /class="first-paint"/, url)
    for (const url of ['/', '/home/', '/funds/withdraw?amount=1', '/no/such/page'])
      assert.match((await ask({ host: portalHost, url })).raw, /class="first-paint in-frame"/, url)
    assert.ok((await ask({ host: portalHost, url: '/desk' })).raw.includes('<p>Hart &amp; &lt;b&gt;Co</p>'))
    const form = await ask({ host: portalHost, url: `${formFramePath}?id=1` })
    assert.ok(form.raw.includes('<p>Hart &amp; &lt;b&gt;Co</p>'), form.raw)
    assert.ok((await ask({ host: 'nobody.example.test', url: '/login' })).raw.includes('<title>Atrium</title>'))
  })

  it('show an outline before any other file has loaded', async () => {
    if (!isBuilt) return
    for (const url of ['/login', '/home', '/desk', `${formFramePath}?id=1`]) {
      const { raw, headers } = await ask({ host: portalHost, url })
      const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]
      assert.ok(raw.includes(`<style nonce="${nonce}">html{`), url)
      const [, styles] = raw.split('class="first-paint')
      assert.equal(raw.match(/rel="stylesheet"/g)?.length, styles?.match(/rel="stylesheet"/g)?.length, url)
    }
  })

  it('preload the files of the requested page only', async () => {
    if (!isBuilt) return
    const preloaded = async (url: string) => {
      const { raw } = await ask({ host: portalHost, url })
      return new Set([...raw.matchAll(/<link [^>]*data-page="([^"]*)"/g)].map(([, page]) => page))
    }
    for (const url of ['/home', '/home/', '/home?from=login'])
      assert.deepEqual(await preloaded(url), new Set(['/home']))
    assert.deepEqual(await preloaded('/accounts'), new Set(['/accounts']))
    for (const url of ['/', '/accounts/7', '/login', '/funds/deposit', '/desk'])
      assert.deepEqual(await preloaded(url), new Set())
  })

  it('contain the heading of the requested page only', async () => {
    if (!isBuilt) return
    const headingsAt = async (url: string) =>
      [...(await ask({ host: portalHost, url })).raw.matchAll(/<h1>([^<]*)<\/h1>/g)].map(([, title]) => title)
    for (const url of ['/funds/transactions', '/funds/transactions/?page=2', '/transactions'])
      assert.deepEqual(await headingsAt(url), ['All Transactions'], url)
    assert.deepEqual(await headingsAt('/funds/withdraw'), ['Withdraw'])
    assert.deepEqual(await headingsAt('/home/'), ['Hello'])
    for (const url of ['/desk', '/desk/', '/desk/deposits?state=approved']) {
      assert.deepEqual(await headingsAt(url), ['Deposits'], url)
      assert.match((await ask({ host: portalHost, url })).raw, /class="first-paint in-frame of-desk"/, url)
    }
    for (const url of ['/desk/login', '/desk/deposits/7', '/desk/members'])
      assert.match((await ask({ host: portalHost, url })).raw, /class="first-paint"/, url)
    for (const url of ['/', '/accounts/7', '/login', '/desk/login', '/desk/members', '/transactions?view=pending'])
      assert.deepEqual(await headingsAt(url), [], url)
  })

  it('may be indexed by search engines, unlike the desk and the API host', async () => {
    const robots = await ask({ host: portalHost, url: '/robots.txt' })
    assert.match(String(robots.headers['content-type']), /^text\/plain/)
    assert.equal(robots.raw, 'User-agent: *\nDisallow: /desk\n')
    assert.equal((await ask({ url: '/robots.txt' })).raw, 'User-agent: *\nDisallow: /\n')
  })

  it('answer at no path of a hidden file', async () => {
    for (const url of [
      '/.env',
      '/.git/config',
      '/%2eenv',
      '/.well-known/security.txt',
      '/desk/.env',
      '/..%2fetc/passwd',
    ])
      assert.equal((await ask({ host: portalHost, url })).status, 404, url)
    if (isBuilt) assert.equal((await ask({ host: portalHost, url: '/transactions?search=/.env' })).status, 200)
  })

  it('call their own origin under another address of the brokerage', async () => {
    if (!isBuilt) return
    const page = await ask({ host: 'example.test', url: '/' })
    assert.match(String(page.headers['content-security-policy']), /; connect-src 'self';/)
    assert.ok(!page.raw.includes('api-origin'))
  })

  it('are not served by the API host', async () => {
    for (const url of ['/', '/login', '/desk', '/desk/login']) assert.equal((await ask({ url })).status, 404, url)
  })
})

describe('the API address', () => {
  const config = (API_ORIGIN: string) => readConfig({ ...environment, DATABASE_URL: made.ownerUrl, API_ORIGIN })

  it('contains the subdomain as the address of the pages does', () => {
    const named = { subdomain: 'harbour', isDefault: false }
    assert.equal(
      apiAddress(config('https://{workspace}-api.example.test:8443'), named),
      'https://harbour-api.example.test:8443',
    )
    assert.equal(apiAddress(config('https://api.example.test'), named), 'https://harbour.api.example.test')
    assert.equal(
      apiAddress(config('https://api.example.test'), { ...named, isDefault: true }),
      'https://api.example.test',
    )
  })

  it('yields the subdomain of an API host, and nothing for other hosts', () => {
    const placed = config('https://{workspace}-api.example.test')
    assert.equal(apiLabel(placed, 'HARBOUR-api.example.test:443'), 'harbour')
    for (const host of [
      '-api.example.test',
      'harbour.example.test',
      'a.b-api.example.test',
      'x-api.example.test.evil.test',
      '',
    ])
      assert.equal(apiLabel(placed, host), undefined, host)
    const bare = config('https://api.example.test')
    assert.equal(apiLabel(bare, 'api.example.test'), null)
    assert.equal(apiLabel(bare, 'harbour.api.example.test'), 'harbour')
    assert.equal(apiLabel(bare, 'evilapi.example.test'), undefined)
  })

  it('must be an origin, with https in production', () => {
    for (const wrong of [
      'https://{workspace}.example.test/path',
      'api.example.test',
      'http://api.example.test',
      'https://*',
    ])
      assert.throws(() => config(wrong), /API_ORIGIN/, wrong)
  })
})
