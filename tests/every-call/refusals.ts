import assert from 'node:assert/strict'
import {
  type Feature,
  features,
  memberPermissions,
  type Scope,
  type ScopeRule,
  scopes,
} from '@atrium/contract/access/scopes.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { type DeskRight, holdsRight, staffRoles } from '@atrium/contract/staff/rights.ts'
import type { System } from '../../server/foundation/actor.ts'
import type { CallFacts } from '../../server/http/call-facts.ts'
import { changesSince } from '../catalogue/watched-changes.ts'
import { addTerms } from '../fixtures/requests.ts'
import { addMember, addStaff, openTestSession } from '../fixtures/workspaces.ts'
import { type BadToken, makeBadTokens } from './bad-tokens.ts'
import { assertUnchanged, type CallRoute, type EveryCall, harmless, send, unreadable } from './fixture.ts'
import { idFieldsOf } from './id-fields.ts'
import { type Sample, sampleFor } from './sample.ts'
import type { ValidRequest } from './valid-requests/valid-request.ts'

/** Every caller that a call refuses, with a request that it would otherwise accept. */
export type Refusals = {
  /** Makes the request in each way that must be refused, and verifies that nothing has changed. */
  tryAll(route: CallRoute, request: ValidRequest, sample?: Sample): Promise<void>
  /** Verifies that holders of the right or of one scope are let in after the request was used up. */
  letIn(route: CallRoute, request: ValidRequest): Promise<void>
}

const allOn = Object.fromEntries(features.map((feature) => [feature, true]))

export async function openRefusals(fixture: EveryCall): Promise<Refusals> {
  const { setup } = fixture
  const { system } = setup
  const badTokens = await makeBadTokens(fixture)
  const opened: string[] = []
  const openSession = async (of: System, kind: 'member' | 'staff', id: string) => {
    const session = await openTestSession(of, { kind, id })
    opened.push(session.sessionId)
    return session
  }
  const roles = new Map<string, string>()
  for (const role of staffRoles)
    roles.set(role, (await openSession(system, 'staff', (await addStaff(system, { role })).staffId)).token)
  const member = await openSession(system, 'member', (await addMember(system)).memberId)
  const seller = await openSession(system, 'member', (await addMember(system, { type: 'sales_person' })).memberId)
  const wrongKinds = { member: [roles.get('administrator')], staff: [member.token, seller.token], anyone: [] }
  const theirs = fixture.otherTenant.system
  const theirStaff = await openSession(theirs, 'staff', (await addStaff(theirs)).staffId)
  wrongKinds.staff.push(theirStaff.token)

  /** A full walk advances its clock by hours. */
  const keepSessions = () =>
    fixture.quiet.query(
      'update sessions set last_seen_at = $1, proven_at = $1, expires_at = $2 where session_id = any($3)',
      [setup.context.clock.now(), new Date(setup.context.clock.now().getTime() + 3_600_000), opened],
    )

  return {
    async tryAll(route, request, sample = sampleFor(route.call)) {
      const { access } = route.call
      await keepSessions()
      if (access === 'anyone') return
      await refuseTokens(route, request, sample.pick(`token ${route.name}`, badTokens, 3))
      for (const token of wrongKinds[access])
        await refuse(route, { ...request, token: String(token) }, 401, 'unauthenticated')
      await refuseOrigins(route, request, sample)
      if (access === 'staff') await refuseRoles(route, request)
      else await closeGates(route, request)
      await assertUnchanged(fixture, `${route.name}, refused,`)
    },
    async letIn(route, request) {
      if (route.url.endsWith('/logout')) return
      await keepSessions()
      if (route.call.access === 'staff') await letRolesIn(route)
      else if (route.call.access === 'member') await openOneScope(route, request)
      await changesSince(fixture.owner)
    },
  }

  async function refuse(route: CallRoute, request: ValidRequest, status: number, code: string): Promise<void> {
    const answer = await send(fixture, route, request)
    assert.deepEqual([answer.status, answer.body.code], [status, code], answer.raw)
  }

  /** The response does not reveal why a token is invalid, except to the holder of an ended session. */
  async function refuseTokens(route: CallRoute, request: ValidRequest, kinds: readonly BadToken[]): Promise<void> {
    const answers = new Set<string>()
    const { token: _, ...bare } = request
    for (const { name, headers } of [{ name: 'none', headers: {} }, ...kinds]) {
      const { status, body } = await send(fixture, route, { ...bare, headers })
      assert.equal(status, 401, `with ${name}`)
      const sentence = sentenceFor(route, name, headers)
      assert.equal(body.error, sentence, `with ${name}`)
      answers.add(JSON.stringify({ ...body, request_id: '' }).replaceAll(sentence, ''))
    }
    assert.equal(answers.size, 1)
  }

  function sentenceFor({ call }: CallRoute, name: string, { authorization = '' }: Record<string, string>): string {
    if (!/^Bearer [\w-]{20,200}$/.test(authorization)) return sessionTexts.signInFirst
    return (call.access === 'member' && errorsOfOwners[name]) || sessionTexts.sessionUnknown
  }

  async function refuseOrigins(route: CallRoute, request: ValidRequest, sample: Sample): Promise<void> {
    const { token: _, ...bare } = request
    for (const origin of sample.pick(`origin ${route.name}`, origins, 1)) {
      const asks = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
      const url = route.url.replace(/:\w+/g, 'x')
      const preflight = await fixture.caller.send({ method: 'OPTIONS', url, headers: { origin, ...asks } })
      const simple = await send(fixture, route, { ...bare, headers: { origin, authorization: 'Bearer x' } })
      for (const { headers, status } of [preflight, simple]) {
        assert.ok(status >= 400)
        const allowing = Object.keys(headers).filter((name) => name.startsWith('access-control'))
        assert.deepEqual(allowing, [], origin)
      }
    }
    for (const cookie of sample.pick(`cookie ${route.name}`, cookies(), 1)) {
      const answer = await send(fixture, route, { ...bare, headers: { origin: 'https://evil.test', cookie } })
      assert.equal(answer.status, 401, cookie)
    }
    if (route.method === 'GET' || request.file) return
    for (const type of sample.pick(`type ${route.name}`, formTypes, 1)) {
      const { status } = await send(fixture, route, { ...request, headers: { 'content-type': type } })
      assert.equal(status, 415, type)
    }
  }

  function cookies(): string[] {
    const staff = roles.get('administrator')
    return [
      `atrium_files=${member.fileToken}; atrium_desk_files=${theirStaff.fileToken}`,
      `atrium_files=${member.token}; atrium_device=${member.token}; token=${member.token}; session=${staff}`,
    ]
  }

  /** The right is checked before the input: an operation that checks it itself would validate the input first. */
  async function refuseRoles(route: CallRoute, request: ValidRequest): Promise<void> {
    const without = [...roles].filter(([role]) => !holdsRight(role, rightOf(route)))
    for (const [, token] of without) await refuse(route, { ...request, token }, 403, 'not_permitted')
    for (const [, token] of without.slice(0, 1)) await refuse(route, unreadable({ token }), 403, 'not_permitted')
  }

  async function letRolesIn(route: CallRoute): Promise<void> {
    for (const [role, token] of roles) {
      if (!holdsRight(role, rightOf(route))) continue
      const { status, raw } = await send(fixture, route, harmless({ token }))
      assert.ok(![401, 403].includes(status) && status < 500, `${role} answered ${status}: ${raw}`)
    }
  }

  async function closeGates(route: CallRoute, request: ValidRequest): Promise<void> {
    for (const gate of await gatesOf(fixture, route, request)) {
      await gate.close()
      const { status, body, raw } = await send(fixture, route, request).finally(() => gate.open())
      const where = `while ${gate.name}: ${raw}`
      if (gate.expected) assert.deepEqual([status, body.code], gate.expected, where)
      else assert.ok(status >= 400 && status < 500 && status !== 429 && typeof body.code === 'string', where)
    }
  }

  async function openOneScope(route: CallRoute, request: ValidRequest): Promise<void> {
    for (const scope of scopesOf(route)) {
      await setGates(fixture, request.actorId, allBut(scope, route.facts))
      const { body, raw } = await send(fixture, route, harmless(request)).finally(() => openAll(fixture, request))
      assert.doesNotMatch(String(body.code), /feature_off|not_permitted/, `with ${scope} alone: ${raw}`)
    }
  }
}

const rightOf = ({ call }: CallRoute): DeskRight => call.right ?? 'desk.use'

const origins = [
  'https://evil.test',
  'null',
  'http://localhost.evil.test',
  'http://harbour.localhost:1',
  'https://localhost',
]
/** Content types that any page can send cross-origin without a preflight, except forms, whose origin is checked. */
const formTypes = ['text/plain', 'text/plain; charset=utf-8']

type Gate = {
  name: string
  close(): Promise<unknown>
  open(): Promise<unknown>
  expected?: [status: number, code: string]
}

const scopesOf = ({ facts }: Pick<CallRoute, 'facts'>): readonly Scope[] => facts.scopes ?? []
const rulesOf = (route: Pick<CallRoute, 'facts'>): ScopeRule[] => scopesOf(route).map((scope) => scopes[scope])

/** The id of a trading account by field name; bank accounts have other names. */
const accountField = /(^|\.)(trading_)?account(_id)?$/

async function gatesOf(fixture: EveryCall, route: CallRoute, request: ValidRequest): Promise<Gate[]> {
  const { quiet, owner } = fixture
  const { facts, method } = route
  const rules = rulesOf(route)
  const openGates = () => openAll(fixture, request)
  const { off, denied } = blockersOf(scopesOf(route))
  const closing = (which: Closed) => () => setGates(fixture, request.actorId, which)
  const own = facts.feature
  const gates: Gate[] = []
  if (off.length > 0)
    gates.push({
      ...{ name: 'every feature that opens it is off', expected: [404, 'feature_off'] },
      ...{ close: closing({ off }), open: openGates },
    })
  if (own)
    gates.push({
      ...{ name: 'its own feature is off', expected: [404, 'feature_off'] },
      ...{ close: closing({ off: [own] }), open: openGates },
    })
  if (denied.length > 0)
    gates.push({
      ...{ name: 'its permission is denied', expected: [403, 'not_permitted'] },
      ...{ close: closing({ denied }), open: openGates },
    })
  if (facts.permission)
    gates.push({
      ...{ name: 'its own permission is denied', expected: [403, 'not_permitted'] },
      ...{ close: closing({ denied: permissionsOf([facts.permission]) }), open: openGates },
    })
  if (rules.every(({ memberType }) => memberType !== undefined))
    gates.push({
      ...{ name: 'its member is of another type', expected: [403, 'not_permitted'] },
      close: () => quiet.query(`update members set type = 'client' where member_id = $1`, [request.actorId]),
      open: () => quiet.query(`update members set type = 'sales_person' where member_id = $1`, [request.actorId]),
    })
  for (const table of ['members', 'workspaces', 'sessions'])
    gates.push({
      ...{ name: `${table} cannot be read`, expected: [500, 'fault'] },
      close: () => owner.query(`revoke select on ${table} from atrium_program`),
      open: () => owner.query(`grant select on ${table} to atrium_program`),
    })
  if (!facts.beforeTerms)
    for (const sections of [['all'], scopesOf(route)] as Scope[][])
      gates.push({
        ...{ name: `terms are pending that block ${sections}`, expected: [403, 'terms_required'] },
        close: () => publishTerms(fixture, sections),
        open: () => retireTerms(fixture, sections),
      })
  if (method === 'POST') gates.push(...(await accountGates(fixture, route, request)))
  return gates
}

/** Calls that change a trading account are refused for a closed one. */
async function accountGates({ quiet }: EveryCall, route: CallRoute, { body, places }: ValidRequest): Promise<Gate[]> {
  const sent = JSON.stringify([body ?? {}, places ?? {}])
  const { rows } = await quiet.query<{ id: string }>('select account_id as id from trading_accounts')
  const ids = rows.map(({ id }) => id).filter((id) => sent.includes(id))
  if (idFieldsOf(route.call).some((path) => accountField.test(path)))
    assert.ok(ids.length > 0, 'its valid request names no account')
  if (ids.length === 0) return []
  for (const { features: asked, permission } of rulesOf(route))
    assert.ok(
      asked.length > 0 && permission !== undefined,
      'it names an account and is open to everybody who is signed in',
    )
  const set = (column: string, value: boolean) => () =>
    quiet.query(`update trading_accounts set ${column} = ${value} where account_id = any($1)`, [ids])
  return [
    { name: 'the account is read-only', close: set('enable_read_only', true), open: set('enable_read_only', false) },
    { name: 'the account is deleted', close: set('deleted', true), open: set('deleted', false) },
  ]
}

export type Closed = { off?: readonly Feature[]; denied?: readonly string[] }

/** Opens every gate that is not named. */
export async function setGates(
  { quiet, setup }: EveryCall,
  memberId: string | null,
  { off = [], denied = [] }: Closed,
) {
  const chosen = { ...allOn, ...Object.fromEntries(off.map((feature) => [feature, false])) }
  await quiet.query('update workspaces set features = $2 where workspace_id = $1', [
    setup.system.workspaceId,
    JSON.stringify(chosen),
  ])
  await quiet.query('update members set permissions = $2 where member_id = $1', [
    memberId,
    denied.map((key) => `${key}-`),
  ])
}

const openAll = (fixture: EveryCall, { actorId }: ValidRequest): Promise<void> => setGates(fixture, actorId, {})

/** The error message that the former holder of a token receives, by kind of invalid token. */
const errorsOfOwners: Record<string, string> = {
  'a token of an ended session': sessionTexts.sessionEndedElsewhere,
  'a token of an idle session': sessionTexts.sessionIdle,
  'a token of an expired session': sessionTexts.sessionOld,
}

export function allBut(scope: Scope, { feature, permission }: Pick<CallFacts, 'feature' | 'permission'>): Closed {
  const { features: own }: ScopeRule = scopes[scope]
  const asked = permissionsOf(permission === undefined ? [scope] : [scope, permission])
  return {
    off: features.filter((each) => !own.includes(each) && each !== feature),
    denied: memberPermissions.filter((key) => !asked.includes(key)),
  }
}

const permissionsOf = (of: readonly Scope[]): string[] =>
  of.flatMap((scope) => [(scopes[scope] as ScopeRule).permission ?? []].flat(2))

/** The features and permissions that close all of these scopes; no permissions if one scope needs none. */
export function blockersOf(of: readonly Scope[]): { off: readonly Feature[]; denied: readonly string[] } {
  const rules: ScopeRule[] = of.map((scope) => scopes[scope])
  const asked = of.map((scope) => permissionsOf([scope]))
  return {
    off: rules.some((rule) => rule.features.length === 0) ? [] : rules.flatMap((rule) => rule.features),
    denied: asked.some((each) => each.length === 0) ? [] : asked.flat(),
  }
}

/** Published terms by the sections they block, reused because the number per workspace is limited. */
const published = new WeakMap<EveryCall, Map<string, string>>()

async function publishTerms(fixture: EveryCall, sections: Scope[]): Promise<void> {
  const { quiet, owner, setup } = fixture
  const known = published.get(fixture) ?? new Map<string, string>()
  published.set(fixture, known)
  const id = known.get(sections.join()) ?? (await addTerms(setup.staff, { blocked_portal_sections: sections }))
  known.set(sections.join(), id)
  await quiet.query(`update terms_templates set state = 'published' where template_id = $1`, [id])
  await owner.query('delete from observed')
}

const retireTerms = (fixture: EveryCall, sections: Scope[]) =>
  fixture.quiet.query(`update terms_templates set state = 'retired' where template_id = $1`, [
    published.get(fixture)?.get(sections.join()),
  ])
