import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Call } from '@atrium/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { z } from 'zod'
import { makeUniqueToken } from './sessions/unique-token.ts'
import { type Answered, type Caller, callerOf } from './testing/caller.ts'
import { addMedia, openTestSession } from './testing/harbour.ts'
import { openWithRoutes } from './testing/live-routes.ts'
import { fillInput } from './testing/request-filling.ts'
import { makePendingDeposit, openTradingFloor, type TradingFloor } from './testing/trading-floor.ts'
import { millionChars, worstTexts } from './testing/worst-texts.ts'

/**
 * The worst texts in every text field of every call. Calls come from the table of live routes and fields from their
 * schemas, so one that is added later is tried here without anybody naming it.
 */
/** Every tenth, another tenth for each field; all of them, for a quarter of an hour, with `ATRIUM_WORST_TEXTS=all`. */
const triesAll = process.env.ATRIUM_WORST_TEXTS === 'all'

let floor: TradingFloor
let app: FastifyInstance
let caller: Caller
let calls: Call[]
let owner: pg.Client
let depositId: string
let tables: string[]

before(async () => {
  floor = await openTradingFloor()
  const opened = await openWithRoutes(floor.ground)
  app = opened.app
  caller = callerOf(app)
  calls = opened.routes.flatMap(({ call, method }) => (call && method !== 'HEAD' ? [call] : []))
  depositId = await makePendingDeposit(floor)
  owner = new pg.Client({ connectionString: floor.ownerUrl })
  await owner.connect()
  const found = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  tables = found.rows.map(({ name }) => name)
})
after(async () => {
  await owner.end()
  await app.close()
  await floor.close()
})

type Shape = {
  type?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  allOf?: Shape[]
}
type Way = (string | number)[]

/** The ways to every text of an input that the schema leaves free. */
function textsOf(shape: Shape, way: Way = []): Way[] {
  const inner = [...(shape.anyOf ?? []), ...(shape.allOf ?? [])].flatMap((each) => textsOf(each, way))
  if (shape.items) inner.push(...textsOf(shape.items, [...way, 0]))
  for (const [name, field] of Object.entries(shape.properties ?? {})) inner.push(...textsOf(field, [...way, name]))
  const isText = shape.type === 'string' && !shape.enum && shape.const === undefined
  return isText ? [way, ...inner] : inner
}

function withText(body: unknown, [step, ...rest]: Way, text: string): unknown {
  if (step === undefined) return text
  if (typeof step === 'number') return [withText(Array.isArray(body) ? body[0] : undefined, rest, text)]
  return { ...(body as object), [step]: withText((body as Record<string, unknown> | undefined)?.[step], rest, text) }
}

async function tokenFor({ access }: Call): Promise<string | undefined> {
  if (access === 'anyone') return undefined
  const id = access === 'member' ? floor.member.memberId : floor.staff.staffId
  return (await openTestSession(floor.system, { kind: access, id })).token
}

async function rightBody(call: Call): Promise<Record<string, unknown>> {
  const known = {
    email: 'nobody@harbour.test',
    password: 'Tidal-Gauge-71',
    password_confirmation: 'Tidal-Gauge-71',
    phones: ['+356 2100 0000'],
    country: 'MT',
    time_zone: 'Europe/Malta',
    amount: '10.00',
    trading_account: floor.accountId,
    destination_id: floor.destinationId,
    token_key: 'transaction_deposit',
    ...(call.path === '/members/deposits/create' && {
      nonce_token: await makeUniqueToken(floor.member, 'transaction_deposit'),
      files: [await addMedia(floor.system, { memberId: floor.member.memberId })],
    }),
    version: await versionOf(),
  }
  const ids: Record<string, string> = { trading_account: floor.accountId, destination_id: floor.destinationId }
  const given = { known, idAt: (path: string) => (path in known ? undefined : (ids[path] ?? depositId)) }
  try {
    const body = fillInput(call, given)
    if (call.path === '/members/deposits/create')
      return { ...body, ...known, origin: 'Members Bank', origin_id: undefined }
    return body
  } catch {
    return {} // Its texts are tried all the same; that it is taken whole is the business of its own tests.
  }
}

async function versionOf(): Promise<number> {
  const { rows } = await owner.query('select * from members where member_id = $1', [floor.member.memberId])
  return Number(rows[0]?.profile_version ?? rows[0]?.version ?? 1)
}

function send(call: Call, body: Record<string, unknown>, token?: string): Promise<Answered> {
  const query = new URLSearchParams(Object.entries(body).map(([key, value]): [string, string] => [key, String(value)]))
  const url = call.path.replace(/:(\w+)/g, (_found, name: string) => encodeURIComponent(wellFormed(body[name])) || 'x')
  return caller.send({
    method: call.method,
    url: call.method === 'GET' ? `${url}?${query}` : url,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(call.method === 'POST' && { payload: JSON.stringify(body) }),
  })
}

const wellFormed = (value: unknown): string => String(value ?? depositId).toWellFormed()

/** Every string in rows that were written since. */
async function writtenSince(xid: string): Promise<string[]> {
  const rows = await owner.query<{ row: unknown }>(
    tables
      .map((name) => `select to_jsonb(t) as row from ${name} t where t.xmin::text::bigint >= ${xid}`)
      .join(' union all '),
  )
  return rows.rows.flatMap(({ row }) => stringsIn(row))
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

const inside =
  /at .+\(.+:\d+:\d+\)|node_modules|\bselect .+ from\b|\binsert into\b|violates|_pkey|relation "|argon2|kysely|ECONN/i

function assertDecent(call: Call, way: Way, text: string, answer: Answered): void {
  const which = `${call.path} ${way.join('.')} ${JSON.stringify(text).slice(0, 60)}: ${answer.status} ${answer.raw.slice(0, 200)}`
  assert.ok(answer.status < 500 || answer.status === 503, which)
  if (answer.status >= 400) assert.equal(typeof answer.body.code, 'string', which)
  if (answer.status === 422) assert.ok(typeof answer.body.error === 'string' && answer.body.error !== '', which)
  if (answer.status >= 400) assert.ok(!inside.test(answer.raw.replace(JSON.stringify(text), '')), which)
}

test('each is a field error or comes to stand in the database to the letter; none is a fault, none pollutes', async () => {
  let stored = 0
  let count = 0
  let fields = 0
  const sentTexts = new Set<string>()
  for (const call of calls) {
    let token = await tokenFor(call)
    const ways = textsOf(z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Shape)
    for (const way of ways) {
      fields += 1
      for (const [place, worst] of worstTexts.entries()) {
        if (!triesAll && (place + fields) % 10 !== 0) continue
        count += 1
        if (count % 20 === 0) await owner.query('delete from rate_limits')
        const text = `q7~${worst}~7q`
        const right = await rightBody(call)
        sentTexts.add(text)
        const { rows } = await owner.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
        const body = withText(right, way, text) as Record<string, unknown>
        let answer = await send(call, body, token)
        if (answer.status === 401 && call.access !== 'anyone') {
          token = await tokenFor(call)
          answer = await send(call, body, token)
        }
        assertDecent(call, way, text, answer)
        if (answer.status !== 200 || call.method === 'GET') continue
        const marked = (await writtenSince(rows[0]?.xid ?? '0')).filter(
          (each) => each.includes('q7~') || each.includes('~7q'),
        )
        // An entry of the log may hold what stood there before: that was sent as well.
        for (const each of marked)
          assert.ok(sentTexts.has(each), `${call.path} ${way.join('.')}: ${JSON.stringify(each)}`)
        stored += marked.length
      }
    }
  }
  assert.ok(count > 500, String(count))
  assert.ok(stored > 20, String(stored))
  for (const name of ['polluted', 'x', 'a', '0']) assert.equal(({} as Record<string, unknown>)[name], undefined)
  assert.equal(Object.keys(Object.prototype).length, 0)
})

test('a million characters are too much for every call', async () => {
  for (const call of calls.filter(({ method }) => method === 'POST')) {
    const answer = await send(call, { comment: millionChars }, await tokenFor(call))
    assert.equal(answer.status, 413, call.path)
  }
})

describe('a comment with the worst that there is', () => {
  test('is given back as it was written, to the member and at the desk', async () => {
    const [create] = calls.filter(({ path }) => path === '/members/deposits/create')
    assert.ok(create)
    const graph = 'query { balance_transactions(limit: 100, page: 1) { _id comment } }'
    let given = 0
    for (const worst of worstTexts) {
      await owner.query('delete from rate_limits')
      const comment = `<${worst}>`
      const answer = await send(create, { ...(await rightBody(create)), comment }, await tokenFor(create))
      if (answer.status === 422) {
        assert.ok('comment' in (answer.body.errors as object), answer.raw)
        continue
      }
      assert.equal(answer.status, 200, answer.raw)
      given += 1
      const { _id } = answer.body.transaction as { _id: string }
      const staff = (await openTestSession(floor.system, { kind: 'staff', id: floor.staff.staffId })).token
      const atDesk = await caller.get(`/desk/api/deposits/${_id}`, staff)
      assert.ok(stringsIn(atDesk.body).includes(comment), JSON.stringify(comment).slice(0, 80))
      const member = await tokenFor(create)
      const asked = await caller.get(`/graph?q=${Buffer.from(graph).toString('base64url')}`, member)
      assert.ok(stringsIn(asked.body).includes(comment), JSON.stringify(comment).slice(0, 80))
    }
    assert.ok(given > 100, String(given))
  })
})
