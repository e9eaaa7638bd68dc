import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { countRoundTrips, type RoundTrips } from '../../tests/fixtures/database/round-trips.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { type System, systemActor } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { whileProving } from '../foundation/pending-proof.ts'
import { endSession } from './session.ts'
import { findMember, recallMember } from './session-proof.ts'
import { shareProofs } from './shared-proofs.ts'

describe('the shared proof of calls that read nothing else', () => {
  let made: MadeContext
  /** The same workspace in two processes. */
  let systems: [System, System]
  let trips: RoundTrips

  before(async () => {
    made = await makeTestContext()
    const system = await addWorkspace(made.context)
    systems = [system, systemActor({ ...made.context }, system.workspaceId)]
    trips = countRoundTrips(made.context.database.pool)
  })
  after(() => made.close())

  /** The token of a new member whom both processes remember. */
  async function signIn() {
    const { memberId } = await addMember(systems[0])
    const { token } = await openTestSession(systems[0], { kind: 'member', id: memberId })
    const [member] = await Promise.all(systems.map((system) => findMember(system, { token, of: 'calls' })))
    return { token, member: member ?? assert.fail('not found') }
  }

  /** The member for whom a call without reads is answered; null if the proof fails. */
  async function call(system: System, token: string): Promise<string | null> {
    const recalled = recallMember(system, token) ?? assert.fail('forgotten')
    const give = await whileProving(recalled, async () => recalled.actor.memberId)
    return give?.() ?? null
  }

  it('takes one statement for calls that arrive together, and proves each by itself', async () => {
    const people = [await signIn(), await signIn(), await signIn(), await signIn()]
    const [, locked, ended] = people
    await inTransaction(systems[0], (tx) =>
      tx
        .updateTable('members')
        .set({ status: 'locked' })
        .where('workspace_id', '=', systems[0].workspaceId)
        .where('member_id', '=', locked?.member.memberId ?? '')
        .execute(),
    )
    await endSession(ended?.member ?? assert.fail())
    trips.take()
    const answers = await Promise.all([...people, ...people].map(({ token }) => call(systems[0], token)))
    const expected = people.map((person) => (person === locked || person === ended ? null : person.member.memberId))
    assert.deepEqual(answers, [...expected, ...expected])
    assert.deepEqual(trips.take(), { batches: 1, transactions: 0 })
  })

  it('never answers a call after the session has ended in another process', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { token, member } = await signIn()
      // The first call makes the next ones wait for a moment; they must not share its proof.
      assert.equal(await call(systems[0], token), member.memberId)
      await endSession({ ...member, ...systems[1], kind: 'member' })
      assert.equal(await call(systems[0], token), null)
    }
  })

  it('splits a storm into statements of limited size', async () => {
    const sizes: number[] = []
    const prove = shareProofs(async (_tx, { hashes }) => {
      sizes.push(hashes.length)
      return hashes.map((hash, place) => ({ place, found: hash.readUInt16BE() }))
    })
    const numbers = Array.from({ length: 1_200 }, (_, number) => number)
    const hashOf = (number: number) => Buffer.from([number >> 8, number & 255])
    const rows = await Promise.all(numbers.map((number) => prove(systems[0], hashOf(number))))
    assert.deepEqual(
      rows.map((row) => row?.found),
      numbers,
    )
    assert.deepEqual(sizes, [500, 500, 200])
  })

  it('fails its calls with the error of the database, and proves the next ones', async () => {
    let isDown = true
    const prove = shareProofs(async (_tx, { hashes }) => {
      if (isDown) throw new Error('the database is unavailable')
      return hashes.map((_, place) => ({ place }))
    })
    const token = Buffer.alloc(32)
    const failed = await Promise.allSettled([prove(systems[0], token), prove(systems[0], token)])
    assert.deepEqual(
      failed.map((one) => one.status === 'rejected' && (one.reason as Error).message),
      ['the database is unavailable', 'the database is unavailable'],
    )
    isDown = false
    assert.deepEqual(await prove(systems[0], token), { place: 0 })
  })

  it('does not wait for a statement that hangs', async () => {
    let statements = 0
    const prove = shareProofs((_tx, { hashes }) => {
      statements += 1
      const rows = hashes.map((_, place) => ({ place }))
      return statements === 1 ? new Promise<typeof rows>(() => undefined) : Promise.resolve(rows)
    })
    const hanging = prove(systems[0], Buffer.alloc(32))
    hanging.catch(() => undefined)
    while (statements === 0) await new Promise(setImmediate)
    assert.deepEqual(await prove(systems[0], Buffer.alloc(32)), { place: 0 })
  })
})
