import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addTerms } from '../../tests/fixtures/requests.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
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
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'

type Setup = { system: System; subdomain: string; memberId: string; token: string }
type Answer = { status: number; data?: { balance_transactions: { _id: string }[] } | null; code?: string }

/** Two processes, each with its own memory of members. */
describe('a member remembered by a process', () => {
  let made: MadeContext
  let apps: FastifyInstance[]
  let batches = 0
  let count = 0

  before(async () => {
    made = await makeTestContext()
    apps = [await buildApp(made.context), await buildApp({ ...made.context })]
    const counted = new WeakSet()
    made.context.database.pool.on('acquire', (client) => {
      if (counted.has(client)) return
      counted.add(client)
      const run = client.query.bind(client) as (...given: unknown[]) => unknown
      client.query = ((...given: unknown[]) => {
        batches += 1
        return run(...given)
      }) as typeof client.query
    })
  })
  after(async () => {
    for (const app of apps) await app.close()
    await made.close()
  })

  async function setUp(): Promise<Setup> {
    count += 1
    const subdomain = `remembered-${count}`
    const system = await addWorkspace(made.context, { subdomain })
    const { memberId } = await addMember(system)
    const accountId = await addAccount(system, { memberId, platformId: await addPlatform(system) })
    await addTransaction(system, { memberId, accountId })
    const { token } = await openTestSession(system, { kind: 'member', id: memberId })
    return { system, subdomain, memberId, token }
  }

  async function ask(app: FastifyInstance | undefined, { subdomain, token }: Setup): Promise<Answer> {
    const headers = {
      host: `${subdomain}.localhost`,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    }
    const payload = { query: '{ balance_transactions(limit: 5) { _id } }' }
    const sent = await app?.inject({ method: 'POST', url: '/graph', headers, payload })
    const body = sent?.json()
    return { status: sent?.statusCode ?? 0, data: body.data, code: body.errors?.[0]?.extensions?.code ?? body.code }
  }

  const rowsOf = (answer: Answer) => answer.data?.balance_transactions.length ?? 0

  it('is proven in the same round trip as the reads', async () => {
    const setup = await setUp()
    assert.equal(rowsOf(await ask(apps[0], setup)), 1)
    batches = 0
    assert.equal(rowsOf(await ask(apps[0], setup)), 1)
    assert.equal(batches, 1)
  })

  const change = (table: 'members' | 'sessions', values: object) => (setup: Setup) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable(table)
        .set(values)
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('member_id', '=', setup.memberId)
        .execute(),
    )

  const reasons: [string, (setup: Setup) => Promise<unknown>, { status: number; code: string }][] = [
    [
      'after signing out',
      async ({ subdomain, token }) => {
        const headers = { host: `${subdomain}.localhost`, authorization: `Bearer ${token}` }
        const sent = await apps[0]?.inject({ method: 'POST', url: '/users/logout', headers, payload: {} })
        assert.equal(sent?.statusCode, 200)
      },
      { status: 401, code: 'unauthenticated' },
    ],
    ['after being locked', change('members', { status: 'locked' }), { status: 401, code: 'unauthenticated' }],
    [
      'after another device or a new password ended the session',
      change('sessions', { ended_at: new Date() }),
      { status: 401, code: 'unauthenticated' },
    ],
    [
      'after the maximum session length',
      change('sessions', { expires_at: new Date(0) }),
      { status: 401, code: 'unauthenticated' },
    ],
    [
      'after the idle time of the session',
      change('sessions', { last_seen_at: new Date(0) }),
      { status: 401, code: 'unauthenticated' },
    ],
    [
      'after losing the permission',
      ({ system, memberId }) => setPermissions(system, memberId, ['transactions-']),
      { status: 200, code: 'not_permitted' },
    ],
    [
      'after the brokerage denied it to everybody',
      (setup) => chooseSettings(setup, { default_permissions: ['transactions-'] }),
      { status: 200, code: 'not_permitted' },
    ],
    [
      'after the brokerage switched the feature off',
      ({ system }) => setFeatures(system, { balance_transactions: false }),
      { status: 200, code: 'feature_off' },
    ],
    [
      'while terms are to be accepted',
      async ({ system }) =>
        addTerms(staffActor(system, await addStaff(system)), { blocked_portal_sections: ['transactions'] }),
      { status: 200, code: 'terms_required' },
    ],
    [
      'while a second factor must be set up',
      (setup) => chooseSettings(setup, { second_factor_members: 'required' }),
      { status: 403, code: 'second_factor_required' },
    ],
  ]
  for (const [name, happen, expected] of reasons) {
    it(`gets no more data from any process: ${name}`, async () => {
      const setup = await setUp()
      for (const app of [...apps, ...apps]) assert.equal(rowsOf(await ask(app, setup)), 1)
      await happen(setup)
      for (const app of apps) {
        const answer = await ask(app, setup)
        assert.deepEqual([answer.status, answer.code, rowsOf(answer)], [expected.status, expected.code, 0])
      }
    })
  }

  it('gets permissions granted since then', async () => {
    const setup = await setUp()
    await setPermissions(setup.system, setup.memberId, ['transactions-'])
    for (const app of [...apps, ...apps]) assert.equal((await ask(app, setup)).code, 'not_permitted')
    await setPermissions(setup.system, setup.memberId, [])
    for (const app of apps) assert.equal(rowsOf(await ask(app, setup)), 1)
  })

  it('is unauthenticated at another brokerage', async () => {
    const [setup, other] = [await setUp(), await setUp()]
    assert.equal(rowsOf(await ask(apps[0], setup)), 1)
    assert.equal((await ask(apps[0], { ...setup, subdomain: other.subdomain })).status, 401)
  })
})
