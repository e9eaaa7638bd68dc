// spec: MP 2.2
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { countRoundTrips, type RoundTrips } from '../../tests/fixtures/database/round-trips.ts'
import { addTerms } from '../../tests/fixtures/requests.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  chooseSettings,
  openTestSession,
  setFeatures,
  setPermissions,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { Staff, System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'

const kinds = ['member', 'staff'] as const
type Kind = (typeof kinds)[number]
type Setup = { system: System; host: string; staff: Staff; memberId: string; tokens: Record<Kind, string> }
type Change = (setup: Setup) => Promise<unknown>
type Reason = { begin?: Change; change: Change; status: number; code: string }

/** A read that needs a permission, a feature or a role. */
const reads = { member: '/members/dashboard', staff: '/desk/api/audit/choices' }
const hourMs = 3_600_000

describe('a REST call of a person remembered by a process', () => {
  const logLines: string[] = []
  let made: MadeContext
  /** Two processes, each with its own memory of people. */
  let apps: FastifyInstance[]
  let trips: RoundTrips
  let count = 0

  before(async () => {
    made = await makeTestContext({ logLines })
    apps = [await buildApp(made.context), await buildApp({ ...made.context })]
    trips = countRoundTrips(made.context.database.pool)
  })
  after(async () => {
    for (const app of apps) await app.close()
    await made.close()
  })

  async function setUp(): Promise<Setup> {
    count += 1
    const subdomain = `remembers-${count}`
    const system = await addWorkspace(made.context, { subdomain })
    const { memberId } = await addMember(system)
    const staff = staffActor(system, await addStaff(system))
    const tokens = {
      member: (await openTestSession(system, { kind: 'member', id: memberId })).token,
      staff: (await openTestSession(system, { kind: 'staff', id: staff.staffId })).token,
    }
    return { system, host: `${subdomain}.localhost`, staff, memberId, tokens }
  }

  const appAt = (at: number) => apps[at] ?? assert.fail('no such process')
  const get = (app: FastifyInstance, { host, tokens }: Setup, kind: Kind, path: string = reads[kind]) =>
    callerOf(app, host).get(path, tokens[kind])

  /** What the person sees, and the headers that depend on them. */
  async function seen(app: FastifyInstance, setup: Setup, kind: Kind) {
    const { status, body, headers } = await get(app, setup, kind)
    const { date: _d, 'x-request-id': _r, 'content-length': _l, ...others } = headers
    const { request_id: _i, ...answer } = body
    return { status, answer, headers: others }
  }

  const set =
    (table: 'members' | 'staff_users' | 'sessions', values: object, kind?: Kind): Change =>
    ({ system, memberId, staff }) =>
      inTransaction(system, (tx) =>
        tx
          .updateTable(table)
          .set(values)
          .where('workspace_id', '=', system.workspaceId)
          .$if(table === 'members' || kind === 'member', (query) => query.where('member_id', '=', memberId))
          .$if(table === 'staff_users' || kind === 'staff', (query) => query.where('staff_id', '=', staff.staffId))
          .execute(),
      )
  const ago = (ms: number) => new Date(made.context.clock.now().getTime() - ms)
  const aged =
    (column: string, ms: number): Change =>
    (setup) =>
      set('sessions', { [column]: ago(ms) })(setup)

  const unauthenticated = { status: 401, code: 'unauthenticated' }
  const ofSessions: Record<string, Reason> = {
    'its session was ended by another device or a new password': {
      change: set('sessions', { ended_at: new Date() }),
      ...unauthenticated,
    },
    'its session has expired': { change: set('sessions', { expires_at: new Date(0) }), ...unauthenticated },
    'its session is idle': { change: set('sessions', { last_seen_at: new Date(0) }), ...unauthenticated },
    'its session is too old': { change: set('sessions', { created_at: new Date(0) }), ...unauthenticated },
    'idle sessions end earlier': {
      begin: (setup) => aged('last_seen_at', 10 * 60_000)(setup),
      change: (setup) => chooseSettings(setup, { session_idle_minutes: 5 }),
      ...unauthenticated,
    },
    'sessions end earlier': {
      begin: (setup) => aged('created_at', 2 * hourMs)(setup),
      change: (setup) => chooseSettings(setup, { session_hours_max: 1 }),
      ...unauthenticated,
    },
  }
  const signOut =
    (kind: Kind): Change =>
    async ({ host, tokens }) => {
      const path = kind === 'member' ? '/users/logout' : '/desk/api/logout'
      assert.equal((await callerOf(appAt(0), host).post(path, {}, tokens[kind])).status, 200)
    }
  const factor = { status: 403, code: 'second_factor_required' }
  const withFactor =
    (kind: Kind): Change =>
    async (setup) => {
      await set('sessions', { second_factor_at: ago(0) }, kind)(setup)
      await chooseSettings(setup, { [kind === 'member' ? 'second_factor_members' : 'second_factor_staff']: 'required' })
    }
  const reasons: Record<Kind, Record<string, Reason>> = {
    member: {
      ...ofSessions,
      'the member signed out': { change: signOut('member'), ...unauthenticated },
      'the member is locked': { change: set('members', { status: 'locked' }), ...unauthenticated },
      'a permission was taken': {
        change: ({ system, memberId }) => setPermissions(system, memberId, ['dashboard-']),
        status: 403,
        code: 'not_permitted',
      },
      'a permission was taken from everybody': {
        change: (setup) => chooseSettings(setup, { default_permissions: ['dashboard-'] }),
        status: 403,
        code: 'not_permitted',
      },
      'the feature was switched off': {
        change: ({ system }) => setFeatures(system, { dashboard: false }),
        status: 404,
        code: 'feature_off',
      },
      'terms are to be accepted': {
        change: ({ staff }) => addTerms(staff, { blocked_portal_sections: ['dashboard'] }),
        status: 403,
        code: 'terms_required',
      },
      'a second factor is required': {
        change: (setup) => chooseSettings(setup, { second_factor_members: 'required' }),
        ...factor,
      },
      'the second factor of the session is gone': {
        begin: withFactor('member'),
        change: set('sessions', { second_factor_at: null }),
        ...factor,
      },
    },
    staff: {
      ...ofSessions,
      'the desk user signed out': { change: signOut('staff'), ...unauthenticated },
      'the desk user is locked': { change: set('staff_users', { status: 'locked' }), ...unauthenticated },
      'the role lacks the right now': {
        change: set('staff_users', { role: 'support' }),
        status: 403,
        code: 'not_permitted',
      },
      'a second factor is required': {
        change: (setup) => chooseSettings(setup, { second_factor_staff: 'required' }),
        ...factor,
      },
      'the second factor of the session is gone': {
        begin: withFactor('staff'),
        change: set('sessions', { second_factor_at: null }),
        ...factor,
      },
    },
  }

  for (const kind of kinds)
    for (const [name, { begin, change, status, code }] of Object.entries(reasons[kind]))
      it(`is answered to a ${kind} as by a process that remembers nobody when ${name}`, async () => {
        const setup = await setUp()
        await begin?.(setup)
        for (const app of [...apps, ...apps]) assert.equal((await get(app, setup, kind)).status, 200)
        await change(setup)
        const first = await seen(appAt(0), setup, kind)
        assert.deepEqual([first.status, first.answer.code], [status, code])
        const fresh = await buildApp({ ...made.context })
        for (const app of [appAt(1), fresh]) assert.deepEqual(await seen(app, setup, kind), first)
        await fresh.close()
      })

  it('applies rights granted since', async () => {
    const setup = await setUp()
    await setPermissions(setup.system, setup.memberId, ['dashboard-'])
    await set('staff_users', { role: 'support' })(setup)
    for (const app of [...apps, ...apps])
      for (const kind of kinds) assert.equal((await get(app, setup, kind)).status, 403)
    await setPermissions(setup.system, setup.memberId, [])
    await set('staff_users', { role: 'compliance' })(setup)
    for (const app of apps) for (const kind of kinds) assert.equal((await get(app, setup, kind)).status, 200)
  })

  it('is unauthenticated at another brokerage, and with the token of the other kind of person', async () => {
    const [setup, other] = [await setUp(), await setUp()]
    for (const kind of kinds) {
      assert.equal((await get(appAt(0), setup, kind)).status, 200)
      assert.equal((await get(appAt(0), { ...setup, host: other.host }, kind)).status, 401)
    }
    const { member, staff } = setup.tokens
    const swapped = { ...setup, tokens: { member: staff, staff: member } }
    for (const kind of kinds) assert.equal((await get(appAt(0), swapped, kind)).status, 401)
  })

  const oneBatch = { batches: 1, transactions: 0 }
  const paths: [Kind, string][] = [
    ['member', '/members/terms'],
    ['member', '/user/permissions'],
    ['member', '/members/dashboard'],
    ['member', '/members/notices'],
    ['staff', '/desk/api/deposits'],
    ['staff', '/desk/api/withdrawals?state=pending'],
    ['staff', '/desk/api/members'],
    ['staff', '/desk/api/tickets?state=open'],
    ['staff', '/desk/api/requests'],
    ['staff', '/desk/api/waiting'],
    ['staff', '/desk/api/me'],
  ]
  for (const [kind, path] of paths)
    it(`takes one round trip for the proof and what it reads: ${path}`, async () => {
      const setup = await setUp()
      const first = await get(appAt(0), setup, kind, path)
      assert.equal(first.status, 200, first.raw)
      trips.take()
      const again = await get(appAt(0), setup, kind, path)
      assert.equal(again.raw, first.raw)
      assert.deepEqual(trips.take(), oneBatch)
    })

  it('is answered on HEAD too', async () => {
    const setup = await setUp()
    const headers = { authorization: `Bearer ${setup.tokens.staff}` }
    const ask = () => callerOf(appAt(0), setup.host).send({ method: 'HEAD', url: '/desk/api/members', headers })
    for (const { status, raw } of [await ask(), await ask()]) assert.deepEqual([status, raw], [200, ''])
    await set('staff_users', { status: 'locked' })(setup)
    assert.equal((await ask()).status, 401)
  })

  it('reports invalid input only to a person who is still proven', async () => {
    const setup = await setUp()
    const wrong = () => get(appAt(0), setup, 'staff', '/desk/api/members?limit=none')
    assert.equal((await wrong()).status, 422)
    assert.equal((await wrong()).status, 422)
    await set('staff_users', { status: 'locked' })(setup)
    assert.equal((await wrong()).status, 401)
  })

  it('names nobody in the log when the proof failed', async () => {
    const setup = await setUp()
    for (const kind of kinds) assert.equal((await get(appAt(0), setup, kind)).status, 200)
    await set('sessions', { ended_at: new Date() })(setup)
    logLines.length = 0
    for (const kind of kinds) assert.equal((await get(appAt(0), setup, kind)).status, 401)
    const lines = logLines.join('')
    assert.ok(lines.includes('"msg":"request"'))
    for (const id of [setup.memberId, setup.staff.staffId]) assert.ok(!lines.includes(id))
  })

  const activity = { member: '/members/activity', staff: '/desk/api/activity' }
  for (const kind of kinds)
    it(`writes the activity of a ${kind} once a minute, by the time of the repeated proof`, async () => {
      const setup = await setUp()
      const report = (at: number) => callerOf(appAt(at), setup.host).post(activity[kind], {}, setup.tokens[kind])
      for (const at of [0, 1]) assert.equal((await report(at)).status, 200)
      made.context.clock.advance(61_000)
      trips.take()
      // The first process writes; the other one remembers a time of a minute ago and must look at the new one.
      assert.equal((await report(0)).status, 200)
      assert.deepEqual(trips.take(), { batches: 1, transactions: 1 })
      for (const at of [1, 0]) assert.equal((await report(at)).status, 200)
      assert.deepEqual(trips.take(), { batches: 2, transactions: 0 })
    })

  it('does not record activity for a session that has ended', async () => {
    const setup = await setUp()
    const report = () => callerOf(appAt(0), setup.host).post('/members/activity', {}, setup.tokens.member)
    assert.equal((await report()).status, 200)
    made.context.clock.advance(61_000)
    await set('sessions', { ended_at: made.context.clock.now() })(setup)
    trips.take()
    assert.equal((await report()).status, 401)
    assert.equal(trips.take().transactions, 0)
  })
})
