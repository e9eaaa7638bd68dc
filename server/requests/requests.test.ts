// spec: MP 3, AO 3, AO 5, AO 7, AO 8, AO 9
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { requestTexts, submissionTexts } from '@atrium/contract/requests/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import { aField, aForm } from '../../tests/fixtures/form-definitions.ts'
import {
  addAnswerFile,
  addForm,
  addOffered,
  addressAnswers,
  addressForm,
  addVersion,
} from '../../tests/fixtures/forms.ts'
import {
  draftOf,
  errorsOf,
  idOf,
  openRequestFixture,
  type Person,
  type RequestFixture,
} from '../../tests/fixtures/request-fixture.ts'
import { addRequest, addRequestType } from '../../tests/fixtures/requests.ts'
import { makePdf } from '../../tests/fixtures/sample-files.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { setFeatures, setPermissions } from '../../tests/fixtures/workspaces.ts'
import { newId } from '../foundation/ids.ts'

let fixture: RequestFixture

before(async () => {
  fixture = await openRequestFixture()
})
after(() => fixture.close())

describe('a request', () => {
  it('stores its answers with the version of the form', async () => {
    const [person, at] = [await fixture.enter(), await addOffered(fixture.system)]
    const file = await addAnswerFile(fixture.system, person.member.memberId)
    const data = { ...addressAnswers, moved_from: 'Hidden, so not kept', proofs: [file] }
    const answer = await fixture.send(person, { form: at.formId, data }, { type: at.typeId })
    assert.equal(answer.status, 200, answer.raw)
    assert.deepEqual(answer.body.msg, ['Request was sent successfully'])
    await addVersion(fixture.system, at.formId, addressForm)
    const [row] = await fixture.listed(person)
    const shown = JSON.parse(row?.form_data ?? '{}') as Record<string, unknown> & {
      files: { _id: string; name: string }[]
    }
    assert.deepEqual(shown.answers, { street: 'Quay 1', has_moved: 'no', is_true: true, proofs: [file] })
    assert.deepEqual(shown.form, { _id: at.formId, name: (shown.form as { name: string }).name, version: 1 })
    assert.deepEqual(shown.scores, { total: 0, band: { name: 'Low', text: 'Nothing to do.' } })
    assert.deepEqual(
      shown.files.map(({ _id, name }) => [_id, name]),
      [[file, 'bill.pdf']],
    )
    const audited = await fixture.owner.query('select action from audit_log where actor_id = $1 order by audit_id', [
      person.member.memberId,
    ])
    assert.deepEqual(
      audited.rows.map(({ action }) => action),
      ['request.sent', 'form.submitted'],
    )
  })

  it('takes subject, priority and status from its type and ignores the client’s', async () => {
    const person = await fixture.enter()
    const request = { subject: 'Mine', description: 'Mine', priority: 'high', status: 'done' }
    await fixture.send(person, {}, { request, customer: person.member.memberId })
    const [row] = await fixture.listed(person)
    assert.match(row?.subject ?? '', /^Change of address/)
    assert.deepEqual({ status: row?.status, ...row }, { ...row, status: 'not-assigned', priority: 'low' })
    const other = await fixture.enter()
    const refused = await fixture.send(person, {}, { customer: other.member.memberId })
    assert.deepEqual([refused.status, errorsOf(refused)], [422, { customer: [texts.valueRefused] }])
  })

  it('reports errors by field and stores nothing', async () => {
    const person = await fixture.enter()
    const tries: [object, Record<string, string[]>][] = [
      [{}, { street: [validatorTexts.required], is_true: [validatorTexts.required] }],
      [{ ...addressAnswers, street: 7 }, { street: [texts.valueRefused] }],
      [{ ...addressAnswers, other: 'x' }, { other: ['This form has no such field.'] }],
      [{ ...addressAnswers, has_moved: 'yes' }, { moved_from: [validatorTexts.required] }],
      [{ ...addressAnswers, proofs: [newId()] }, { proofs: [submissionTexts.fileGone] }],
    ]
    for (const [data, errors] of tries) {
      const answer = await fixture.send(person, { data })
      assert.deepEqual([answer.status, errorsOf(answer)], [422, errors], JSON.stringify(data))
    }
    assert.equal((await fixture.send(person, { data: {} })).body.error, 'Please fill all the required fields.')
    const long = await fixture.send(person, { data: { street: 'x'.repeat(12_000) } })
    assert.equal(long.status, 422)
    assert.equal(await fixture.countOf('requests', person), 0)
    assert.equal(await fixture.countOf('form_answers', person), 0)
  })

  it('accepts only own, unused and existing files uploaded for forms', async () => {
    const [person, other] = [await fixture.enter(), await fixture.enter()]
    const own = await addAnswerFile(fixture.system, person.member.memberId)
    const foreign = await addAnswerFile(fixture.system, other.member.memberId)
    const asFile = (id: string) => fixture.send(person, { data: { ...addressAnswers, proofs: [id] } })
    assert.deepEqual(errorsOf(await asFile(foreign)), { proofs: [submissionTexts.fileGone] })
    assert.equal((await asFile(own)).status, 200)
    const again = await fixture.send(person, { data: { ...addressAnswers, street: 'Another', proofs: [own] } })
    assert.deepEqual(errorsOf(again), { proofs: [submissionTexts.fileGone] })
    const gone = await addAnswerFile(fixture.system, person.member.memberId)
    await fixture.owner.query('delete from media where media_id = $1', [gone])
    assert.deepEqual(errorsOf(await asFile(gone)), { proofs: [submissionTexts.fileGone] })
  })

  it('accepts only own accounts', async () => {
    const person = await fixture.enter()
    const at = await addOffered(
      fixture.system,
      aForm([aField('trading_account', 'account'), aField('bank_account', 'bank')]),
    )
    const data = { account: newId(), bank: newId() }
    const answer = await fixture.send(person, { form: at.formId, data }, { type: at.typeId })
    assert.deepEqual(errorsOf(answer), { account: [texts.accountUnknown], bank: [submissionTexts.bankAccountUnknown] })
    const { memberId } = person.member
    const platformId = await addPlatform(fixture.system)
    const account = await addAccount(fixture.system, { memberId, platformId, archived: true })
    const archived = await fixture.send(person, { form: at.formId, data: { account } }, { type: at.typeId })
    assert.deepEqual(errorsOf(archived), { account: [texts.accountUnknown] })
  })

  it('refuses an outdated version of the form, unless a draft began with it', async () => {
    const at = await addOffered(fixture.system)
    const [person, other] = [await fixture.enter(), await fixture.enter()]
    const draft = draftOf(await fixture.save(person, { form: at.formId }))
    const [type, form] = [at.typeId, at.formId]
    assert.equal(
      await addVersion(fixture.system, form, aForm([aField('text', 'city', { config: { required: true } })])),
      2,
    )
    const late = await fixture.send(other, { form, version: 1 }, { type })
    assert.deepEqual([late.status, late.body.error], [409, submissionTexts.formChanged])
    assert.equal((await fixture.send(other, { form, version: 3 }, { type })).status, 409)
    const begun = await fixture.readDraft(person, form)
    assert.deepEqual([begun.body.current_version, begun.body.definition], [2, addressForm])
    assert.equal((await fixture.send(person, { form, version: 1, draft: draft._id }, { type })).status, 200)
    assert.equal((await fixture.send(other, { form, data: { city: 'Valletta' } }, { type })).status, 200)
    for (const [{ member }, version] of [[person, 1] as const, [other, 2] as const]) {
      const stored = await fixture.owner.query(
        `select request.form_version, answers.version from requests as request
           join form_answers as answers using (workspace_id, request_id) where request.member_id = $1`,
        [member.memberId],
      )
      assert.deepEqual(stored.rows, [{ form_version: version, version }])
    }
  })

  it('refuses a type that is not offered or opens a page, and a form of another type', async () => {
    const person = await fixture.enter()
    const other = await addForm(fixture.system)
    for (const values of [
      { show_in_portal: false },
      { archived_at: new Date(0) },
      { predefined_type: 'add_bank_account' },
    ]) {
      const type = await addRequestType(fixture.system, values)
      assert.deepEqual(errorsOf(await fixture.send(person, { form: null }, { type })), {
        request_type: [requestTexts.typeUnknown],
      })
    }
    const foreign = await addRequestType(fixture.elsewhere)
    assert.deepEqual(errorsOf(await fixture.send(person, {}, { type: foreign })), {
      request_type: [requestTexts.typeUnknown],
    })
    assert.deepEqual(errorsOf(await fixture.send(person, { form: other })), { form: [requestTexts.formOther] })
    assert.deepEqual(errorsOf(await fixture.send(person, { form: null })), { form: [requestTexts.formOther] })
  })

  it('is sent once for each idempotency key, draft or identical answers', async () => {
    const person = await fixture.enter()
    const nonce_token = await fixture.nonceOf(person)
    const first = await fixture.send(person, { nonce_token })
    fixture.made.context.clock.advance(120_000)
    assert.equal(idOf(await fixture.send(person, { nonce_token })), idOf(first))
    assert.equal(
      (await fixture.send(person, { nonce_token, data: { ...addressAnswers, street: 'Other' } })).body.code,
      'nonce_reused',
    )
    const draft = draftOf(await fixture.save(person))._id
    const second = await fixture.send(person, { draft })
    fixture.made.context.clock.advance(120_000)
    assert.equal(idOf(await fixture.send(person, { draft })), idOf(second))
    assert.equal((await fixture.readDraft(person)).body.draft, null)
    const third = await fixture.send(person)
    assert.equal(idOf(await fixture.send(person)), idOf(third))
    fixture.made.context.clock.advance(120_000)
    assert.notEqual(idOf(await fixture.send(person)), idOf(third))
    assert.equal(await fixture.countOf('requests', person), 4)
  })

  it('refuses different answers for a draft that another device has sent', async () => {
    const [person, other] = [await fixture.enter(), await addOffered(fixture.system)]
    const draft = draftOf(await fixture.save(person))._id
    const sent = await fixture.send(person, { draft })
    const late = [
      await fixture.send(person, { draft, data: { ...addressAnswers, street: 'Typed elsewhere' } }),
      await fixture.send(person, { draft, data: {} }),
      await fixture.send(person, { draft, form: other.formId }, { type: other.typeId }),
      await fixture.submit(person, {
        draft,
        form: fixture.offered.formId,
        data: { ...addressAnswers, street: 'Typed elsewhere' },
      }),
    ]
    for (const { status, body } of late) assert.deepEqual([status, body.error], [409, submissionTexts.sentAlready])
    assert.equal(idOf(await fixture.send(person, { draft, form: fixture.offered.formId.toUpperCase() })), idOf(sent))
    assert.equal(await fixture.countOf('requests', person), 1)
  })

  it('is created once when sent twice together, fifty times', async () => {
    for (let round = 0; round < 50; round++) {
      const person = await fixture.enter()
      const ways = [
        {},
        { nonce_token: await fixture.nonceOf(person) },
        { draft: draftOf(await fixture.save(person))._id },
      ]
      const filled = ways[round % ways.length] ?? {}
      const answers = await Promise.all([fixture.send(person, filled), fixture.send(person, filled)])
      assert.equal(new Set(answers.map(idOf)).size, 1)
      assert.equal(await fixture.countOf('requests', person), 1)
      assert.equal(await fixture.countOf('form_answers', person), 1)
    }
  })

  it('accepts its files in the same body, and is sent once', async () => {
    const person = await fixture.enter()
    const nonce_token = await fixture.nonceOf(person)
    const body = async (more: Record<string, string> = {}, name = 'form_submit[data][proofs][]') => {
      const form = new FormData()
      form.append('request[request_type]', fixture.offered.typeId)
      form.append('form_submit[form]', fixture.offered.formId)
      form.append('form_submit[data]', JSON.stringify(addressAnswers))
      for (const [field, value] of Object.entries(more)) form.append(field, value)
      form.append(name, new Blob([new Uint8Array(makePdf())]), 'bill.pdf')
      const packed = new Request('http://localhost', { method: 'POST', body: form })
      return fixture.caller.send({
        method: 'POST',
        url: '/requests/send-customer-request',
        payload: Buffer.from(await packed.arrayBuffer()),
        headers: {
          authorization: `Bearer ${person.token}`,
          'content-type': packed.headers.get('content-type') ?? '',
        },
      })
    }
    const more = { 'form_submit[nonce_token]': nonce_token, 'form_submit[version]': '1' }
    const first = await body(more)
    assert.equal(first.status, 200, first.raw)
    assert.equal(idOf(await body(more)), idOf(first))
    const [row] = await fixture.listed(person)
    const shown = JSON.parse(row?.form_data ?? '{}') as { files: { name: string }[] }
    assert.deepEqual(
      shown.files.map(({ name }) => name),
      ['bill.pdf'],
    )
    assert.equal((await body({}, 'form_submit[data][other]')).status, 422)
    for (const name of ['form_submit[data][__proto__]', 'form_submit[data][constructor]', 'a[b][c][d][e]'])
      assert.ok([400, 422].includes((await body({}, name)).status), name)
    assert.equal(await fixture.countOf('requests', person), 1)
  })

  it('is refused without permission, along with its form', async () => {
    const person = await fixture.enter()
    await setPermissions(fixture.system, person.member.memberId, ['requests-', 'documents-'])
    assert.equal((await fixture.send(person)).status, 403)
    assert.equal((await fixture.submit(person, { form: fixture.offered.formId, data: addressAnswers })).status, 403)
    assert.equal((await fixture.readDraft(person)).status, 403)
    assert.equal((await fixture.caller.post('/requests/send-customer-request', {})).status, 401)
    await setFeatures(fixture.system, { requests: false })
    assert.equal((await fixture.send(await fixture.enter())).status, 404)
    await setFeatures(fixture.system, { requests: true })
  })

  it('is not created by its form where only documents are permitted', async () => {
    const form = await addForm(fixture.system, { show_on: 'members-portal', is_request: false })
    const person = await fixture.enter()
    await setPermissions(fixture.system, person.member.memberId, ['requests-', 'documents'])
    const mine = { form: fixture.offered.formId, data: addressAnswers }
    assert.equal((await fixture.submit(person, mine)).status, 403)
    assert.equal((await fixture.submit(person, { form, data: addressAnswers })).status, 200)
    await setFeatures(fixture.system, { requests: false })
    const other = await fixture.enter()
    assert.deepEqual([(await fixture.submit(other, mine)).status, await fixture.countOf('requests', other)], [404, 0])
    await setFeatures(fixture.system, { requests: true })
    assert.equal((await fixture.submit(other, mine)).status, 200)
  })

  it('accepts more than a hundred choices in one answer', async () => {
    const values = Array.from({ length: 150 }, (_, at) => `choice-${at}`)
    const asks = aForm([aField('checkbox_group', 'which', { options: values })])
    const { formId, typeId } = await addOffered(fixture.system, asks)
    const person = await fixture.enter()
    const answer = await fixture.send(person, { form: formId, data: { which: values } }, { type: typeId })
    assert.equal(answer.status, 200, answer.raw)
  })
})

describe('the list of requests', () => {
  it('is searchable in the portal by its member only', async () => {
    const [person, other] = [await fixture.enter(), await fixture.enter()]
    await addRequest(fixture.system, {
      memberId: person.member.memberId,
      requestTypeId: fixture.offered.typeId,
      subject: 'Zanzibar',
    })
    const found = async ({ token }: Person) => {
      const { body } = await fixture.caller.get('/members/search?q=zanzi', token)
      const groups = body.groups as { name: string; hits: { title: string; facts: string[] }[] }[]
      return groups.find(({ name }) => name === 'requests')?.hits.map(({ title, facts }) => [title.slice(-8), facts])
    }
    assert.deepEqual(await found(person), [['Zanzibar', ['Not assigned']]])
    assert.deepEqual((await found(other)) ?? [], [])
  })

  it('lists the member’s own, newest first, by page, number, words, status and day', async () => {
    const [person, other] = [await fixture.enter(), await fixture.enter()]
    const midnight = Date.UTC(2026, 9, 1)
    const at = (hours: number) => new Date(midnight + hours * 3_600_000)
    const values = { memberId: person.member.memberId, requestTypeId: fixture.offered.typeId }
    for (let made = 0; made < 30; made++)
      await addRequest(fixture.system, {
        ...values,
        subject: `Number ${made}`,
        created_at: at(made),
        status: made < 3 ? 'done' : 'open',
      })
    await addRequest(fixture.system, { ...values, memberId: other.member.memberId })
    const query = (args: string) => `{ requests(${args}, withCount: true) { subject } }`
    const found = async (args: string) => {
      const { data, extra } = await fixture.ask<{ requests: { subject: string }[] }>(person, query(args))
      return [extra.countRequests, data.requests.length, data.requests[0]?.subject]
    }
    assert.deepEqual(await found('page: 1, scope: "crm"'), [30, 25, 'Number 29'])
    assert.deepEqual(await found('page: 2'), [30, 5, 'Number 4'])
    assert.deepEqual(await found('status: "done"'), [3, 3, 'Number 2'])
    assert.deepEqual(await found('status: "none"'), [0, 0, undefined])
    assert.deepEqual(await found('q: "number 1"'), [11, 11, 'Number 19'])
    assert.deepEqual(await found('q: "%"'), [0, 0, undefined])
    assert.deepEqual(await found(`created_at: ${midnight}`), [24, 24, 'Number 23'])
    const last = (hours: number) => midnight + hours * 3_600_000 - 1
    assert.deepEqual(await found(`created_at: ${midnight}, created_at_to: ${last(25)}`), [25, 25, 'Number 24'])
    assert.deepEqual(await found(`created_at: ${midnight}, created_at_to: ${last(23)}`), [23, 23, 'Number 22'])
    assert.deepEqual(await found(`created_at: ${midnight + 1}, created_at_to: ${midnight}`), [0, 0, undefined])
    // The range includes both ends.
    assert.deepEqual(await found(`created_at: ${midnight}, created_at_to: ${midnight}`), [1, 1, 'Number 0'])
    assert.deepEqual(await found(`created_at_to: ${midnight}`), [1, 1, 'Number 0'])
    for (const never of [-1, 8_640_000_000_000_000])
      assert.deepEqual(await found(`created_at: ${midnight}, created_at_to: ${never}`), [0, 0, undefined])
    assert.deepEqual(await found(`customer: "${other.member.memberId}"`), [0, 0, undefined])
    assert.equal((await found(`customer: "${person.member.memberId}"`))[0], 30)
  })
})
