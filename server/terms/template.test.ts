// spec: MP 3, AO 3, DK terms
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { holdsRight, staffRoles } from '@atrium/contract/staff/rights.ts'
import type { DeskTerms, MemberTerms } from '@atrium/contract/terms/desk-calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { type Answered, type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addTerms } from '../../tests/fixtures/requests.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addMember, addStaff, addWorkspace, memberActor, staffActor } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { Staff, System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { lockWorkspace } from '../workspaces/choices.ts'
import { acceptTerms } from './acceptance.ts'
import { readMemberTerms } from './member-terms.ts'
import { createTerms, orderTerms, publishTerms, retireTerms, saveTerms } from './template.ts'

let made: MadeContext
let system: System
let staff: Staff
let app: FastifyInstance
let caller: Caller
let desk: string

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  const person = await addStaff(system, { role: 'compliance', name: 'Cora Compliance' })
  staff = staffActor(system, person)
  app = await buildApp(made.context)
  caller = callerOf(app)
  desk = await caller.signIn(person, 'desk')
})
after(async () => {
  await app.close()
  await made.close()
})

const text = {
  name: 'Client agreement',
  tickbox_text: 'I have read it.',
  template: '<h2>One</h2><p>Two</p>',
  blocked_portal_sections: ['deposit' as const],
}
const termsOf = (answer: Answered): DeskTerms => {
  assert.equal(answer.status, 200, answer.raw)
  return answer.body.terms as unknown as DeskTerms
}
const read = async (id: string) => termsOf(await caller.get(`/desk/api/terms/${id}`, desk))
const post = (path: string, body: object = {}, as = desk) => caller.post(`/desk/api/terms${path}`, body, as)
const device = { address: '192.0.2.7', userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }

const audited = async (id: string): Promise<string[]> => {
  const found = await reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select('action')
      .where('workspace_id', '=', system.workspaceId)
      .where('subject_id', '=', id)
      .orderBy('audit_id')
      .execute(),
  )
  return found.map(({ action }) => action)
}

describe('a terms template at the desk', () => {
  test('is created, saved, published and retired, with an audit entry each', async () => {
    const created = termsOf(await post('', text))
    assert.deepEqual([created.state, created.version, created.revision, created.versions], ['draft', null, 1, []])
    const id = created._id
    const saved = termsOf(await post(`/${id}/save`, { ...text, revision: 1, name: 'Client agreement 2026' }))
    assert.deepEqual([saved.name, saved.revision], ['Client agreement 2026', 2])
    const published = termsOf(await post(`/${id}/publish`, { revision: 2, asks_again: false }))
    const [version] = published.versions
    assert.deepEqual([published.state, published.version, published.is_changed], ['published', 1, false])
    assert.deepEqual(
      [version?.published_by, version?.asks_again, version?.template],
      ['Cora Compliance', true, text.template],
    )
    assert.equal(termsOf(await post(`/${id}/retire`)).state, 'retired')
    assert.equal(termsOf(await post(`/${id}/retire`)).state, 'retired')
    assert.deepEqual(await audited(id), ['terms.created', 'terms.saved', 'terms.published', 'terms.retired'])
  })

  test('is cleaned on input, and refused when no text remains', async () => {
    const dirty = { ...text, template: '<p onclick="x()">ok</p><script>alert(1)</script>' }
    const { _id: id, draft } = termsOf(await post('', dirty))
    assert.equal(draft.template, '<p>ok</p>')
    await publishTerms(staff, { id, revision: 1, asks_again: true })
    // Reads the tables directly, because the queries clean again.
    for (const table of ['terms_drafts', 'terms_versions'] as const) {
      const stored = await reading(staff, (tx) =>
        tx.selectFrom(table).where(here).select('template').where('template_id', '=', id).executeTakeFirstOrThrow(),
      )
      assert.equal(stored.template, '<p>ok</p>', table)
    }
    await retireTerms(staff, id)
    const empty = await post('', { ...text, template: '<script>alert(1)</script><br>' })
    assert.deepEqual([empty.status, empty.body.errors], [422, { template: ['Please write the text of the terms.'] }])
  })

  test('reports errors by field', async () => {
    const answer = await post('', { name: ' ', tickbox_text: '', template: '', blocked_portal_sections: ['nowhere'] })
    assert.equal(answer.status, 422)
    const fields = ['blocked_portal_sections', 'name', 'template', 'tickbox_text']
    assert.deepEqual(Object.keys(answer.body.errors as object).sort(), fields)
    const noId = await post('/x/publish', { revision: 0, asks_again: 'yes' })
    assert.deepEqual(noId.body.errors, {
      id: [texts.valueRefused],
      revision: [texts.numberTooSmall.replace('{{count}}', '1')],
      asks_again: [texts.valueRefused],
    })
    assert.equal((await post('', { ...text, template: 'x'.repeat(60_001) })).status, 422)
    assert.equal((await post('', { ...text, template: 'ж'.repeat(60_000) })).status, 200)
    assert.equal((await post('', { ...text, blocked_portal_sections: [] })).status, 422)
  })

  test('is created once when sent repeatedly; another text or user creates another', async () => {
    const wanted = { ...text, name: 'Sent twice' }
    const ids = async (answers: Promise<Answered>[]) =>
      new Set((await Promise.all(answers)).map((answer) => termsOf(answer)._id))
    const made = await ids([post('', wanted), post('', wanted), post('', wanted)])
    for (const id of await ids([post('', wanted)])) made.add(id)
    assert.equal(made.size, 1)
    const [id = ''] = made
    assert.deepEqual(await audited(id), ['terms.created'])
    const others = await ids([
      post('', { ...wanted, template: '<p>Other</p>' }),
      post('', wanted, await caller.signIn(await addStaff(system, { role: 'administrator' }), 'desk')),
    ])
    await post(`/${id}/save`, { ...wanted, revision: 1 })
    for (const other of await ids([post('', wanted)])) others.add(other)
    assert.equal(others.size, 3)
    assert.ok(!others.has(id))
  })

  test('keeps the first of concurrent saves and refuses the others', async () => {
    const id = await addTerms(staff, { isDraft: true })
    const answers = await Promise.all(
      ['One', 'Two', 'Three', 'Four'].map((name) => post(`/${id}/save`, { ...text, revision: 1, name })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
    assert.equal((await read(id)).revision, 2)
  })

  test('creates one version when published concurrently', async () => {
    const id = await addTerms(staff, { isDraft: true })
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => post(`/${id}/publish`, { revision: 1, asks_again: true })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
    assert.deepEqual(
      (await read(id)).versions.map(({ version }) => version),
      [1],
    )
    await retireTerms(staff, id)
  })

  test('keeps a published version unchanged while staff edit the draft', async () => {
    const id = await addTerms(staff, text)
    const changed = termsOf(await post(`/${id}/save`, { ...text, revision: 2, template: '<p>Newer</p>' }))
    assert.equal(changed.is_changed, true)
    assert.deepEqual([changed.versions[0]?.template, changed.draft.template], [text.template, '<p>Newer</p>'])
    const again = termsOf(await post(`/${id}/publish`, { revision: 3, asks_again: false }))
    assert.deepEqual(
      again.versions.map(({ version, asks_again }) => [version, asks_again]),
      [
        [2, false],
        [1, true],
      ],
    )
    await retireTerms(staff, id)
  })

  test('sets the order in which members are asked', async () => {
    const elsewhere = await addWorkspace(made.context, { subdomain: 'order' })
    const person = await addStaff(elsewhere)
    const there = staffActor(elsewhere, person)
    const ids = [await addTerms(there), await addTerms(there), await addTerms(there)] as const
    const [first, second, third] = ids
    const order = callerOf(app, 'order.localhost')
    const token = await order.signIn(person, 'desk')
    const answer = await order.post('/desk/api/terms/order', { ids: [third, first] }, token)
    const listed = (answer.body.terms as { _id: string }[]).map(({ _id }) => _id)
    assert.deepEqual(listed, [third, first, second])
    const member = await memberActor(elsewhere, (await addMember(elsewhere)).memberId)
    assert.deepEqual(
      member.terms.map(({ _id }) => _id),
      [third, first, second],
    )
    assert.equal((await order.post('/desk/api/terms/order', { ids: [third, person.staffId] }, token)).status, 404)
  })

  test('applies a new order to the result of a concurrent one', async () => {
    const elsewhere = await addWorkspace(made.context)
    const there = staffActor(elsewhere, await addStaff(elsewhere))
    const [first, second, third] = [await addTerms(there), await addTerms(there), await addTerms(there)] as const
    const watcher = new pg.Client({ connectionString: made.ownerUrl })
    await watcher.connect()
    const ordered = Promise.withResolvers<void>()
    await inTransaction(there, async (tx) => {
      await lockWorkspace(tx, there)
      for (const [position, id] of [third, first, second].entries())
        await tx
          .updateTable('terms_templates')
          .set({ position })
          .where('workspace_id', '=', there.workspaceId)
          .where('template_id', '=', id)
          .execute()
      orderTerms(there, [second]).then(ordered.resolve, ordered.reject)
      await untilWaiting(watcher, 1)
    }).finally(() => watcher.end())
    await ordered.promise
    const member = await memberActor(elsewhere, (await addMember(elsewhere)).memberId)
    assert.deepEqual(
      member.terms.map(({ _id }) => _id),
      [second, third, first],
    )
  })
})

describe('permissions for terms', () => {
  for (const role of staffRoles)
    test(`let the role ${role} ${holdsRight(role, 'terms.manage') ? 'read and write' : 'only read'}`, async () => {
      const person = await addStaff(system, { role })
      const token = await caller.signIn(person, 'desk')
      const id = await addTerms(staff, { isDraft: true })
      const mayWrite = holdsRight(role, 'terms.manage')
      for (const path of ['', `/${id}`, `/${id}/acceptances`, `/${id}/acceptances/table`])
        assert.equal((await caller.get(`/desk/api/terms${path}`, token)).status, 200, path)
      const writes: [string, object][] = [
        ['', text],
        [`/${id}/save`, { ...text, revision: 1 }],
        [`/${id}/publish`, { revision: 2, asks_again: false }],
        [`/${id}/retire`, {}],
        ['/order', { ids: [id] }],
      ]
      for (const [path, body] of writes)
        assert.equal((await post(path, body, token)).status, mayWrite ? 200 : 403, `${role} ${path}`)
      const actor = staffActor(system, person)
      if (mayWrite) return
      const refused = { code: 'not_permitted' }
      await assert.rejects(createTerms(actor, text), refused)
      await assert.rejects(saveTerms(actor, { ...text, id, revision: 1 }), refused)
      await assert.rejects(publishTerms(actor, { id, revision: 1, asks_again: true }), refused)
      await assert.rejects(retireTerms(actor, id), refused)
      await assert.rejects(orderTerms(actor, [id]), refused)
    })

  test('refuses another brokerage, members and anonymous callers without revealing anything', async () => {
    const elsewhere = await addWorkspace(made.context)
    const foreign = await addTerms(staffActor(elsewhere, await addStaff(elsewhere)))
    const unknown = '00000000-0000-7000-8000-000000000000'
    const member = await caller.signIn(await addMember(system))
    const paths = ['', '/acceptances', '/acceptances/table']
    for (const path of paths) {
      const [one, other] = await Promise.all(
        [foreign, unknown].map((id) => caller.get(`/desk/api/terms/${id}${path}`, desk)),
      )
      assert.deepEqual({ ...one?.body, request_id: '' }, { ...other?.body, request_id: '' })
      assert.equal(one?.status, 404)
    }
    for (const [path, body] of [
      ['save', { ...text, revision: 1 }],
      ['publish', { revision: 2, asks_again: true }],
      ['retire', {}],
    ] as const) {
      assert.equal((await post(`/${foreign}/${path}`, body)).status, 404, path)
      assert.equal((await caller.post(`/desk/api/terms/${foreign}/${path}`, body, member)).status, 401)
      assert.equal((await caller.post(`/desk/api/terms/${foreign}/${path}`, body)).status, 401)
    }
  })
})

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
    const kept = termsOf(await at.get(`/desk/api/terms/${id}`, token))
    assert.deepEqual(
      kept.versions.map(({ version, accepted }) => [version, accepted]),
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
