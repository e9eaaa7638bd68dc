import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type ScopeRule, scopes } from '@atrium/contract/access/scopes.ts'
import { groupOf, notificationKindNames } from '@atrium/contract/notifications/calls.ts'
import { deskRights, holdsRight, rightsOfRole, staffRoles } from '@atrium/contract/staff/rights.ts'
import type { InjectOptions } from 'fastify'
import { newId } from '../../server/foundation/ids.ts'
import { schema } from '../../server/schema.ts'
import { canariesIn } from '../catalogue/other-tenant.ts'
import { type Answered, callerOf } from '../fixtures/caller.ts'
import { addMember, addStaff, openTestSession } from '../fixtures/workspaces.ts'
import { makeBadTokens } from './bad-tokens.ts'
import { contractCalls } from './contract-calls.ts'
import { type CallRoute, type EveryCall, harmless, type Outsider, openEveryCall, send } from './fixture.ts'
import { stateOfOtherTenant, textOf } from './outsiders.ts'
import type { LiveRoute } from './routes.ts'
import { drawn, isOfMoney } from './sample.ts'
import { validRequestOf, validRequests } from './valid-requests/send.ts'

let fixture: EveryCall
let names: string[]

before(async () => {
  fixture = await openEveryCall()
  names = fixture.calls.map(({ name }) => name)
})
after(() => fixture.close())

const none: string[] = []
const staffCalls = (): CallRoute[] => fixture.calls.filter(({ call }) => call.access === 'staff')

describe('every call of the router', () => {
  it('is defined in the contract, and the contract defines no other', async () => {
    assert.deepEqual([...names].sort(), (await contractCalls()).map(({ method, path }) => `${method} ${path}`).sort())
  })

  it('has a valid request if it changes something, and no request belongs to a removed call', () => {
    const unable = fixture.calls.filter((route) => !validRequestOf(route)).map(({ name }) => name)
    assert.deepEqual(unable, none)
    assert.deepEqual(
      Object.keys(validRequests).filter((name) => !names.includes(name)),
      none,
    )
  })

  it('declares its audit entries or why it needs none, and its repeat behaviour; the query endpoint has no mutations', () => {
    const changing = fixture.calls.filter(({ method }) => method === 'POST')
    const unclear = changing.filter(
      ({ facts }) => !(facts.audit ?? facts.unaudited) || facts.idempotent === (facts.repeats !== undefined),
    )
    assert.deepEqual(
      unclear.map(({ name }) => name),
      none,
    )
    assert.equal(schema.getMutationType() ?? null, null)
  })

  it('is retried by the web, where money moves, only if it is idempotent', () => {
    const again = fixture.calls.filter(({ call }) => call.isHarmlessTwice && isOfMoney(call))
    assert.ok(again.length > 2)
    assert.deepEqual(
      again.filter(({ facts }) => !facts.idempotent).map(({ name }) => name),
      none,
    )
  })

  it('notifies members of every security event', () => {
    const notified = new Set(fixture.calls.flatMap(({ facts }) => facts.notifies ?? []))
    const security = notificationKindNames.filter((kind) => groupOf(kind) === 'security')
    assert.deepEqual(
      security.filter((kind) => !notified.has(kind)),
      none,
    )
  })
})

describe('every call of the desk', () => {
  it('names a right that at least one role holds', () => {
    assert.ok(staffCalls().length >= 20, String(staffCalls().length))
    for (const { name, call } of staffCalls()) {
      const right = call.right ?? assert.fail(`${name} names no right`)
      assert.ok(deskRights.includes(right) && staffRoles.some((role) => holdsRight(role, right)), name)
    }
  })

  it('is closed to viewers if it changes anything but their own account', () => {
    const isOwn = ({ url }: LiveRoute) => /^\/desk\/api\/(logout|activity|(account|security)\/.+)$/.test(url)
    for (const { name, call } of staffCalls().filter((route) => route.method === 'POST' && !isOwn(route)))
      assert.ok(!holdsRight('viewer', call.right ?? 'desk.use'), name)
    assert.deepEqual([...rightsOfRole.viewer].sort(), ['desk.use', 'members.read', 'money.read'])
  })
})

describe('every call of a person who must still set up the required second factor', () => {
  it('is refused, except for those that declare themselves open meanwhile', async () => {
    const { quiet, setup } = fixture
    const { system } = setup
    const set = (settings: object) =>
      quiet.query('update workspaces set settings = $2 where workspace_id = $1', [system.workspaceId, settings])
    const [{ memberId }, { staffId }] = [await addMember(system), await addStaff(system)]
    const tokens = {
      member: (await openTestSession(system, { kind: 'member', id: memberId })).token,
      staff: (await openTestSession(system, { kind: 'staff', id: staffId })).token,
    }
    const { rows } = await quiet.query('select settings from workspaces where workspace_id = $1', [system.workspaceId])
    await set({ ...rows[0].settings, second_factor_members: 'required', second_factor_staff: 'required' })
    // Signing out comes last, since it ends the session.
    const ordered = fixture.calls.toSorted((one, other) => Number(isSigningOut(one)) - Number(isSigningOut(other)))
    for (const route of ordered) {
      const { access } = route.call
      if (access === 'anyone') continue
      const { body, raw } = await send(fixture, route, harmless({ token: tokens[access] }))
      const isRefused = body.code === 'second_factor_required'
      assert.equal(isRefused, !route.facts.whileEnrolling, `${route.name}: ${raw}`)
    }
    await set(rows[0].settings)
  })
})

const isSigningOut = ({ url }: LiveRoute): boolean => url.endsWith('/logout')

describe('every call of members', () => {
  it('belongs to a scope', () => {
    const ofMembers = fixture.calls.filter(({ call }) => call.access === 'member')
    assert.deepEqual(
      ofMembers.filter(({ facts }) => !facts.scopes?.length).map(({ name }) => name),
      none,
    )
  })
})

describe('the table of scopes', () => {
  it('names each screen once', () => {
    const named = Object.values(scopes).flatMap((rule: ScopeRule) => rule.routes)
    assert.deepEqual(named, [...new Set(named)])
  })
})

/** Callbacks of payment providers and identity vendors: reveal nothing to any caller, and act only on signed content. */
const callbacks = ['/callbacks/payments/:provider', '/callbacks/identity/:vendor']
/** Some payment pages return people here with a form: ignores the form and redirects to the page. */
const returns = '/deposit-processing/:order'
/** Resumable uploads use the tus protocol instead of JSON; their rules are those of the whole-file call. */
const isOfResumableUploads = ({ url }: LiveRoute): boolean => url.startsWith('/media/uploads')
/** Only on a developer's machine and in the demo (notifications/dev-mailbox-calls.test.ts). */
const isOfDevelopers = ({ url }: LiveRoute): boolean => url.startsWith('/dev/')

describe('every route that is not a call', () => {
  const others = (): LiveRoute[] => fixture.routes.filter((route) => !route.call && !isOfDevelopers(route))

  it('changes nothing, or is one of the known exceptions', () => {
    for (const route of others()) {
      if (['/graph', ...callbacks, returns].includes(route.url) || isOfResumableUploads(route)) continue
      assert.match(route.method, /^(GET|HEAD)$/, `${route.name} changes something and is not opened as a call`)
      assert.match(
        route.url.replace(/\/(:id|:name|\*)/g, ''),
        /^[^:*]*$/,
        `${route.name}: add values for its path parameters here`,
      )
    }
  })

  it('treats a foreign id like an unknown one, and reveals nothing of another member', async () => {
    const atStart = await stateOfOtherTenant(fixture)
    const { ownIds, sharedIds } = fixture.otherTenant
    for (const route of others()) {
      for (const outsider of fixture.outsiders) {
        // A member of the same workspace may see its shared rows.
        const ids = [...ownIds, ...(outsider.host === 'localhost' ? sharedIds : [])]
        const files = ids.filter(([name]) => /^(media|uploads|orders|deposit_orders)\./.test(name))
        const unknown = newId()
        const without = await ask(route, outsider, unknown)
        const where = `${route.name} by ${outsider.name}`
        assert.deepEqual(canariesIn(without.raw), [], where)
        const hasPlace = /[:*]/.test(route.url)
        for (const [what, id] of hasPlace ? [...files, ...drawn.pick(where, ids, 5)] : []) {
          const answer = await ask(route, outsider, id)
          assert.deepEqual(canariesIn(answer.raw), [], `${where} with ${what}`)
          assert.equal(
            textOf(answer, id),
            textOf(without, unknown),
            `${where} distinguishes ${what} from an unknown id`,
          )
        }
      }
    }
    assert.deepEqual(await stateOfOtherTenant(fixture), atStart)
  })

  it('gives the member a file of their own, which proves that the check above can fail', async () => {
    const files = [...fixture.otherTenant.ownIds].filter(([name]) => name.startsWith('media.'))
    const route = others().find(({ name }) => name === 'GET /cp/private/files/:id/:name')
    assert.ok(route && files.length > 0)
    const answers = await Promise.all(files.map(([, id]) => ask(route, fixture.theMember, id)))
    assert.ok(answers.some(({ status }) => status === 200))
  })

  it('rejects an invalid token at the query endpoint', async () => {
    for (const { name, headers } of await makeBadTokens(fixture)) {
      const payload = { query: '{ current_member { _id } }' }
      const { status } = await fixture.caller.send({ method: 'POST', url: '/graph', headers, payload })
      assert.equal(status, 401, name)
    }
  })
})

async function ask(route: LiveRoute, { host, token, cookie }: Outsider, id: string): Promise<Answered> {
  const url = route.url.replace(':name', 'receipt.pdf').replace(/:\w+|\*/g, id)
  const proof = { ...(token && { authorization: `Bearer ${token}` }), ...(cookie && { cookie }) }
  const { headers = {}, ...options } = isOfResumableUploads(route) ? resumableUpload(route.method) : {}
  return callerOf(fixture.app, host).send({
    method: route.method as 'GET',
    url,
    ...options,
    headers: { ...headers, ...proof },
  })
}

/** A new upload, or the first chunk of the named one. */
function resumableUpload(method: string): InjectOptions {
  const metadata = `filename ${Buffer.from('a.csv').toString('base64')}`
  const start = { 'upload-length': '3', 'upload-metadata': metadata }
  const part = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  return {
    headers: { 'tus-resumable': '1.0.0', ...(method === 'POST' && start), ...(method === 'PATCH' && part) },
    ...(method === 'PATCH' && { payload: Buffer.from('a,b') }),
  }
}
