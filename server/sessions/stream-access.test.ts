import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { statementsOf } from '../../tests/fixtures/database/rows-read.ts'
import { addTerms } from '../../tests/fixtures/requests.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  chooseSettings,
  openTestSession,
  setFeatures,
  setPermissions,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import { type Member, type Staff, type System, systemActor } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { acceptTerms } from '../terms/acceptance.ts'
import { publishTerms } from '../terms/template.ts'
import { findMember, findMembersAgain } from './session-proof.ts'

type Setup = { system: System; staff: Staff; member: Member; token: string }

describe('the repeated check of open streams', () => {
  let made: MadeContext

  before(async () => {
    made = await makeTestContext()
  })
  after(() => made.close())

  async function setUp(): Promise<Setup> {
    const system = await addWorkspace(made.context)
    const { memberId } = await addMember(system)
    const staff = staffActor(system, await addStaff(system))
    const { token } = await openTestSession(system, { kind: 'member', id: memberId })
    const member = await findMember(system, { token, of: 'calls' })
    return { system, staff, token, member: member ?? assert.fail('not found') }
  }

  const held = (member: Member | null | undefined) =>
    member && [member.memberId, member.sessionId, member.type, [...member.permissions], member.features, member.terms]
  const check = async ({ system, member }: Setup) =>
    held((await findMembersAgain(system, [member.sessionId])).get(member.sessionId))
  /** As another process finds them for a call. */
  const find = async ({ system, token }: Setup) => {
    const elsewhere = systemActor({ ...made.context }, system.workspaceId)
    return held(await findMember(elsewhere, { token, of: 'calls' }).catch(() => null))
  }

  const set = (table: 'members' | 'sessions', values: object) => (setup: Setup) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable(table)
        .set(values)
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('member_id', '=', setup.member.memberId)
        .execute(),
    )

  const changes: Record<string, (setup: Setup) => Promise<unknown>> = {
    'nothing changed': async () => undefined,
    'the session was ended': set('sessions', { ended_at: new Date() }),
    'the session has expired': set('sessions', { expires_at: new Date(0) }),
    'the session is idle': set('sessions', { last_seen_at: new Date(0) }),
    'sessions end earlier': async (setup) => {
      await set('sessions', { created_at: new Date(made.context.clock.now().getTime() - 7_200_000) })(setup)
      await chooseSettings(setup, { session_hours_max: 1 })
    },
    'the member is locked': set('members', { status: 'locked' }),
    'the member is of another type': set('members', { type: 'sales_person' }),
    'a permission was taken': ({ system, member }) => setPermissions(system, member.memberId, ['transactions-']),
    'permissions were taken from everybody': (setup) =>
      chooseSettings(setup, { default_permissions: ['transactions-'] }),
    'a feature was switched off': ({ system }) => setFeatures(system, { deposits: false }),
    'a second factor is required': (setup) => chooseSettings(setup, { second_factor_members: 'required' }),
    'terms were published': ({ staff }) => addTerms(staff),
  }
  for (const [name, change] of Object.entries(changes))
    it(`finds the same as a call when ${name}`, async () => {
      const setup = await setUp()
      for (let beat = 0; beat < 2; beat += 1) assert.deepEqual(await check(setup), held(setup.member))
      await change(setup)
      const expected = (await find(setup)) ?? undefined
      for (let beat = 0; beat < 2; beat += 1) assert.deepEqual(await check(setup), expected)
    })

  it('sees terms that are accepted, and published again', async () => {
    const setup = await setUp()
    const id = await addTerms(setup.staff)
    const [before] = (await findMembersAgain(setup.system, [setup.member.sessionId])).values()
    assert.equal(before?.terms.length, 1)
    await acceptTerms(before ?? assert.fail(), { id }, { address: null, userAgent: 'test' })
    for (let beat = 0; beat < 2; beat += 1) assert.deepEqual(await check(setup), held(setup.member))
    await publishTerms(setup.staff, { id, revision: 2, asks_again: true })
    assert.deepEqual(await check(setup), await find(setup))
  })

  it('does not read settings and terms again while nothing changed', async () => {
    const [setup, other] = [await setUp(), await setUp()]
    await check(setup)
    const texts = (await statementsOf(() => check(setup))).map(({ text }) => text)
    assert.ok(texts.some((text) => text.includes('session')))
    assert.ok(!texts.some((text) => text.includes('pending_terms')))
    // A session of another workspace is absent, whether or not it is known.
    await check(other)
    assert.equal((await findMembersAgain(setup.system, [other.member.sessionId])).size, 0)
  })
})
