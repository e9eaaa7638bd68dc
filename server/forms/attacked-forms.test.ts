/** A client that publishes forms our desk would never send, and one that fills in forms not offered. */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import type { Rule } from '@atrium/contract/forms/rules.ts'
import { requestTexts, submissionTexts } from '@atrium/contract/requests/texts.ts'
import { aField, aForm } from '../../tests/fixtures/form-definitions.ts'
import { addForm, addOffered, addressAnswers, addressForm, addVersion } from '../../tests/fixtures/forms.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import {
  draftOf,
  errorsOf,
  openRequestFixture,
  postRaw,
  type RequestFixture,
} from '../../tests/fixtures/request-fixture.ts'
import { addStaff, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

let fixture: RequestFixture
let staffToken: string

before(async () => {
  fixture = await openRequestFixture()
  const { staffId } = await addStaff(fixture.system, { name: 'Una Staff', role: 'administrator' })
  staffToken = (await openTestSession(fixture.system, { kind: 'staff', id: staffId })).token
})
after(() => fixture.close())

const publish = (definition: unknown) =>
  fixture.caller.post(
    '/desk/api/forms/add',
    {
      ...{ name: `Form ${newId()}`, show_on: null, is_request: true, category: null, vendors: [], departments: [] },
      definition,
    },
    staffToken,
  )

describe('a published form', () => {
  const deep = (levels: number): Rule => (levels === 0 ? true : { '!': [deep(levels - 1)] })
  const showing = (rule: Rule, more: Partial<FormDefinition> = {}) =>
    aForm([aField('text', 'a'), aField('text', 'b')], { show_conditions: { a: rule }, ...more })
  const html = (text: string) => aForm([aField('static_content', 'a', { config: { html: text } })])
  const href = (address: string) => aForm([aField('http_link', 'a', { config: { href: address } })])

  it('cannot hold a script, a URL that runs one, a circular condition, or anything too large', async () => {
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
    const odd = await postRaw(fixture, '/desk/api/forms/add', body, staffToken)
    assert.ok(odd.status === 422 || odd.status === 400, odd.raw)
    const added = await publish(addressForm)
    assert.equal(added.status, 200, added.raw)
  })

  it('is hidden with its request type, and a draft is still there when it is offered again', async () => {
    const person = await fixture.enter()
    const at = await addOffered(fixture.system)
    const saved = { form: at.formId, version: 1, answers: { street: 'Typed' }, step: 0, revision: null }
    assert.equal((await fixture.save(person, saved)).status, 200)
    const type = (values: object) =>
      inTransaction(fixture.system, (tx) =>
        tx.updateTable('request_types').where(here).set(values).where('request_type_id', '=', at.typeId).execute(),
      )
    for (const values of [{ show_in_portal: false }, { show_in_portal: true, archived_at: new Date(0) }]) {
      await type(values)
      assert.deepEqual(errorsOf(await fixture.send(person, { form: at.formId }, { type: at.typeId })), {
        request_type: [requestTexts.typeUnknown],
      })
      const { status } = await fixture.submit(person, { form: at.formId, data: addressAnswers })
      assert.equal(status, 404)
      assert.equal((await fixture.readDraft(person, at.formId)).status, 404)
      const query = `{ form(_id: "${at.formId}") { _id } request_type(_id: "${at.typeId}") { _id } }`
      const { body } = await fixture.caller.post('/graph', { query }, person.token)
      assert.deepEqual(body.data, { form: null, request_type: null })
    }
    await type({ archived_at: null })
    await addVersion(fixture.system, at.formId, aForm([aField('text', 'city')]))
    const begun = await fixture.readDraft(person, at.formId)
    const { answers, version } = draftOf(begun)
    assert.deepEqual([answers, version, begun.body.definition], [{ street: 'Typed' }, 1, addressForm])
    // A draft that continues stays with its version.
    const more = { ...saved, answers: { street: 'Typed on' }, revision: 1 }
    assert.equal((await fixture.save(person, more)).status, 200)
    const fresh = await fixture.enter()
    const late = await fixture.save(fresh, saved)
    assert.deepEqual([late.status, late.body.error], [409, submissionTexts.formChanged])
  })

  it('cannot be sent as a request where no request type offers it', async () => {
    const person = await fixture.enter()
    const form = await addForm(fixture.system, { show_on: 'members-portal', is_request: true })
    assert.equal((await fixture.submit(person, { form, data: addressAnswers })).status, 404)
    assert.equal(await fixture.countOf('form_answers', person), 0)
  })
})
