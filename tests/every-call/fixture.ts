import assert from 'node:assert/strict'
import type { Call } from '@atrium/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { type System, systemActor } from '../../server/foundation/actor.ts'
import { newId } from '../../server/foundation/ids.ts'
import { fillEveryTable } from '../catalogue/every-table.ts'
import { markOtherTenant, type OtherTenant } from '../catalogue/other-tenant.ts'
import { type Change, changesSince, watchEveryTable } from '../catalogue/watched-changes.ts'
import { type Answered, callerOf } from '../fixtures/caller.ts'
import { kycDocumentMedia } from '../fixtures/documents.ts'
import { addMedia } from '../fixtures/requests.ts'
import { openTradingFixture } from '../fixtures/trading/trading-fixture.ts'
import { addMember, addStaff, openTestSession } from '../fixtures/workspaces.ts'
import { type LiveRoute, openWithRoutes } from './routes.ts'
import { sendValidRequest, validRequestOf } from './valid-requests/send.ts'
import type { Fixture, ValidRequest } from './valid-requests/valid-request.ts'

export type CallRoute = LiveRoute & { call: Call }

/** A person without access to the other tenant's rows, at a host, with their own session. */
export type Outsider = {
  name: string
  kind: 'anyone' | 'member' | 'staff'
  host: string
  token?: string
  cookie?: string
}

/**
 * A workspace in which every call has a valid request, and an other tenant with a row in every table and a canary in every
 * text column, which nobody of the first may read or change.
 */
export type EveryCall = Fixture & {
  app: FastifyInstance
  routes: LiveRoute[]
  /** Every call of the router, whichever module adds it. */
  calls: CallRoute[]
  /** Its statements bypass the triggers, so that a test's setup does not count as a change of the call. */
  quiet: pg.Client
  otherTenant: OtherTenant & { system: System }
  outsiders: Outsider[]
  /** The owner of the other tenant's rows. */
  theMember: Outsider
  close(): Promise<void>
}

export async function openEveryCall(): Promise<EveryCall> {
  const setup = await openTradingFixture()
  const { app, routes } = await openWithRoutes(setup.context)
  const [owner, quiet] = await Promise.all([connect(setup.ownerUrl), connect(setup.ownerUrl)])
  await quiet.query('set session_replication_role = replica')
  const there = await fillEveryTable(setup.context, 'there')
  // No vendor is reachable here: starting a check would fail with an error.
  await owner.query('update identity_vendors set enabled = false')
  const theirs = systemActor(setup.context, there.workspaceId)
  // Not attached yet: an attached file would be refused for that reason alone.
  for (const values of [{}, picture, { ...picture, purpose: 'qr' }, kycDocumentMedia])
    await addMedia(theirs, { memberId: there.memberId, ...values })
  const otherTenant = { ...(await markOtherTenant(owner, there)), system: theirs }
  const outsider = async (name: string, system: System, kind: 'member' | 'staff', id: string): Promise<Outsider> => {
    const { token, fileToken } = await openTestSession(system, { kind, id })
    const cookie = `${kind === 'member' ? 'atrium_files' : 'atrium_desk_files'}=${fileToken}`
    return { name, kind, host: system === theirs ? 'there.localhost' : 'localhost', token, cookie }
  }
  const sales = await addMember(theirs, { type: 'sales_person' })
  const outsiders = [
    { name: 'nobody', kind: 'anyone', host: 'there.localhost' } as const,
    await outsider('another member', theirs, 'member', there.otherMemberId),
    await outsider('a sales person', theirs, 'member', sales.memberId),
    await outsider("another brokerage's member", setup.system, 'member', setup.member.memberId),
    await outsider("another brokerage's staff", setup.system, 'staff', (await addStaff(setup.system)).staffId),
  ]
  const theMember = await outsider('the member', theirs, 'member', there.memberId)
  await watchEveryTable(owner)
  return {
    ...{ setup, caller: callerOf(app), owner, quiet, app, routes, otherTenant, outsiders, theMember },
    calls: routes.filter((route): route is CallRoute => route.call !== null && route.method !== 'HEAD'),
    async close() {
      await Promise.all([owner.end(), quiet.end()])
      await app.close()
      await setup.close()
    },
  }
}

const picture = { purpose: 'picture', kind: 'image', extension: 'png' }

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

/** A valid request whose people and rows no other request uses; its setup does not count as a change. */
export async function prepare(fixture: EveryCall, route: CallRoute): Promise<ValidRequest> {
  await forgetTries(fixture)
  const make = validRequestOf(route)
  assert.ok(make, `${route.name}: add an example to the route, or a valid request to tests/every-call/valid-requests/`)
  const request = await make(fixture)
  await changesSince(fixture.owner)
  return request
}

/** A process caches an exceeded limit for two seconds (server/foundation/rate-limit.ts). */
async function forgetTries({ quiet, setup }: EveryCall): Promise<void> {
  await quiet.query('delete from rate_limits')
  setup.context.clock.advance(2_001)
  triesSinceForgotten = 0
}

/** Counted since then, so that the clock stands still between the few requests after each `prepare`. */
let triesSinceForgotten = 0
const triesMax = 20

/** No response of a call may be cached. */
export async function send(fixture: EveryCall, route: CallRoute, request: ValidRequest): Promise<Answered> {
  triesSinceForgotten += 1
  if (triesSinceForgotten === triesMax) await forgetTries(fixture)
  const answer = await sendValidRequest(fixture.caller, route, request)
  assert.equal(answer.headers['cache-control'], 'no-store', route.name)
  return answer
}

/** The call with an unknown id and an empty body: harmless for anyone who is let in. */
export const harmless = ({ token }: Pick<ValidRequest, 'token'>): ValidRequest => ({
  actorId: null,
  places: new Proxy({}, { get: () => newId() }),
  ...(token && { token }),
})

/** The call with a malformed id and an empty body. */
export const unreadable = ({ token }: { token: string }): ValidRequest => ({
  actorId: null,
  places: new Proxy({}, { get: () => 'x' }),
  token,
})

/** A session's last-seen update, once a minute, does not count as a change. */
const isActivityUpdate = ({ tables, entries }: Change): boolean => tables.join() === 'sessions' && entries.length === 0

export async function assertUnchanged({ owner }: Fixture, where: string): Promise<void> {
  const changes = await changesSince(owner)
  assert.deepEqual(
    changes.filter((change) => !isActivityUpdate(change)),
    [],
    `${where} changed something`,
  )
}
