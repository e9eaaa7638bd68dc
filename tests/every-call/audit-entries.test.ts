import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { schema } from '../../server/graph/schema.ts'
import { breakCommits, changesSince, mendCommits, watchEveryTable } from '../catalogue/watched-changes.ts'
import { type Caller, callerOf } from '../fixtures/caller.ts'
import { openTradingFloor, type TradingFloor } from '../fixtures/trading-fixture.ts'
import { type LiveRoute, openWithRoutes } from './routes.ts'
import { goodRequests, sendGoodRequest } from './valid-requests/send.ts'
import type { Prepare, Stage } from './valid-requests/valid-request.ts'

/**
 * Nothing changes in silence: what a call changes and the entry that says who did it stand or fall with one commit. Calls
 * come from the router and changes from triggers on every table, so both catch what is added later without being told.
 */
let floor: TradingFloor
let app: FastifyInstance
let caller: Caller
let owner: pg.Client
let stage: Stage
let routes: LiveRoute[]

before(async () => {
  floor = await openTradingFloor()
  const opened = await openWithRoutes(floor.ground)
  app = opened.app
  routes = opened.routes
  caller = callerOf(app)
  owner = new pg.Client({ connectionString: floor.ownerUrl })
  await owner.connect()
  stage = { floor, caller, owner }
  await watchEveryTable(owner)
})
after(async () => {
  await owner.end()
  await app.close()
  await floor.close()
})
beforeEach(() => owner.query('delete from rate_limits'))

const changes = () => changesSince(owner)

/** Calls that change nothing that anybody would ask about later, with the tables that they touch. */
const ofNoWorth: Record<string, { tables: string[]; why: string }> = {
  'POST /members/activity': { tables: ['sessions'], why: 'a sign of life, once a minute' },
  'POST /desk/api/activity': { tables: ['sessions'], why: 'the same at the desk' },
  'POST /members/notices/:id/read': { tables: ['notice_boxes', 'notices'], why: 'what somebody has read is their own' },
  'POST /members/notices/read-all': { tables: ['notice_boxes', 'notices'], why: 'the same for all of them' },
  'POST /members/get-unique-token': { tables: ['nonces'], why: 'what is done with the token has an entry of its own' },
  'POST /members/reset-password/request': {
    tables: ['password_reset_requests'],
    why: 'it says nothing about anybody; the job that finds somebody behind the address writes it down',
  },
  'POST /desk/api/reset-password/request': { tables: ['password_reset_requests'], why: 'the same at the desk' },
  'POST /tickets/cp-read': { tables: ['tickets'], why: 'how far somebody has read' },
  'POST /desk/api/tickets/:id/read': { tables: ['ticket_reads'], why: 'the same at the desk' },
  'POST /customers/trading-accounts/deposit-status': { tables: [], why: 'it only looks' },
  'POST /members/reset-password/check-code': { tables: [], why: 'it only looks' },
  'POST /desk/api/reset-password/check-code': { tables: [], why: 'it only looks' },
}

const changing = () => routes.filter(({ call, method }) => call && method === 'POST')

function prepareOf({ name }: LiveRoute): Prepare {
  const prepare = goodRequests[name]
  assert.ok(prepare, `${name}: say in testing/good-requests/ how it succeeds`)
  return prepare
}

describe('every call that changes something', () => {
  it('is known here: how it succeeds, or why it needs no entry', () => {
    const live = changing().map(({ name }) => name)
    assert.ok(live.length >= 70, String(live.length))
    assert.deepEqual(live.filter((name) => !goodRequests[name]).sort(), [])
    assert.deepEqual(
      Object.keys(goodRequests).filter((name) => !live.includes(name)),
      [],
    )
    assert.deepEqual(
      Object.keys(ofNoWorth).filter((name) => !live.includes(name)),
      [],
    )
  })

  it('has its entry in the transaction of each change, by whoever asked; and neither when the commit fails', async () => {
    for (const route of changing().filter(({ name }) => !ofNoWorth[name])) {
      await owner.query('delete from rate_limits')
      const request = await prepareOf(route)(stage)
      await changes()

      await breakCommits(owner)
      const broken = await sendGoodRequest(caller, route, request)
      await mendCommits(owner)
      assert.equal(broken.status, 500, `${route.name} answered ${broken.status}: ${broken.raw}`)
      assert.deepEqual(await changes(), [], `${route.name}: something stayed of what failed`)

      const { status, raw } = await sendGoodRequest(caller, route, request)
      assert.equal(status, 200, `${route.name}: ${raw}`)
      const made = await changes()
      assert.ok(made.length > 0, `${route.name} changed nothing`)
      const actor_kind = request.actorId === null ? 'system' : route.call?.access
      for (const { tables, entries } of made) {
        assert.ok(entries.length > 0, `${route.name} changed ${tables} in silence`)
        for (const entry of entries)
          assert.deepEqual(
            [entry.actor_kind, entry.actor_id],
            [actor_kind, request.actorId],
            `${route.name}: ${entry.action}`,
          )
      }
    }
  })

  it('or it is one of the few that touch nothing of worth, and nothing beside that', async () => {
    for (const route of changing()) {
      const exception = ofNoWorth[route.name]
      if (!exception) continue
      const request = await prepareOf(route)(stage)
      await changes()
      const { status, raw } = await sendGoodRequest(caller, route, request)
      assert.equal(status, 200, `${route.name}: ${raw}`)
      assert.deepEqual([...new Set((await changes()).flatMap(({ tables }) => tables))], exception.tables, route.name)
    }
  })
})

describe('every call that only asks', () => {
  it('is joined by the query endpoint, which has no mutations', () => {
    assert.equal(schema.getMutationType() ?? null, null)
  })

  it('changes nothing, but for the entry that says who took a table away', async () => {
    const member = await goodRequests['POST /users/logout']?.(stage)
    const staff = await goodRequests['POST /desk/api/logout']?.(stage)
    assert.ok(member && staff)
    const asking = routes.filter(({ call, method }) => call && method === 'GET')
    await changes()
    for (const { name, url, call } of asking) {
      const id = url.includes('/members/') ? floor.member.memberId : String(staff.actorId)
      const token = call?.access === 'staff' ? staff.token : member.token
      await caller.get(url.replace(':id', id), token)
      for (const { tables } of await changes()) assert.deepEqual(tables, ['audit_links', 'audit_log'], name)
    }
  })
})
