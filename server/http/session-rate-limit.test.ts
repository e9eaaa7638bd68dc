// spec: OP faults
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import type { FastifyInstance } from 'fastify'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { bareHeaders } from './secure-headers.ts'

const logLines: string[] = []
let made: MadeContext
let app: FastifyInstance
let tokens: string[]
before(async () => {
  made = await makeTestContext({ environment: { CALLS_PER_MINUTE: '120' }, logLines }) // A burst of ten, then two a second.
  const system = await addWorkspace(made.context, { isDefault: true })
  app = await buildApp(made.context)
  await app.listen({ port: 0, host: '127.0.0.1' })
  tokens = []
  for (let person = 0; person < 3; person += 1) {
    const { memberId: id } = await addMember(system)
    tokens.push((await openTestSession(system, { kind: 'member', id })).token)
  }
})
after(async () => {
  await app.close()
  await made.close()
})

const ask = (headers: Record<string, string>, url = '/members/terms') =>
  app.inject({ url, headers: { host: 'localhost', ...headers } })

test('refuses a session over its rate limit, and no other session', async () => {
  const [eager = '', calm = ''] = tokens
  const authorization = `Bearer ${eager}`
  const statuses: number[] = []
  for (let turn = 0; turn < 12; turn += 1) statuses.push((await ask({ authorization })).statusCode)
  assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429])
  // The limit counts all calls together.
  const refused = await ask({ authorization }, '/members/dashboard')
  const { code, error } = refused.json()
  assert.deepEqual([refused.statusCode, code, error], [429, 'too_many_requests', sessionTexts.tooManyCalls])
  const seconds = Number(refused.headers['retry-after'])
  assert.equal(seconds, 1)
  assert.equal((await ask({ authorization: `Bearer ${calm}` })).statusCode, 200)
})

test('allows evenly spaced calls after a burst, without a new burst', async () => {
  const [, , patient = ''] = tokens
  const next = async () => (await ask({ authorization: `Bearer ${patient}` })).statusCode
  for (let turn = 0; turn < 10; turn += 1) assert.equal(await next(), 200)
  assert.equal(await next(), 429)
  made.context.clock.advance(400)
  assert.equal(await next(), 429) // A refused call does not count.
  made.context.clock.advance(100)
  assert.deepEqual([await next(), await next()], [200, 429])
  made.context.clock.advance(1_000)
  assert.deepEqual([await next(), await next(), await next()], [200, 200, 429])
  // The clock is set back an hour.
  made.context.clock.set(new Date(made.context.clock.now().getTime() - 3_600_000))
  assert.equal(await next(), 429)
  made.context.clock.advance(500)
  assert.equal(await next(), 200)
})

test('a refusal has the headers of every other answer, and is counted and logged', async () => {
  const headers = { authorization: `Bearer ${'x'.repeat(43)}` }
  for (let turn = 0; turn < 10; turn += 1) assert.equal((await ask(headers)).statusCode, 401)
  logLines.length = 0
  const refused = await ask(headers)
  const other = await ask({}, '/members/terms')
  assert.deepEqual([refused.statusCode, other.statusCode], [429, 401])
  const expected = bareHeaders(app)
  for (const name of [...Object.keys(expected), 'content-type'])
    assert.equal(refused.headers[name], other.headers[name], name)
  assert.equal(refused.headers['content-length'], String(refused.rawPayload.length))
  const id = refused.headers['x-request-id']
  assert.equal(refused.json().request_id, id)
  const line = logLines.map((one) => JSON.parse(one)).find(({ reqId }) => reqId === id)
  assert.deepEqual([line.msg, line.route, line.status], ['request', '/members/terms', 429])
  const metrics = (await ask(headers, '/metrics')).body
  assert.match(
    metrics,
    /^atrium_http_request_duration_seconds_count\{[^}]*route="\/members\/terms"[^}]*status="429"[^}]*\} \d+$/m,
  )
})

test('a refusal does not read the request body, and has no body for HEAD', async () => {
  const headers = { authorization: `Bearer ${'y'.repeat(43)}` }
  for (let turn = 0; turn < 10; turn += 1) await ask(headers)
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (method: string, body = '') =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path: '/members/activity', method, agent, headers }, (answer) =>
        text(answer).then((read) => resolve([answer.statusCode, read]), reject),
      )
      sent.on('error', reject)
      sent.end(body)
    })
  try {
    const [status, read] = await send('POST', `"${'a'.repeat(200_000)}"`)
    assert.deepEqual([status, JSON.parse(read).code], [429, 'too_many_requests'])
    assert.deepEqual(await send('HEAD'), [429, ''])
    assert.equal((await send('GET'))[0], 429)
  } finally {
    agent.destroy()
  }
})

test('counts requests for pictures and KYC documents by their cookie, and does not count health or pages', async () => {
  const cookie = `atrium_files=${'x'.repeat(43)}`
  const statuses = new Set<number>()
  for (let turn = 0; turn < 12; turn += 1)
    statuses.add((await ask({ cookie }, `/media/${crypto.randomUUID()}`)).statusCode)
  assert.ok(statuses.has(429))
  for (let turn = 0; turn < 12; turn += 1) {
    assert.equal((await ask({ cookie }, '/healthz')).statusCode, 200)
    assert.equal((await ask({ cookie }, '/readyz')).statusCode, 200)
    assert.notEqual((await ask({ cookie }, '/metrics')).statusCode, 429)
    assert.notEqual((await ask({}, '/members/terms')).statusCode, 429)
  }
})

test('counts a session once, whatever else a request shows', async () => {
  const system = await addWorkspace(made.context, { subdomain: 'files' })
  const person = { kind: 'member', id: (await addMember(system)).memberId } as const
  const { fileToken } = await openTestSession(system, person)
  const address = `/cp/private/files/${crypto.randomUUID()}/a.pdf`
  const shown = (turn: number): Record<string, string>[] => [
    { cookie: `atrium_files=${fileToken}; other=${turn}` },
    { cookie: `atrium_files=%${fileToken.charCodeAt(0).toString(16)}${fileToken.slice(1)}` },
    { cookie: `atrium_files=${fileToken}; atrium_desk_files=${turn}` },
    { cookie: `atrium_files=${fileToken}`, authorization: `Bearer ${String(turn).repeat(30)}` },
    { cookie: `atrium_files=${fileToken}`, authorization: `Basic ${turn}` },
  ]
  const statuses: number[] = []
  for (let turn = 0; turn < 3; turn += 1)
    for (const headers of shown(turn))
      statuses.push((await ask({ ...headers, host: 'files.localhost' }, address)).statusCode)
  assert.deepEqual(statuses, [...Array(10).fill(404), ...Array(5).fill(429)])
})

test('does not count the files’ cookie with calls, which the bearer token proves', async () => {
  const cookie = `atrium_files=${'w'.repeat(43)}`
  for (let turn = 0; turn < 12; turn += 1)
    assert.equal((await ask({ cookie, authorization: `Bearer ${String(turn).repeat(30)}` })).statusCode, 401)
  assert.equal((await ask({ cookie }, `/cp/private/files/${crypto.randomUUID()}/a.pdf`)).statusCode, 401)
})
