import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deskTexts } from '@atrium/contract/desk-texts.ts'
import { type FieldType, type FormDefinition, fieldTypes } from '@atrium/contract/forms/definition.ts'
import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import type { Rule } from '@atrium/contract/forms/rules.ts'
import { isStorable } from '@atrium/contract/forms/storable.ts'
import { aField, aForm } from '@atrium/contract/forms/testing.ts'
import { limits } from '@atrium/contract/limits.ts'
import { requestTexts, submissionTexts } from '@atrium/contract/request-texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { FastifyInstance } from 'fastify'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { buildApp } from '../app.ts'
import type { Member, System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'
import { type Answered, type Caller, callerOf } from '../testing/caller.ts'
import { addForm, addOffered, addressAnswers, addressForm, addVersion, type Offered } from '../testing/forms.ts'
import { type MadeGround, makeGround } from '../testing/ground.ts'
import { addMember, addStaff, addWorkspace, memberActor, openTestSession } from '../testing/harbour.ts'
import { addRequest } from '../testing/harbour-papers.ts'
import { here } from '../testing/here.ts'
import { worstTexts } from '../testing/worst-texts.ts'

/** Whoever sends what no page of ours would send: to the doors of forms and requests, and into the tables behind them. */
let made: MadeGround
let system: System
let app: FastifyInstance
let other: FastifyInstance
let caller: Caller
let beside: Caller
let owner: pg.Client
let offered: Offered
let staffToken: string

before(async () => {
  made = await makeGround()
  system = await addWorkspace(made.ground, { isDefault: true })
  app = await buildApp(made.ground)
  other = await buildApp(made.ground)
  caller = callerOf(app)
  beside = callerOf(other)
  owner = new pg.Client({ connectionString: made.ownerUrl })
  await owner.connect()
  offered = await addOffered(system)
  const { staffId } = await addStaff(system, { name: 'Una Staff', role: 'administrator' })
  staffToken = (await openTestSession(system, { kind: 'staff', id: staffId })).token
})
after(async () => {
  await owner.end()
  await other.close()
  await app.close()
  await made.close()
})

type Person = { member: Member; token: string }

async function enter(): Promise<Person> {
  const { memberId } = await addMember(system)
  const { token } = await openTestSession(system, { kind: 'member', id: memberId })
  return { member: await memberActor(system, memberId), token }
}

/** As text, so that names go over the wire that no object of ours has. */
const postRaw = (path: string, payload: string, token: string) =>
  caller.send({
    method: 'POST',
    url: path,
    payload,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  })
const sendTo = ({ typeId, formId }: Offered, { token }: Person, data: object, by = caller) =>
  by.post(
    '/requests/send-customer-request',
    { request: { request_type: typeId }, form_submit: { form: formId, data } },
    token,
  )
const cancel = ({ token }: Person, _id: string) =>
  caller.post('/requests/cp-change-status', { _id, new_status: 'canceled', comment: 'Not needed' }, token)
const idOf = ({ body, raw }: Answered): string => {
  assert.ok(body.request, raw)
  return (body.request as { _id: string })._id
}
const errorsOf = ({ body }: Answered) => body.errors as Record<string, string[]>
const publish = (definition: unknown) =>
  caller.post(
    '/desk/api/forms/add',
    {
      ...{ name: `Form ${newId()}`, show_on: null, is_request: true, category: null, vendors: [], departments: [] },
      definition,
    },
    staffToken,
  )
const countOf = async (table: string, { member }: Person): Promise<number> =>
  Number((await owner.query(`select count(*) from ${table} where member_id = $1`, [member.memberId])).rows[0].count)

const oddNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '.', 'Street', 'street ', '𝒮', 'x\n']

describe('answers', () => {
  it('under names that every object has, or that nobody knows, are refused and change nothing', async () => {
    const person = await enter()
    for (const name of oddNames) {
      const data = `{${JSON.stringify(name)}:"x","street":"Quay","is_true":true}`
      const bodies = [
        ['/form/submit', `{"form":"${offered.formId}","data":${data}}`],
        [
          '/requests/send-customer-request',
          `{"request":{"request_type":"${offered.typeId}"},"form_submit":{"form":"${offered.formId}","data":${data}}}`,
        ],
      ] as const
      for (const [path, body] of bodies) {
        const answer = await postRaw(path, body, person.token)
        assert.ok([400, 422].includes(answer.status), `${name}: ${answer.raw}`)
      }
      const saved = `{"form":"${offered.formId}","version":1,"answers":${data},"step":0,"revision":null}`
      const draft = await postRaw('/forms/drafts/save', saved, person.token)
      assert.ok(draft.status < 500, `${name}: ${draft.raw}`)
      await caller.post('/forms/drafts/discard', { form: offered.formId }, person.token)
    }
    assert.equal(({} as Record<string, unknown>).x, undefined)
    assert.equal(await countOf('form_answers', person), 0)
  })

  it('of a wrong kind are refused at every type of field, and none is a fault', async () => {
    const wrong: unknown[] = [7, true, null, '', 'x', ' ', [], [''], ['x', 'x'], { from: '', to: 'x' }, '\u202e<b>']
    const wronger: unknown[] = [
      {},
      [1],
      [[]],
      { from: 1, to: 2 },
      { length: 1 },
      'x'.repeat(10_001),
      '\u0000',
      '\ud800',
    ]
    const asked = (type: FieldType) =>
      type === 'formula' || type === 'static_content' || type === 'http_link' || type === 'button'
        ? {}
        : { config: { required: type !== 'hidden' } }
    for (const type of fieldTypes) {
      const person = await enter()
      const at = await addOffered(system, aForm([aField(type, 'it', asked(type))]))
      const values = type === 'text' || type === 'textarea' || type === 'hidden' ? wronger : [...wrong, ...wronger]
      for (const it of type === 'checkbox' || type === 'consent' ? values.filter((each) => each !== true) : values) {
        const { status, raw } = await sendTo(at, person, { it })
        const isNothing = it === null || it === '' || it === ' ' || (Array.isArray(it) && it.length === 0)
        const mayBeLeftOut = asked(type).config?.required !== true && isNothing
        const expected = type === 'formula' || mayBeLeftOut ? [200, 400, 409, 422] : [400, 422]
        assert.ok(expected.includes(status), `${type} ${JSON.stringify(it)}: ${raw}`)
      }
    }
  })

  it('come back to the letter, whatever was written, and as text in a table', async () => {
    const person = await enter()
    const at = await addOffered(system, aForm([aField('textarea', 'wish', { name: '=HYPERLINK("http://x")' })]))
    const written = [
      '<script>alert(1)</script>',
      '=cmd|x!A1',
      '\t=1+1',
      '@SUM(1)',
      '-2+3',
      '𝒮\u202e\u0301',
      '{{name}} %s',
    ]
    for (const wish of written) {
      const id = idOf(await sendTo(at, person, { wish }))
      const { body } = await caller.get(`/desk/api/requests/${id}`, staffToken)
      const { answered } = body.request as { answered: { answers: object } }
      assert.deepEqual(answered.answers, { wish })
      assert.equal((await cancel(person, id)).status, 200)
    }
    const { raw } = await caller.get(`/desk/api/requests/table?type=${at.typeId}`, staffToken)
    assert.equal(raw.split('\r\n').length, written.length + 2)
    for (const cell of raw.split('\r\n').flatMap((line) => line.split(',')))
      assert.doesNotMatch(cell, /^"?\s*[=+\-@]/, cell)
  })

  it('come back to the letter, all of the worst texts in a line and in several, at the desk too', async () => {
    const person = await enter()
    const keepable = worstTexts.filter(isKeepable)
    let kept = 0
    for (let from = 0; from < keepable.length; from += formLimits.fieldsMax / 2) {
      const part = keepable.slice(from, from + formLimits.fieldsMax / 2)
      const fields = part.flatMap((_, at) => [aField('text', `line_${at}`), aField('textarea', `lines_${at}`)])
      const at = await addOffered(system, aForm(fields))
      const all = part.flatMap((text, at): [string, string][] => [
        [`line_${at}`, text],
        [`lines_${at}`, text],
      ])
      // What is longer than its field is refused with all the others, and said of that field alone.
      const tooLong = all.filter(([name, text]) => text.length > mostOf(name))
      if (tooLong.length > 0) {
        const said = tooLong.map(([name]) => [name, [useAtMost(mostOf(name))]])
        assert.deepEqual(errorsOf(await sendTo(at, person, Object.fromEntries(all))), Object.fromEntries(said))
      }
      const sent = all.filter(([name, text]) => text.length <= mostOf(name))
      const id = idOf(await sendTo(at, person, Object.fromEntries(sent)))
      // Of nothing but blanks there is no answer.
      const expected = Object.fromEntries(sent.filter(([, text]) => text.trim() !== ''))
      assert.deepEqual(await readBy(person, id), expected)
      const { body } = await caller.get(`/desk/api/requests/${id}`, staffToken)
      assert.deepEqual((body.request as { answered: { answers: object } }).answered.answers, expected)
      kept += Object.keys(expected).length
    }
    assert.ok(kept > worstTexts.length, String(kept))
  })

  it('that no table can hold, or no body may, are refused by a sentence', async () => {
    const person = await enter()
    const at = await addOffered(system, aForm([aField('text', 'line'), aField('textarea', 'lines')]))
    const others = worstTexts.filter((text) => !isKeepable(text))
    assert.ok(others.length > 15, String(others.length))
    for (const text of others) {
      const { status, body, raw } = await sendTo(at, person, { line: text, lines: text })
      const said = text.length > limits.answerCharsMax ? useAtMost(limits.answerCharsMax) : texts.textUnreadable
      assert.deepEqual([status, body.errors], [422, { form_submit: [said] }], raw)
    }
  })
})

const isKeepable = (text: string): boolean => isStorable(text) && text.length <= limits.answerCharsMax
const mostOf = (name: string): number =>
  name.startsWith('lines') ? formLimits.textareaCharsMax : formLimits.textCharsMax
const useAtMost = (count: number): string => texts.textTooLong.replace('{{count}}', `${count}`)

/** The answers of a request as its member reads them. */
async function readBy({ token }: Person, id: string): Promise<unknown> {
  const { body, raw } = await caller.post('/graph', { query: '{ requests { _id form_data } }' }, token)
  const rows = (body.data as { requests: { _id: string; form_data: string }[] }).requests
  const row = rows.find(({ _id }) => _id === id)
  assert.ok(row, raw.slice(0, 300))
  return JSON.parse(row.form_data).answers
}

describe('a form that is published', () => {
  const deep = (levels: number): Rule => (levels === 0 ? true : { '!': [deep(levels - 1)] })
  const showing = (rule: Rule, more: Partial<FormDefinition> = {}) =>
    aForm([aField('text', 'a'), aField('text', 'b')], { show_conditions: { a: rule }, ...more })
  const html = (text: string) => aForm([aField('static_content', 'a', { config: { html: text } })])
  const href = (address: string) => aForm([aField('http_link', 'a', { config: { href: address } })])

  it('holds no script, no address that runs one, no circle, and nothing that is too large', async () => {
    const refused: Record<string, unknown> = {
      script: html('<script>alert(1)</script>'),
      handler: html('<p onclick="alert(1)">x</p>'),
      picture: html('<img src=x onerror=alert(1)>'),
      svg: html('<svg><animate onbegin=alert(1)></svg>'),
      comment: html('<!--><script>alert(1)</script>-->'),
      'open end': html('<p title="x'),
      'link that runs': html('<a href="javascript:alert(1)">x</a>'),
      'link that is spelled': html('<a href="&#106;avascript:alert(1)">x</a>'),
      'link with a tab': html('<a href="java\tscript:alert(1)">x</a>'),
      javascript: href('javascript:alert(1)'),
      'with blanks': href(' \u0001javascript:alert(1)'),
      data: href('data:text/html,<script>alert(1)</script>'),
      'other host': href('//evil.example'),
      backslash: href('/\\evil.example'),
      plain: href('http://harbour.example'),
      circle: showing({ '==': [{ var: 'b' }, 'x'] }, { show_conditions: { a: { var: 'b' }, b: { var: 'a' } } }),
      itself: showing({ var: 'a' }),
      deep: showing(deep(30)),
      wide: showing({ and: Array.from({ length: 100 }, () => ({ in: ['x', ['a', 'b', 'c']] })) }),
      operator: showing({ constructor: ['x'] } as unknown as Rule),
      method: showing({ method: [{ var: 'b' }, 'toString'] } as unknown as Rule),
      unknown: showing({ var: '__proto__.x' }),
      'name of all': aForm([aField('text', 'constructor')]),
      prototype: aForm([aField('text', '__proto__')]),
      doubled: aForm([aField('text', 'a'), aField('text', 'a')]),
      'too many': aForm(Array.from({ length: 301 }, (_, at) => aField('text', `f${at}`))),
      'formula with a call': aForm([aField('formula', 'a', { config: { formula: 'alert(1)' } })]),
    }
    for (const [name, definition] of Object.entries(refused)) {
      const { status, raw } = await publish(definition)
      assert.ok(status === 422 || status === 400, `${name}: ${status} ${raw}`)
    }
    assert.equal((await publish(html(`<p>${'x'.repeat(300_000)}</p>`))).status, 413)
    const conditions = '{"__proto__":true}'
    const body = JSON.stringify({
      ...{ name: 'Odd', show_on: null, is_request: true, category: null, vendors: [], departments: [] },
      definition: { ...addressForm, show_conditions: 'HERE' },
    }).replace('"HERE"', conditions)
    const odd = await postRaw('/desk/api/forms/add', body, staffToken)
    assert.ok(odd.status === 422 || odd.status === 400, odd.raw)
    const added = await publish(addressForm)
    assert.equal(added.status, 200, added.raw)
  })

  it('is closed with its type, and what was begun is there when it is offered again', async () => {
    const person = await enter()
    const at = await addOffered(system)
    const saved = { form: at.formId, version: 1, answers: { street: 'Typed' }, step: 0, revision: null }
    assert.equal((await caller.post('/forms/drafts/save', saved, person.token)).status, 200)
    const type = (values: object) =>
      inTransaction(system, (tx) =>
        tx.updateTable('request_types').where(here).set(values).where('request_type_id', '=', at.typeId).execute(),
      )
    for (const values of [{ show_in_portal: false }, { show_in_portal: true, archived_at: new Date(0) }]) {
      await type(values)
      assert.deepEqual(errorsOf(await sendTo(at, person, addressAnswers)), { request_type: [requestTexts.typeUnknown] })
      const { status } = await caller.post('/form/submit', { form: at.formId, data: addressAnswers }, person.token)
      assert.equal(status, 404)
      assert.equal((await caller.get(`/forms/draft?form=${at.formId}`, person.token)).status, 404)
      const query = `{ form(_id: "${at.formId}") { _id } request_type(_id: "${at.typeId}") { _id } }`
      const { body } = await caller.post('/graph', { query }, person.token)
      assert.deepEqual(body.data, { form: null, request_type: null })
    }
    await type({ archived_at: null })
    await addVersion(system, at.formId, aForm([aField('text', 'city')]))
    const { body } = await caller.get(`/forms/draft?form=${at.formId}`, person.token)
    const { answers, version } = body.draft as { answers: object; version: number }
    assert.deepEqual([answers, version, body.definition], [{ street: 'Typed' }, 1, addressForm])
    // Typed on, it stays with what it was begun as.
    const more = { ...saved, answers: { street: 'Typed on' }, revision: 1 }
    assert.equal((await caller.post('/forms/drafts/save', more, person.token)).status, 200)
    const fresh = await enter()
    const late = await caller.post('/forms/drafts/save', saved, fresh.token)
    assert.deepEqual([late.status, late.body.error], [409, submissionTexts.formChanged])
  })

  it('that becomes a request is not sent where no type offers it', async () => {
    const person = await enter()
    const form = await addForm(system, { show_on: 'members-portal', is_request: true })
    assert.equal((await caller.post('/form/submit', { form, data: addressAnswers }, person.token)).status, 404)
    assert.equal(await countOf('form_answers', person), 0)
  })
})

describe('requests', () => {
  it('sent twice at the same instant through two servers are one', async () => {
    for (let round = 0; round < 20; round += 1) {
      const person = await enter()
      const [one, two] = await Promise.all([
        sendTo(offered, person, addressAnswers),
        sendTo(offered, person, addressAnswers, beside),
      ])
      assert.equal(idOf(one), idOf(two))
      assert.deepEqual([await countOf('requests', person), await countOf('request_events', person)], [1, 1])
    }
  })

  it('decided and taken back at the same instant have one end, and one event of it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const person = await enter()
      const id = idOf(await sendTo(offered, person, addressAnswers))
      const decide = () =>
        beside.post(`/desk/api/requests/${id}/status`, { from: 'not-assigned', to: 'done' }, staffToken)
      const [mine, theirs] = await Promise.all([cancel(person, id), decide()])
      assert.deepEqual([mine.status, theirs.status].sort(), [200, 409], `${mine.raw} ${theirs.raw}`)
      if (theirs.status === 409) assert.equal(theirs.body.error, deskTexts.requestDecided)
      const { rows } = await owner.query('select to_status from request_events where request_id = $1 and kind = $2', [
        id,
        'moved',
      ])
      assert.deepEqual(rows, [{ to_status: mine.status === 200 ? 'canceled' : 'done' }])
    }
  })

  it('are no more than anybody waits for, and no more in an hour than anybody fills in', async () => {
    const person = await enter()
    const values = { memberId: person.member.memberId, requestTypeId: offered.typeId }
    for (let count = 0; count < limits.requestsWaitingMax; count += 1) await addRequest(system, values)
    const full = await sendTo(offered, person, addressAnswers)
    assert.deepEqual([full.status, full.body.error], [409, requestTexts.tooMany])
    assert.equal(await countOf('form_answers', person), 0)
    for (let count = 1; count < 60; count += 1) await sendTo(offered, person, {})
    const late = await sendTo(offered, person, {})
    assert.equal(late.status, 429)
    assert.ok(Number(late.headers['retry-after']) > 0)
  })

  it('keep what happened to them, whoever would change it', async () => {
    const person = await enter()
    const id = idOf(await sendTo(offered, person, addressAnswers))
    const asks = [
      'delete from request_events where request_id = $1',
      "update request_events set kind = 'commented' where request_id = $1",
      "update request_events set comment = 'Other words' where request_id = $1",
      "update form_answers set answers = '{}' where request_id = $1",
      "update requests set subject = 'Another' where request_id = $1",
      'update requests set member_id = gen_random_uuid() where request_id = $1',
      "update requests set status = 'done', status_since = now(), number = number + 1 where request_id = $1",
    ]
    for (const ask of asks) await assert.rejects(owner.query(ask, [id]), ask)
    await assert.rejects(owner.query('delete from form_versions where form_id = $1', [offered.formId]))
    const byMember = [
      `insert into request_events (workspace_id, event_id, request_id, member_id, at, kind, staff_id, staff_name)
       select workspace_id, gen_random_uuid(), request_id, member_id, now(), 'commented', gen_random_uuid(), 'Desk'
       from requests where workspace_id = scope_workspace() and request_id = '${id}'`,
      `delete from requests where workspace_id = scope_workspace() and request_id = '${id}'`,
      `delete from form_answers where workspace_id = scope_workspace() and request_id = '${id}'`,
      `update requests set assigned_staff_name = 'Me', status = 'canceled' where workspace_id = scope_workspace() and request_id = '${id}'`,
    ]
    for (const ask of byMember) {
      await assert.rejects(
        inTransaction(person.member, (tx) => tx.executeQuery(CompiledQuery.raw(ask))),
        ask,
      )
    }
  })
})
