// spec: MP 7, AO 7, DK terms
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addTerms } from '../../tests/fixtures/requests.ts'
import { addMember, addStaff, addWorkspace, type MadeMember, staffActor } from '../../tests/fixtures/workspaces.ts'
import type { Staff, System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { publishTerms, retireTerms, saveTerms } from './template.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let staff: Staff
let caller: Caller
let member: MadeMember
let token: string

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  staff = staffActor(system, await addStaff(system))
})
after(() => close())
beforeEach(async () => {
  made.context.clock.advance(16 * 60_000)
  member = await addMember(system)
  token = await caller.signIn(member)
})

type Shown = { _id: string; version: number; template: string; blocked_portal_sections: string[] }
const pending = async (as = token): Promise<Shown[]> =>
  (await caller.get('/members/terms', as)).body.terms as unknown as Shown[]
const pendingIds = async (as = token): Promise<string[]> => (await pending(as)).map(({ _id }) => _id)
const accept = (id: string, more: object = {}, as = token) => caller.post('/members/accept-terms/', { id, ...more }, as)

const rows = (id: string) =>
  reading(system, (tx) =>
    tx
      .selectFrom('terms_acceptances')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('template_id', '=', id)
      .execute(),
  )

const audited = async (id: string): Promise<string[]> => {
  const found = await reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['action', 'actor_kind'])
      .where('workspace_id', '=', system.workspaceId)
      .where('subject_id', '=', id)
      .orderBy('audit_id')
      .execute(),
  )
  return found.map(({ action, actor_kind }) => `${actor_kind} ${action}`)
}

const newText = { name: 'Client agreement', tickbox_text: 'I accept.', template: '<p>A newer text.</p>' }

describe('the acceptance of terms', () => {
  test('records version, time, address, browser and session, and asks no more', async () => {
    const id = await addTerms(staff)
    const [shown] = await pending()
    assert.equal(shown?._id, id)
    assert.equal(shown?.version, 1)
    const answer = await caller.send({
      method: 'POST',
      url: '/members/accept-terms/',
      payload: { id, version: 1 },
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'Harbour Browser/1.0' },
    })
    assert.deepEqual(
      [answer.status, answer.body.status, answer.body.msg],
      [200, 'ok', ['Your acceptance has been recorded.']],
    )
    assert.deepEqual(await pendingIds(), [])
    const [row] = await rows(id)
    assert.equal(row?.version, 1)
    assert.equal(row?.accepted_at.getTime(), made.context.clock.now().getTime())
    assert.equal(row?.address, '127.0.0.1')
    assert.equal(row?.user_agent, 'Harbour Browser/1.0')
    const session = await reading(system, (tx) =>
      tx
        .selectFrom('sessions')
        .select('member_id')
        .where('workspace_id', '=', system.workspaceId)
        .where('session_id', '=', row?.session_id ?? '')
        .executeTakeFirst(),
    )
    assert.equal(session?.member_id, member.memberId)
    assert.ok((await audited(id)).includes('member terms.accepted'))
    await retireTerms(staff, id)
  })

  test('accepts a trailing slash, and is idempotent', async () => {
    const id = await addTerms(staff)
    for (const path of ['/members/accept-terms', '/members/accept-terms/', '/members/accept-terms'])
      assert.equal((await caller.post(path, { id }, token)).status, 200, path)
    assert.equal((await rows(id)).length, 1)
    assert.equal((await audited(id)).filter((each) => each === 'member terms.accepted').length, 1)
    await retireTerms(staff, id)
  })

  test('records one acceptance for concurrent tabs, and confirms it to each', async () => {
    const id = await addTerms(staff)
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept(id)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal((await rows(id)).length, 1)
    assert.equal((await audited(id)).filter((each) => each === 'member terms.accepted').length, 1)
    await retireTerms(staff, id)
  })

  test('answers alike for unknown, foreign, draft and retired terms', async () => {
    const elsewhere = await addWorkspace(made.context)
    const foreign = await addTerms(staffActor(elsewhere, await addStaff(elsewhere)))
    const draft = await addTerms(staff, { isDraft: true })
    const retired = await addTerms(staff)
    await retireTerms(staff, retired)
    const unknown = '00000000-0000-7000-8000-000000000000'
    const answers = []
    for (const id of [unknown, foreign, draft, retired]) {
      const { status, body } = await accept(id)
      answers.push([status, { ...body, request_id: '' }])
    }
    assert.equal(answers[0]?.[0], 404)
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    assert.deepEqual(await pendingIds(), [])
  })

  test('requires a member’s session and a valid id', async () => {
    const id = await addTerms(staff)
    assert.equal((await caller.post('/members/accept-terms/', { id })).status, 401)
    for (const wrong of [undefined, null, 'x', 1, {}, ['x']])
      assert.equal((await caller.post('/members/accept-terms/', { id: wrong }, token)).status, 422)
    const desk = await caller.signIn(await addStaff(system), 'desk')
    assert.equal((await accept(id, {}, desk)).status, 401)
    await retireTerms(staff, id)
  })

  test('applies to the caller only', async () => {
    const id = await addTerms(staff)
    const other = await caller.signIn(await addMember(system))
    await accept(id, { member_id: member.memberId }, other)
    assert.deepEqual([await pendingIds(), await pendingIds(other)], [[id], []])
    await retireTerms(staff, id)
  })
})

describe('a new version of terms', () => {
  async function publishAnew(id: string, asks_again: boolean): Promise<void> {
    const sections = { blocked_portal_sections: ['deposit' as const] }
    await saveTerms(staff, { id, revision: 2, ...newText, ...sections })
    await publishTerms(staff, { id, revision: 3, asks_again })
  }

  test('asks again when staff choose so, and keeps both acceptances', async () => {
    const id = await addTerms(staff)
    await accept(id)
    await publishAnew(id, true)
    const [shown] = await pending()
    assert.deepEqual([shown?._id, shown?.version, shown?.template], [id, 2, '<p>A newer text.</p>'])
    await accept(id)
    assert.deepEqual(await pendingIds(), [])
    assert.deepEqual((await rows(id)).map(({ version }) => version).sort(), [1, 2])
    await retireTerms(staff, id)
  })

  test('does not ask again otherwise, and new members accept the newest version', async () => {
    const id = await addTerms(staff)
    await accept(id)
    await publishAnew(id, false)
    assert.deepEqual(await pendingIds(), [])
    const newcomer = await caller.signIn(await addMember(system))
    assert.deepEqual((await pending(newcomer))[0]?.version, 2)
    await retireTerms(staff, id)
  })

  test('is not accepted by a page that shows the earlier version', async () => {
    const id = await addTerms(staff)
    await publishAnew(id, true)
    const stale = await accept(id, { version: 1 })
    assert.deepEqual([stale.status, stale.body.code], [409, 'conflict'])
    assert.equal((await accept(id, { version: 3 })).status, 404)
    assert.equal((await accept(id, { version: 2 })).status, 200)
    await retireTerms(staff, id)
  })

  test('asks nobody once retired, and keeps its acceptances when republished unchanged', async () => {
    const id = await addTerms(staff)
    const other = await caller.signIn(await addMember(system))
    await accept(id)
    await retireTerms(staff, id)
    assert.deepEqual([await pendingIds(), await pendingIds(other)], [[], []])
    await publishTerms(staff, { id, revision: 2, asks_again: false })
    assert.deepEqual([await pendingIds(), await pendingIds(other)], [[], [id]])
    await retireTerms(staff, id)
  })
})

describe('pending terms', () => {
  test('come in the configured order, cleaned on output even if the database holds unsafe HTML', async () => {
    const first = await addTerms(staff)
    const second = await addTerms(staff, { blocked_portal_sections: ['all'] })
    await inTransaction(system, (tx) =>
      tx
        .insertInto('terms_versions')
        .values({
          workspace_id: system.workspaceId,
          template_id: second,
          version: 2,
          name: 'Smuggled',
          tickbox_text: '<b>text</b>',
          template: '<p onclick="alert(1)">ok<script>alert(1)</script><img src=x onerror=alert(1)></p>',
          blocked_portal_sections: ['all', 'a-scope-that-is-gone'],
          asks_again: true,
          published_at: made.context.clock.now(),
        })
        .execute(),
    )
    await inTransaction(system, (tx) =>
      tx
        .updateTable('terms_templates')
        .set({ version: 2, asks_from: 2 })
        .where('workspace_id', '=', system.workspaceId)
        .where('template_id', '=', second)
        .execute(),
    )
    const [, smuggled] = await pending()
    assert.deepEqual(await pendingIds(), [first, second])
    assert.equal(smuggled?.template, '<p>ok</p>')
    assert.deepEqual(smuggled?.blocked_portal_sections, ['all'])
    const refused = await caller.get('/members/sessions', token)
    const [, inRefusal] = refused.body.terms as Shown[]
    assert.equal(inRefusal?.template, '<p>ok</p>')
    const desk = await caller.signIn(await addStaff(system), 'desk')
    const seen = await caller.get(`/desk/api/terms/${second}`, desk)
    assert.equal(seen.status, 200)
    assert.ok(!/script|onclick|onerror/.test(seen.raw), seen.raw)
    for (const id of [first, second]) await retireTerms(staff, id)
  })

  test('are announced by a digest on every answer, which changes only with the terms', async () => {
    const digestFor = async (path = '/user/permissions', as = token) =>
      String((await caller.get(path, as)).headers['x-terms'])
    const graph = `/graph?q=${Buffer.from('{ current_member { _id } }').toString('base64url')}`
    assert.equal(await digestFor(), 'none')
    const id = await addTerms(staff)
    const digest = await digestFor()
    assert.notEqual(digest, 'none')
    for (const path of [graph, '/members/terms', '/members/sessions']) assert.equal(await digestFor(path), digest, path)
    assert.equal((await caller.get('/members/terms', token)).body.digest, digest)
    await accept(id)
    assert.equal(await digestFor(), 'none')
    assert.equal((await caller.get('/members/crm-settings')).headers['x-terms'], undefined)
    await retireTerms(staff, id)
  })
})
