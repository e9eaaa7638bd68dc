import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
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
import { inTransaction, reading } from '../foundation/database/database.ts'
import { acceptTerms } from '../terms/acceptance.ts'
import { publishTerms, retireTerms } from '../terms/template.ts'
import { openSession } from './session.ts'
import { findMember, recallMember } from './session-proof.ts'

const hourMs = 3_600_000
const device = { address: null, userAgent: 'test' }

type Setup = { system: System; staff: Staff; memberId: string; token: string }
/** `begin`: what happens before the member is remembered. */
type Reason = { begin?: (setup: Setup) => Promise<unknown>; change: (setup: Setup) => Promise<unknown> }

describe('a remembered member', () => {
  let made: MadeContext
  /** Two processes, each with its own memory of members. */
  let contexts: MadeContext['context'][]

  before(async () => {
    made = await makeTestContext()
    contexts = [made.context, { ...made.context }]
  })
  after(() => made.close())

  async function setUp({ withFactor = false } = {}): Promise<Setup> {
    const system = await addWorkspace(made.context)
    const { memberId } = await addMember(system)
    const staff = staffActor(system, await addStaff(system))
    const person = { kind: 'member', id: memberId } as const
    const { token } = await inTransaction(system, (tx) => openSession(tx, system, person, device, { withFactor }))
    return { system, staff, memberId, token }
  }

  const systemsOf = ({ system }: Setup) => contexts.map((context) => systemActor(context, system.workspaceId))
  const find = (system: System, { token }: Setup) => findMember(system, { token, of: 'calls' })

  async function findOnce(setup: Setup): Promise<Member> {
    const [member] = await Promise.all(systemsOf(setup).map((system) => find(system, setup)))
    assert.ok(member)
    return member
  }

  /** The answer of the check by each process; null for a member who is not remembered. */
  const check = (setup: Setup): Promise<(boolean | null)[]> =>
    Promise.all(
      systemsOf(setup).map(async (system) => {
        const recalled = recallMember(system, setup.token)
        if (!recalled) return null
        const isProvenAlone = (await recalled.proveAlone?.()) !== null
        const isProven = await reading(recalled.actor, async (tx) => (await recalled.proveAgain(tx)) !== null)
        assert.equal(isProvenAlone, isProven)
        return isProven
      }),
    )

  const set = (table: 'members' | 'sessions', values: object) => (setup: Setup) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable(table)
        .set(values)
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('member_id', '=', setup.memberId)
        .execute(),
    )
  const age = (column: 'created_at' | 'last_seen_at', ms: number) => (setup: Setup) =>
    set('sessions', { [column]: new Date(made.context.clock.now().getTime() - ms) })(setup)

  let terms = ''
  const acceptTermsFirst = async (setup: Setup) => {
    terms = await addTerms(setup.staff)
    await acceptTerms(await findOnce(setup), { id: terms }, device)
  }

  const reasons: Record<string, Reason> = {
    'the session was ended': { change: set('sessions', { ended_at: new Date() }) },
    'the session has expired': { change: set('sessions', { expires_at: new Date(0) }) },
    'the session is idle': { change: set('sessions', { last_seen_at: new Date(0) }) },
    'the session is too old': { change: set('sessions', { created_at: new Date(0) }) },
    'idle sessions end earlier': {
      begin: age('last_seen_at', 10 * 60_000),
      change: (setup) => chooseSettings(setup, { session_idle_minutes: 5 }),
    },
    'sessions end earlier': {
      begin: age('created_at', 2 * hourMs),
      change: (setup) => chooseSettings(setup, { session_hours_max: 1 }),
    },
    'the member is locked': { change: set('members', { status: 'locked' }) },
    'the member is of another type': { change: set('members', { type: 'sales_person' }) },
    'a permission was taken': {
      change: ({ system, memberId }) => setPermissions(system, memberId, ['transactions-']),
    },
    'a permission was given': {
      begin: ({ system, memberId }) => setPermissions(system, memberId, ['transactions-']),
      change: ({ system, memberId }) => setPermissions(system, memberId, []),
    },
    'permissions were taken from everybody': {
      change: (setup) => chooseSettings(setup, { default_permissions: ['transactions-'] }),
    },
    'a feature was switched off': { change: ({ system }) => setFeatures(system, { deposits: false }) },
    'a feature was switched on': {
      begin: ({ system }) => setFeatures(system, { deposits: false }),
      change: ({ system }) => setFeatures(system, {}),
    },
    'a second factor is required': {
      change: (setup) => chooseSettings(setup, { second_factor_members: 'required' }),
    },
    'terms were published': { change: ({ staff }) => addTerms(staff) },
    'terms were published again and ask again': {
      begin: acceptTermsFirst,
      change: ({ staff }) => publishTerms(staff, { id: terms, revision: 2, asks_again: true }),
    },
    'terms were retired': { begin: acceptTermsFirst, change: ({ staff }) => retireTerms(staff, terms) },
  }
  for (const [name, { begin, change }] of Object.entries(reasons))
    it(`is proven anew by every process when ${name}`, async () => {
      const setup = await setUp()
      await begin?.(setup)
      await findOnce(setup)
      assert.deepEqual(await check(setup), [true, true])
      await change(setup)
      assert.deepEqual(await check(setup), [false, false])
      assert.deepEqual(await check(setup), [null, null], 'forgotten')
    })

  it('is proven anew when the second factor of the session is gone', async () => {
    const setup = await setUp({ withFactor: true })
    await chooseSettings(setup, { second_factor_members: 'required' })
    await findOnce(setup)
    assert.deepEqual(await check(setup), [true, true])
    await set('sessions', { second_factor_at: null })(setup)
    assert.deepEqual(await check(setup), [false, false])
  })

  it('is not the member of another session', async () => {
    const [setup, other] = [await setUp(), await setUp()]
    await findOnce(setup)
    assert.equal(recallMember(other.system, setup.token), null)
    const next = await openTestSession(setup.system, { kind: 'member', id: setup.memberId })
    assert.equal(recallMember(setup.system, next.token), null)
  })

  it('stays remembered while other things of theirs change', async () => {
    const setup = await setUp()
    await findOnce(setup)
    await set('members', { language: 'de', profile_version: 2 })(setup)
    const now = made.context.clock.now()
    await set('sessions', { last_seen_at: now })(setup)
    await findOnce(await setUp())
    assert.deepEqual(await check(setup), [true, true])
    const recalled = recallMember(setup.system, setup.token) ?? assert.fail('forgotten')
    assert.equal(recalled.actor.lastSeenAt, undefined, 'the remembered time of use is old')
    const proven = await reading(recalled.actor, (tx) => recalled.proveAgain(tx))
    assert.deepEqual(proven, { lastSeenAt: now })
  })

  it('is not remembered while terms are pending, and is again once they are accepted or retired', async () => {
    const accept = (_staff: Staff, member: Member, id: string) => acceptTerms(member, { id }, device)
    const retire = (staff: Staff, _member: Member, id: string) => retireTerms(staff, id)
    for (const end of [accept, retire]) {
      const setup = await setUp()
      const id = await addTerms(setup.staff)
      const member = await findOnce(setup)
      assert.deepEqual(
        member.terms.map(({ _id }) => _id),
        [id],
      )
      assert.deepEqual(await check(setup), [null, null])
      await end(setup.staff, member, id)
      assert.deepEqual((await findOnce(setup)).terms, [])
      assert.deepEqual(await check(setup), [true, true])
    }
  })
})
