import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import { callerOf } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addMember, addStaff, addWorkspace, memberActor, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { Refusal } from '../foundation/errors.ts'
import { claimUniqueToken, makeUniqueToken } from './unique-token.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let app: FastifyInstance
before(async () => {
  ;({ made, app, close } = await openAppFixture())
  system = await addWorkspace(made.context, { isDefault: true })
})
after(() => close())
beforeEach(() => made.context.clock.advance(24 * 3_600_000))

const purpose = 'transaction_deposit'
const aMember = async (of = system) => memberActor(of, (await addMember(of)).memberId)
type Actor = Awaited<ReturnType<typeof aMember>>

const claim = (member: Actor, token: string, body: object = { amount: '10.00' }, asked = purpose) =>
  inTransaction(member, async (tx) => {
    const claimed = await claimUniqueToken<{ made: number }>(tx, member, { token, purpose: asked, body })
    if (claimed.earlier) return claimed.earlier
    const answer = { made: Math.random() }
    await claimed.keep(answer)
    return answer
  })
const refusedAs = (code: string) => (problem: unknown) => problem instanceof Refusal && problem.code === code

describe('an idempotency key', () => {
  test('runs one task: returns its answer when repeated, and is refused with another body', async () => {
    const member = await aMember()
    const token = await makeUniqueToken(member, purpose)
    const [first, ...others] = await Promise.all([1, 2, 3, 4, 5].map(() => claim(member, token)))
    for (const other of others) assert.deepEqual(other, first)
    await assert.rejects(claim(member, token, { amount: '11.00' }), refusedAs('nonce_reused'))
  })

  test('is valid for its member and purpose, for a day', async () => {
    const member = await aMember()
    const token = await makeUniqueToken(member, purpose)
    await assert.rejects(claim(await aMember(), token), refusedAs('nonce_unknown'))
    await assert.rejects(claim(await aMember(await addWorkspace(made.context)), token), refusedAs('nonce_unknown'))
    await assert.rejects(claim(member, token, {}, 'transaction_withdrawal'), refusedAs('nonce_unknown'))
    await assert.rejects(claim(member, 'x'.repeat(43)), refusedAs('nonce_unknown'))
    made.context.clock.advance(24 * 3_600_000)
    await assert.rejects(claim(member, token), refusedAs('nonce_unknown'))
  })

  test('is issued only to signed-in members, for known purposes', async () => {
    const caller = callerOf(app)
    const path = '/members/get-unique-token'
    const { token } = await openTestSession(system, { kind: 'member', id: (await aMember()).memberId })
    const staff = await openTestSession(system, { kind: 'staff', id: (await addStaff(system)).staffId })
    assert.equal((await caller.post(path, { token_key: purpose }, token)).status, 200)
    for (const token_key of ['transaction', '', 1, undefined])
      assert.equal((await caller.post(path, { token_key }, token)).status, 422, String(token_key))
    for (const other of [undefined, staff.token])
      assert.equal((await caller.post(path, { token_key: purpose }, other)).status, 401)
  })

  test('is limited to three hundred a member in fifteen minutes', async () => {
    const [member, other] = [await aMember(), await aMember()]
    for (let made = 0; made < 300; made += 10)
      await Promise.all(Array.from({ length: 10 }, () => makeUniqueToken(member, purpose)))
    await assert.rejects(makeUniqueToken(member, purpose), refusedAs('too_many_requests'))
    await makeUniqueToken(other, purpose)
    made.context.clock.advance(15 * 60_000)
    await makeUniqueToken(member, purpose)
  })

  test('is removed unused with the next one after a day', async () => {
    const member = await aMember()
    for (let made = 0; made < 5; made++) await makeUniqueToken(member, purpose)
    made.context.clock.advance(24 * 3_600_000)
    await makeUniqueToken(member, purpose)
    const left = await reading(member, (tx) =>
      tx.selectFrom('nonces').select('token_hash').where('workspace_id', '=', system.workspaceId).execute(),
    )
    assert.equal(left.length, 1)
  })
})
