// spec: DK workspace
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addCompanyBankAccount } from '../../tests/fixtures/payments/money.ts'
import { addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let token: string

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { isDefault: true })
  token = (await openTestSession(system, { kind: 'staff', id: (await addStaff(system)).staffId })).token
  await addMember(system)
})
after(() => close())
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
