import assert from 'node:assert/strict'
import type { Call } from '@atrium/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { type Answered, type Caller, callerOf } from '../fixtures/caller.ts'
import { makePendingDeposit, openTradingFloor, type TradingFloor } from '../fixtures/trading-fixture.ts'
import { fillInput } from '../fixtures/valid-input.ts'
import { openTestSession } from '../fixtures/workspaces.ts'
import { type Kept, keptTexts } from './kept-texts.ts'
import { openWithRoutes } from './routes.ts'
import { textFieldsOf, type Way, withText } from './text-fields.ts'

type Body = Record<string, unknown>

/** The whole server with every call's texts; what stands in the table of live routes is tried without being named. */
export type Walk = {
  calls: Call[]
  kept: Kept[]
  /** The text in each text field of the call, or in those that are picked by their number; answers how many there were. */
  tryEvery(call: Call, text: string, picked?: (at: number) => boolean): Promise<number>
  /** The text in this field: true when it was kept and is shown as it was written, false when the field was refused. */
  tryKept(kept: Kept, field: string, text: string): Promise<boolean>
  send(call: Call, body: Body): Promise<Answered>
  close(): Promise<void>
}

export async function openWalk(): Promise<Walk> {
  const floor = await openTradingFloor()
  const { app, routes } = await openWithRoutes(floor.ground)
  const owner = new pg.Client({ connectionString: floor.ownerUrl })
  await owner.connect()
  const calls = routes.flatMap(({ call, method }) => (call && method !== 'HEAD' ? [call] : []))
  const ask = askerOf({ floor, app, owner })
  const depositId = await makePendingDeposit(floor)
  return {
    calls,
    kept: keptTexts(floor, owner),
    send: ask.send,
    tryKept: (kept, field, text) => tryKept(ask, kept, field, text),
    async tryEvery(call, text, picked = () => true) {
      const fields = textFieldsOf(call).filter((_, at) => picked(at))
      const body = bodyFor(call, depositId)
      for (const way of fields) assertDecent(await ask.send(call, withText(body, way, text) as Body), call, way, text)
      return fields.length
    },
    async close() {
      await owner.end()
      await app.close()
      await floor.close()
    },
  }
}

type Stage = { floor: TradingFloor; app: FastifyInstance; owner: pg.Client }
type Asker = {
  send(call: Call, body: Body): Promise<Answered>
  read(by: 'member' | 'staff', path: string): Promise<Answered>
}

function askerOf({ floor, app, owner }: Stage): Asker {
  const caller: Caller = callerOf(app)
  const tokens = new Map<string, string>()
  const open = async (kind: 'member' | 'staff'): Promise<string> => {
    const id = kind === 'member' ? floor.member.memberId : floor.staff.staffId
    const { token } = await openTestSession(floor.system, { kind, id })
    tokens.set(kind, token)
    return token
  }
  let sent = 0
  const tokenOf = async (kind: 'member' | 'staff'): Promise<string> => tokens.get(kind) ?? open(kind)
  const once = async (call: Call, body: Body): Promise<Answered> => {
    const authorization = call.access === 'anyone' ? null : `Bearer ${await tokenOf(call.access)}`
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
    const url = call.path.replace(/:(\w+)/g, (_, name: string) => placed(body[name]))
    if (call.method === 'POST') return caller.send({ method: 'POST', url, headers, payload: JSON.stringify(body) })
    const query = Object.entries(body).flatMap(([key, value]) =>
      typeof value === 'object' ? [] : [[key, `${value}`] as [string, string]],
    )
    return caller.send({ method: 'GET', url: `${url}?${new URLSearchParams(query)}`, headers })
  }
  return {
    async send(call, body) {
      // Before any of the limits is reached: what is looked at here is what is answered within them.
      if (sent % 5 === 0) await owner.query('delete from rate_limits')
      sent += 1
      const answer = await once(call, body)
      // A text may end the session that it came with, as a sign-out does whatever stands in it.
      if (call.access === 'anyone' || answer.status !== 401) return answer
      await open(call.access)
      return once(call, body)
    },
    async read(by, path) {
      const answer = await caller.get(path, await tokenOf(by))
      return answer.status === 401 ? caller.get(path, await open(by)) : answer
    },
  }
}

/** In an address half a character cannot be written at all. */
const placed = (value: unknown): string => encodeURIComponent(String(value ?? 'x').toWellFormed()) || 'x'

function bodyFor(call: Call, id: string): Body {
  const known = {
    amount: '10.00',
    country: 'MT',
    phones: ['+356 2100 0000'],
    version: 1,
    from: undefined,
    to: undefined,
  }
  const open = { actor: undefined, action: undefined, subject: undefined, after: undefined, before: undefined }
  return fillInput(call, { known: { ...known, ...open }, idAt: () => id })
}

const insides = /node_modules|\.ts:\d+|\binsert into\b|violates|_pkey|relation "|kysely|SQLSTATE|ECONN|invalid byte/i

function assertDecent(answer: Answered, call: Call, way: Way, text: string): void {
  const said = answer.raw.slice(0, 300)
  const where = `${call.path} ${way.join('.')} ${JSON.stringify(text).slice(0, 80)}: ${answer.status} ${said}`
  assert.ok(answer.status < 500, where)
  if (answer.status < 400) return
  assert.equal(typeof answer.body.code, 'string', where)
  assert.ok(!insides.test(answer.raw), where)
  if (answer.status === 422) assert.ok(answer.body.errors ?? answer.body.error, where)
}

async function tryKept(ask: Asker, kept: Kept, field: string, text: string): Promise<boolean> {
  const way = field.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  const sent = withText(await kept.body(), way, text) as Body
  const answer = await ask.send(kept.call, sent)
  const where = `${kept.call.path} ${field} ${JSON.stringify(text).slice(0, 80)}`
  if (answer.status === 422) {
    const errors = answer.body.errors as Record<string, string[]>
    assert.deepEqual(Object.keys(errors), [String(way[0])], `${where}: ${answer.raw}`)
    return false
  }
  assert.equal(answer.status, 200, `${where}: ${answer.raw.slice(0, 300)}`)
  const expected = (kept.normalise ?? String)(text.trim())
  const holds = (body: Body): boolean => textsIn(body).some((text) => text.includes(expected))
  if (kept.isAnswered) assert.ok(holds(answer.body), `${where} is not answered: ${answer.raw.slice(0, 2_000)}`)
  for (const [by, path] of expected === '' ? [] : kept.shown(sent, answer.body)) {
    const shown = await ask.read(by, path)
    assert.ok(holds(shown.body), `${where} is not shown at ${path}: ${shown.raw.slice(0, 2_000)}`)
  }
  return true
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
