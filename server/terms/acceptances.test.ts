// spec: MP 3, AO 3, DK terms
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { MemberTerms } from '@atrium/contract/terms/desk-calls.ts'
import { callerOf } from '../../tests/fixtures/caller.ts'
import { addTerms } from '../../tests/fixtures/requests.ts'
import { device, openTermsFixture, type TermsFixture, termsOf, text } from '../../tests/fixtures/terms/terms-fixture.ts'
import { addMember, addStaff, addWorkspace, memberActor, staffActor } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { acceptTerms } from './acceptance.ts'
import { readMemberTerms } from './member-terms.ts'
import { publishTerms, retireTerms, saveTerms } from './template.ts'

let fixture: TermsFixture
let made: TermsFixture['made']
let system: TermsFixture['system']
let staff: TermsFixture['staff']
let app: TermsFixture['app']
let caller: TermsFixture['caller']
let desk: TermsFixture['desk']
let audited: TermsFixture['audited']

before(async () => {
  fixture = await openTermsFixture()
  ;({ made, system, staff, app, caller, desk, audited } = fixture)
})
after(() => fixture.close())
describe('acceptances at the desk', () => {
  test('are counted, listed latest first, searched and paged', async () => {
    const elsewhere = await addWorkspace(made.context, { subdomain: 'counting' })
    const person = await addStaff(elsewhere)
    const there = staffActor(elsewhere, person)
    const id = await addTerms(there)
    const names = ['Ada', 'Berta', 'Carla']
    for (const first_name of names) {
      made.context.clock.advance(1_000)
      const { memberId } = await addMember(elsewhere, { first_name, last_name: 'Acker' })
      await acceptTerms(await memberActor(elsewhere, memberId), { id }, device)
    }
    await addMember(elsewhere)
    await addMember(elsewhere, { status: 'locked' })
    const at = callerOf(app, 'counting.localhost')
    const token = await at.signIn(person, 'desk')
    const get = async (path: string) => (await at.get(`/desk/api/terms${path}`, token)).body
    const getTable = async (version: number) =>
      (await at.get(`/desk/api/terms/${id}/acceptances/table?version=${version}`, token)).raw
    const [row] = (await get('')).terms as { accepted: number; members: number }[]
    assert.deepEqual([row?.accepted, row?.members], [3, 4])
    type Listed = { total: number; acceptances: { member: { name: string }; device: string; address: string }[] }
    const all = (await get(`/${id}/acceptances?limit=2`)) as unknown as Listed
    assert.equal(all.total, 3)
    assert.deepEqual(
      all.acceptances.map(({ member }) => member.name),
      ['Carla Acker', 'Berta Acker'],
    )
    assert.deepEqual([all.acceptances[0]?.device, all.acceptances[0]?.address], ['Firefox on Linux', '192.0.2.7'])
    const second = (await get(`/${id}/acceptances?limit=2&page=2`)) as unknown as Listed
    assert.deepEqual(
      second.acceptances.map(({ member }) => member.name),
      ['Ada Acker'],
    )
    const searched = (await get(`/${id}/acceptances?q=berta`)) as unknown as Listed
    assert.deepEqual([searched.total, searched.acceptances[0]?.member.name], [1, 'Berta Acker'])
    assert.equal(((await get(`/${id}/acceptances?q=%25`)) as unknown as Listed).total, 0)
    const ofFirst = (await get(`/${id}/acceptances?version=1`)) as unknown as Listed
    const ofSecond = (await get(`/${id}/acceptances?version=2`)) as unknown as Listed
    assert.deepEqual([ofFirst.total, ofSecond.total], [3, 0])
    assert.match(await getTable(1), /Ada Acker/)
    assert.doesNotMatch(await getTable(2), /Acker/)
    await publishTerms(there, { id, revision: 2, asks_again: true })
    const [asked] = (await get('')).terms as { accepted: number }[]
    assert.equal(asked?.accepted, 0)
    const stored = termsOf(await at.get(`/desk/api/terms/${id}`, token))
    assert.deepEqual(
      stored.versions.map(({ version, accepted }) => [version, accepted]),
      [
        [2, 0],
        [1, 3],
      ],
    )
  })

  test('are exported without formulas', async () => {
    const id = await addTerms(staff)
    const evil = ['=cmd|x', '+1', '-1', '@SUM(A1)']
    for (const first_name of evil) {
      const { memberId } = await addMember(system, { first_name })
      await acceptTerms(await memberActor(system, memberId), { id }, { address: null, userAgent: '=1+1' })
    }
    const { raw } = await caller.get(`/desk/api/terms/${id}/acceptances/table`, desk)
    const lines = raw.replace('\ufeff', '').trim().split('\r\n')
    assert.equal(lines.length, evil.length + 1)
    for (const line of lines) for (const cell of line.split(',')) assert.ok(!/^"?[=+\-@]/.test(cell), line)
    assert.deepEqual((await audited(id)).slice(-1), ['terms.acceptances-exported'])
    await caller.get(`/desk/api/terms/${id}/acceptances/table?q=mara&version=1`, desk)
    const { after } = await reading(system, (tx) =>
      tx
        .selectFrom('audit_log')
        .select('after')
        .where('workspace_id', '=', system.workspaceId)
        .where('subject_id', '=', id)
        .orderBy('audit_id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow(),
    )
    // The entry says that a search narrowed the export, and not for whom.
    assert.deepEqual(after, { id, q: '…', version: '1' })
    await retireTerms(staff, id)
  })
})

describe('terms of one member', () => {
  test('are pending and accepted ones with time, address and version', async () => {
    const { memberId } = await addMember(system)
    const id = await addTerms(staff, { name: 'Fees of today' })
    await acceptTerms(await memberActor(system, memberId), { id }, device)
    const saved = { ...text, id, revision: 2, name: 'Fees of tomorrow', blocked_portal_sections: ['withdraw' as const] }
    await saveTerms(staff, saved)
    await publishTerms(staff, { id, revision: 3, asks_again: true })
    const viewer = await caller.signIn(await addStaff(system, { role: 'viewer' }), 'desk')
    const answer = await caller.get(`/desk/api/members/${memberId}/terms`, viewer)
    const { pending, accepted } = answer.body.terms as unknown as MemberTerms
    assert.deepEqual(pending, [{ _id: id, name: saved.name, version: 2, blocked_portal_sections: ['withdraw'] }])
    const at = made.context.clock.now().getTime()
    assert.deepEqual(accepted, [
      {
        _id: id,
        name: 'Fees of today',
        version: 1,
        accepted_at: at,
        address: device.address,
        device: 'Firefox on Linux',
      },
    ])
    await retireTerms(staff, id)
    const after = (await caller.get(`/desk/api/members/${memberId}/terms`, viewer)).body.terms as unknown as MemberTerms
    assert.deepEqual([after.pending.length, after.accepted.length], [0, 1])
  })

  test('answer another brokerage as for an unknown member', async () => {
    const { memberId } = await addMember(system)
    const elsewhere = await addWorkspace(made.context, { subdomain: 'curious' })
    const at = callerOf(app, 'curious.localhost')
    const theirs = await at.signIn(await addStaff(elsewhere), 'desk')
    const [foreign, unknown] = await Promise.all(
      [memberId, '00000000-0000-7000-8000-000000000000'].map((id) => at.get(`/desk/api/members/${id}/terms`, theirs)),
    )
    assert.equal(foreign?.status, 404)
    assert.deepEqual({ ...foreign?.body, request_id: '' }, { ...unknown?.body, request_id: '' })
    await assert.rejects(async () => readMemberTerms({ ...staff, role: 'nobody' }, memberId), { code: 'not_permitted' })
  })
})
