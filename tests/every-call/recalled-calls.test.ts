// spec: MP 2.2
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../server/app.ts'
import { hashToken } from '../../server/sessions/token.ts'
import { type Answered, callerOf } from '../fixtures/caller.ts'
import { countRoundTrips, type RoundTrips } from '../fixtures/database/round-trips.ts'
import { type CallRoute, type EveryCall, openEveryCall, prepare, send } from './fixture.ts'
import { sendValidRequest } from './valid-requests/send.ts'

let fixture: EveryCall
/** A process that remembers nobody. */
let fresh: FastifyInstance
let trips: RoundTrips

before(async () => {
  fixture = await openEveryCall()
  fresh = await buildApp({ ...fixture.setup.context })
  trips = countRoundTrips(fixture.setup.context.database.pool)
})
after(async () => {
  await fresh.close()
  await fixture.close()
})

const earlyCalls = (): CallRoute[] => fixture.calls.filter(({ isEarly }) => isEarly)

describe('every call that runs at once for a remembered person', () => {
  it('writes nothing, except for the signal of activity', () => {
    const writing = earlyCalls().filter(({ facts }) => facts.early)
    assert.deepEqual(
      writing.map(({ name }) => name),
      ['POST /members/activity', 'POST /desk/api/activity'],
    )
  })

  it('includes every call of a person that only reads, unless its route says otherwise', () => {
    const reading = fixture.calls.filter(({ call, facts: { audit, touches }, method }) => {
      const isReading = !audit && (touches ? touches.length === 0 : method === 'GET')
      return isReading && call.access !== 'anyone'
    })
    const late = reading.filter(({ isEarly, facts }) => isEarly === false && facts.early !== false)
    assert.deepEqual(
      late.map(({ name }) => name),
      [],
    )
  })

  it('opens no transaction, and is answered after the session like by a process that remembers nobody', async () => {
    const [writing, shorter]: [string[], string[]] = [[], []]
    for (const route of earlyCalls()) {
      const request = await prepare(fixture, route)
      trips.take()
      const first = await send(fixture, route, request)
      assert.equal(first.status, 200, `${route.name}: ${first.raw}`)
      const inFull = trips.take()
      const again = await send(fixture, route, request)
      assert.equal(again.status, 200, `${route.name}: ${again.raw}`)
      const early = trips.take()
      if (early.transactions > 0) writing.push(route.name)
      if (early.batches < inFull.batches) shorter.push(route.name)
      assert.deepEqual([bodyOf(again), headersOf(again)], [bodyOf(first), headersOf(first)], route.name)
      await endSession(request.token ?? assert.fail(route.name))
      const late = await send(fixture, route, request)
      assert.equal(late.status, 401, `${route.name}: ${late.raw}`)
      const others = await sendValidRequest(callerOf(fresh), route, request)
      assert.deepEqual([bodyOf(late), headersOf(late)], [bodyOf(others), headersOf(others)], route.name)
    }
    assert.deepEqual(writing, [])
    assert.ok(shorter.length >= 60, `${shorter.length} of ${earlyCalls().length} took a round trip less`)
  })
})

const endSession = (token: string) =>
  fixture.quiet.query('update sessions set ended_at = now() where token_hash = $1', [hashToken(token)])

const bodyOf = ({ body: { request_id: _, ...body } }: Answered) => body

/** The values of these differ between two equal answers. */
const ofEach = ['date', 'x-request-id', 'content-length', 'content-disposition']
const headersOf = ({ headers }: Answered) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofEach.includes(name)))
