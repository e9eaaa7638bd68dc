import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { ownFeatures } from '@atrium/contract/own-features.ts'
import { scopeCalls, scopesOfCall, scopesOfReads } from '@atrium/contract/scope-calls.ts'
import {
  type Feature,
  type Features,
  features,
  memberPermissions,
  type Scope,
  type ScopeRule,
  scopes,
} from '@atrium/contract/scopes.ts'
import type { FastifyInstance } from 'fastify'
import { type GraphQLResolveInfo, getNamedType, isObjectType } from 'graphql'
import pg from 'pg'
import type { Member, System } from '../../server/foundation/actor.ts'
import { Refusal } from '../../server/foundation/errors.ts'
import { newId } from '../../server/foundation/ids.ts'
import { makeContext } from '../../server/graph/context.ts'
import { schema } from '../../server/graph/schema.ts'
import { type Answered, callerOf } from '../fixtures/caller.ts'
import { documentFor, fieldsOf, type Step } from '../fixtures/graphql-documents.ts'
import { type MadeGround, makeGround } from '../fixtures/ground.ts'
import { addAccount, addPlatform } from '../fixtures/platforms.ts'
import {
  addMember,
  addWorkspace,
  memberActor,
  openTestSession,
  setFeatures,
  setPermissions,
} from '../fixtures/workspaces.ts'
import { type LiveRoute, openWithRoutes } from './routes.ts'

/**
 * The gates of contract/scopes.ts as the server keeps them. Calls come from the table of live routes and fields from the
 * schema, so one that is added later is tried here without anybody naming it.
 */
let made: MadeGround
let app: FastifyInstance
let routes: LiveRoute[]
let system: System
let memberId: string
let accountId: string
let owner: pg.Client

before(async () => {
  made = await makeGround()
  const opened = await openWithRoutes(made.ground)
  app = opened.app
  routes = opened.routes
  system = await addWorkspace(made.ground, { isDefault: true })
  memberId = (await addMember(system, { type: 'sales_person' })).memberId
  accountId = await addAccount(system, { memberId, platformId: await addPlatform(system) })
  owner = new pg.Client({ connectionString: made.ownerUrl })
  await owner.connect()
})
afterEach(() => gates({}))
after(async () => {
  await owner.end()
  await app.close()
  await made.close()
})

const rules = Object.entries(scopes) as [Scope, ScopeRule][]
const permissionsOf = (scope: Scope): string[] => {
  const { permission } = scopes[scope] as ScopeRule
  return permission === undefined ? [] : [permission].flat()
}
const reads = [...scopesOfReads()]
/** HEAD comes with every GET and is the same handler. */
const memberCalls = () => routes.filter(({ call, method }) => call?.access === 'member' && method !== 'HEAD')

/** Whatever is not named is open. */
async function gates({ off = [], denied = [] }: { off?: readonly Feature[]; denied?: string[] }): Promise<void> {
  await setFeatures(system, Object.fromEntries(off.map((feature) => [feature, false])) as Partial<Features>)
  await setPermissions(
    system,
    memberId,
    denied.map((key) => `${key}-`),
  )
}

/** Only this scope's features are on, with the one of what is tried, and only its permissions not denied. */
const onlyOpen = (scope: Scope, name: string): Promise<void> => {
  const { features: own } = scopes[scope] as ScopeRule
  const off = features.filter((feature) => !own.includes(feature) && feature !== ownFeatures[name])
  const denied = memberPermissions.filter((key) => !permissionsOf(scope).includes(key))
  return gates({ off, denied })
}

const featuresOf = (of: readonly Scope[]): readonly Feature[] | 'always on' => {
  const named = of.map((scope) => (scopes[scope] as ScopeRule).features)
  return named.some((each) => each.length === 0) ? 'always on' : named.flat()
}
const askedOf = (of: readonly Scope[]): string[] | 'nothing' => {
  const asked = of.map(permissionsOf)
  return asked.some((each) => each.length === 0) ? 'nothing' : asked.flat()
}

/** Each with a session of its own, since one of the calls ends it. */
async function tokenOf(): Promise<string> {
  return (await openTestSession(system, { kind: 'member', id: memberId })).token
}

async function make({ method, url }: LiveRoute): Promise<Answered> {
  const path = url.replace(/:\w+/g, newId)
  const headers = { authorization: `Bearer ${await tokenOf()}` }
  const options = method === 'POST' ? { payload: {} } : {}
  return callerOf(app).send({ method: method as 'GET' | 'POST', url: path, headers, ...options })
}

const stepOf = (name: string): Step => {
  const step = fieldsOf(schema).find(({ typeName, field }) => `${typeName}.${field.name}` === name)
  assert.ok(step, `${name} is no field of the schema`)
  return step
}

async function ask(name: string): Promise<Answered> {
  const query = documentFor(schema, stepOf(name), () => accountId)
  return callerOf(app).post('/graph', { query }, await tokenOf())
}

const codesOf = ({ body }: Answered): unknown[] => {
  const errors = (body.errors ?? []) as { extensions?: { code?: string } }[]
  return errors.map(({ extensions }) => extensions?.code)
}

/** What the guard in front of one field says by itself, whatever stands before the field on the way to it. */
async function guardOf(name: string): Promise<string> {
  const member: Member = await memberActor(system, memberId)
  const resolve = stepOf(name).field.resolve
  try {
    await resolve?.({}, {}, makeContext(member), {} as GraphQLResolveInfo)
  } catch (problem) {
    if (problem instanceof Refusal && /^(feature_off|not_permitted)$/.test(problem.code)) return problem.code
  }
  return 'open'
}

describe('every call of a member', () => {
  it('answers 404 feature_off when all features that open it are off', async () => {
    let tried = 0
    for (const route of memberCalls()) {
      const off = featuresOf(scopesOfCall(route.name))
      if (off === 'always on') continue
      await gates({ off })
      const { status, body, raw } = await make(route)
      assert.deepEqual([status, body.code], [404, 'feature_off'], `${route.name}: ${raw}`)
      tried += 1
    }
    assert.ok(tried > 0)
  })

  it('answers 403 not_permitted when every permission that opens it is denied', async () => {
    let tried = 0
    for (const route of memberCalls()) {
      const denied = askedOf(scopesOfCall(route.name))
      if (denied === 'nothing') continue
      await gates({ denied })
      const { status, body, raw } = await make(route)
      assert.deepEqual([status, body.code], [403, 'not_permitted'], `${route.name}: ${raw}`)
      tried += 1
    }
    assert.ok(tried > 0)
  })

  it('answers 403 not_permitted to a member of another type than the scope is for', async () => {
    const ordinary = (await addMember(system)).memberId
    const token = async () => (await openTestSession(system, { kind: 'member', id: ordinary })).token
    for (const route of memberCalls()) {
      const isForSome = scopesOfCall(route.name).every((scope) => (scopes[scope] as ScopeRule).memberType !== undefined)
      if (!isForSome) continue
      const { status, body, raw } = await callerOf(app).get(route.url, await token())
      assert.deepEqual([status, body.code], [403, 'not_permitted'], `${route.name}: ${raw}`)
    }
  })

  it('stays open while one of its scopes is', async () => {
    for (const route of memberCalls()) {
      for (const scope of scopesOfCall(route.name)) {
        await onlyOpen(scope, route.name)
        const { body, raw } = await make(route)
        assert.doesNotMatch(String(body.code), /feature_off|not_permitted/, `${route.name} of ${scope}: ${raw}`)
      }
    }
  })
})

describe('every field of the query endpoint that stands in the table', () => {
  it('is refused as feature_off when all features that open it are off', async () => {
    for (const [name, of] of reads) {
      const off = featuresOf(of)
      if (off === 'always on') continue
      await gates({ off })
      const answer = await ask(name)
      assert.deepEqual(new Set(codesOf(answer)), new Set(['feature_off']), `${name}: ${answer.raw}`)
      assert.equal(await guardOf(name), 'feature_off', name)
    }
  })

  it('is refused as not_permitted when every permission that opens it is denied', async () => {
    for (const [name, of] of reads) {
      const denied = askedOf(of)
      if (denied === 'nothing') continue
      await gates({ denied })
      const answer = await ask(name)
      assert.deepEqual(new Set(codesOf(answer)), new Set(['not_permitted']), `${name}: ${answer.raw}`)
      assert.equal(await guardOf(name), 'not_permitted', name)
    }
  })

  it('stays open while one of its scopes is', async () => {
    for (const [name, of] of reads) {
      for (const scope of of) {
        await onlyOpen(scope, name)
        assert.equal(await guardOf(name), 'open', `${name} of ${scope}`)
      }
    }
  })
})

describe('what has a feature of its own beside its scope', () => {
  it('is refused as feature_off when that alone is off', async () => {
    assert.ok(Object.keys(ownFeatures).length > 0)
    for (const [name, feature] of Object.entries(ownFeatures)) {
      await gates({ off: [feature] })
      const route = memberCalls().find((each) => each.name === name)
      if (route) assert.equal((await make(route)).body.code, 'feature_off', name)
      else assert.equal(await guardOf(name), 'feature_off', name)
    }
  })
})

describe('when what says who may do what cannot be read', () => {
  /** What the store of permissions and features may refuse: each stops every call, and lets none through. */
  const stores = {
    'the permissions': ['revoke select on members from atrium_program', 'grant select on members to atrium_program'],
    'the features': ['revoke select on workspaces from atrium_program', 'grant select on workspaces to atrium_program'],
    'the sessions': ['revoke select on sessions from atrium_program', 'grant select on sessions to atrium_program'],
  } as const

  for (const [name, [refuse, heal]] of Object.entries(stores)) {
    it(`${name}: every call and every field is refused`, async () => {
      const tokens = new Map<string, string>()
      for (const { name: route } of memberCalls()) tokens.set(route, await tokenOf())
      const token = await tokenOf()
      await owner.query(refuse)
      try {
        for (const { name: route, method, url } of memberCalls()) {
          const headers = { authorization: `Bearer ${tokens.get(route)}` }
          const payload = method === 'POST' ? { payload: {} } : {}
          const path = url.replace(/:\w+/g, newId)
          const { status, raw } = await callerOf(app).send({ method: method as 'GET', url: path, headers, ...payload })
          assert.ok(status >= 500, `${route} answered ${status}: ${raw}`)
        }
        for (const [read] of reads) {
          const query = documentFor(schema, stepOf(read), () => accountId)
          const { status, body, raw } = await callerOf(app).post('/graph', { query }, token)
          assert.ok(status >= 500 && body.data === undefined, `${read} answered ${status}: ${raw}`)
        }
      } finally {
        await owner.query(heal)
      }
    })
  }

  it('a feature that is written as anything but true is off', async () => {
    for (const value of ['"true"', '"false"', '1', '{}', 'null']) {
      await owner.query(`update workspaces set features = jsonb_set(features, '{deposits}', '${value}')`)
      const route = memberCalls().find(({ url }) => url === '/members/deposits/create')
      assert.ok(route)
      assert.equal((await make(route)).body.code, 'feature_off', value)
    }
  })
})

describe('the table', () => {
  it('names the calls that are open to members, all of them and no other', () => {
    const named = new Set(Object.values(scopeCalls).flatMap(({ calls }) => calls))
    assert.deepEqual([...named].sort(), [...new Set(memberCalls().map(({ name }) => name))].sort())
  })

  it('names no field that the schema does not have', () => {
    for (const [name] of reads) stepOf(name)
  })

  it('names each screen once', () => {
    const named = rules.flatMap(([, rule]) => rule.routes)
    assert.deepEqual(named, [...new Set(named)])
  })

  /**
   * Fields that lead from one scope's things to another's and stay open on purpose; each shows what the thing itself is
   * about, and no list of the other scope.
   */
  const crossings = new Map([
    ['BalanceTransaction.trading_account', 'a transaction names the account that it moves money of'],
    ['PendingDeposit.trading_account', 'a pending deposit names the account that it is for'],
    ['Request.request_type', 'a request names its own type'],
    ['RequestType.last_request', 'a type shows how the last request of it stands, in the same scope'],
    ['RequestType.form', 'a type is asked with its form, in the same scope'],
    ['Ticket.model', 'a ticket names what it is about'],
    ['TradingAccount.psps', 'an account names how it can be funded'],
  ])

  it('guards every way to what another scope lists, but for the ways that are known', () => {
    const listed = new Set(
      Object.values(schema.getQueryType()?.getFields() ?? {}).map(({ type }) => getNamedType(type).name),
    )
    const guarded = new Set(reads.map(([name]) => name))
    const open = fieldsOf(schema).filter(({ typeName, field }) => {
      const target = getNamedType(field.type)
      const leads = isObjectType(target) ? listed.has(target.name) : field.name === 'model'
      return leads && !guarded.has(`${typeName}.${field.name}`)
    })
    assert.deepEqual(
      open.map(({ typeName, field }) => `${typeName}.${field.name}`).sort(),
      [...crossings.keys()].sort(),
    )
  })
})
