import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addMember, addStaff, addWorkspace, chooseSettings, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { type System, systemActor } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { findStaff, recallMember, recallStaff } from './session-proof.ts'

type Setup = { system: System; staffId: string; token: string }

/** The other reasons, of desk users as of members, are in server/http/recalled-calls.test.ts. */
describe('a remembered desk user', () => {
  let made: MadeContext
  let contexts: MadeContext['context'][]

  before(async () => {
    made = await makeTestContext()
    contexts = [made.context, { ...made.context }]
  })
  after(() => made.close())

  async function setUp(): Promise<Setup> {
    const system = await addWorkspace(made.context)
    const { staffId } = await addStaff(system)
    const { token } = await openTestSession(system, { kind: 'staff', id: staffId })
    return { system, staffId, token }
  }

  const systemsOf = ({ system }: Setup) => contexts.map((context) => systemActor(context, system.workspaceId))
  const find = (setup: Setup) =>
    Promise.all(systemsOf(setup).map((system) => findStaff(system, { token: setup.token, of: 'calls' })))
  const check = (setup: Setup) =>
    Promise.all(
      systemsOf(setup).map(async (system) => {
        const recalled = recallStaff(system, setup.token)
        if (!recalled) return null
        const isProvenAlone = (await recalled.proveAlone?.()) !== null
        const isProven = await reading(recalled.actor, async (tx) => (await recalled.proveAgain(tx)) !== null)
        assert.equal(isProvenAlone, isProven)
        return isProven
      }),
    )
  const set = ({ system, staffId }: Setup, values: object) =>
    inTransaction(system, (tx) =>
      tx
        .updateTable('staff_users')
        .set(values)
        .where('workspace_id', '=', system.workspaceId)
        .where('staff_id', '=', staffId)
        .execute(),
    )

  const changes: Record<string, (setup: Setup) => Promise<unknown>> = {
    role: (setup) => set(setup, { role: 'viewer' }),
    name: (setup) => set(setup, { name: 'Sela Renamed' }),
    status: (setup) => set(setup, { status: 'locked' }),
    "brokerage's settings": (setup) => chooseSettings(setup, { session_idle_minutes: 20 }),
  }
  for (const [what, change] of Object.entries(changes))
    it(`is proven anew by every process after a change of the ${what}`, async () => {
      const setup = await setUp()
      await find(setup)
      assert.deepEqual(await check(setup), [true, true])
      await change(setup)
      assert.deepEqual(await check(setup), [false, false])
      assert.deepEqual(await check(setup), [null, null], 'forgotten')
    })

  it('stays remembered while other people of the brokerage change', async () => {
    const setup = await setUp()
    await find(setup)
    await addMember(setup.system)
    await set({ ...setup, staffId: (await addStaff(setup.system)).staffId }, { status: 'locked' })
    assert.deepEqual(await check(setup), [true, true])
  })

  it('is no member, and is not remembered while a second factor must be set up', async () => {
    const setup = await setUp()
    await find(setup)
    assert.equal(recallMember(setup.system, setup.token), null)
    await chooseSettings(setup, { second_factor_staff: 'required' })
    assert.deepEqual(await check(setup), [false, false])
    await findStaff(setup.system, { token: setup.token, of: 'calls', mayEnrol: true })
    assert.equal(recallStaff(setup.system, setup.token), null)
  })
})
