// spec: DK record, DK workspace
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import type { FastifyInstance } from 'fastify'
import { openTwoApps } from '../../tests/fixtures/app-fixture.ts'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { answerResetRequests, mailsTo } from '../../tests/fixtures/mailbox.ts'
import { addMember, addStaff, addWorkspace, type MadeMember, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

let made: MadeContext
let close: () => Promise<void>
let system: System
let app: FastifyInstance
let secondApp: FastifyInstance
let caller: Caller
let second: Caller
let token: string
let member: MadeMember
let host = 0

before(async () => {
  ;({ made, app, secondApp, close } = await openTwoApps())
})
after(() => close())
beforeEach(async () => {
  const subdomain = `harbour-${++host}`
  system = await addWorkspace(made.context, { subdomain })
  caller = callerOf(app, `${subdomain}.localhost`)
  second = callerOf(secondApp, `${subdomain}.localhost`)
  const { staffId } = await addStaff(system)
  token = (await openTestSession(system, { kind: 'staff', id: staffId })).token
  member = await addMember(system)
})

type Shown = { logo_url: string | null }
async function entries(action: string) {
  return reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select('audit_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('action', '=', action)
      .execute(),
  )
}
describe('a logo', () => {
  const set = (logo: string | null) => caller.post('/desk/api/workspace/logo', { logo }, token)

  test('is public, stripped of metadata, and removable', async () => {
    const answer = await set(png.toString('base64'))
    const { logo_url } = answer.body.workspace as Shown
    assert.match(logo_url ?? '', /^\/brand\/logos\/[0-9a-f-]{36}\/logo\.png$/)
    const shown = await second.send({ method: 'GET', url: logo_url ?? '' })
    assert.deepEqual([shown.status, shown.headers['content-type']], [200, 'image/png'])
    assert.match(String(shown.headers['cache-control']), /immutable/)
    assert.equal(shown.headers['x-content-type-options'], 'nosniff')
    await caller.post('/members/reset-password/request', { email: member.email })
    await answerResetRequests(system)
    assert.ok((await mailsTo(system, member.email)).at(-1)?.html.includes(`${logo_url}"`))
    assert.equal(((await set(null)).body.workspace as Shown).logo_url, null)
    assert.equal((await entries('workspace.logo-changed')).length, 2)
    const elsewhere = await addWorkspace(made.context, { subdomain: `other-${host}` })
    assert.ok(elsewhere)
    assert.equal((await callerOf(app, `other-${host}.localhost`).get(logo_url ?? '')).status, 404)
  })

  for (const [name, content] of [
    ['an SVG with a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a PNG with appended data', Buffer.concat([png, Buffer.from('<script>')])],
    ['nothing', Buffer.alloc(0)],
  ] as const)
    test(`refuses ${name}`, async () => {
      const answer = await set(content.toString('base64'))
      assert.deepEqual([answer.status, answer.body.errors], [422, { logo: [fileTexts.logoInvalid] }])
    })

  test('does not replace one that the page did not show', async () => {
    const logo = png.toString('base64')
    const { logo_url } = (await set(logo)).body.workspace as Shown
    const from = (seen: string | null) => caller.post('/desk/api/workspace/logo', { logo: null, seen }, token)
    assert.equal((await from(null)).status, 409)
    assert.equal((await from(logo_url)).status, 200)
  })

  test('has a size limit', async () => {
    assert.equal((await set(Buffer.alloc(151_000).toString('base64'))).status, 422)
  })
})
