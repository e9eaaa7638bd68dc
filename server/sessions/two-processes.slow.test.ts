// spec: OP faults

/**
 * Two server processes on one database share rate limits, and a session ended at one is refused at the other.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { z } from 'zod'
import { type Mt5Simulator, startMt5Simulator } from '../../simulators/mt5/simulator.ts'
import type { ChildServer } from '../../tests/doubles/child-server.ts'
import { startServerOn } from '../../tests/doubles/killed-server.ts'
import { type LiveRoute, openWithRoutes } from '../../tests/every-call/routes.ts'
import { callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { answerResetRequests, linksIn, mailsTo } from '../../tests/fixtures/mailbox.ts'
import { postAtOnce, type Received } from '../../tests/fixtures/post-at-once.ts'
import { type App, enrolTotp, enterPassword, securityPath, signInPath } from '../../tests/fixtures/second-factors.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'

let made: MadeContext
let system: System
let app: FastifyInstance
let routes: LiveRoute[]
let owner: pg.Client
let servers: [ChildServer, ChildServer]
let simulator: Mt5Simulator
let platformId: string

before(async () => {
  made = await makeTestContext({ startAt: new Date() }) // Both processes use the real clock.
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  const opened = await openWithRoutes(made.context)
  app = opened.app
  routes = opened.routes
  owner = await made.openOwner()
  const start = () => startServerOn(made, { roles: 'web' })
  servers = [await start(), await start()]
  simulator = await startMt5Simulator({
    port: 0,
    stateFile: ':memory:',
    managers: [manager],
    timeZone: 'Europe/Athens',
    movingPrices: false,
  })
  const settings = { baseUrl: simulator.url, managerLogin: manager.login, allowPlainHttp: true }
  platformId = await addPlatform(system, {
    connection: {
      settings: { ...settings, timeZone: 'Europe/Athens' },
      secret: { managerPassword: manager.password },
    },
  })
})
after(async () => {
  for (const server of servers) await server.stop()
  await app.close()
  await made.close()
  await simulator.stop()
})

const manager = { login: '1000', password: 'Manager-2026' }

type Person = { id: string; email: string; password: string; token: string }

async function enter(at: App): Promise<Person> {
  const kind = at === 'portal' ? 'member' : 'staff'
  const { email, password, ...made } = at === 'portal' ? await addMember(system) : await addStaff(system)
  const id = 'memberId' in made ? made.memberId : made.staffId
  return { id, email, password, token: (await openTestSession(system, { kind, id })).token }
}

/** `place`: the value for `:id` in the path. */
type Guess = { body: object; token?: string; place?: string }
/** `limit`: how many of a hundred guesses may be checked. */
type Entrance = { limit: number; prepare(at: App): Promise<Guess> }

const wrong = 'Wrong-2026'
const change = { password: 'Tidal-Gauge-71', password_confirmation: 'Tidal-Gauge-71' }
const noCode = 'x'.repeat(43)

async function wrongSecondStep(at: App): Promise<Guess> {
  const person = await enter(at)
  const phone = await enrolTotp(callerOf(app), made.context, person.token, at)
  const { challenge } = await enterPassword(callerOf(app), person, at)
  const right = [-60_000, -30_000, 0, 30_000, 60_000].map((offset) => phone.code(offset))
  return {
    body: {
      challenge,
      code: ['000000', '111111', '222222', '333333', '444444', '555555'].find((each) => !right.includes(each)),
    },
  }
}

/** Accepted by the portal's rule and refused by the platform's, so that no password is set. */
async function tradingPassword(at: App): Promise<Guess> {
  const { id: memberId, token } = await enter(at)
  const place = await addAccount(system, { memberId, platformId })
  return { body: { new_password: 'TidalGauge71' }, token, place }
}

/** Every call where a secret can be guessed, or set repeatedly. */
const entrances: Record<string, Entrance> = {
  login: { limit: 8, prepare: async (at) => ({ body: { email: (await enter(at)).email, password: wrong } }) },
  'login/second-factor': { limit: 5, prepare: wrongSecondStep },
  'reset-password/check-code': { limit: 30, prepare: async () => ({ body: { code: noCode } }) },
  'reset-password/process': { limit: 30, prepare: async () => ({ body: { code: noCode, ...change } }) },
  'change-password': {
    limit: 10,
    prepare: async (at) => ({ body: { current_password: wrong, ...change }, token: (await enter(at)).token }),
  },
  'security/prove': {
    limit: 10,
    prepare: async (at) => ({ body: { password: wrong }, token: (await enter(at)).token }),
  },
  'trading-accounts/:id/change-password': { limit: 10, prepare: tradingPassword },
  'trading-accounts/:id/change-investor-password': { limit: 10, prepare: tradingPassword },
}

const entranceOf = (path: string): Entrance | undefined =>
  entrances[path.replace(/^\/(members|users|desk\/api)\//, '').replace('account/password', 'change-password')]
const appOf = (path: string): App => (path.startsWith('/desk/') ? 'desk' : 'portal')

/** Not guesses: the code of a caller's new app, whose secret they have just seen, and the first password of a new account. */
const notGuessed = [
  ...(['portal', 'desk'] as const).map((at) => securityPath(at, '/totp/confirm')),
  ...(['live', 'demo'] as const).map((kind) => `/members/trading/open-${kind}-account`),
]

function asksForSecret({ call }: LiveRoute): boolean {
  if (call?.method !== 'POST') return false
  const shape = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' })
  return Object.keys(shape.properties ?? {}).some((name) => /password$|^(recovery_)?code$/.test(name))
}

let networksCount = 0

const wasProcessed = ({ status }: Received): boolean => status !== 429 && status !== 503

describe('a hundred concurrent guesses over two processes', () => {
  test('cover every call that takes a secret', () => {
    const open = routes.filter(asksForSecret).map(({ url }) => url)
    assert.ok(open.length >= 16, String(open))
    assert.deepEqual(open.filter((url) => !entranceOf(url)).sort(), notGuessed.sort())
  })

  for (const path of Object.keys(entrances)) {
    test(`${path}: checks none beyond the limit`, async () => {
      for (const route of routes.filter((each) => asksForSecret(each) && entranceOf(each.url) === entrances[path])) {
        await owner.query('delete from rate_limits')
        // A process caches which networks are over the limit, so each test uses a new one.
        networksCount += 1
        const from = `127.0.0.${1 + networksCount}`
        const entrance = entranceOf(route.url) as Entrance
        const { place = '', ...guess } = await entrance.prepare(appOf(route.url))
        const tries = Array.from({ length: 100 }, (_, index) => ({
          url: servers[index % 2 === 0 ? 0 : 1].url,
          path: route.url.replace(':id', place),
          from,
          ...guess,
        }))
        const answers = await postAtOnce(tries)
        for (const { status, text } of answers)
          assert.ok([401, 422, 429, 503].includes(status), `${route.url}: ${text}`)
        const processed = answers.filter(wasProcessed).length
        assert.ok(processed > 0 && processed <= entrance.limit, `${route.url}: ${processed} of ${entrance.limit}`)
      }
    })
  }

  test('five right concurrent sign-ins open five sessions', async () => {
    for (const at of ['portal', 'desk'] as const) {
      await owner.query('delete from rate_limits')
      const { email, password } = await enter(at)
      const tries = [0, 1, 0, 1, 0].map((which) => ({
        url: servers[which === 0 ? 0 : 1].url,
        path: signInPath(at),
        body: { email, password },
      }))
      assert.deepEqual(
        (await postAtOnce(tries)).map(({ status }) => status),
        [200, 200, 200, 200, 200],
        at,
      )
    }
  })
})

type Asked = { server: ChildServer; path: string; token?: string; body?: object }

async function ask({ server, path, token, body }: Asked): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(server.url + path, {
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const probe: Record<App, string> = { portal: '/user/permissions', desk: '/desk/api/me' }

/** Ends the session of `token` by a call to the given process, which must accept it. */
type End = (server: ChildServer, person: Person, token: string) => Promise<{ status: number }>

async function asAdministrator(server: ChildServer, path: string, body: object = {}): Promise<{ status: number }> {
  return ask({ server, path, token: (await enter('desk')).token, body })
}

async function resetByMail(server: ChildServer, { email }: Person, root: string): Promise<{ status: number }> {
  await ask({ server, path: `${root}/request`, body: { email } })
  await answerResetRequests(system)
  const code = linksIn((await mailsTo(system, email)).at(-1)?.text ?? '')[0]
    ?.split('/')
    .at(-1)
  return ask({ server, path: `${root}/process`, body: { code, ...change } })
}

const endings: [name: string, at: App, end: End][] = [
  ['signing out', 'portal', (server, _, token) => ask({ server, path: '/users/logout', token, body: {} })],
  [
    'a password changed elsewhere',
    'portal',
    (server, { token }) => ask({ server, path: '/members/change-password', token, body: change }),
  ],
  ['a password reset by mail', 'portal', (server, person) => resetByMail(server, person, '/members/reset-password')],
  [
    'all other sessions ended by the member',
    'portal',
    (server, { token }) => ask({ server, path: '/members/sessions/end-others', token, body: {} }),
  ],
  [
    'the member locked',
    'portal',
    (server, { id }) => asAdministrator(server, `/desk/api/members/${id}/lock`, { reason: 'Asked for it' }),
  ],
  [
    'all sessions ended by the desk',
    'portal',
    (server, { id }) => asAdministrator(server, `/desk/api/members/${id}/sessions/end-all`),
  ],
  ['signing out of the desk', 'desk', (server, _, token) => ask({ server, path: '/desk/api/logout', token, body: {} })],
  [
    'a desk password changed elsewhere',
    'desk',
    (server, { token, password }) =>
      ask({ server, path: '/desk/api/account/password', token, body: { current_password: password, ...change } }),
  ],
  [
    'a desk password reset by mail',
    'desk',
    (server, person) => resetByMail(server, person, '/desk/api/reset-password'),
  ],
  ['a colleague locked', 'desk', (server, { id }) => asAdministrator(server, `/desk/api/staff/${id}/lock`)],
  [
    'all sessions ended by a colleague',
    'desk',
    (server, { id }) => asAdministrator(server, `/desk/api/staff/${id}/end-sessions`),
  ],
]

describe('a session ended at one process', () => {
  for (const [name, at, end] of endings) {
    test(`ends at the other process too: ${name}`, async () => {
      await owner.query('delete from rate_limits')
      for (const [here, there] of [servers, [...servers].reverse()] as [ChildServer, ChildServer][]) {
        const person = await enter(at)
        const { email, password } = person
        const signedIn = await ask({ server: there, path: signInPath(at), body: { email, password } })
        const token = String(signedIn.body.token)
        const isIn = async (server: ChildServer) => (await ask({ server, path: probe[at], token })).status
        assert.deepEqual([await isIn(here), await isIn(there)], [200, 200])
        assert.equal((await end(here, person, token)).status, 200, name)
        assert.deepEqual([await isIn(there), await isIn(here)], [401, 401])
      }
    })
  }
})

describe('an expired session', () => {
  for (const [name, column, hours] of [
    ['idle for too long', 'last_seen_at', 0.51],
    ['too old', 'created_at', 12.01],
  ] as const) {
    test(`is refused by both processes, also when the clock is set back: ${name}`, async () => {
      const [one, other] = servers
      const { token, id } = await enter('portal')
      const isIn = async (server: ChildServer) => (await ask({ server, path: probe.portal, token })).status
      assert.deepEqual([await isIn(one), await isIn(other)], [200, 200])
      // Moves the row instead of the clock, which the processes share with the machine.
      const move = (by: number) =>
        owner.query(`update sessions set ${column} = ${column} + make_interval(secs => $2) where member_id = $1`, [
          id,
          by,
        ])
      await move(-hours * 3_600)
      assert.equal(await isIn(one), 401)
      await move(hours * 3_600)
      assert.deepEqual([await isIn(other), await isIn(one)], [401, 401])
    })
  }
})
