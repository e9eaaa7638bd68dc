/** Ways in that bypass the API calls. */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { type Caller, callerOf } from '../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../tests/fixtures/context.ts'
import { answerResetRequests, mailsTo } from '../tests/fixtures/mailbox.ts'
import { exchangeRaw } from '../tests/fixtures/raw-exchange.ts'
import { addMedia } from '../tests/fixtures/requests.ts'
import { enrolTotp, enterFactor, enterPassword } from '../tests/fixtures/second-factors.ts'
import { addMember, addStaff, addWorkspace, staffActor } from '../tests/fixtures/workspaces.ts'
import { buildApp } from './app.ts'
import { personalData } from './domains.ts'
import type { System } from './foundation/actor.ts'
import { eraseMember } from './members/personal-data/erasure.ts'
import { fileCookies } from './sessions/cookies.ts'
import { requestReset } from './sessions/passwords/reset-request.ts'

let made: MadeContext
let app: FastifyInstance
let caller: Caller
let system: System
let port: number
before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  app = await buildApp(made.context)
  caller = callerOf(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
after(async () => {
  await app.close()
  await made.close()
})

const line = '\r\n'
const device = { address: '192.0.2.1', userAgent: null }

describe('an erased member', () => {
  it('cannot return by token, cookie, link, challenge, code or password', async () => {
    const member = await addMember(system, { customer_number: 'E-1' })
    const first = await caller.send({ method: 'POST', url: '/members/login', payload: member })
    const token = String(first.body.token)
    const cookie = String(first.headers['set-cookie']).match(new RegExp(`${fileCookies.member}=[\\w-]+`))?.[0] ?? ''
    const file = `/cp/private/files/${await addMedia(system, { memberId: member.memberId })}/receipt.pdf`
    assert.equal((await caller.send({ method: 'GET', url: file, headers: { cookie } })).status, 200)
    const phone = await enrolTotp(caller, made.context, token)
    made.context.clock.advance(60_000)
    const { challenge } = await enterPassword(caller, member)
    await requestReset(system, 'member', member.email, device)
    await answerResetRequests(system)
    const code = /reset-password\/([\w-]+)/.exec((await mailsTo(system, member.email)).at(-1)?.text ?? '')?.[1] ?? ''
    assert.equal((await caller.post('/members/reset-password/check-code', { code })).status, 200)
    const staff = staffActor(system, await addStaff(system))
    await eraseMember(staff, member.memberId, { reason: 'Asked for it', customer_number: 'E-1' }, personalData)

    assert.equal((await caller.get('/user/permissions', token)).status, 401)
    assert.equal((await caller.send({ method: 'GET', url: file, headers: { cookie } })).status, 401)
    assert.equal((await caller.post('/members/reset-password/check-code', { code })).status, 422)
    const password = 'Tidal-Gauge-71'
    const fresh = { code, password, password_confirmation: password }
    assert.equal((await caller.post('/members/reset-password/process', fresh)).status, 422)
    assert.equal((await enterFactor(caller, challenge, { code: phone.code() })).status, 401)
    for (const email of [member.email, 'E-1@erased.invalid'])
      for (const each of [member.password, 'erased', ''])
        assert.notEqual((await caller.post('/members/login', { email, password: each })).status, 200)
    await requestReset(system, 'member', 'E-1@erased.invalid', device)
    await answerResetRequests(system)
    assert.deepEqual(await mailsTo(system, 'E-1@erased.invalid'), [])
  })
})

describe('a sign-in', () => {
  it('never adopts a token sent by the client', async () => {
    const member = await addMember(system)
    const brought = 'f'.repeat(43)
    const answer = await caller.send({
      method: 'POST',
      url: '/members/login',
      payload: { email: member.email, password: member.password, token: brought, session_id: brought },
      headers: { cookie: `${fileCookies.member}=${brought}; token=${brought}`, authorization: `Bearer ${brought}` },
    })
    assert.equal(answer.status, 200, answer.raw)
    assert.ok(!`${answer.raw}${answer.headers['set-cookie']}`.includes(brought))
    assert.equal((await caller.get('/user/permissions', brought)).status, 401)
    const again = await caller.signIn(member)
    assert.notEqual(again, answer.body.token)
  })
})

describe('an HTTP request', () => {
  it('ignores headers that override method or path', async () => {
    const member = await addMember(system)
    const token = await caller.signIn(member)
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const headers = { [name]: 'POST', authorization: `Bearer ${token}` }
      const answer = await caller.send({ method: 'GET', url: '/users/logout?_method=POST', headers })
      assert.equal(answer.status, 404, name)
    }
    for (const name of ['x-original-url', 'x-rewrite-url', 'x-forwarded-prefix']) {
      const answer = await caller.send({
        method: 'GET',
        url: '/members/nothing',
        headers: { [name]: '/user/permissions', authorization: `Bearer ${token}` },
      })
      assert.equal(answer.status, 404, name)
    }
    assert.equal((await caller.get('/user/permissions', token)).status, 200)
  })

  it('is never decompressed, which excludes decompression bombs', async () => {
    const bomb = gzipSync(Buffer.from(`{"email":"${'x'.repeat(50_000_000)}"}`))
    assert.ok(bomb.length < 100_000)
    for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip', 'zstd', 'identity']) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
      const answer = await caller.send({ method: 'POST', url: '/members/login', payload: bomb, headers })
      assert.ok([400, 415].includes(answer.status), `${encoding}: ${answer.status}`)
    }
  })

  it('ignores upgrades to WebSocket or another protocol', async () => {
    for (const upgrade of ['websocket', 'h2c', 'TLS/1.0']) {
      const lines = [
        'GET /healthz HTTP/1.1',
        'Host: localhost',
        'Connection: Upgrade, close',
        `Upgrade: ${upgrade}`,
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version: 13',
      ]
      const text = await exchangeRaw(port, `${lines.join(line)}${line}${line}`, { ends: false })
      assert.match(text, /^HTTP\/1\.1 200 /, upgrade)
    }
    const preface = await exchangeRaw(port, `PRI * HTTP/2.0${line}${line}SM${line}${line}`, { ends: true })
    assert.doesNotMatch(preface, /^HTTP\/1\.1 2/)
  })
})
