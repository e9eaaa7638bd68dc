// spec: OP operation
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'

const logLines: string[] = []
let made: MadeContext
let app: FastifyInstance
before(async () => {
  made = await makeTestContext({ logLines })
  app = await buildApp(made.context)
})
after(async () => {
  await app.close()
  await made.close()
})

type Line = { msg: string; route?: string; reqId?: string; workspace?: string; member?: string; staff?: string }

test('a log line names the request, the workspace and the person by id, and the person only once proven', async () => {
  const system = await addWorkspace(made.context, { isDefault: true })
  const member = await addMember(system, { email: 'lena.log@harbour.test' })
  const { staffId } = await addStaff(system)
  const tokens = {
    member: (await openTestSession(system, { kind: 'member', id: member.memberId })).token,
    staff: (await openTestSession(system, { kind: 'staff', id: staffId })).token,
  }
  const caller = callerOf(app)
  await caller.get('/user/permissions', tokens.member)
  await caller.get('/desk/api/me', tokens.staff)
  await caller.get('/user/permissions', `${tokens.member}x`)
  await caller.get('/healthz')
  const lines = logLines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'request')
  const logged = lines.map(({ workspace, member: who, staff }) => ({ workspace, who, staff }))
  const { workspaceId: workspace } = system
  assert.deepEqual(logged, [
    { workspace, who: member.memberId, staff: undefined },
    { workspace, who: undefined, staff: staffId },
    { workspace, who: undefined, staff: undefined },
    { workspace: undefined, who: undefined, staff: undefined },
  ])
  for (const { reqId } of lines) assert.match(reqId ?? '', /^[0-9a-f-]{36}$/)
  for (const secret of [tokens.member, tokens.staff, 'lena.log']) assert.ok(!logLines.join('').includes(secret), secret)
})
