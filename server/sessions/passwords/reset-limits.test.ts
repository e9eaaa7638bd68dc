// spec: MP 5
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type Answered, type Caller, callerOf } from '../../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { addMember, addStaff, addWorkspace } from '../../../tests/fixtures/workspaces.ts'
import { buildApp } from '../../app.ts'
import type { System } from '../../foundation/actor.ts'

let made: MadeContext
let system: System
let app: FastifyInstance
let caller: Caller

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  app = await buildApp(made.context)
  caller = callerOf(app)
})
after(async () => {
  await app.close()
  await made.close()
})
/** Rate limits of earlier tests have expired. */
beforeEach(() => made.context.clock.advance(15 * 60_000 + 1))

const cookieOf = ({ headers }: Answered) =>
  /atrium_device=[\w-]{43}/.exec([headers['set-cookie']].flat().map(String).join(';'))?.[0] ?? ''

for (const { app: at, root, add } of [
  { app: 'the portal', root: '/members', add: addMember },
  { app: 'the desk', root: '/desk/api', add: addStaff },
])
  test(`a browser that has signed in to ${at} gets a link while strangers use up the requests`, async () => {
    const signIn = async (person: object) =>
      cookieOf(await caller.send({ method: 'POST', url: `${root}/login`, payload: person }))
    const [owner, other] = [await add(system), await add(system)]
    const [known, unknown] = [await signIn(owner), await signIn(other)]
    const statuses = async (count: number, remoteAddress: string, cookie = '') => {
      const url = `${root}/reset-password/request`
      const payload = { email: owner.email }
      const found: number[] = []
      for (let sent = 0; sent < count; sent++)
        found.push((await caller.send({ method: 'POST', url, payload, headers: { cookie }, remoteAddress })).status)
      return found
    }
    for (const network of ['198.51.100.1', '198.51.100.2'])
      assert.deepEqual(await statuses(4, network), [200, 200, 200, 429])
    assert.deepEqual(await statuses(1, '192.0.2.1', unknown), [429])
    assert.deepEqual(await statuses(4, '192.0.2.1', known), [200, 200, 200, 429])
  })
