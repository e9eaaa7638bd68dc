// spec: AO 5
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { type Answered, type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { aField, aForm } from '../../tests/fixtures/form-definitions.ts'
import {
  addAnswerFile,
  addForm,
  addOffered,
  addressAnswers,
  addressForm,
  addVersion,
  type Offered,
} from '../../tests/fixtures/forms.ts'
import { addRequest } from '../../tests/fixtures/requests.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'
import { newId } from '../foundation/ids.ts'

let made: MadeContext
let system: System
let elsewhere: System
let app: FastifyInstance
let caller: Caller
let owner: pg.Client
let offered: Offered
let one: Person
let two: Person

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { isDefault: true })
  elsewhere = await addWorkspace(made.context)
  app = await buildApp(made.context)
  caller = callerOf(app)
  owner = await made.openOwner()
  offered = await addOffered(system)
  one = await enter('Una Staff')
  two = await enter('Dua Staff')
})
after(async () => {
  await app.close()
  await made.close()
})

type Person = { id: string; token: string }

async function enter(name: string, role = 'administrator'): Promise<Person> {
  const { staffId } = await addStaff(system, { name, role })
  return { id: staffId, token: (await openTestSession(system, { kind: 'staff', id: staffId })).token }
}

const requestsAt = '/desk/api/requests'
const typesAt = '/desk/api/request-types'
const formsAt = '/desk/api/forms'
type Seen = { _id: string; status: string; assigned: { name: string } | null; comment: string | null } & {
  events: {
    kind: string
    from: string | null
    to: string | null
    by: { name: string } | null
    comment: string | null
  }[]
  answered: { answers: object; files: { name: string }[]; definition: object } | null
}
const requestOf = ({ body, raw }: Answered): Seen => {
  assert.ok(body.request, raw)
  return body.request as Seen
}
const errorsOf = ({ body }: Answered) => body.errors as Record<string, string[]>

/** Sent by a member through the API. */
async function asked(data: object = addressAnswers): Promise<{ id: string; memberId: string; token: string }> {
  const { memberId } = await addMember(system)
  const { token } = await openTestSession(system, { kind: 'member', id: memberId })
  const body = { request: { request_type: offered.typeId }, form_submit: { form: offered.formId, data } }
  const answer = await caller.post('/requests/send-customer-request', body, token)
  return { id: requestOf(answer)._id, memberId, token }
}
const assign = (by: Person, id: string, from: string | null, to: string | null) =>
  caller.post(`${requestsAt}/${id}/assign`, { from, to }, by.token)
const move = (by: Person, id: string, from: string, to: string, comment?: string) =>
  caller.post(`${requestsAt}/${id}/status`, { from, to, comment }, by.token)
const kindsSentTo = async (memberId: string): Promise<string[]> =>
  (await owner.query('select kind from notices where member_id = $1 order by notice_id', [memberId])).rows.map(
    ({ kind }) => kind,
  )

describe('a request at the desk', () => {
  it('is assigned, worked on and decided, with events and notifications', async () => {
    const { id, memberId } = await asked()
    assert.equal(requestOf(await assign(one, id, null, two.id)).status, 'open')
    assert.equal(requestOf(await assign(one, id, two.id, one.id)).assigned?.name, 'Una Staff')
    assert.equal(requestOf(await move(one, id, 'open', 'in-progress')).status, 'in-progress')
    await caller.post(`${requestsAt}/${id}/comment`, { comment: 'On its way.' }, one.token)
    const done = requestOf(await move(one, id, 'in-progress', 'done', 'Changed.'))
    assert.deepEqual([done.status, done.comment, done.assigned?.name], ['done', 'Changed.', 'Una Staff'])
    assert.deepEqual(
      done.events.map(({ kind, to, by }) => [kind, to, by?.name ?? null]),
      [
        ['sent', 'not-assigned', null],
        ['assigned', null, 'Una Staff'],
        ['moved', 'open', 'Una Staff'],
        ['assigned', null, 'Una Staff'],
        ['moved', 'in-progress', 'Una Staff'],
        ['commented', null, 'Una Staff'],
        ['moved', 'done', 'Una Staff'],
      ],
    )
    assert.deepEqual(await kindsSentTo(memberId), ['request.moved', 'request.answered', 'request.decided'])
    assert.equal(requestOf(await move(one, id, 'in-progress', 'done', 'Changed.')).events.length, 7)
    const words = await move(two, id, 'in-progress', 'done', 'Another word.')
    assert.deepEqual([words.status, words.body.error], [409, deskTexts.requestDecided])
    const late = await move(two, id, 'done', 'open')
    assert.deepEqual([late.status, late.body.error], [409, deskTexts.requestDecided])
    assert.equal((await assign(two, id, one.id, two.id)).status, 409)
  })

  it('is answered again with the same words later, and by a colleague, but not by a double click', async () => {
    const { id } = await asked()
    const say = (by: Person) => caller.post(`${requestsAt}/${id}/comment`, { comment: 'Please call us.' }, by.token)
    const commented = async () => {
      const { events } = requestOf(await caller.get(`${requestsAt}/${id}`, one.token))
      return events.filter(({ kind }) => kind === 'commented').length
    }
    for (const _ of [1, 2]) await say(one)
    assert.equal(await commented(), 1)
    await say(two)
    assert.equal(await commented(), 2)
    made.context.clock.advance(61_000)
    await say(one)
    assert.equal(await commented(), 3)
  })

  it('refuses the second of two concurrent assignments, fifty times', async () => {
    for (let round = 0; round < 50; round++) {
      const { memberId } = await addMember(system)
      const id = await addRequest(system, { memberId, requestTypeId: offered.typeId })
      const answers = await Promise.all([assign(one, id, null, one.id), assign(two, id, null, two.id)])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
      const lost = answers.find(({ status }) => status === 409)
      assert.match(String(lost?.body.error), /^This request is assigned to (Una|Dua) Staff\.$/)
    }
  })

  it('refuses a move from an outdated status, and treats a repeated move as unchanged', async () => {
    const { id, memberId } = await asked()
    await move(one, id, 'not-assigned', 'in-progress')
    const late = await move(two, id, 'not-assigned', 'done')
    assert.deepEqual([late.status, late.body.error], [409, deskTexts.requestMoved])
    assert.equal((await move(two, id, 'not-assigned', 'in-progress')).status, 200)
    assert.equal((await kindsSentTo(memberId)).length, 1)
    assert.deepEqual(errorsOf(await move(one, id, 'in-progress', 'rejected', '  ')), {
      comment: ['This action requires a Comment, please write it.'],
    })
    const back = requestOf(await move(one, id, 'in-progress', 'not-assigned'))
    assert.deepEqual([back.status, back.assigned], ['not-assigned', null])
  })

  it('needs permission to decide and to read, and is invisible to another brokerage', async () => {
    const { id, token } = await asked()
    const viewer = await enter('Vera Viewer', 'viewer')
    assert.equal((await caller.get(`${requestsAt}/${id}`, viewer.token)).status, 200)
    assert.equal((await move(viewer, id, 'not-assigned', 'done')).status, 403)
    assert.equal((await assign(one, id, null, viewer.id)).status, 422)
    assert.equal((await caller.get(`${requestsAt}/${id}`, token)).status, 401)
    const { memberId } = await addMember(elsewhere)
    const theirs = await addOffered(elsewhere)
    const foreign = await addRequest(elsewhere, { memberId, requestTypeId: theirs.typeId })
    for (const unknown of [foreign, newId()]) {
      assert.equal((await caller.get(`${requestsAt}/${unknown}`, one.token)).status, 404)
      assert.equal((await move(one, unknown, 'not-assigned', 'done')).status, 404)
    }
    assert.equal((await caller.get(`${formsAt}/${theirs.formId}`, one.token)).status, 404)
  })

  it('is listed by status, with counts, paging, search and a CSV without formulas', async () => {
    const at = await addOffered(system, aForm([aField('text', 'wish'), aField('files', 'documents')]))
    const { memberId } = await addMember(system)
    const { token } = await openTestSession(system, { kind: 'member', id: memberId })
    const file = await addAnswerFile(system, memberId)
    const form_submit = { form: at.formId, data: { wish: '=1+1', documents: [file] } }
    await caller.post('/requests/send-customer-request', { request: { request_type: at.typeId }, form_submit }, token)
    for (let made = 0; made < 4; made++)
      await addRequest(system, { memberId, requestTypeId: at.typeId, status: 'done', subject: `Old ${made}` })
    type Page = { requests: Seen[]; next: string | null; total: number; counts: Record<string, number> }
    const list = async (query: string) =>
      (await caller.get(`${requestsAt}?type=${at.typeId}&${query}`, one.token)).body as unknown as Page
    const waiting = await list('')
    assert.deepEqual([waiting.total, waiting.counts.done, waiting.requests.length], [1, 4, 1])
    const first = await list('status=done&limit=3')
    const rest = await list(`status=done&limit=3&after=${first.next}`)
    assert.equal(new Set([...first.requests, ...rest.requests].map(({ _id }) => _id)).size, 4)
    assert.equal((await list('status=done&q=old 2')).requests.length, 1)
    assert.equal((await list('mine=yes')).requests.length, 0)
    const table = await caller.get(`${requestsAt}/table?type=${at.typeId}`, one.token)
    const lines = table.raw.trim().split('\r\n')
    assert.match(lines[0] ?? '', /Assigned to,The wish,The documents,Other answers$/)
    assert.equal(lines.length, 6)
    assert.match(lines.find((line) => line.includes('not-assigned')) ?? '', /,'=1\+1,bill\.pdf,$/)
    const answers = await caller.get(`${formsAt}/${at.formId}/answers`, one.token)
    assert.match(answers.raw, /,'=1\+1,bill\.pdf,\r\n$/)
    const sent = await caller.get(`${formsAt}/${at.formId}/submissions`, one.token)
    const [row] = sent.body.submissions as { _id: string }[]
    const read = await caller.get(`/desk/api/submissions/${row?._id}`, one.token)
    const submission = read.body.submission as { answered: { files: { name: string }[] } }
    assert.deepEqual(
      submission.answered.files.map(({ name }) => name),
      ['bill.pdf'],
    )
  })

  it('exports answers by the version of the form that they were given to', async () => {
    const asks = (...labels: string[]) =>
      aForm([{ ...aField('select', 'income'), options: labels.map((label, at) => ({ value: `answer-${at}`, label })) }])
    const at = await addOffered(system, asks('Under 1,000', 'Over 1,000'))
    const { memberId } = await addMember(system)
    const { token } = await openTestSession(system, { kind: 'member', id: memberId })
    const form_submit = { form: at.formId, data: { income: 'answer-1' } }
    await caller.post('/requests/send-customer-request', { request: { request_type: at.typeId }, form_submit }, token)
    await addVersion(system, at.formId, asks('Under 2,000', 'Over 2,000'))
    const table = await caller.get(`${requestsAt}/table?type=${at.typeId}`, one.token)
    assert.match(table.raw, /,"Over 1,000",\r\n$/)
  })
})

const values = { show_on: null, is_request: true, category: null, vendors: [], departments: [] }
type Form = { _id: string; version: number; versions: { version: number; made_by: string }[]; revision: string }
const formOf = ({ body, raw }: Answered): Form => {
  assert.ok(body.form, raw)
  return body.form as Form
}
const add = (by: Person, body: object) =>
  caller.post(`${formsAt}/add`, { ...values, definition: addressForm, ...body }, by.token)

describe('a form at the desk', () => {
  it('is added once under a name that the database and JavaScript lower differently', async () => {
    const body = { name: 'İade' }
    assert.equal(formOf(await add(one, body))._id, formOf(await add(one, body))._id)
  })

  it('is added once, changed, published in immutable versions, and archived', async () => {
    const body = { name: 'Source of funds' }
    const [first, again] = await Promise.all([add(one, body), add(one, body)])
    const form = formOf(first)
    assert.equal(formOf(again)._id, form._id)
    assert.equal((await add(one, { ...body, definition: aForm([aField('text', 'x')]) })).status, 422)
    const next = aForm([aField('text', 'origin')])
    const publish = (by: Person, definition: object, based_on: number) =>
      caller.post(`${formsAt}/${form._id}/publish`, { definition, based_on }, by.token)
    assert.equal(formOf(await publish(one, next, 1)).version, 2)
    assert.equal(formOf(await publish(one, next, 1)).version, 2)
    const late = await publish(two, addressForm, 1)
    assert.deepEqual([late.status, late.body.error], [409, deskTexts.formPublishedElsewhere])
    const old = await caller.get(`${formsAt}/${form._id}/versions/1`, one.token)
    assert.deepEqual((old.body.version as { definition: object }).definition, addressForm)
    assert.equal((await caller.get(`${formsAt}/${form._id}/versions/3`, one.token)).status, 404)
    await assert.rejects(owner.query('update form_versions set made_by_name = $1', ['x']))
    const changed = await caller.post(`${formsAt}/${form._id}/change`, { ...values, name: 'Funds' }, one.token)
    assert.equal((changed.body.form as { name: string }).name, 'Funds')
    const { revision: seen } = form
    const stale = { ...values, ...body, category: 'Money', seen }
    const overwriting = await caller.post(`${formsAt}/${form._id}/change`, stale, two.token)
    assert.deepEqual([overwriting.status, overwriting.body.error], [409, deskTexts.recordChanged])
    const archive = (archived: boolean) => caller.post(`${formsAt}/${form._id}/archive`, { archived }, one.token)
    assert.equal((await archive(true)).status, 200)
    const listed = await caller.get(`${formsAt}?archived=yes`, one.token)
    assert.deepEqual(
      (listed.body.forms as Form[]).map(({ _id }) => _id),
      [form._id],
    )
    assert.equal((await archive(false)).status, 200)
  })

  it('refuses the second of two concurrent publications', async () => {
    const form = formOf(await add(one, { name: 'At once' }))
    const publish = (by: Person, name: string) =>
      caller.post(
        `${formsAt}/${form._id}/publish`,
        { definition: aForm([aField('text', name)]), based_on: 1 },
        by.token,
      )
    const answers = await Promise.all([publish(one, 'a'), publish(two, 'b')])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  })

  it('refuses a script, circular conditions and duplicate names', async () => {
    const html = '<img src=x onerror=alert(1)>'
    const circle = { a: { '==': [{ var: 'b' }, 'x'] }, b: { '==': [{ var: 'a' }, 'x'] } }
    const wrong = [
      aForm([aField('static_content', 'note', { config: { html } })]),
      aForm([aField('text', 'a'), aField('text', 'b')], { show_conditions: circle }),
      aForm([aField('text', 'a'), aField('text', 'a')]),
      { steps: [] },
    ]
    for (const definition of wrong) {
      const answer = await add(one, { name: `Wrong ${newId()}`, definition })
      assert.equal(answer.status, 422, answer.raw)
      assert.ok(errorsOf(answer).definition)
    }
  })

  it('refuses to archive an offered form, and staff without permission', async () => {
    const archived = await caller.post(`${formsAt}/${offered.formId}/archive`, { archived: true }, one.token)
    assert.deepEqual([archived.status, archived.body.error], [409, deskTexts.formOffered])
    const support = await enter('Sela Support', 'support')
    assert.equal((await add(support, { name: 'Mine' })).status, 403)
    assert.equal((await caller.get(formsAt, support.token)).status, 200)
  })
})

type Type = { _id: string; name: string; archived: boolean; form: { name: string } | null; revision: string }
const typesOf = ({ body, raw }: Answered): Type[] => {
  assert.ok(body.types, raw)
  return body.types as Type[]
}

describe('request types at the desk', () => {
  const type = { description: null, predefined_type: null, form: null, show_in_portal: true, is_quick_link: false }

  it('are added once, changed, ordered, archived and restored', async () => {
    const addType = (body: object) => caller.post(`${typesAt}/add`, { ...type, ...body }, one.token)
    const [first, again] = await Promise.all([addType({ name: 'Leverage' }), addType({ name: 'Leverage' })])
    const named = (types: Type[], name: string) => types.filter((each) => each.name === name)
    assert.equal(named(typesOf(await caller.get(typesAt, one.token)), 'Leverage').length, 1)
    const id = named(typesOf(first), 'Leverage')[0]?._id ?? named(typesOf(again), 'Leverage')[0]?._id ?? ''
    assert.deepEqual(errorsOf(await addType({ name: 'leverage', show_in_portal: false })), {
      name: [deskTexts.requestTypeNameTaken],
    })
    const change = (body: object) =>
      caller.post(`${typesAt}/${id}/change`, { ...type, name: 'Leverage', ...body }, one.token)
    const form = await addForm(system, { name: 'Higher leverage' })
    assert.equal(named(typesOf(await change({ form })), 'Leverage')[0]?.form?.name, 'Higher leverage')
    assert.deepEqual(errorsOf(await change({ form, predefined_type: 'add_bank_account' })), {
      form: [deskTexts.formBesidePage],
    })
    for (const unknown of [newId(), await addForm(elsewhere), await addForm(system, { is_request: false })])
      assert.deepEqual(errorsOf(await change({ form: unknown })), { form: [deskTexts.formUnknown] })
    const idsOf = (answer: Answered) => typesOf(answer).map(({ _id }) => _id)
    const before = idsOf(await caller.get(typesAt, one.token))
    const order = (types: string[], seen?: string[]) => caller.post(`${typesAt}/order`, { types, seen }, one.token)
    assert.deepEqual(idsOf(await order(before.toReversed())), before.toReversed())
    for (const wrong of [before.slice(1), [...before, newId()], before.map(() => id)])
      assert.equal((await order(wrong)).status, 409)
    assert.equal((await order(before, before)).status, 409)
    const archive = (archived: boolean) => caller.post(`${typesAt}/${id}/archive`, { archived }, one.token)
    assert.equal(typesOf(await archive(true)).at(-1)?.archived, true)
    assert.equal(typesOf(await archive(false)).at(-1)?._id, id)
    // The form was archived while the type was: members could choose the type and never send it.
    await change({ form })
    await archive(true)
    const putAway = await caller.post(`${formsAt}/${form}/archive`, { archived: true }, one.token)
    assert.equal(putAway.status, 200, putAway.raw)
    assert.deepEqual(errorsOf(await archive(false)), { form: [deskTexts.formUnknown] })
    await caller.post(`${formsAt}/${form}/archive`, { archived: false }, one.token)
    assert.equal(typesOf(await archive(false)).at(-1)?.archived, false)
  })

  it('are not overwritten from a page that does not show a colleague’s change', async () => {
    const name = `Seen ${newId()}`
    const added = typesOf(await caller.post(`${typesAt}/add`, { ...type, name }, one.token))
    const { _id, revision: seen } = added.find((each) => each.name === name) as Type
    const change = (by: Person, body: object) =>
      caller.post(`${typesAt}/${_id}/change`, { ...type, name, ...body, seen }, by.token)
    assert.equal((await change(two, { show_in_portal: !type.show_in_portal })).status, 200)
    const stale = await change(one, { description: 'Newer.' })
    assert.deepEqual([stale.status, stale.body.error], [409, deskTexts.recordChanged])
  })

  it('that change details keep the fields for them in every version of their form', async () => {
    const email = aField('email', 'new_email', { config: { required: true } })
    const form = await addForm(system, { definition: aForm([email]) })
    const name = `Change of email ${newId()}`
    const types = typesOf(await caller.post(`${typesAt}/add`, { ...type, name, form, changes: 'email' }, one.token))
    const id = types.find((each) => each.name === name)?._id
    const publish = (fields: object[], based_on: number) =>
      caller.post(`${formsAt}/${form}/publish`, { definition: aForm(fields as never), based_on }, one.token)
    const archive = (archived: boolean) => caller.post(`${typesAt}/${id}/archive`, { archived }, one.token)
    const without = [aField('text', 'reason')]
    const said = [deskTexts.changeFieldsKept.replace('{{fields}}', 'new_email')]
    for (const fields of [without, [aField('email', 'new_email')]])
      assert.deepEqual(errorsOf(await publish(fields, 1)), { definition: said })
    assert.equal((await publish([...without, email], 1)).status, 200)
    await archive(true)
    assert.equal((await publish(without, 2)).status, 200)
    assert.deepEqual(errorsOf(await archive(false)), {
      form: [deskTexts.changeFieldsMissing.replace('{{fields}}', 'new_email')],
    })
    assert.equal((await publish([email], 3)).status, 200)
    assert.equal(typesOf(await archive(false)).find((each) => each._id === id)?.archived, false)
  })
})
