import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Call } from '@atrium/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { type Answered, type Caller, callerOf } from '../fixtures/caller.ts'
import { openTradingFixture, type TradingFixture } from '../fixtures/trading/trading-fixture.ts'
import { openTestSession } from '../fixtures/workspaces.ts'
import { openWithRoutes } from './routes.ts'
import type { StoredText } from './stored-texts/stored-text.ts'
import { storedTexts } from './stored-texts/stored-texts.ts'
import { withText } from './text-fields.ts'
import { withSeed } from './walk.ts'

type Body = Record<string, unknown>

/** Stored texts are returned as written, or their field is refused. */
export function walkStoredTexts(
  stringsFor: (stored: StoredText, field: string) => readonly string[],
): () => StoredText[] {
  let stored: StoredText[] = []
  describe('every stored text', () => {
    let setup: TradingFixture
    let app: FastifyInstance
    let owner: pg.Client
    before(async () => {
      setup = await openTradingFixture()
      app = (await openWithRoutes(setup.context)).app
      owner = await setup.openOwner()
      stored = storedTexts(setup, owner)
    })
    after(async () => {
      await app.close()
      await setup.close()
    })

    it('is returned as it was written, or the field is refused', { timeout: 3_600_000 }, async (t) => {
      const ask = askerOf({ setup, app, owner })
      for (const each of stored)
        await t.test(`${each.call.path} ${each.fields.join()}`, { timeout: 1_200_000 }, () =>
          withSeed(tryFields(ask, each)),
        )
    })
  })
  return () => stored

  async function tryFields(ask: Asker, stored: StoredText): Promise<void> {
    for (const field of stored.fields) {
      const strings = stringsFor(stored, field)
      let taken = 0
      for (const text of strings) taken += Number(await tryStored(ask, stored, field, text))
      if (strings.length >= 13) assert.ok(taken >= strings.length / 4, `${field} accepted ${taken}`)
    }
  }
}

type Served = { setup: TradingFixture; app: FastifyInstance; owner: pg.Client }
type Asker = {
  send(call: Call, body: Body): Promise<Answered>
  read(by: 'member' | 'staff', path: string): Promise<Answered>
}

function askerOf({ setup, app, owner }: Served): Asker {
  const caller: Caller = callerOf(app)
  const tokens = new Map<string, string>()
  const open = async (kind: 'member' | 'staff'): Promise<string> => {
    const id = kind === 'member' ? setup.member.memberId : setup.staff.staffId
    const { token } = await openTestSession(setup.system, { kind, id })
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
      // Resets the limits before they are reached, since this test checks responses within them.
      if (sent % 5 === 0) await owner.query('delete from rate_limits')
      sent += 1
      const answer = await once(call, body)
      // A call may end its own session, as a sign-out does whatever its body contains.
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

/** A URL cannot contain a lone surrogate. */
const placed = (value: unknown): string => encodeURIComponent(String(value ?? 'x').toWellFormed()) || 'x'

async function tryStored(ask: Asker, stored: StoredText, field: string, text: string): Promise<boolean> {
  const way = field.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  const sent = withText(await stored.body(), way, text) as Body
  const answer = await ask.send(stored.call, sent)
  const where = `${stored.call.path} ${field} ${JSON.stringify(text).slice(0, 80)}`
  if (answer.status === 422) {
    const errors = answer.body.errors as Record<string, string[]>
    assert.deepEqual(Object.keys(errors), [String(way[0])], `${where}: ${answer.raw}`)
    return false
  }
  assert.equal(answer.status, 200, `${where}: ${answer.raw.slice(0, 300)}`)
  const expected = (stored.normalise ?? String)(text.trim())
  const holds = (body: Body): boolean => textsIn(body).some((text) => text.includes(expected))
  if (stored.isAnswered) assert.ok(holds(answer.body), `${where} is not answered: ${answer.raw.slice(0, 2_000)}`)
  for (const [by, path] of expected === '' ? [] : stored.shown(sent, answer.body)) {
    const shown = await ask.read(by, path)
    assert.ok(holds(shown.body), `${where} is not shown at ${path}: ${shown.raw.slice(0, 2_000)}`)
  }
  return true
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
