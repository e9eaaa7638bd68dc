import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inTransaction, reading } from '../foundation/database.ts'
import { findMember } from '../sessions/session.ts'
import { type MadeGround, makeGround } from './ground.ts'
import * as harbour from './harbour.ts'

describe('what tests stand on', () => {
  let made: MadeGround
  before(async () => {
    made = await makeGround()
  })
  after(() => made.close())

  it('builds a brokerage with a member, an account and a transaction', async () => {
    const system = await harbour.addWorkspace(made.ground, { isDefault: true })
    const { memberId } = await harbour.addMember(system)
    const platformId = await harbour.addPlatform(system, { connection: { settings: {}, secret: { password: 'x' } } })
    const accountId = await harbour.addAccount(system, { memberId, platformId })
    await harbour.addTransaction(system, { memberId, accountId, state: 'approved' })
    await harbour.addMedia(system, { memberId })
    await harbour.addBankAccount(system, { memberId })
    await harbour.addCompanyBankAccount(system)
    const member = await harbour.memberActor(system, memberId)
    const seen = await reading(member, (tx) => tx.selectFrom('balance_transactions').select('state').execute())
    assert.deepEqual(seen, [{ state: 'approved' }])
    const { token } = await harbour.openTestSession(system, { kind: 'member', id: memberId })
    assert.equal((await findMember(system, { token, of: 'calls' }))?.memberId, memberId)
    const staff = harbour.staffActor(system, await harbour.addStaff(system))
    assert.equal((await reading(staff, (tx) => tx.selectFrom('media').select('name').execute())).length, 1)
    const job = { workspaceId: system.workspaceId, id: memberId }
    await inTransaction(system, (tx) => made.ground.jobs.enqueue(tx, 'files.sweep-uploads', job))
  })
})
