// spec: MP 6

/**
 * Tries every call and query field by its scope: pending terms refuse exactly those in the sections that they block.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isForType, type Scope, scopeNames } from '@atrium/contract/access/scopes.ts'
import type { FastifyInstance } from 'fastify'
import { type GraphQLField, isNonNullType, isObjectType } from 'graphql'
import { type LiveRoute, openWithRoutes } from '../../tests/every-call/routes.ts'
import { type Answered, type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addMedia, addTerms } from '../../tests/fixtures/requests.ts'
import { enrolTotp } from '../../tests/fixtures/second-factors.ts'
import { addMember, addStaff, addWorkspace, type MadeMember, staffActor } from '../../tests/fixtures/workspaces.ts'
import type { Staff, System } from '../foundation/actor.ts'
import { guardedFields } from '../graphql/field-scopes.ts'
import { schema } from '../schema.ts'
import { retireTerms } from './template.ts'

let made: MadeContext
let system: System
let staff: Staff
let app: FastifyInstance
let caller: Caller
/** Sign-out comes last, because it ends the session. */
let tried: LiveRoute[]
let member: MadeMember
let token: string

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  staff = staffActor(system, await addStaff(system))
  const opened = await openWithRoutes(made.context)
  app = opened.app
  tried = opened.routes.filter(({ name, method, call, facts }) => {
    const isOwn = call?.access === 'member' && facts.scopes?.some((scope) => own.includes(scope))
    return isOwn && method !== 'HEAD' && name !== 'POST /users/logout'
  })
  caller = callerOf(app)
  member = await addMember(system)
  token = await caller.signIn(member)
})
after(async () => {
  await app.close()
  await made.close()
})

/** Calls for another type of member are refused with or without terms. */
const own = scopeNames.filter((scope) => isForType(scope, 'client'))

/** An empty body is refused for its fields, but only after the access check. */
function make(name: string): Promise<Answered> {
  const [method = '', path = ''] = name.split(' ')
  const url = path.replaceAll(/:[a-z]+/gi, '00000000-0000-7000-8000-000000000000')
  return method === 'GET' ? caller.get(url, token) : caller.post(url, {}, token)
}

function fieldOf(read: string): GraphQLField<unknown, unknown> {
  const [typeName = '', fieldName = ''] = read.split('.')
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  assert.ok(field, read)
  return field
}

/** Asks for one field of Query or of the member; fields of other objects are reached through Query only. */
function documentFor(read: string): string | null {
  const [typeName, fieldName] = read.split('.')
  const field = fieldOf(read)
  const inner = isObjectType(schema.getType(String(field.type).replaceAll(/[[\]!]/g, ''))) ? ' { __typename }' : ''
  const args = field.args
    .filter((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)
    .map((arg) => `${arg.name}: "00000000-0000-7000-8000-000000000000"`)
  const asked = `${fieldName}${args.length > 0 ? `(${args.join(', ')})` : ''}${inner}`
  if (typeName === 'Query') return `{ ${asked} }`
  return typeName === 'Customer' ? `{ current_member { ${asked} } }` : null
}

type GraphErrors = { extensions: { code: string; terms?: { _id: string }[] } }[]
async function codesOf(read: string): Promise<{ codes: string[]; terms: unknown[] }> {
  const document = documentFor(read)
  assert.ok(document)
  const answer = await caller.get(`/graph?q=${Buffer.from(document).toString('base64url')}`, token)
  const errors = (answer.body.errors ?? []) as GraphErrors
  return {
    codes: errors.map(({ extensions }) => extensions.code),
    terms: errors.flatMap(({ extensions }) => extensions.terms ?? []),
  }
}

const reads = [...guardedFields(schema)].filter(([read]) => documentFor(read) !== null)
const closes = (section: Scope, of: readonly Scope[]) => section === 'all' || of.every((scope) => scope === section)

describe('pending terms', () => {
  test('are tried with at least fifteen calls and ten fields', () => {
    assert.ok(tried.length >= 15 && reads.length >= 10, `${tried.length} calls, ${reads.length} fields`)
  })

  for (const section of scopeNames)
    test(`refuse exactly the calls and fields of ${section} when they block it`, async () => {
      const id = await addTerms(staff, { blocked_portal_sections: [section] })
      for (const { name, facts } of tried) {
        const isRefused = closes(section, facts.scopes ?? []) && !facts.beforeTerms
        const answer = await make(name)
        const said = `${name} answered ${answer.raw}`
        assert.equal(answer.body.code === 'terms_required', isRefused, said)
        if (!isRefused) continue
        assert.equal(answer.status, 403, said)
        const [asked] = answer.body.terms as { _id: string; template: string; tickbox_text: string }[]
        assert.equal(asked?._id, id, said)
        assert.ok(asked?.template.startsWith('<h2>') && asked.tickbox_text.length > 0, said)
      }
      for (const [read, { facts }] of reads) {
        const isRefused = closes(section, facts.scopes) && !facts.beforeTerms
        const { codes, terms } = await codesOf(read)
        assert.equal(codes.includes('terms_required'), isRefused, `${read}: ${codes}`)
        if (isRefused) assert.equal((terms[0] as { _id: string })._id, id, read)
      }
      await retireTerms(staff, id)
    })

  test('close each of several sections, and leave a call with another open scope open', async () => {
    const id = await addTerms(staff, { blocked_portal_sections: ['deposit', 'withdraw'] })
    assert.equal((await make('POST /members/deposits/create')).body.code, 'terms_required')
    assert.deepEqual((await codesOf('Query.available_psps')).codes, ['terms_required'])
    assert.deepEqual((await codesOf('Query.bank_accounts')).codes, [])
    await retireTerms(staff, id)
  })

  test('leave the errors of a disabled feature and a denied permission unchanged', async () => {
    const plain = await addWorkspace(made.context, { subdomain: 'plain', features: { deposits: false } })
    const theirMember = await addMember(plain, { permissions: ['my_accounts-'] })
    await addTerms(staffActor(plain, await addStaff(plain)), { blocked_portal_sections: ['all'] })
    const there = callerOf(app, 'plain.localhost')
    const theirs = await there.signIn(theirMember)
    assert.equal((await there.post('/members/deposits/create', {}, theirs)).body.code, 'feature_off')
    assert.equal((await there.get('/members/sessions', theirs)).body.code, 'terms_required')
  })

  test('refuse the member’s own KYC documents by token and cookie, and not staff with that cookie, when they block everything', async () => {
    const media = await addMedia(system, { memberId: member.memberId })
    const url = `/cp/private/files/${media}/receipt.pdf`
    const { email, password } = member
    const signedIn = await caller.post('/members/login', { email, password })
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
    assert.equal((await caller.get(url, token)).status, 200)
    const id = await addTerms(staff, { blocked_portal_sections: ['all'] })
    assert.equal((await caller.get(url, token)).body.code, 'terms_required')
    assert.equal((await caller.send({ method: 'GET', url, headers: { cookie } })).body.code, 'terms_required')
    const desk = await caller.signIn(await addStaff(system), 'desk')
    const both = { cookie, authorization: `Bearer ${desk}` }
    assert.equal((await caller.send({ method: 'GET', url, headers: both })).status, 200)
    await retireTerms(staff, id)
  })

  test('leave the member their own name, number and status when they block everything', async () => {
    const id = await addTerms(staff, { blocked_portal_sections: ['all'] })
    const ask = async (fields: string) => {
      const q = Buffer.from(`{ current_member { ${fields} } }`).toString('base64url')
      return caller.get(`/graph?q=${q}`, token)
    }
    const shell = await ask('_id name first_name customer_number documents_status type')
    assert.equal(shell.body.errors, undefined, shell.raw)
    for (const field of ['phones', 'emails', 'addresses { city }', 'accounts { _id }', 'bank_accounts { _id }'])
      assert.match((await ask(field)).raw, /terms_required/, field)
    await retireTerms(staff, id)
  })

  test('allow signing out, which ends the session', async () => {
    const leaving = await caller.signIn(await addMember(system))
    const id = await addTerms(staff, { blocked_portal_sections: ['all'] })
    assert.equal((await caller.post('/users/logout', {}, leaving)).status, 200)
    assert.equal((await caller.get('/user/permissions', leaving)).status, 401)
    await retireTerms(staff, id)
  })
})

describe('terms with a required second factor', () => {
  test('are read and accepted after the factor is set up, even if they block everything', async () => {
    const settings = { second_factor_members: 'required' }
    const strict = await addWorkspace(made.context, { subdomain: 'strict', settings })
    const asking = staffActor(strict, await addStaff(strict))
    const id = await addTerms(asking, { blocked_portal_sections: ['all'] })
    const at = callerOf(app, 'strict.localhost')
    const person = await addMember(strict)
    const session = String((await at.post('/members/login', person)).body.token)
    const accept = () => at.post('/members/accept-terms/', { id }, session)
    for (const answer of [
      await at.get('/members/terms', session),
      await at.get('/user/permissions', session),
      await accept(),
    ])
      assert.deepEqual([answer.status, answer.body.code], [403, 'second_factor_required'], answer.raw)

    await enrolTotp(at, made.context, session)
    assert.equal((await at.get('/members/sessions', session)).body.code, 'terms_required')
    assert.equal(((await at.get('/members/terms', session)).body.terms as unknown[]).length, 1)
    assert.equal((await accept()).status, 200)
    assert.equal((await at.get('/members/sessions', session)).status, 200)
  })
})
