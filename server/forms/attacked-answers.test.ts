/** A client that sends answers our pages would never send. */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type FieldType, fieldTypes } from '@atrium/contract/forms/definition.ts'
import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import { isStorable } from '@atrium/contract/forms/storable.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { hostileStrings } from '../../tests/every-call/hostile-strings.ts'
import { aField, aForm } from '../../tests/fixtures/form-definitions.ts'
import { addOffered, type Offered } from '../../tests/fixtures/forms.ts'
import {
  errorsOf,
  idOf,
  openRequestFixture,
  type Person,
  postRaw,
  type RequestFixture,
} from '../../tests/fixtures/request-fixture.ts'
import { addStaff, openTestSession } from '../../tests/fixtures/workspaces.ts'

let fixture: RequestFixture
let staffToken: string

before(async () => {
  fixture = await openRequestFixture()
  const { staffId } = await addStaff(fixture.system, { name: 'Una Staff', role: 'administrator' })
  staffToken = (await openTestSession(fixture.system, { kind: 'staff', id: staffId })).token
})
after(() => fixture.close())

const sendTo = ({ typeId: type, formId: form }: Offered, person: Person, data: object) =>
  fixture.send(person, { form, data }, { type })

const oddNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '.', 'Street', 'street ', '𝒮', 'x\n']

describe('answers', () => {
  it('are refused under unknown names or names of Object.prototype, and change nothing', async () => {
    const person = await fixture.enter()
    for (const name of oddNames) {
      const data = `{${JSON.stringify(name)}:"x","street":"Quay","is_true":true}`
      const bodies = [
        ['/form/submit', `{"form":"${fixture.offered.formId}","data":${data}}`],
        [
          '/requests/send-customer-request',
          `{"request":{"request_type":"${fixture.offered.typeId}"},"form_submit":{"form":"${fixture.offered.formId}","data":${data}}}`,
        ],
      ] as const
      for (const [path, body] of bodies) {
        const answer = await postRaw(fixture, path, body, person.token)
        assert.ok([400, 422].includes(answer.status), `${name}: ${answer.raw}`)
      }
      const saved = `{"form":"${fixture.offered.formId}","version":1,"answers":${data},"step":0,"revision":null}`
      const draft = await postRaw(fixture, '/forms/drafts/save', saved, person.token)
      assert.ok(draft.status < 500, `${name}: ${draft.raw}`)
      await fixture.caller.post('/forms/drafts/discard', { form: fixture.offered.formId }, person.token)
    }
    assert.equal(({} as Record<string, unknown>).x, undefined)
    assert.equal(await fixture.countOf('form_answers', person), 0)
  })

  it('are refused when their type is wrong, for every type of field, without a 500', async () => {
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
      const person = await fixture.enter()
      const at = await addOffered(fixture.system, aForm([aField(type, 'it', asked(type))]))
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

  it('are returned unchanged, and as text in a table', async () => {
    const person = await fixture.enter()
    const at = await addOffered(fixture.system, aForm([aField('textarea', 'wish', { name: '=HYPERLINK("http://x")' })]))
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
      const { body } = await fixture.caller.get(`/desk/api/requests/${id}`, staffToken)
      const { answered } = body.request as { answered: { answers: object } }
      assert.deepEqual(answered.answers, { wish })
      assert.equal((await fixture.cancel(person, id)).status, 200)
    }
    const { raw } = await fixture.caller.get(`/desk/api/requests/table?type=${at.typeId}`, staffToken)
    assert.equal(raw.split('\r\n').length, written.length + 2)
    for (const cell of raw.split('\r\n').flatMap((line) => line.split(',')))
      assert.doesNotMatch(cell, /^"?\s*[=+\-@]/, cell)
  })

  it('are returned unchanged for all hostile strings in one line and in several, at the desk too', async () => {
    const person = await fixture.enter()
    const keepable = hostileStrings.filter(isKeepable)
    let accepted = 0
    for (let from = 0; from < keepable.length; from += formLimits.fieldsMax / 2) {
      const part = keepable.slice(from, from + formLimits.fieldsMax / 2)
      const fields = part.flatMap((_, at) => [aField('text', `line_${at}`), aField('textarea', `lines_${at}`)])
      const at = await addOffered(fixture.system, aForm(fields))
      const all = part.flatMap((text, at): [string, string][] => [
        [`line_${at}`, text],
        [`lines_${at}`, text],
      ])
      // Values too long for their field are refused with the rest, and only their fields are named.
      const tooLong = all.filter(([name, text]) => text.length > mostOf(name))
      if (tooLong.length > 0) {
        const said = tooLong.map(([name]) => [name, [useAtMost(mostOf(name))]])
        assert.deepEqual(errorsOf(await sendTo(at, person, Object.fromEntries(all))), Object.fromEntries(said))
      }
      const sent = all.filter(([name, text]) => text.length <= mostOf(name))
      const id = idOf(await sendTo(at, person, Object.fromEntries(sent)))
      // Blanks alone are no answer.
      const expected = Object.fromEntries(sent.filter(([, text]) => text.trim() !== ''))
      assert.deepEqual(await readBy(person, id), expected)
      const { body } = await fixture.caller.get(`/desk/api/requests/${id}`, staffToken)
      assert.deepEqual((body.request as { answered: { answers: object } }).answered.answers, expected)
      accepted += Object.keys(expected).length
    }
    assert.ok(accepted > hostileStrings.length, String(accepted))
  })

  it('are refused with one sentence when they cannot be stored or are too long for any answer', async () => {
    const person = await fixture.enter()
    const at = await addOffered(fixture.system, aForm([aField('text', 'line'), aField('textarea', 'lines')]))
    const others = hostileStrings.filter((text) => !isKeepable(text))
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

/** The answers of a request as its member sees them. */
async function readBy({ token }: Person, id: string): Promise<unknown> {
  const { body, raw } = await fixture.caller.post('/graph', { query: '{ requests { _id form_data } }' }, token)
  const rows = (body.data as { requests: { _id: string; form_data: string }[] }).requests
  const row = rows.find(({ _id }) => _id === id)
  assert.ok(row, raw.slice(0, 300))
  return JSON.parse(row.form_data).answers
}
