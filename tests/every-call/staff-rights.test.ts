import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deskRights, holdsRight, rightsOfRole, staffRoles } from '@atrium/contract/desk-rights.ts'
import type { FastifyInstance } from 'fastify'
import type { System } from '../../server/foundation/actor.ts'
import { newId } from '../../server/foundation/ids.ts'
import { type Answered, type Caller, callerOf } from '../fixtures/caller.ts'
import { type MadeGround, makeGround } from '../fixtures/ground.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../fixtures/workspaces.ts'
import { type LiveRoute, openWithRoutes } from './routes.ts'

/**
 * Who of the staff may make which call. Calls come from the table of live routes, so one that is added later is tried here
 * for every role without anybody naming it.
 */
let made: MadeGround
let app: FastifyInstance
let caller: Caller
let system: System
let routes: LiveRoute[]
const tokens = new Map<string, string>()

before(async () => {
  made = await makeGround()
  const opened = await openWithRoutes(made.ground)
  app = opened.app
  routes = opened.routes
  caller = callerOf(app)
  system = await addWorkspace(made.ground, { subdomain: 'harbour', isDefault: true })
  for (const role of staffRoles) tokens.set(role, await openDeskSession(system, role))
  tokens.set('another workspace', await openDeskSession(await addWorkspace(made.ground), 'administrator'))
  const member = await addMember(system)
  tokens.set('a member', (await openTestSession(system, { kind: 'member', id: member.memberId })).token)
  const seller = await addMember(system, { type: 'sales_person' })
  tokens.set('a sales person', (await openTestSession(system, { kind: 'member', id: seller.memberId })).token)
})
after(async () => {
  await app.close()
  await made.close()
})

async function openDeskSession(of: System, role: string): Promise<string> {
  const { staffId } = await addStaff(of, { role })
  return (await openTestSession(of, { kind: 'staff', id: staffId })).token
}

/** HEAD comes with every GET and is the same handler. */
const staffCalls = () => routes.filter(({ call, method }) => call?.access === 'staff' && method !== 'HEAD')

/** With an id that is nobody's and nothing in the body: whoever gets past the right does no harm. */
function ask({ method, url }: LiveRoute, token: string | undefined): Promise<Answered> {
  const address = url.replace(/:\w+/g, newId())
  return method === 'GET' ? caller.get(address, token) : caller.post(address, {}, token)
}

const isSignOut = ({ url }: LiveRoute): boolean => url.endsWith('/logout')

describe('each call of the desk', () => {
  it('names a right that some role holds', () => {
    assert.ok(staffCalls().length >= 20, String(staffCalls().length))
    for (const route of staffCalls()) {
      const right = route.call?.right
      assert.ok(right && deskRights.includes(right), route.name)
      assert.ok(
        staffRoles.some((role) => holdsRight(role, right)),
        route.name,
      )
    }
  })

  it('is refused to every role without its right, and lets in every role with it', async () => {
    for (const role of staffRoles) {
      for (const route of staffCalls().filter((each) => !isSignOut(each))) {
        const right = route.call?.right ?? 'desk.use'
        const { status, body } = await ask(route, tokens.get(role))
        const where = `${role}: ${route.name} answered ${status}`
        if (holdsRight(role, right)) assert.ok(![401, 403].includes(status) && status < 500, where)
        else assert.deepEqual([status, body.code], [403, 'not_permitted'], where)
      }
    }
  })

  it('is refused to members, sales people, staff of another workspace and nobody at all', async () => {
    for (const who of ['a member', 'a sales person', 'another workspace', 'nobody']) {
      for (const route of staffCalls()) {
        const { status, body } = await ask(route, tokens.get(who))
        assert.deepEqual([status, body.code], [401, 'unauthenticated'], `${who}: ${route.name}`)
      }
    }
  })

  it('is kept by nobody on the way: every answer says no-store', async () => {
    for (const route of routes.filter(({ call, method }) => call && method !== 'HEAD')) {
      const token = tokens.get(route.call?.access === 'staff' ? 'administrator' : 'a member')
      const { headers } = await ask(route, isSignOut(route) ? undefined : token)
      assert.equal(headers['cache-control'], 'no-store', route.name)
    }
  })
})

describe('the roles', () => {
  it('give a viewer nothing that changes anything but their own account', () => {
    const isOwn = ({ url }: LiveRoute) => /^\/desk\/api\/(logout|activity|(account|security)\/.+)$/.test(url)
    for (const route of staffCalls().filter((each) => each.method === 'POST' && !isOwn(each)))
      assert.ok(!holdsRight('viewer', route.call?.right ?? 'desk.use'), route.name)
    assert.deepEqual([...rightsOfRole.viewer].sort(), ['desk.use', 'members.read', 'money.read'])
  })
})
