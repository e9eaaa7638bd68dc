import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openBeforeTerms, scopesOfCall } from '@atrium/contract/scope-calls.ts'
import { type Scope, type ScopeRule, scopes } from '@atrium/contract/scopes.ts'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { retireTerms } from '../../server/terms/template.ts'
import { type Caller, callerOf } from '../fixtures/caller.ts'
import { addTerms } from '../fixtures/requests.ts'
import { openTradingFloor, type TradingFloor } from '../fixtures/trading-fixture.ts'
import { idFieldsOf } from '../fixtures/valid-input.ts'
import { setFeatures, setPermissions } from '../fixtures/workspaces.ts'
import { type LiveRoute, openWithRoutes } from './routes.ts'
import { goodRequests, sendGoodRequest } from './valid-requests/send.ts'
import type { GoodRequest, Stage } from './valid-requests/valid-request.ts'

/**
 * Calls that change something for a member, each with a request that it would accept, before every gate that may be closed;
 * those that name a trading account before the account's own gates too. They are found by the router and by what their
 * requests name, so one that is added later is tried here without being told.
 */
let floor: TradingFloor
let app: FastifyInstance
let caller: Caller
let owner: pg.Client
let stage: Stage
let changing: LiveRoute[]
let naming: LiveRoute[]

before(async () => {
  floor = await openTradingFloor()
  const opened = await openWithRoutes(floor.ground)
  app = opened.app
  caller = callerOf(app)
  owner = new pg.Client({ connectionString: floor.ownerUrl })
  await owner.connect()
  stage = { floor, caller, owner }
  changing = opened.routes.filter(({ call, method }) => call?.access === 'member' && method === 'POST')
  naming = []
  for (const route of changing) if ((await accountsIn(await prepare(route))).length > 0) naming.push(route)
  const byName = changing.filter(({ call }) => call && idFieldsOf(call).some((path) => accountField.test(path)))
  for (const { name } of byName)
    assert.ok(
      naming.some((route) => route.name === name),
      `${name}: its good request names no account (testing/good-requests/)`,
    )
})
after(async () => {
  await owner.end()
  await app.close()
  await floor.close()
})

/** An id of a trading account by its name; accounts at banks have others. */
const accountField = /(^|\.)(trading_)?account(_id)?$/

async function prepare({ name }: LiveRoute): Promise<GoodRequest> {
  await owner.query('delete from rate_limits')
  const make = goodRequests[name]
  assert.ok(make, `${name}: say in testing/good-requests/ how it succeeds`)
  return make(stage)
}

async function accountsIn({ body, places }: GoodRequest): Promise<string[]> {
  const named = JSON.stringify([body ?? {}, places ?? {}])
  const { rows } = await owner.query<{ id: string }>('select account_id as id from trading_accounts')
  return rows.map(({ id }) => id).filter((id) => named.includes(id))
}

/** What a call may leave behind: every change has its entry (recorded-changes.test.ts). */
async function entries(): Promise<number> {
  const { rows } = await owner.query<{ count: number }>('select count(*)::int as count from audit_log')
  return rows[0]?.count ?? -1
}

type Closing = {
  /** Which calls it is in front of. */
  routes(): LiveRoute[]
  close(request: GoodRequest, route: LiveRoute): Promise<unknown>
  open(request: GoodRequest): Promise<unknown>
  /** How the refusal reads; none: any code that says no. */
  expected?: [status: number, code: string]
}

const setAccount = (column: string) => ({
  routes: () => naming,
  close: async (request: GoodRequest) =>
    owner.query(`update trading_accounts set ${column} = true where account_id = any($1)`, [await accountsIn(request)]),
  open: async (request: GoodRequest) =>
    owner.query(`update trading_accounts set ${column} = false where account_id = any($1)`, [
      await accountsIn(request),
    ]),
})

const rulesOf = ({ name }: LiveRoute): ScopeRule[] => scopesOfCall(name).map((scope) => scopes[scope])
const grant = (what: 'revoke' | 'grant', table: string) =>
  owner.query(`${what} select on ${table} ${what === 'grant' ? 'to' : 'from'} atrium_program`)

const closedByTerms = () => changing.filter(({ name }) => !openBeforeTerms.includes(name))
let terms = ''
/** Of the same scopes they are the same again: a workspace has only so many, and each request comes from a member of its own. */
const published = new Map<string, string>()
async function askForTerms(sections: Scope[]): Promise<void> {
  const known = published.get(sections.join())
  if (known) await owner.query("update terms_templates set state = 'published' where template_id = $1", [known])
  terms = known ?? (await addTerms(floor.staff, { blocked_portal_sections: sections }))
  published.set(sections.join(), terms)
}
const gates: Record<string, Closing> = {
  'the account is read-only': setAccount('enable_read_only'),
  'the account is deleted': setAccount('deleted'),
  'every feature that opens it is off': {
    routes: () => changing.filter((route) => rulesOf(route).every(({ features }) => features.length > 0)),
    close: (_, route) => {
      const off = rulesOf(route).flatMap((rule) => rule.features)
      return setFeatures(floor.system, Object.fromEntries(off.map((feature) => [feature, false])))
    },
    open: () => setFeatures(floor.system, {}),
    expected: [404, 'feature_off'],
  },
  'its permission is denied': {
    routes: () => changing.filter((route) => rulesOf(route).every(({ permission }) => permission !== undefined)),
    close: ({ actorId }, route) => {
      const denied = rulesOf(route).flatMap(({ permission }) => [permission ?? []].flat(2))
      return setPermissions(
        floor.system,
        String(actorId),
        denied.map((key) => `${key}-`),
      )
    },
    open: ({ actorId }) => setPermissions(floor.system, String(actorId), []),
    expected: [403, 'not_permitted'],
  },
  'terms are pending that block everything': {
    routes: closedByTerms,
    close: () => askForTerms(['all']),
    open: () => retireTerms(floor.staff, terms),
    expected: [403, 'terms_required'],
  },
  'terms are pending that block its scopes': {
    routes: closedByTerms,
    close: (_, { name }) => askForTerms(scopesOfCall(name)),
    open: () => retireTerms(floor.staff, terms),
    expected: [403, 'terms_required'],
  },
  'the permissions cannot be read': {
    routes: () => changing,
    close: () => grant('revoke', 'members'),
    open: () => grant('grant', 'members'),
    expected: [500, 'fault'],
  },
  'the features cannot be read': {
    routes: () => changing,
    close: () => grant('revoke', 'workspaces'),
    open: () => grant('grant', 'workspaces'),
    expected: [500, 'fault'],
  },
}

describe('every call that names a trading account', () => {
  it('is one of a feature and a permission: none stands open to everybody who is signed in', () => {
    assert.ok(naming.length > 0)
    for (const route of naming) {
      const asked = rulesOf(route)
      assert.ok(asked.length > 0 && asked.every(({ features }) => features.length > 0), `${route.name}: no feature`)
      assert.ok(
        asked.every(({ permission }) => permission !== undefined),
        `${route.name}: no permission`,
      )
    }
  })
})

describe('every call of a member that changes something', () => {
  for (const [name, gate] of Object.entries(gates)) {
    it(`is refused while ${name}, and changes nothing; open again, the same request is accepted`, async () => {
      const routes = gate.routes()
      assert.ok(routes.length > 0)
      for (const route of routes) {
        const request = await prepare(route)
        await gate.close(request, route)
        const count = await entries()
        const { status, body, raw } = await sendGoodRequest(caller, route, request)
        const after = await entries()
        await gate.open(request)
        const where = `${route.name} while ${name}: ${raw}`
        if (gate.expected) assert.deepEqual([status, body.code], gate.expected, where)
        else assert.ok(status >= 400 && status < 500 && status !== 429 && typeof body.code === 'string', where)
        assert.equal(after, count, where)
        const accepted = await sendGoodRequest(caller, route, request)
        assert.equal(accepted.status, 200, `${route.name}: ${accepted.raw}`)
      }
    })
  }
})
