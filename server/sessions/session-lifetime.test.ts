import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import type { FastifyInstance } from 'fastify'
import { type LiveRoute, openWithRoutes } from '../../tests/every-call/routes.ts'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext, type TestClock } from '../../tests/fixtures/context.ts'
import { addMember, addStaff, addWorkspace, type MadeMember } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { System } from '../foundation/actor.ts'
import { type Clock, steadyClock } from '../foundation/clock.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { replacePassword } from './passwords/new-password.ts'
import { endOverdueSessions } from './session.ts'
import { readSessionEndReason } from './session-end-reason.ts'

const minute = 60_000
const hour = 60 * minute

let made: MadeContext
let system: System
let apps: FastifyInstance[]
let caller: Caller
let second: Caller
let member: MadeMember
let clock: TestClock
let routes: LiveRoute[]

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  const opened = await openWithRoutes(made.context)
  routes = opened.routes
  apps = [opened.app, await buildApp(made.context)]
  ;[caller, second] = apps.map((app) => callerOf(app)) as [Caller, Caller]
  member = await addMember(system)
  clock = made.context.clock
})
after(async () => {
  for (const app of apps) await app.close()
  await made.close()
})

const isIn = async (token: string, by = caller) => (await by.get('/user/permissions', token)).status === 200

test('by default a session ends after 30 minutes idle and 12 hours in all, and no setting makes it endless', () => {
  const config = readConfig({ NODE_ENV: 'test', ATRIUM_DATA: made.folder })
  assert.deepEqual([config.sessionIdleMs, config.sessionAgeMsMax], [30 * minute, 12 * hour])
  for (const endless of [{ SESSION_IDLE_MINUTES: '0' }, { SESSION_HOURS_MAX: '0' }, { SESSION_HOURS_MAX: '999' }]) {
    assert.throws(() => readConfig({ NODE_ENV: 'test', ATRIUM_DATA: made.folder, ...endless }))
  }
})

describe('reading does not extend a session', () => {
  const graph = `/graph?q=${Buffer.from('{ current_member { _id } }').toString('base64url')}`

  for (const who of ['member', 'staff'] as const) {
    test(`no GET of a ${who} session extends it, however often it is sent`, async () => {
      const staff = await addStaff(system)
      const enter = () => (who === 'member' ? caller.signIn(member) : caller.signIn(staff, 'desk'))
      const asked = routes.filter(
        ({ method, call }) => method === 'GET' && (call?.access !== 'staff') === (who === 'member'),
      )
      const paths = [...asked.map(({ url }) => url.replace(/[:*]\w*/g, 'x')), ...(who === 'member' ? [graph] : [])]
      assert.ok(paths.length >= 3)
      const [token, active] = [await enter(), await enter()]
      for (let passed = 0; passed < 30; passed += 10) {
        clock.advance(10 * minute)
        for (const path of paths) await caller.get(path, token)
        await caller.post(who === 'member' ? '/members/activity' : '/desk/api/activity', {}, active)
      }
      const probe = who === 'member' ? '/user/permissions' : '/desk/api/me'
      assert.deepEqual([(await caller.get(probe, token)).status, (await caller.get(probe, active)).status], [401, 200])
    })
  }
})

describe('the end of a session', () => {
  const endings: [string, (token: string, of: MadeMember) => Promise<unknown>][] = [
    ['logout', (token) => caller.post('/users/logout', {}, token)],
    [
      'a new password by mail',
      async (_token, { memberId }) => {
        await inTransaction(system, (tx) =>
          replacePassword(tx, system, { person: { kind: 'member', id: memberId }, hash: 'x' }),
        )
      },
    ],
    [
      'the end of all other sessions',
      async (_token, of) => second.post('/members/sessions/end-others', {}, await second.signIn(of)),
    ],
    [
      'a change of the password elsewhere',
      async (_token, of) => {
        const change = { password: 'Tidal-Gauge-71', password_confirmation: 'Tidal-Gauge-71' }
        const { status, raw } = await second.post('/members/change-password', change, await second.signIn(of))
        assert.equal(status, 200, raw)
      },
    ],
    [
      'a lock of the member',
      (_token, { memberId }) =>
        inTransaction(system, (tx) =>
          tx
            .updateTable('members')
            .set({ status: 'locked' })
            .where('workspace_id', '=', system.workspaceId)
            .where('member_id', '=', memberId)
            .execute(),
        ),
    ],
  ]
  for (const [name, end] of endings) {
    test(`follows at every process after ${name}`, async () => {
      const target = await addMember(system)
      const token = await caller.signIn(target)
      assert.deepEqual([await isIn(token), await isIn(token, second)], [true, true])
      await end(token, target)
      assert.deepEqual([await isIn(token), await isIn(token, second)], [false, false])
    })
  }

  test('follows logout and lock of a desk user', async () => {
    const staff = await addStaff(system)
    const me = async (token: string, by = second) => (await by.get('/desk/api/me', token)).status
    const out = await caller.signIn(staff, 'desk')
    assert.equal((await caller.post('/desk/api/logout', {}, out)).status, 200)
    const locked = await caller.signIn(staff, 'desk')
    assert.deepEqual([await me(out), await me(locked)], [401, 200])
    await inTransaction(system, (tx) =>
      tx
        .updateTable('staff_users')
        .set({ status: 'locked' })
        .where('workspace_id', '=', system.workspaceId)
        .where('staff_id', '=', staff.staffId)
        .execute(),
    )
    assert.deepEqual([await me(locked), await me(locked, caller)], [401, 401])
  })

  test('each sign-in creates tokens of 256 bits and stores only their hashes', async () => {
    const tokens = [await caller.signIn(member), await caller.signIn(member), await second.signIn(member)]
    assert.equal(new Set(tokens).size, 3)
    for (const token of tokens) assert.ok(Buffer.from(token, 'base64url').length * 8 >= 256)
  })

  test('a token sent by the caller is never adopted', async () => {
    const given = 'a'.repeat(43)
    const answer = await caller.send({
      method: 'POST',
      url: '/members/login',
      payload: { ...member, token: given, session_id: given },
      headers: { authorization: `Bearer ${given}`, cookie: `atrium_files=${given}; atrium_device=${given}` },
    })
    assert.equal(answer.status, 200)
    assert.ok(!`${answer.raw}${JSON.stringify(answer.headers['set-cookie'])}`.includes(given))
    assert.equal(await isIn(given), false)
  })

  test('a sign-in ends no earlier session and changes no earlier token', async () => {
    const first = await caller.signIn(member)
    await caller.signIn(member)
    assert.equal(await isIn(first), true)
  })
})

describe('a call with an ended session', () => {
  const errorFor = async (token?: string, path = '/user/permissions') => (await caller.get(path, token)).body.error
  const graph = `/graph?q=${Buffer.from('{ current_member { _id } }').toString('base64url')}`

  test('explains the idle timeout, in calls and queries, also after the sweep', async () => {
    const [seen, unseen] = [await caller.signIn(member), await caller.signIn(member)]
    clock.advance(31 * minute)
    assert.deepEqual(
      [await errorFor(seen), await errorFor(seen, graph)],
      [sessionTexts.sessionIdle, sessionTexts.sessionIdle],
    )
    await endOverdueSessions(system)
    clock.advance(13 * hour)
    assert.equal(await errorFor(unseen), sessionTexts.sessionIdle)
  })

  test('explains the maximum age', async () => {
    const token = await caller.signIn(member)
    for (let passed = 0; passed < 12 * hour; passed += 20 * minute) {
      await caller.post('/members/activity', {}, token)
      clock.advance(20 * minute)
    }
    assert.equal(await errorFor(token), sessionTexts.sessionOld)
  })

  test('explains that the session was ended, to its own member only', async () => {
    const token = await caller.signIn(member)
    await caller.post('/members/sessions/end-others', {}, await caller.signIn(member))
    assert.equal(await errorFor(token), sessionTexts.sessionEndedElsewhere)
    assert.equal(await errorFor(token, '/desk/api/me'), sessionTexts.sessionUnknown)
    assert.equal(await errorFor('a'.repeat(43)), sessionTexts.sessionUnknown)
    assert.equal(await errorFor(), sessionTexts.signInFirst)
    const elsewhere = await addWorkspace(made.context, { subdomain: 'elsewhere' })
    assert.equal(await readSessionEndReason(elsewhere, 'member', token), sessionTexts.sessionUnknown)
  })
})

describe('a clock set back two hours', () => {
  test('revives no token refused before as idle or too old', async () => {
    const idle = await caller.signIn(member)
    clock.advance(31 * minute)
    assert.equal(await isIn(idle), false)
    const old = await caller.signIn(member)
    for (let passed = 0; passed < 12 * hour; passed += 20 * minute) {
      await caller.post('/members/activity', {}, old)
      clock.advance(20 * minute)
    }
    assert.equal(await isIn(old), false)
    clock.advance(-2 * hour)
    assert.deepEqual([await isIn(idle), await isIn(old), await isIn(idle, second)], [false, false, false])
    clock.advance(2 * hour)
  })

  test('revives no unused token: expired sessions are ended every minute', async () => {
    const token = await caller.signIn(member)
    clock.advance(31 * minute)
    const live = await caller.signIn(member)
    assert.ok((await endOverdueSessions(system)) >= 1)
    clock.advance(-2 * hour)
    assert.equal(await isIn(token), false)
    clock.advance(2 * hour)
    assert.equal(await isIn(live), true)
  })

  test('does not affect a running process: its clock never goes back', async () => {
    let wall = Date.parse('2027-03-01T12:00:00Z')
    let elapsed = 0
    const steady: Clock = steadyClock({ wallMs: () => wall, elapsedMs: () => elapsed })
    const pass = (ms: number) => {
      wall += ms
      elapsed += ms
    }
    const context = { ...made.context, clock: steady }
    const app = await buildApp(context)
    const by = callerOf(app)
    const token = await by.signIn(member)
    pass(31 * minute)
    steady.now()
    wall -= 2 * hour
    assert.equal(await isIn(token, by), false)
    const before = steady.now().getTime()
    pass(5 * minute)
    assert.equal(steady.now().getTime() - before, 5 * minute)
    wall += 4 * hour
    assert.equal(steady.now().getTime(), wall)
    await app.close()
  })
})

test('ended sessions stay in the table for a while, with their end', async () => {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('sessions')
      .select('ended_at')
      .where('workspace_id', '=', system.workspaceId)
      .where('ended_at', 'is not', null)
      .execute(),
  )
  assert.ok(rows.length > 10)
})
