import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Access } from '@atrium/contract/call.ts'
import { holdsRight, staffRoles } from '@atrium/contract/desk-rights.ts'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { getNamedType } from 'graphql'
import pg from 'pg'
import { type System, systemActor } from './foundation/actor.ts'
import { newId } from './foundation/ids.ts'
import { schema } from './graph/schema.ts'
import { fileCookies } from './sessions/cookies.ts'
import { makeUniqueToken } from './sessions/unique-token.ts'
import { callerOf } from './testing/caller.ts'
import { documentFor, fieldsOf } from './testing/documents.ts'
import { fillEveryTable } from './testing/every-table.ts'
import { type MadeGround, makeGround, productionMode } from './testing/ground.ts'
import { addMedia, addMember, addStaff, memberActor, openTestSession } from './testing/harbour.ts'
import { type LiveRoute, openWithRoutes } from './testing/live-routes.ts'
import { fillInput, idFieldsOf } from './testing/request-filling.ts'
import { canariesIn, markVictim, pictureOf, type Victim } from './testing/victim.ts'

/**
 * Every route and every field, asked by everybody whose business it is not, with every id of somebody else's rows in every
 * place that takes one. Routes come from the router, fields from the schema, ids and secrets from the catalogue: what is
 * added later is in the matrix by itself, and what the matrix cannot fill fails it.
 */
let made: MadeGround
let app: FastifyInstance
let routes: LiveRoute[]
let owner: pg.Client
let victim: Victim
let actors: Actor[]
let theMember: Actor
let theStaff: Actor
let atStart: Record<string, unknown[]>

type Actor = {
  name: string
  kind: Access
  role?: string
  system: System
  host: string
  personId: string | null
  /** Values of this person's own for fields whose content matters. */
  own: Record<string, string>
}

before(async () => {
  // As in production, where no page of developers is open.
  made = await makeGround({ environment: productionMode })
  const { ground } = made
  ;({ app, routes } = await openWithRoutes(ground))
  owner = new pg.Client({ connectionString: made.ownerUrl })
  await owner.connect()
  const here = await fillEveryTable(ground, 'here')
  const there = await fillEveryTable(ground, 'there')
  const [ours, theirs] = [systemActor(ground, here.workspaceId), systemActor(ground, there.workspaceId)]
  // Not attached to anything yet: what is attached would be refused for that alone.
  await addMedia(ours, { memberId: here.memberId })
  await addMedia(ours, { memberId: here.memberId, ...picture })
  victim = await markVictim(owner, here)
  const actor = async (name: string, kind: Access, at: System, personId: string | null, role?: string) => ({
    name,
    kind,
    system: at,
    host: at === ours ? 'here.localhost' : 'there.localhost',
    personId,
    own: kind === 'member' ? await ownOf(at, String(personId)) : {},
    ...(role && { role }),
  })
  const sales = await addMember(ours, { type: 'sales_person' })
  theMember = await actor('the member', 'member', ours, here.memberId)
  theStaff = await actor('the staff', 'staff', ours, (await addStaff(ours)).staffId, 'administrator')
  actors = [
    await actor('nobody', 'anyone', ours, null),
    await actor('another member', 'member', ours, here.otherMemberId),
    await actor('a sales person', 'member', ours, sales.memberId),
    await actor("another brokerage's member", 'member', theirs, there.memberId),
    await actor("another brokerage's staff", 'staff', theirs, (await addStaff(theirs)).staffId, 'administrator'),
  ]
  for (const role of staffRoles)
    actors.push(await actor(role, 'staff', ours, (await addStaff(ours, { role })).staffId, role))
  atStart = await pictureOf(owner, victim)
})
after(async () => {
  await owner.end()
  await app.close()
  await made.close()
})

const picture = { purpose: 'picture', kind: 'image', extension: 'png' }

/** What the fields of a deposit mean, so that each id is looked at with the others right. */
async function ownOf(system: System, memberId: string): Promise<Record<string, string>> {
  const found = await owner.query<Record<string, string>>(
    `select (select account_id from trading_accounts where member_id = $2 limit 1) as trading_account,
       (select bank_account_id from bank_accounts where member_id = $2 limit 1) as origin_id,
       (select company_bank_account_id from company_bank_accounts where workspace_id = $1 limit 1) as destination_id,
       (select platform_id from trading_platforms where workspace_id = $1 limit 1) as trading_platform`,
    [system.workspaceId, memberId],
  )
  const files = await addMedia(system, { memberId })
  const media = await addMedia(system, { memberId, ...picture })
  return { ...found.rows[0], files, media }
}

const isOwnBusiness = (actor: Actor): boolean =>
  actor.system.workspaceId === victim.workspaceId && actor.kind === 'staff'

/** Of the same brokerage, a member may well see what it shares; of another one, nothing at all. */
function idsAgainst(actor: Actor): Map<string, string> {
  const isElsewhere = actor.system.workspaceId !== victim.workspaceId
  return isElsewhere ? new Map([...victim.ownIds, ...victim.sharedIds]) : victim.ownIds
}

type Answer = { status: number; code: unknown; canaries: string[]; text: string }

const proofs = new Map<Actor, Record<string, string>>()

/** One session serves until a call of it went through, since some end the one that they came with, or all others. */
async function proofOf(actor: Actor): Promise<Record<string, string>> {
  const { kind, personId, system } = actor
  const earlier = proofs.get(actor)
  if (personId === null || kind === 'anyone') return {}
  if (earlier) return earlier
  const { token, fileToken } = await openTestSession(system, { kind, id: personId })
  const proof = { authorization: `Bearer ${token}`, cookie: `__Host-${fileCookies[kind]}=${fileToken}` }
  proofs.set(actor, proof)
  return proof
}

async function send(actor: Actor, options: InjectOptions, id: string): Promise<Answer> {
  const isChange = options.method === 'POST' && options.url !== '/graph'
  if (isChange) await owner.query('delete from rate_limits')
  const headers = { host: actor.host, ...(await proofOf(actor)) }
  const { status, body, headers: answered, raw } = await callerOf(app, actor.host).send({ ...options, headers })
  if (isChange && status < 400) proofs.delete(actor)
  const { date: _, 'x-request-id': __, 'set-cookie': ___, ...told } = answered
  const whole = `${status} ${JSON.stringify(told)} ${raw}`
  // The one that is asked about may be repeated, the one that it was asked with may differ, and a page has its own nonce.
  const text = whole
    .replaceAll(id, '<id>')
    .replace(/"request_id":"[^"]*"/, '')
    .replace(/nonce(-|=\\?")[A-Za-z0-9+/=]+/g, '')
  return { status, code: body?.code, canaries: canariesIn(whole), text }
}

const ask = (actor: Actor, query: string, id: string): Promise<Answer> =>
  send(actor, { method: 'POST', url: '/graph', payload: { query } }, id)

/** A change says which version it was made on; any other would be refused for that alone. */
async function versionOfAccounts({ workspaceId }: System): Promise<number> {
  const found = await owner.query<{ version: number | null }>(
    `select (versions->'accounts'->>'version')::int as version from workspaces where workspace_id = $1`,
    [workspaceId],
  )
  return found.rows[0]?.version ?? 0
}

async function optionsFor(actor: Actor, route: LiveRoute, id: string, field: string | null): Promise<InjectOptions> {
  const { call, method } = route
  const placed = (name: string): string => (!call || name === field ? id : (actor.own[name] ?? id))
  const places = (url: string): string =>
    url.replace(/:(\w+)/g, (_, name) => (name === 'name' ? 'receipt.pdf' : placed(name)))
  const url = places(route.url).replace('*', id)
  if (!call) return { method: method as 'GET', url }
  const nonce_token =
    actor.kind === 'member'
      ? await makeUniqueToken(
          await memberActor(actor.system, String(actor.personId)),
          call?.path.startsWith('/members/trading/open-') ? 'account_opening' : 'transaction_deposit',
        )
      : 'x'
  // Filters and pages that would show nothing to anybody are left out.
  const open = {
    from: undefined,
    to: undefined,
    after: undefined,
    before: undefined,
    action: undefined,
    subject: undefined,
  }
  const known = {
    amount: '10.00',
    nonce_token,
    payment_method: 'manual',
    initial_deposit: 0,
    main_password: 'Tidal-Gauge-71',
    new_password: 'Tidal#Gauge71',
    group: 'real\\standard',
    ...(call?.path.startsWith('/members/trading/open-') && { leverage: 100 }),
    demo_balance: '10000',
    country: 'MT',
    default_currency: 'USD',
    ...(call?.path === '/desk/api/platforms/:id/downloads' && { link: null }),
    ...(call?.path === '/desk/api/workspace/change' && { version: await versionOfAccounts(actor.system) }),
    ...open,
  }
  const idAt = (path: string): string | undefined => (path === field ? id : (actor.own[path] ?? newId()))
  const input = fillInput(call, { idAt, known })
  if (method === 'POST') return { method, url, payload: input }
  const query = Object.entries(input).flatMap(([key, value]) => (typeof value === 'object' ? [] : [`${key}=${value}`]))
  return { method: method as 'GET', url: `${url}?${query.join('&')}` }
}

/** Null stands for a request as it is, without anybody's id in it. */
const fieldsFor = ({ call, url }: LiveRoute): (string | null)[] => {
  const fields = call ? idFieldsOf(call) : /[:*]/.test(url) ? [url] : []
  return fields.length > 0 ? fields : [null]
}

function expectedOf(
  actor: Actor,
  { call, url }: LiveRoute,
): 'unauthenticated' | 'not_permitted' | 'own business' | 'foreign' {
  if (url === '/graph') return actor.kind === 'member' ? 'foreign' : 'unauthenticated'
  if (!call) return isOwnBusiness(actor) ? 'own business' : 'foreign'
  if (call.access === 'anyone') return 'foreign'
  if (call.access !== actor.kind) return 'unauthenticated'
  if (call.right && !holdsRight(actor.role ?? '', call.right)) return 'not_permitted'
  return isOwnBusiness(actor) ? 'own business' : 'foreign'
}

describe('every route', () => {
  it('is one that the matrix knows how to reach', () => {
    for (const { name, call, method, url } of routes) {
      if (call || url === '/graph') continue
      assert.match(method, /^(GET|HEAD)$/, `${name} changes something and was not opened by the door`)
      assert.match(url.replace(/\/(:id|:name|\*)/g, ''), /^[^:*]*$/, `${name}: say in optionsFor what its places take`)
    }
  })

  it('tells nobody whose business it is not anything, and a foreign id from an unknown one to nobody', async () => {
    let compared = 0
    for (const actor of actors) {
      for (const route of routes) {
        const expected = expectedOf(actor, route)
        if (expected === 'own business') continue
        for (const field of fieldsFor(route)) {
          const unknown = newId()
          const answer = await send(actor, await optionsFor(actor, route, unknown, field), unknown)
          const where = `${route.name} (${field}) by ${actor.name}`
          assert.deepEqual(answer.canaries, [], `${where}: ${answer.text}`)
          assert.ok(answer.status < 500, `${where}: ${answer.text}`)
          const isProven = expected === 'foreign' && actor.kind !== 'anyone'
          if (isProven) assert.notEqual(answer.code, 'unauthenticated', `${where} was not signed in at all`)
          if (expected !== 'foreign') {
            if (route.method !== 'HEAD') assert.equal(answer.code, expected, `${where}: ${answer.text}`)
          }
          if (field === null) continue
          for (const [what, id] of idsAgainst(actor)) {
            const foreign = await send(actor, await optionsFor(actor, route, id, field), id)
            assert.deepEqual(foreign.canaries, [], `${where} with ${what}: ${foreign.text}`)
            assert.equal(foreign.text, answer.text, `${where} tells ${what} from an unknown id`)
            compared += 1
            // Pages know no ids, and HEAD is the handler of GET.
            if (expected !== 'foreign' || route.method === 'HEAD' || route.url.endsWith('*')) break
          }
        }
      }
    }
    assert.ok(compared > 200, `only ${compared} comparisons`)
  })
})

describe('every field of the query endpoint', () => {
  it('shows nobody anything of the member, whatever id is asked for', async () => {
    const rootFields = Object.values(schema.getQueryType()?.getFields() ?? {})
    for (const actor of actors) {
      if (actor.kind !== 'member') {
        const { status, canaries } = await ask(actor, '{ current_member { _id } }', '-')
        assert.deepEqual([status, canaries], [401, []], actor.name)
        continue
      }
      for (const step of fieldsOf(schema)) {
        const unknown = newId()
        const without = await ask(
          actor,
          documentFor(schema, step, () => unknown),
          unknown,
        )
        assert.equal(without.status, 200, without.text)
        assert.ok(
          !/"code":"(malformed|fault|too_expensive)"/.test(without.text),
          `${step.typeName}.${step.field.name}: ${without.text}`,
        )
        const isRoot = rootFields.includes(step.field as (typeof rootFields)[number])
        const isById = documentFor(schema, step, () => unknown).includes(unknown)
        for (const [what, id] of isRoot ? idsAgainst(actor) : isById ? pathIds(actor) : []) {
          const answer = await ask(
            actor,
            documentFor(schema, step, () => id),
            id,
          )
          const where = `${step.typeName}.${step.field.name} with ${what} by ${actor.name}`
          assert.deepEqual(answer.canaries, [], `${where}: ${answer.text}`)
          assert.equal(answer.text, without.text, `${where} is told from an unknown id`)
        }
      }
    }
  })

  /** What the ways to the inner fields go by. */
  function pathIds(actor: Actor): [string, string][] {
    return [...idsAgainst(actor)].filter(([what]) => /^(trading_accounts|balance_transactions)\./.test(what))
  }

  it('finds nothing of the member by a word either', async () => {
    for (const actor of actors.filter(({ kind }) => kind === 'member')) {
      for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
        for (const argument of field.args.filter(({ type }) => getNamedType(type).name === 'String')) {
          const required = field.args.some(({ name, type }) => name === '_id' && String(type).endsWith('!'))
          for (const word of required ? [] : victim.words) {
            const query = `{ ${field.name}(${argument.name}: "${word}") { __typename } }`
            const none = await ask(actor, query.replace(word, 'unknown-word'), 'unknown-word')
            const found = await ask(actor, query, word)
            assert.equal(found.text, none.text, `${field.name}(${argument.name}) by ${actor.name}`)
          }
        }
      }
    }
  })
})

describe('after all of that', () => {
  it('nothing of the member has changed', async () => {
    assert.deepEqual(await pictureOf(owner, victim), atStart)
  })

  it('shows the member what is theirs, so that seeing none means something', async () => {
    const seen = new Set<string>()
    for (const step of fieldsOf(schema)) {
      const ids = [victim.ownIds.get('trading_accounts.account_id') ?? '', '']
      for (const query of new Set(ids.map((id) => documentFor(schema, step, () => id)))) {
        for (const canary of (await ask(theMember, query, '-')).canaries) seen.add(canary.replace(/-[0-9a-f]{6}$/, ''))
      }
    }
    for (const word of ['members-first_name', 'bank_accounts-bank_name', 'trading_accounts-city'])
      assert.ok(seen.has(`canary-${word}`), `${word} is not among ${[...seen].join(', ')}`)
  })

  /** Staff name the member and one of the member's sessions. */
  async function memberToHelp(): Promise<Record<string, string>> {
    const { sessionId } = await openTestSession(theStaff.system, { kind: 'member', id: victim.memberId })
    const helped = await owner.query<{ actor: string }>(
      `select actor_id as actor from audit_log where actor_kind = 'staff' and member_id = $1 limit 1`,
      [victim.memberId],
    )
    const actor = String(helped.rows[0]?.actor)
    return { id: victim.memberId, session_id: sessionId, member: victim.memberId, actor }
  }

  /** Ids that a call takes for its shape and never looks at. */
  const unread = new Map([
    ['POST /members/change-password _id', 'the session says whose password it is'],
    ['POST /users/change-password _id', 'the same by its other address'],
    ...['/members', '/desk/api'].flatMap((at): [string, string][] => [
      [`POST ${at}/security/prove passkey.id`, 'the name of a key, looked for among those of whoever asks'],
      [`POST ${at}/security/passkeys/add passkey.id`, 'the name of a key that is still to be known'],
    ]),
    ['POST /desk/api/security/passkeys/rename _id', 'these staff have no passkey; a member’s is none of theirs'],
    ['POST /desk/api/security/passkeys/remove _id', 'the same'],
    ['POST /desk/api/account/sessions/end _id', 'these staff have the one session that asks'],
    [
      'POST /desk/api/platforms/:id/downloads downloads._id',
      'of the platform of the path; downloads/downloads.test.ts',
    ],
    ['POST /desk/api/platforms/:id/downloads downloads.file_id', 'looked for once the platform is found; the same'],
  ])

  it('each id is one that its owner gets further with, so that being refused means something', async () => {
    const unreached: string[] = []
    for (const route of routes.filter(({ call, method }) => call && call.access !== 'anyone' && method !== 'HEAD')) {
      const actor = route.call?.access === 'staff' ? theStaff : theMember
      for (const field of fieldsFor(route)) {
        if (field === null || unread.has(`${route.name} ${field}`)) continue
        // An earlier try may have used something up.
        const person = String(actor.personId)
        const { sessionId } = await openTestSession(actor.system, { kind: actor.kind as 'member', id: person })
        const own = actor.kind === 'member' ? await ownOf(actor.system, person) : await memberToHelp()
        actor.own = { ...own, session: sessionId }
        const unknown = newId()
        const refused = await send(actor, await optionsFor(actor, route, unknown, field), unknown)
        const all = [...victim.ownIds, ...victim.sharedIds].map(([, id]) => id)
        let reached = false
        for (const id of [...all, ...Object.values(actor.own)]) {
          const answer = await send(actor, await optionsFor(actor, route, id, field), id)
          reached ||= answer.text !== refused.text
          if (reached) break
        }
        if (!reached) unreached.push(`${route.name}, ${field}: ${refused.text.replace(/\{.*?\} /, '')}`)
      }
    }
    // Give the other fields right values (`known` above), or fill the table (testing/every-table.ts).
    assert.deepEqual(unreached, [], 'No id in these fields makes a difference even for its owner')
  })
})
