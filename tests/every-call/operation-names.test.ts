import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { type Caller, callerOf } from '../fixtures/caller.ts'
import { openTradingFloor, type TradingFloor } from '../fixtures/trading-fixture.ts'
import { type LiveRoute, openWithRoutes } from './routes.ts'
import { goodRequests, sendGoodRequest } from './valid-requests/send.ts'

/**
 * Whose account it is never changes by a call: legal names and addresses for mail change by a request that staff decide, and
 * not even an administrator moves somebody's sign-in, or their own, to another address.
 */
let floor: TradingFloor
let app: FastifyInstance
let caller: Caller
let owner: pg.Client
let routes: LiveRoute[]

before(async () => {
  floor = await openTradingFloor()
  const opened = await openWithRoutes(floor.ground)
  app = opened.app
  routes = opened.routes.filter(({ call, method }) => call && call.access !== 'anyone' && method === 'POST')
  caller = callerOf(app)
  owner = new pg.Client({ connectionString: floor.ownerUrl })
  await owner.connect()
})
after(async () => {
  await owner.end()
  await app.close()
  await floor.close()
})

const theirs = {
  email: 'eve@evil.test',
  emails: ['eve@evil.test'],
  first_name: 'Eve',
  last_name: 'Evil',
  customer_number: 'EVE-1',
  customer: { email: 'eve@evil.test' },
}

/** Everybody of the brokerages by what they are known as. */
async function everybody(): Promise<Map<string, string>> {
  const { rows } = await owner.query<{ id: string; known_as: string }>(`
    select member_id as id, concat_ws(' ', email, emails, first_name, last_name, customer_number) as known_as from members
    union all select staff_id, email from staff_users`)
  return new Map(rows.map(({ id, known_as }) => [id, known_as]))
}

/** Erasing takes the person out of the row, on purpose and for good (members/erasure.test.ts). */
const erasing = 'POST /desk/api/members/:id/erase'

it('no call changes an address or a legal name, whatever is sent along', async () => {
  for (const route of routes.filter(({ name }) => name !== erasing)) {
    await owner.query('delete from rate_limits')
    const make = goodRequests[route.name]
    assert.ok(make, `${route.name}: say in testing/good-requests/ how it succeeds`)
    const request = await make({ floor, caller, owner })
    const before = await everybody()
    const body = { ...theirs, ...request.body }
    const { status, raw } = await sendGoodRequest(caller, route, { ...request, body })
    assert.equal(status, 200, `${route.name}: ${raw}`)
    const now = await everybody()
    for (const [id, knownAs] of before) assert.equal(now.get(id), knownAs, route.name)
  }
})
