import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { defineCall } from '@atrium/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { eventually } from '../../tests/doubles/child-server.ts'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addMember, addStaff, addWorkspace, openTestSession, setPermissions } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { openTable } from './route.ts'

type Kind = 'member' | 'staff'
type Person = { id: string; sessionId: string; token: string }

describe('a table that is sent slowly', () => {
  let made: MadeContext
  let app: FastifyInstance
  let close: () => Promise<void>
  let system: System
  let meanwhile: () => Promise<unknown>

  async function* lines() {
    yield 'first\r\n'
    await meanwhile()
    made.context.clock.advance(1_000)
    yield 'second\r\n'
  }

  let isClosed = false
  async function* endless() {
    try {
      for (;;) yield 'row\r\n'.repeat(1_000)
    } finally {
      isClosed = true
    }
  }

  before(async () => {
    ;({ made, app, close } = await openAppFixture())
    system = await addWorkspace(made.context, { isDefault: true })
    const table = { method: 'GET', input: z.object({}), answer: z.object({}) } as const
    const own = defineCall({ ...table, path: '/test/table', access: 'member' })
    openTable(app, made.context, own, {
      scopes: ['support'],
      handler: async () => ({ name: 'own.csv', lines: lines() }),
    })
    const all = defineCall({ ...table, path: '/desk/api/test/table', access: 'staff', right: 'audit.read' })
    openTable(app, made.context, all, {
      audit: ['test.exported'],
      handler: async () => ({ name: 'all.csv', lines: lines() }),
    })
    const long = defineCall({ ...table, path: '/desk/api/test/endless', access: 'staff', right: 'audit.read' })
    openTable(app, made.context, long, {
      audit: ['test.exported'],
      handler: async () => ({ name: 'long.csv', lines: endless() }),
    })
  })
  after(() => close())

  async function addPerson(kind: Kind): Promise<Person> {
    const id = kind === 'member' ? (await addMember(system)).memberId : (await addStaff(system)).staffId
    return { id, ...(await openTestSession(system, { kind, id })) }
  }

  /** What arrived, and whether the answer came to its end. */
  async function readTable(kind: Kind, { token }: Person) {
    const url = kind === 'member' ? '/test/table' : '/desk/api/test/table'
    const headers = { host: 'localhost', authorization: `Bearer ${token}` }
    const answer = await app.inject({ url, headers, payloadAsStream: true })
    assert.equal(answer.statusCode, 200)
    let text = ''
    try {
      for await (const part of answer.stream()) text += String(part)
    } catch {
      return { text, isWhole: false }
    }
    return { text, isWhole: true }
  }

  const set = (table: 'staff_users' | 'sessions', values: object, [column, id]: [string, string]) =>
    inTransaction(system, (tx) =>
      tx
        .updateTable(table)
        .set(values)
        .where('workspace_id', '=', system.workspaceId)
        .where(column as 'workspace_id', '=', id)
        .execute(),
    )
  const endSession = ({ sessionId }: Person) =>
    set('sessions', { ended_at: made.context.clock.now() }, ['session_id', sessionId])

  const losses: [Kind, string, (person: Person) => Promise<unknown>][] = [
    ['member', 'whose session was ended', endSession],
    ['member', 'who lost the permission', ({ id }) => setPermissions(system, id, ['support-'])],
    ['staff', 'whose session was ended', endSession],
    ['staff', 'who was locked', ({ id }) => set('staff_users', { status: 'locked' }, ['staff_id', id])],
    ['staff', 'whose role lost the right', ({ id }) => set('staff_users', { role: 'support' }, ['staff_id', id])],
  ]
  for (const [kind, whom, lose] of losses)
    it(`breaks off for a ${kind} ${whom}`, async () => {
      const person = await addPerson(kind)
      meanwhile = () => lose(person)
      const { text, isWhole } = await readTable(kind, person)
      assert.equal(isWhole, false)
      assert.doesNotMatch(text, /second/)
    })

  it('is closed when its reader goes away', async () => {
    const leaving = new AbortController()
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const { token } = await addPerson('staff')
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await fetch(`${origin}/desk/api/test/endless`, { headers, signal: leaving.signal })
    const reader = body?.getReader()
    assert.equal((await reader?.read())?.done, false)
    leaving.abort()
    await eventually('the source is closed', async () => isClosed)
  })

  for (const kind of ['member', 'staff'] as const)
    it(`reaches a ${kind} who may still read it to its end`, async () => {
      meanwhile = async () => undefined
      assert.deepEqual(await readTable(kind, await addPerson(kind)), { text: 'first\r\nsecond\r\n', isWhole: true })
    })
})
