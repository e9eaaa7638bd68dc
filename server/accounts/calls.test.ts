/** Makes the call as a browser does, over a socket and with the hub running on its own timer. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { watchAccountMetrics } from '@atrium/contract/accounts/live-metrics.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { startingBalance } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, openTestSession, setFeatures } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { reading } from '../foundation/database/database.ts'

let setup: ServedFixture
let caller: Caller
let url: string
let token: string

before(async () => {
  setup = await openServedFixture()
  caller = setup.caller
  url = await setup.app.listen({ port: 0, host: '127.0.0.1' })
  token = (await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })).token
})
after(() => setup.close())

const events = { accept: 'text/event-stream' }
const open = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${url}${watchAccountMetrics.path}`, { method, headers: { host: 'localhost', ...events, ...headers } })
const bearer = (of = token) => ({ authorization: `Bearer ${of}` })

/** Reads until the pattern appears or the stream ends. */
async function readUntil(answer: Response, pattern: RegExp): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  const reader = answer.body?.getReader()
  while (reader && !pattern.test(text)) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value)
  }
  await reader?.cancel()
  return text
}

test('answers the metrics once when the client does not accept events', async () => {
  const { status, body } = await caller.get(watchAccountMetrics.path, token)
  assert.equal(status, 200)
  const { accounts } = watchAccountMetrics.answer.parse(body)
  assert.deepEqual(
    accounts.map(({ _id, balance_is_live }) => [_id, balance_is_live]),
    [[setup.accountId, false]],
  )
})

test('streams the metrics with headers that prevent buffering by proxies', async () => {
  const answer = await open(bearer())
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-store, no-transform')
  assert.equal(answer.headers.get('x-accel-buffering'), 'no')
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  const text = await readUntil(answer, /"balance_is_live":true/)
  assert.ok(text.includes(`"_id":"${setup.accountId}","balance":"${startingBalance}"`), text)
})

test('refuses a caller without a session, and while the feature is off, as every call does', async () => {
  assert.equal((await open()).status, 401)
  assert.equal((await open(bearer('x'.repeat(43)))).status, 401)
  await setFeatures(setup.system, { accounts: false })
  const refused = await open(bearer())
  await setFeatures(setup.system, {})
  assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [404, 'feature_off'])
})

test('answers a HEAD request and ends it', async () => {
  const answer = await open(bearer(), 'HEAD')
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/json; charset=utf-8'])
})

test('ends the stream when the member signs out, and does not extend the session', async () => {
  const { memberId } = await addMember(setup.system)
  const { token: own, sessionId } = await openTestSession(setup.system, { kind: 'member', id: memberId })
  const seen = await lastSeen(sessionId)
  const answer = await open(bearer(own))
  setup.context.clock.advance(120_000)
  assert.equal((await caller.get(watchAccountMetrics.path, own)).status, 200)
  assert.deepEqual(await lastSeen(sessionId), seen)
  assert.equal((await caller.post('/users/logout', {}, own)).status, 200)
  assert.match(await readUntil(answer, /event: end/), /event: end\ndata: {"code":"unauthenticated"}/)
})

function lastSeen(sessionId: string) {
  return reading(setup.system, (tx) =>
    tx
      .selectFrom('sessions')
      .select('last_seen_at')
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('session_id', '=', sessionId)
      .executeTakeFirstOrThrow(),
  )
}

test('ends every stream when the server stops, without waiting for it', async () => {
  const another = await buildApp(setup.context)
  const at = await another.listen({ port: 0, host: '127.0.0.1' })
  const answer = await fetch(`${at}${watchAccountMetrics.path}`, { headers: { ...events, ...bearer() } })
  assert.equal(answer.status, 200)
  const text = readUntil(answer, /event: end/)
  await another.close()
  assert.match(await text, /event: end\ndata: {"code":"unavailable"}/)
})
