// spec: MP 3, AO 3, DK terms
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { holdsRight, staffRoles } from '@atrium/contract/staff/rights.ts'
import { texts } from '@atrium/contract/texts.ts'
import { type Answered, callerOf } from '../../tests/fixtures/caller.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addTerms } from '../../tests/fixtures/requests.ts'
import { openTermsFixture, type TermsFixture, termsOf, text } from '../../tests/fixtures/terms/terms-fixture.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addMember, addStaff, addWorkspace, memberActor, staffActor } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { lockWorkspace } from '../workspaces/choices.ts'
import { createTerms, orderTerms, publishTerms, retireTerms, saveTerms } from './template.ts'

let fixture: TermsFixture
let made: TermsFixture['made']
let system: TermsFixture['system']
let staff: TermsFixture['staff']
let app: TermsFixture['app']
let caller: TermsFixture['caller']
let desk: TermsFixture['desk']
let read: TermsFixture['read']
let post: TermsFixture['post']
let audited: TermsFixture['audited']

before(async () => {
  fixture = await openTermsFixture()
  ;({ made, system, staff, app, caller, desk, read, post, audited } = fixture)
})
after(() => fixture.close())
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

  test('is neither published nor retired without a fresh proof of identity', async () => {
    const ids = { publish: await addTerms(staff, { isDraft: true }), retire: await addTerms(staff) }
    const start = made.context.clock.now()
    made.context.clock.advance(16 * 60_000)
    const answers = [
      await post(`/${ids.publish}/publish`, { revision: 1, asks_again: true }),
      await post(`/${ids.retire}/retire`),
    ]
    made.context.clock.set(start)
    for (const { status, body } of answers) assert.deepEqual([status, body.code], [403, 'proof_required'])
    assert.deepEqual([(await read(ids.publish)).state, (await read(ids.retire)).state], ['draft', 'published'])
    await retireTerms(staff, ids.retire)
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
    const stale = { ids: [second, first, third], seen: [first, second, third] }
    assert.equal((await order.post('/desk/api/terms/order', stale, token)).status, 409)
    await addTerms(there)
    const shown = { ids: [second, third, first], seen: [third, first, second] }
    assert.equal((await order.post('/desk/api/terms/order', shown, token)).status, 200)
  })

  test('applies a new order to the result of a concurrent one', async () => {
    const elsewhere = await addWorkspace(made.context)
    const there = staffActor(elsewhere, await addStaff(elsewhere))
    const [first, second, third] = [await addTerms(there), await addTerms(there), await addTerms(there)] as const
    const watcher = await made.openOwner()
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
    })
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
