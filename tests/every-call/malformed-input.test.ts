import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Call } from '@atrium/contract/call.ts'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../server/app.ts'
import { reading } from '../../server/foundation/database.ts'
import { type Caller, callerOf } from '../fixtures/caller.ts'
import { makePendingDeposit, openTradingFloor, type TradingFloor } from '../fixtures/trading-fixture.ts'
import { contractCalls } from './contract-calls.ts'
import { openWithRoutes } from './routes.ts'

/** How often; the whole of the bar is `ATRIUM_TEST_FUZZ_RUNS=50000`. */
const runs = Number(process.env.ATRIUM_TEST_FUZZ_RUNS ?? 1_500)

let floor: TradingFloor
let app: FastifyInstance
/** Every call of the router: one that is added later is tried here without being named. */
let calls: Call[]
let caller: Caller
let tokens: { member: string; staff: string }
let depositId: string

before(async () => {
  floor = await openTradingFloor()
  const opened = await openWithRoutes(floor.ground)
  app = opened.app
  calls = opened.routes.flatMap(({ call, method }) => (call && method !== 'HEAD' ? [call] : []))
  caller = callerOf(app)
  tokens = { member: await caller.signIn(floor.signIn), staff: await caller.signIn(floor.staffSignIn, 'desk') }
  depositId = await makePendingDeposit(floor)
})
after(async () => {
  await app.close()
  await floor.close()
})

const awkward = fc.oneof(
  fc.constantFrom(
    '',
    '\u0000',
    '__proto__',
    'constructor',
    '../..',
    "' or 1=1 --",
    '<script>',
    '\ud800',
    '٣',
    '1e309',
    'NaN',
    '[object Object]',
  ),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, -0, 1e308, 2 ** 53, null, true, [], {}, [[]]),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.jsonValue({ maxDepth: 4 }),
)

/** Fields that the call knows, fields that it does not, in any mixture of right and wrong. */
function bodyFor(call: Call): fc.Arbitrary<unknown> {
  const known = 'shape' in call.input ? Object.keys(call.input.shape as object) : fieldsOfDeposit
  const names = fc.constantFrom(...known, 'status', 'balance', 'workspace_id', 'role', 'platform_ticket', '_id', 'x')
  return fc.oneof(
    { weight: 5, arbitrary: fc.dictionary(names, awkward, { maxKeys: 8 }) },
    { weight: 1, arbitrary: awkward },
  )
}
const fieldsOfDeposit = [
  'trading_account',
  'amount',
  'comment',
  'origin',
  'destination_id',
  'files',
  'nonce_token',
  'token_key',
]

function pathOf(call: Call, id: string): string {
  return call.path.replace(/:\w+/g, encodeURIComponent(id) || 'x')
}

const nameOf = ({ method, path }: Call): string => `${method} ${path}`
const tried = new Set<string>()

test('no body, however wrong, is a fault: every answer is below 500 and has a code', async () => {
  for (const call of calls) await tryWrongBodies(call, Math.ceil(runs / calls.length))
})

test('every call of the contract was tried, and no other', async () => {
  assert.deepEqual([...tried].sort(), (await contractCalls()).map(nameOf).sort())
})

async function tryWrongBodies(call: Call, numRuns: number): Promise<void> {
  const scenario = fc.record({
    body: bodyFor(call),
    id: fc.oneof(fc.constant(depositId), fc.string()),
    who: fc.constantFrom('member', 'staff', 'nobody'),
  })
  await fc.assert(
    fc.asyncProperty(scenario, async ({ body, id, who }) => {
      tried.add(nameOf(call))
      const token = who === 'nobody' ? undefined : tokens[who as 'member' | 'staff']
      const isSignOut = call.path.endsWith('logout')
      const query = call.method === 'GET' ? `?${new URLSearchParams(flat(body))}` : ''
      const answer = await caller.send({
        method: call.method,
        url: pathOf(call, id) + query,
        ...(call.method === 'POST' && {
          payload: JSON.stringify(body) ?? '',
          headers: { 'content-type': 'application/json' },
        }),
        ...(token &&
          !isSignOut && { headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` } }),
      })
      assert.ok(answer.status < 500, `${call.path} answered ${answer.status}: ${answer.raw}`)
      if (answer.status >= 400) assert.equal(typeof answer.body.code, 'string', `${call.path}: ${answer.raw}`)
      assert.equal(({} as Record<string, unknown>).polluted, undefined)
    }),
    { numRuns },
  )
}

function flat(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return { x: String(body) }
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

describe('requests that are no requests', () => {
  // Sign-ins of the runs above have used up what their address may try.
  before(() => floor.ground.clock.advance(16 * 60_000))

  const json = { 'content-type': 'application/json' }
  const cases: [string, string, Record<string, string>, number][] = [
    ['broken JSON', '{"email":', json, 400],
    ['duplicate keys are read as one', '{"email":"a","email":"b","password":"c"}', json, 401],
    ['a NUL in a text', '{"email":"a\\u0000","password":"b"}', json, 422],
    ['a prototype in the body', '{"__proto__":{"polluted":1},"email":"a","password":"b"}', json, 400],
    ['a constructor in the body', '{"constructor":{"prototype":{"polluted":1}},"email":"a","password":"b"}', json, 400],
    ['an array', '[]', json, 400],
    ['text', 'email=a', { 'content-type': 'text/plain' }, 415],
    ['a form', 'email=a', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['no kind at all', 'x', {}, 415],
    ['a body of 300 KB', JSON.stringify({ email: 'x'.repeat(300_000) }), json, 413],
    ['deep nesting', `{"email":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, json, 422],
  ]
  for (const [name, payload, headers, status] of cases) {
    test(name, async () => {
      const answer = await caller.send({ method: 'POST', url: '/members/login', payload, headers })
      assert.equal(answer.status, status, answer.raw)
      assert.ok(!/stack|select |node_modules|at \w+ \(/i.test(answer.raw), answer.raw)
    })
  }

  test('an unknown path or method, and an address that cannot be read, answer with our error and do not repeat it', async () => {
    const cases: [Parameters<Caller['send']>[0], number, string][] = [
      [{ method: 'POST', url: '/secret-nothing' }, 404, 'not_found'],
      [{ method: 'PUT', url: '/graph' }, 404, 'not_found'],
      [{ method: 'OPTIONS', url: '/members/login', headers: { origin: 'https://evil.test' } }, 404, 'not_found'],
      [{ method: 'GET', url: '/secret-%zz' }, 400, 'malformed'],
      [{ method: 'GET', url: '/brand/%00' }, 404, 'not_found'],
      [{ method: 'GET', url: '/brand/%2e%2e%2f%2e%2e%2fpackage.json' }, 404, 'not_found'],
      [{ method: 'GET', url: '/brand/harbour-markets.svg', headers: { range: 'bytes=999999-' } }, 416, 'malformed'],
      [{ method: 'GET', url: '/brand/harbour-markets.svg', headers: { 'if-match': 'x' } }, 412, 'malformed'],
    ]
    const demo = await buildApp({ ...floor.ground, config: { ...floor.ground.config, demo: true } })
    for (const [asked, status, code] of cases) {
      const answer = await callerOf(demo).send(asked)
      assert.deepEqual([answer.status, answer.body.status, answer.body.code], [status, 'error', code], answer.raw)
      assert.ok(!answer.raw.includes('secret'), answer.raw)
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal(answer.headers['x-request-id'], answer.body.request_id)
    }
    await demo.close()
  })

  test('unknown paths below the calls answer with our error, every other path with the page', async () => {
    for (const url of ['/members/nothing', '/desk/api/nothing', '/graph/nothing', '/cp/nothing']) {
      const answer = await caller.get(url)
      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], url)
    }
  })
})

/** Names that would be worth a fortune if a door believed them. */
const privileged = [
  'status',
  'source',
  'type',
  'state',
  'balance',
  'amount_credited',
  'live_account',
  'workspace_id',
  'member_id',
  'role',
  'platform_ticket',
  '_id',
  'transaction_id',
  'ticket',
  'created_at',
  'decided_by',
  'decided_at',
  'currency',
  'customer',
  'payment_method',
  'permissions',
  'features',
  'documents_status',
  'email',
  'password_hash',
  'actor_kind',
  'account_id',
  'rejection_reason',
  'leverage',
  'group_name',
  'deleted',
]

test('a field that a call does not own changes no column, whatever its name', async () => {
  const { member } = floor
  const sent = Object.fromEntries(privileged.map((name) => [name, '1']))
  const before = await snapshot()
  for (const call of calls.filter(
    (each) => each.method === 'POST' && !each.path.includes('log') && !/approve|reject/.test(each.path),
  )) {
    const answer = await caller.post(
      pathOf(call, depositId),
      { ...sent, token_key: 'transaction_deposit' },
      call.access === 'staff' ? tokens.staff : tokens.member,
    )
    assert.ok(answer.status < 500, `${call.path}: ${answer.raw}`)
  }
  for (const name of privileged) {
    const answer = await caller.post(`/desk/api/deposits/${depositId}/reject`, { [name]: 'approved' }, tokens.staff)
    assert.equal(answer.status, 422, name)
  }
  assert.deepEqual(await snapshot(), before)

  async function snapshot(): Promise<unknown> {
    return reading(floor.system, async (tx) => ({
      members: await tx.selectFrom('members').selectAll().where('workspace_id', '=', member.workspaceId).execute(),
      accounts: await tx
        .selectFrom('trading_accounts')
        .selectAll()
        .where('workspace_id', '=', member.workspaceId)
        .execute(),
      transactions: await tx
        .selectFrom('balance_transactions')
        .selectAll()
        .where('workspace_id', '=', member.workspaceId)
        .execute(),
      staff: await tx.selectFrom('staff_users').selectAll().where('workspace_id', '=', member.workspaceId).execute(),
    }))
  }
})
