// spec: AO 7

/** Every field of the query endpoint, from the schema: who may read it, and what others receive. */

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { type GraphQLResolveInfo, getNamedType, isObjectType } from 'graphql'
import { Refusal } from '../../server/foundation/errors.ts'
import { factsOf } from '../../server/graphql/builder.ts'
import { makeContext } from '../../server/graphql/context.ts'
import { guardedFields } from '../../server/graphql/field-scopes.ts'
import { schema } from '../../server/schema.ts'
import { canariesIn } from '../catalogue/other-tenant.ts'
import { fieldsOf, type Step } from '../fixtures/graphql-documents.ts'
import { memberActor, openTestSession } from '../fixtures/workspaces.ts'
import { type EveryCall, type Outsider, openEveryCall } from './fixture.ts'
import { askGraph, documentOf, nameOf, roots, tryEveryField } from './graph-outsiders.ts'
import { stateOfOtherTenant, textOf } from './outsiders.ts'
import { allBut, blockersOf, type Closed, setGates } from './refusals.ts'
import { drawn } from './sample.ts'
import { withSeed } from './walk.ts'

let fixture: EveryCall
let token: string
let atStart: Awaited<ReturnType<typeof stateOfOtherTenant>>

before(async () => {
  fixture = await openEveryCall()
  const { system, member } = fixture.setup
  token = (await openTestSession(system, { kind: 'member', id: member.memberId })).token
  atStart = await stateOfOtherTenant(fixture)
})
after(() => fixture.close())

const members = (): Outsider[] => fixture.outsiders.filter(({ kind }) => kind === 'member')
const ask = (query: string, by: Pick<Outsider, 'host' | 'token'>) => askGraph(fixture, query, by)

describe('every field, for people who do not own its rows', () => {
  it('reveals nothing of the member for any id', () => withSeed(tryEveryField(fixture, drawn)))

  it('finds nothing of the member by a search word', async () => {
    for (const outsider of members()) {
      for (const field of roots) {
        if (field.args.some(({ name, type }) => name === '_id' && String(type).endsWith('!'))) continue
        for (const argument of field.args.filter(({ type }) => getNamedType(type).name === 'String')) {
          for (const word of fixture.otherTenant.words) {
            const query = (text: string) => `{ ${field.name}(${argument.name}: "${text}") { __typename } }`
            const [none, found] = [await ask(query('unknown-word'), outsider), await ask(query(word), outsider)]
            assert.equal(textOf(found, word), textOf(none, 'unknown-word'), `${field.name} by ${outsider.name}`)
          }
        }
      }
    }
  })

  it('shows the member their own rows, which proves that the checks above can fail', async () => {
    const seen = new Set<string>()
    const account = fixture.otherTenant.ownIds.get('trading_accounts.account_id') ?? ''
    for (const step of fieldsOf(schema).filter(({ typeName }) =>
      /^(Customer|BankAccount|TradingAccount|Query)$/.test(typeName),
    ))
      for (const canary of canariesIn((await ask(documentOf(step, account), fixture.theMember)).raw))
        seen.add(canary.replace(/-[0-9a-f]{6}$/, ''))
    for (const word of ['members-first_name', 'bank_accounts-bank_name', 'trading_accounts-city'])
      assert.ok(seen.has(`canary-${word}`), `${word} is not among ${[...seen].join(', ')}`)
  })

  it('has changed nothing of the member after all these queries', async () => {
    assert.deepEqual((await stateOfOtherTenant(fixture)).rows, atStart.rows)
  })
})

const reads = [...guardedFields(schema)]
const stepOf = (name: string): Step =>
  fieldsOf(schema).find((step) => nameOf(step) === name) ?? assert.fail(`${name} is no field of the schema`)

async function codesOf(name: string): Promise<unknown[]> {
  const { body } = await ask(documentOf(stepOf(name), fixture.setup.accountId), { host: 'localhost', token })
  const errors = (body.errors ?? []) as { extensions?: { code?: string } }[]
  return [...new Set(errors.map(({ extensions }) => extensions?.code))]
}

/** The result of one field's own guard, independent of the parent fields. */
async function guardOf(name: string): Promise<string> {
  const { system, member } = fixture.setup
  try {
    const context = makeContext(await memberActor(system, member.memberId))
    await stepOf(name).field.resolve?.({}, {}, context, {} as GraphQLResolveInfo)
  } catch (problem) {
    if (problem instanceof Refusal && /^(feature_off|not_permitted)$/.test(problem.code)) return problem.code
  }
  return 'open'
}

describe('every field that declares its scopes', () => {
  const gates = (closed: Closed) => setGates(fixture, fixture.setup.member.memberId, closed)
  afterEach(() => gates({}))

  it('is refused as feature_off or not_permitted when all its scopes are closed', async () => {
    for (const [name, { facts }] of reads) {
      const { off, denied } = blockersOf(facts.scopes)
      for (const [closed, code] of [[{ off }, 'feature_off'] as const, [{ denied }, 'not_permitted'] as const]) {
        if (Object.values(closed).every((each) => each.length === 0)) continue
        await gates(closed)
        assert.deepEqual([await codesOf(name), await guardOf(name)], [[code], code], name)
      }
    }
  })

  it('stays open while one of its scopes is open', async () => {
    for (const [name, { facts }] of reads)
      for (const scope of facts.scopes) {
        await gates(allBut(scope, facts))
        assert.equal(await guardOf(name), 'open', `${name} of ${scope}`)
      }
  })

  it('is refused as feature_off when its own feature is off', async () => {
    for (const [name, { facts }] of reads) {
      if (!facts.feature) continue
      await gates({ off: [facts.feature] })
      assert.equal(await guardOf(name), 'feature_off', name)
    }
  })

  it('is refused while access data cannot be read', async () => {
    for (const table of ['members', 'workspaces', 'sessions']) {
      await fixture.owner.query(`revoke select on ${table} from atrium_program`)
      try {
        for (const [name] of reads) {
          const query = documentOf(stepOf(name), fixture.setup.accountId)
          const { status, body, raw } = await ask(query, { host: 'localhost', token })
          assert.ok(status >= 500 && body.data === undefined, `${name} answered ${status}: ${raw}`)
        }
      } finally {
        await fixture.owner.query(`grant select on ${table} to atrium_program`)
      }
    }
  })

  it('treats any value but true as a feature that is off', async () => {
    for (const value of ['"true"', '"false"', '1', '{}', 'null']) {
      await fixture.quiet.query(`update workspaces set features = jsonb_set(features, '{deposits}', '${value}')`)
      assert.equal(await guardOf('Query.available_psps'), 'feature_off', value)
    }
  })

  it('guards every path to the types of another scope, or declares why not', () => {
    const listed = new Set(roots.map(({ type }) => getNamedType(type).name))
    const guarded = new Set(reads.map(([name]) => name))
    const open = fieldsOf(schema).filter((step) => {
      const target = getNamedType(step.field.type)
      const leads = isObjectType(target) ? listed.has(target.name) : step.field.name === 'model'
      return leads && !guarded.has(nameOf(step))
    })
    const stated = fieldsOf(schema).filter(({ field }) => factsOf(field).unguarded)
    assert.deepEqual(open.map(nameOf).sort(), stated.map(nameOf).sort())
  })
})
