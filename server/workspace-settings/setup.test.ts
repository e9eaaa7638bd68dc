// spec: DK workspace
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addCompanyBankAccount } from '../../tests/fixtures/payments/money.ts'
import { addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'

let made: MadeContext
let system: System
let app: FastifyInstance
let caller: Caller
let token: string

before(async () => {
  made = await makeTestContext()
  app = await buildApp(made.context)
  system = await addWorkspace(made.context, { isDefault: true })
  caller = callerOf(app)
  token = (await openTestSession(system, { kind: 'staff', id: (await addStaff(system)).staffId })).token
  await addMember(system)
})
after(async () => {
  await app.close()
  await made.close()
})
test('setup steps are derived from this brokerage’s own data', async () => {
  const steps = async () => {
    const { steps } = (await caller.get('/desk/api/setup', token)).body as {
      steps: { name: string; is_done: boolean }[]
    }
    return steps.filter(({ is_done }) => is_done).map(({ name }) => name)
  }
  assert.deepEqual(await steps(), ['members'])
  await addPlatform(await addWorkspace(made.context))
  await addPlatform(system)
  await addCompanyBankAccount(system)
  await addStaff(system, { role: 'finance' })
  assert.deepEqual(await steps(), ['platform', 'payments', 'colleagues', 'members'])
})
