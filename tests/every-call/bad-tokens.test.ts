import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { System } from '../../server/foundation/actor.ts'
import { inTransaction } from '../../server/foundation/database.ts'
import { newId } from '../../server/foundation/ids.ts'
import { type Caller, callerOf } from '../fixtures/caller.ts'
import { type MadeGround, makeGround } from '../fixtures/ground.ts'
import { type Asked, enrolTotp, enterPassword } from '../fixtures/second-factors.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../fixtures/workspaces.ts'
import { type LiveRoute, openWithRoutes } from './routes.ts'

/** Every call with every token that is none, and from every place that is not ours: from the table of live routes. */
let made: MadeGround
let system: System
let app: FastifyInstance
let caller: Caller
let closed: (LiveRoute & { path: string })[]
let member: { token: string; fileToken: string }
let staff: { token: string; fileToken: string }

before(async () => {
  made = await makeGround()
  system = await addWorkspace(made.ground, { subdomain: 'harbour', isDefault: true })
  const opened = await openWithRoutes(made.ground)
  app = opened.app
  caller = callerOf(app)
  closed = opened.routes
    .filter(({ call, url, method }) => (call ? call.access !== 'anyone' : url === '/graph') && method !== 'HEAD')
    .map((route) => ({ ...route, path: route.url.replace(/:\w+/g, newId()) }))
  member = await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })
  staff = await openTestSession(system, { kind: 'staff', id: (await addStaff(system)).staffId })
})
after(async () => {
  await app.close()
  await made.close()
})

function ask(route: { method: string; path: string }, headers: Record<string, string>) {
  const method = route.method as 'GET' | 'POST'
  const json = { 'content-type': 'application/json', ...headers }
  return caller.send({ method, url: route.path, headers: json, ...(method === 'POST' && { payload: '{}' }) })
}

/** Somebody with a second factor who has shown a right password and nothing more. */
async function askedForFactor(): Promise<Asked> {
  const person = await addMember(system)
  await enrolTotp(caller, made.ground, await caller.signIn(person))
  return enterPassword(caller, person)
}

async function lapsed(how: 'ended' | 'idle' | 'old' | 'elsewhere' | 'locked' | 'erased'): Promise<string> {
  const other = how === 'elsewhere' ? await addWorkspace(made.ground) : system
  const { memberId } = await addMember(other, ['locked', 'erased'].includes(how) ? { status: how } : {})
  const { token, sessionId } = await openTestSession(other, { kind: 'member', id: memberId })
  const past = new Date(made.ground.clock.now().getTime() - 1)
  const values = {
    ended: { ended_at: past },
    idle: { last_seen_at: new Date(past.getTime() - made.ground.config.sessionIdleMs) },
    old: { expires_at: past },
    elsewhere: {},
    locked: {},
    erased: {},
  }[how]
  if (Object.keys(values).length === 0) return token
  await inTransaction(other, (tx) =>
    tx
      .updateTable('sessions')
      .set(values)
      .where('workspace_id', '=', other.workspaceId)
      .where('session_id', '=', sessionId)
      .execute(),
  )
  return token
}

describe('a token that is none opens no call, and which kind of none it is stays unsaid', () => {
  const swapCase = (text: string) =>
    [...text].map((sign) => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase())).join('')
  const kinds: [string, () => Promise<string | null>][] = [
    ['nothing', async () => null],
    ['empty', async () => 'Bearer '],
    ['without its word', async () => member.token],
    ['with another word', async () => `Basic ${member.token}`],
    ['with its word in small letters', async () => `bearer ${member.token}`],
    ['with more space', async () => `Bearer  ${member.token}`],
    ['with a tail', async () => `Bearer ${member.token} x`],
    ['twice', async () => `Bearer ${member.token}, Bearer ${staff.token}`],
    ['shortened', async () => `Bearer ${member.token.slice(0, -1)}`],
    ['lengthened', async () => `Bearer ${member.token}A`],
    ['padded', async () => `Bearer ${member.token}=`],
    ['in other letters', async () => `Bearer ${swapCase(member.token)}`],
    ['made up', async () => `Bearer ${'A'.repeat(43)}`],
    ['its own hash', async () => `Bearer ${Buffer.from(member.token).toString('hex')}`],
    ['the one for files', async () => `Bearer ${member.fileToken}`],
    ['a query', async () => `Bearer ' or 1=1 --`],
    ['of one who signed out', async () => `Bearer ${await lapsed('ended')}`],
    ['idle', async () => `Bearer ${await lapsed('idle')}`],
    ['too old', async () => `Bearer ${await lapsed('old')}`],
    ['of another brokerage', async () => `Bearer ${await lapsed('elsewhere')}`],
    ['of a locked member', async () => `Bearer ${await lapsed('locked')}`],
    ['of an erased member', async () => `Bearer ${await lapsed('erased')}`],
    ['the question of a half sign-in', async () => `Bearer ${(await askedForFactor()).challenge}`],
  ]
  for (const [name, make] of kinds) {
    test(name, async () => {
      const authorization = await make()
      const answers = new Set<string>()
      for (const route of closed) {
        const { status, body } = await ask(route, authorization === null ? {} : { authorization })
        assert.equal(status, 401, route.name)
        if (route.call) answers.add(JSON.stringify({ ...body, request_id: '' }))
      }
      assert.equal(answers.size, 1)
    })
  }

  test('and a right one of the other kind of people is none', async () => {
    for (const route of closed) {
      const { token } = route.call?.access === 'staff' ? member : staff
      assert.equal((await ask(route, { authorization: `Bearer ${token}` })).status, 401, route.name)
    }
  })
})

describe('another origin', () => {
  const origins = [
    'https://evil.test',
    'null',
    'http://localhost.evil.test',
    'http://harbour.localhost:1',
    'https://localhost',
  ]

  test('is told nothing by a preflight and gets no header that would let it read', async () => {
    for (const origin of origins) {
      for (const route of closed) {
        const asks = {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        }
        const preflight = await caller.send({ method: 'OPTIONS', url: route.path, headers: asks })
        const simple = await ask(route, { origin, authorization: 'Bearer x' })
        for (const { headers, status } of [preflight, simple]) {
          assert.ok(status >= 400, route.name)
          const telling = Object.keys(headers).filter((name) => name.startsWith('access-control'))
          assert.deepEqual(telling, [], route.name)
        }
      }
    }
  })

  test('can do nothing with the cookies that a browser adds by itself', async () => {
    const cookies = [
      `atrium_files=${member.fileToken}; atrium_desk_files=${staff.fileToken}`,
      `atrium_files=${member.token}; atrium_device=${member.token}; token=${member.token}; session=${staff.token}`,
    ]
    for (const cookie of cookies) {
      for (const route of closed) {
        assert.equal((await ask(route, { origin: 'https://evil.test', cookie })).status, 401, route.name)
      }
    }
  })

  test('cannot send a form as what a form is', async () => {
    for (const route of closed.filter(({ method, call }) => method === 'POST' && call)) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        const { status } = await caller.send({
          method: 'POST',
          url: route.path,
          payload: '{"a":"b"}',
          headers: { 'content-type': type, authorization: `Bearer ${member.token}`, origin: 'https://evil.test' },
        })
        assert.ok([401, 415].includes(status), `${route.name}: ${status}`)
      }
    }
  })
})
