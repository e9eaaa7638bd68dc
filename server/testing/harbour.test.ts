import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inTransaction, reading } from '../foundation/database.ts'
import { findMember } from '../sessions/session.ts'
import { type MadeGround, makeGround } from './ground.ts'
import { addMember, addStaff, addWorkspace, memberActor, openTestSession, staffActor } from './harbour.ts'
import { addBankAccount, addCompanyBankAccount, addTransaction } from './harbour-money.ts'
import { addMedia } from './harbour-papers.ts'
import { addAccount, addPlatform } from './harbour-platforms.ts'
import { here } from './here.ts'

describe('what tests stand on', () => {
  let made: MadeGround
  before(async () => {
    made = await makeGround()
  })
  after(() => made.close())

  it('builds a brokerage with a member, an account and a transaction', async () => {
    const system = await addWorkspace(made.ground, { isDefault: true })
    const { memberId } = await addMember(system)
    const platformId = await addPlatform(system, { connection: { settings: {}, secret: { password: 'x' } } })
    const accountId = await addAccount(system, { memberId, platformId })
    await addTransaction(system, { memberId, accountId, state: 'approved' })
    await addMedia(system, { memberId })
    await addBankAccount(system, { memberId })
    await addCompanyBankAccount(system)
    const member = await memberActor(system, memberId)
    const seen = await reading(member, (tx) =>
      tx.selectFrom('balance_transactions').where(here).select('state').execute(),
    )
    assert.deepEqual(seen, [{ state: 'approved' }])
    const { token } = await openTestSession(system, { kind: 'member', id: memberId })
    assert.equal((await findMember(system, { token, of: 'calls' }))?.memberId, memberId)
    const staff = staffActor(system, await addStaff(system))
    assert.equal((await reading(staff, (tx) => tx.selectFrom('media').where(here).select('name').execute())).length, 1)
    const job = { workspaceId: system.workspaceId, id: memberId }
    await inTransaction(system, (tx) => made.ground.jobs.enqueue(tx, 'files.sweep-uploads', job))
  })
})
