import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { aField, aForm } from '@atrium/contract/forms/testing.ts'
import { type RequestState, requestMoves, requestStates } from '@atrium/contract/request-states.ts'
import { requestTexts, submissionTexts } from '@atrium/contract/request-texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { buildApp } from '../app.ts'
import { sweepUploads } from '../files/sweep.ts'
import { sweepDrafts } from '../forms/jobs.ts'
import type { Member, System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'
import { type Answered, type Caller, callerOf } from '../testing/caller.ts'
import {
  addAnswerFile,
  addForm,
  addOffered,
  addressAnswers,
  addressForm,
  addVersion,
  type Offered,
} from '../testing/forms.ts'
import { type MadeGround, makeGround } from '../testing/ground.ts'
import {
  addMember,
  addWorkspace,
  memberActor,
  openTestSession,
  setFeatures,
  setPermissions,
} from '../testing/harbour.ts'
import { addRequest, addRequestType } from '../testing/harbour-papers.ts'
import { addAccount, addPlatform } from '../testing/harbour-platforms.ts'
import { here } from '../testing/here.ts'
import { makePdf } from '../testing/sample-files.ts'

let made: MadeGround
let system: System
let elsewhere: System
let app: FastifyInstance
let caller: Caller
let owner: pg.Client
let offered: Offered

before(async () => {
  made = await makeGround()
  system = await addWorkspace(made.ground, { isDefault: true })
  elsewhere = await addWorkspace(made.ground, { subdomain: 'elsewhere' })
  app = await buildApp(made.ground)
  caller = callerOf(app)
  owner = new pg.Client({ connectionString: made.ownerUrl })
  await owner.connect()
  offered = await addOffered(system)
})
after(async () => {
  await owner.end()
  await app.close()
  await made.close()
})

type Person = { member: Member; token: string }

async function enter(of: System = system): Promise<Person> {
  const { memberId } = await addMember(of)
  const { token } = await openTestSession(of, { kind: 'member', id: memberId })
  return { member: await memberActor(of, memberId), token }
}

type Sent = { data?: object; version?: number; nonce_token?: string; draft?: string; form?: string | null }

const send = (
  { token }: Person,
  filled: Sent = {},
  more: { type?: string; customer?: string; request?: object } = {},
) =>
  caller.post(
    '/requests/send-customer-request',
    {
      request: { request_type: more.type ?? offered.typeId, ...more.request },
      form_submit: { form: offered.formId, data: addressAnswers, ...filled },
      ...(more.customer && { customer: more.customer }),
    },
    token,
  )
const submit = ({ token }: Person, filled: object) => caller.post('/form/submit', filled, token)
const save = ({ token }: Person, body: object = {}) =>
  caller.post(
    '/forms/drafts/save',
    { form: offered.formId, version: 1, answers: { street: 'Quay' }, step: 0, revision: null, ...body },
    token,
  )
const readDraft = ({ token }: Person, form = offered.formId) => caller.get(`/forms/draft?form=${form}`, token)
const cancel = ({ token }: Person, _id: string, body: object = {}) =>
  caller.post(
    '/requests/cp-change-status',
    { _id, new_status: 'canceled', comment: 'Not needed any more', ...body },
    token,
  )
const idOf = ({ body, raw }: Answered): string => {
  assert.ok(body.request, raw)
  return (body.request as { _id: string })._id
}
const draftOf = ({ body }: Answered) =>
  body.draft as { _id: string; revision: number; answers: object; version: number }
const errorsOf = ({ body }: Answered) => body.errors as Record<string, string[]>
const nonceOf = async ({ token }: Person) =>
  String((await caller.post('/members/get-unique-token', { token_key: 'form_submit' }, token)).body.token)

async function ask<Data>(person: Person, query: string): Promise<{ data: Data; extra: Record<string, number> }> {
  const { body, raw } = await caller.post('/graph', { query }, person.token)
  assert.equal(body.errors, undefined, raw)
  return { data: body.data as Data, extra: (body.extra ?? {}) as Record<string, number> }
}

const countOf = async (table: string, { member }: Person): Promise<number> =>
  Number((await owner.query(`select count(*) from ${table} where member_id = $1`, [member.memberId])).rows[0].count)

type Row = { _id: string; number: string; status: string; subject: string; form_data: string | null }
const listed = async (person: Person, args = '') =>
  (
    await ask<{ requests: Row[] }>(
      person,
      `{ requests${args} { _id number status subject priority comment form_data } }`,
    )
  ).data.requests

describe('a request', () => {
  it('is sent with its answers, which keep the version that they were given to', async () => {
    const person = await enter()
    const file = await addAnswerFile(system, person.member.memberId)
    const answer = await send(person, {
      data: { ...addressAnswers, moved_from: 'Hidden, so not kept', proofs: [file] },
    })
    assert.equal(answer.status, 200, answer.raw)
    assert.deepEqual(answer.body.msg, ['Request was sent successfully'])
    await addVersion(system, offered.formId, addressForm)
    const [row] = await listed(person)
    const shown = JSON.parse(row?.form_data ?? '{}') as Record<string, unknown> & {
      files: { _id: string; name: string }[]
    }
    assert.deepEqual(shown.answers, { street: 'Quay 1', has_moved: 'no', is_true: true, proofs: [file] })
    assert.deepEqual(shown.form, { _id: offered.formId, name: (shown.form as { name: string }).name, version: 1 })
    assert.deepEqual(shown.scores, { total: 0, band: { name: 'Low', text: 'Nothing to do.' } })
    assert.deepEqual(
      shown.files.map(({ _id, name }) => [_id, name]),
      [[file, 'bill.pdf']],
    )
    const audited = await owner.query('select action from audit_log where actor_id = $1 order by audit_id', [
      person.member.memberId,
    ])
    assert.deepEqual(
      audited.rows.map(({ action }) => action),
      ['request.sent', 'form.submitted'],
    )
    offered = await addOffered(system)
  })

  it('is what its type says, low and with nobody, whatever the client says about it', async () => {
    const person = await enter()
    const request = { subject: 'Mine', description: 'Mine', priority: 'high', status: 'done' }
    await send(person, {}, { request, customer: person.member.memberId })
    const [row] = await listed(person)
    assert.match(row?.subject ?? '', /^Change of address/)
    assert.deepEqual({ status: row?.status, ...row }, { ...row, status: 'not-assigned', priority: 'low' })
    const other = await enter()
    const refused = await send(person, {}, { customer: other.member.memberId })
    assert.deepEqual([refused.status, errorsOf(refused)], [422, { customer: [texts.valueRefused] }])
  })

  it('is refused field by field, and nothing of it is kept', async () => {
    const person = await enter()
    const tries: [object, Record<string, string[]>][] = [
      [{}, { street: [validatorTexts.required], is_true: [validatorTexts.required] }],
      [{ ...addressAnswers, street: 7 }, { street: [texts.valueRefused] }],
      [{ ...addressAnswers, other: 'x' }, { other: ['This form has no such field.'] }],
      [{ ...addressAnswers, has_moved: 'yes' }, { moved_from: [validatorTexts.required] }],
      [{ ...addressAnswers, proofs: [newId()] }, { proofs: [submissionTexts.fileGone] }],
    ]
    for (const [data, errors] of tries) {
      const answer = await send(person, { data })
      assert.deepEqual([answer.status, errorsOf(answer)], [422, errors], JSON.stringify(data))
    }
    assert.equal((await send(person, { data: {} })).body.error, 'Please fill all the required fields.')
    const long = await send(person, { data: { street: 'x'.repeat(12_000) } })
    assert.equal(long.status, 422)
    assert.equal(await countOf('requests', person), 0)
    assert.equal(await countOf('form_answers', person), 0)
  })

  it('takes files of the member’s own that stand nowhere else, for forms, and none that went meanwhile', async () => {
    const [person, other] = [await enter(), await enter()]
    const own = await addAnswerFile(system, person.member.memberId)
    const foreign = await addAnswerFile(system, other.member.memberId)
    const asFile = (id: string) => send(person, { data: { ...addressAnswers, proofs: [id] } })
    assert.deepEqual(errorsOf(await asFile(foreign)), { proofs: [submissionTexts.fileGone] })
    assert.equal((await asFile(own)).status, 200)
    const again = await send(person, { data: { ...addressAnswers, street: 'Another', proofs: [own] } })
    assert.deepEqual(errorsOf(again), { proofs: [submissionTexts.fileGone] })
    const gone = await addAnswerFile(system, person.member.memberId)
    await owner.query('delete from media where media_id = $1', [gone])
    assert.deepEqual(errorsOf(await asFile(gone)), { proofs: [submissionTexts.fileGone] })
  })

  it('takes accounts of the member’s own alone', async () => {
    const person = await enter()
    const at = await addOffered(system, aForm([aField('trading_account', 'account'), aField('bank_account', 'bank')]))
    const data = { account: newId(), bank: newId() }
    const answer = await send(person, { form: at.formId, data }, { type: at.typeId })
    assert.deepEqual(errorsOf(answer), { account: [texts.accountUnknown], bank: [submissionTexts.bankAccountUnknown] })
    const { memberId } = person.member
    const platformId = await addPlatform(system)
    const account = await addAccount(system, { memberId, platformId, archived: true })
    const archived = await send(person, { form: at.formId, data: { account } }, { type: at.typeId })
    assert.deepEqual(errorsOf(archived), { account: [texts.accountUnknown] })
  })

  it('of another version is refused with the reason, unless it was begun as that', async () => {
    const at = await addOffered(system)
    const [person, other] = [await enter(), await enter()]
    const draft = draftOf(await save(person, { form: at.formId }))
    const [type, form] = [at.typeId, at.formId]
    assert.equal(await addVersion(system, form, aForm([aField('text', 'city', { config: { required: true } })])), 2)
    const late = await send(other, { form, version: 1 }, { type })
    assert.deepEqual([late.status, late.body.error], [409, submissionTexts.formChanged])
    assert.equal((await send(other, { form, version: 3 }, { type })).status, 409)
    const begun = await readDraft(person, form)
    assert.deepEqual([begun.body.current_version, begun.body.definition], [2, addressForm])
    assert.equal((await send(person, { form, version: 1, draft: draft._id }, { type })).status, 200)
    assert.equal((await send(other, { form, data: { city: 'Valletta' } }, { type })).status, 200)
    for (const [{ member }, version] of [[person, 1] as const, [other, 2] as const]) {
      const kept = await owner.query(
        `select request.form_version, answers.version from requests as request
           join form_answers as answers using (workspace_id, request_id) where request.member_id = $1`,
        [member.memberId],
      )
      assert.deepEqual(kept.rows, [{ form_version: version, version }])
    }
  })

  it('is not made of a type that is not offered, leads elsewhere, or has another form', async () => {
    const person = await enter()
    const other = await addForm(system)
    for (const values of [
      { show_in_portal: false },
      { archived_at: new Date(0) },
      { predefined_type: 'add_bank_account' },
    ]) {
      const type = await addRequestType(system, values)
      assert.deepEqual(errorsOf(await send(person, { form: null }, { type })), {
        request_type: [requestTexts.typeUnknown],
      })
    }
    const foreign = await addRequestType(elsewhere)
    assert.deepEqual(errorsOf(await send(person, {}, { type: foreign })), { request_type: [requestTexts.typeUnknown] })
    assert.deepEqual(errorsOf(await send(person, { form: other })), { form: [requestTexts.formOther] })
    assert.deepEqual(errorsOf(await send(person, { form: null })), { form: [requestTexts.formOther] })
  })

  it('sent twice is one: by its token, by its draft, and by its answers', async () => {
    const person = await enter()
    const nonce_token = await nonceOf(person)
    const first = await send(person, { nonce_token })
    made.ground.clock.advance(120_000)
    assert.equal(idOf(await send(person, { nonce_token })), idOf(first))
    assert.equal(
      (await send(person, { nonce_token, data: { ...addressAnswers, street: 'Other' } })).body.code,
      'nonce_reused',
    )
    const draft = draftOf(await save(person))._id
    const second = await send(person, { draft })
    made.ground.clock.advance(120_000)
    assert.equal(idOf(await send(person, { draft })), idOf(second))
    assert.equal((await readDraft(person)).body.draft, null)
    const third = await send(person)
    assert.equal(idOf(await send(person)), idOf(third))
    made.ground.clock.advance(120_000)
    assert.notEqual(idOf(await send(person)), idOf(third))
    assert.equal(await countOf('requests', person), 4)
  })

  it('of a draft that another device has sent says so, where it is another one', async () => {
    const [person, other] = [await enter(), await addOffered(system)]
    const draft = draftOf(await save(person))._id
    const sent = await send(person, { draft })
    const late = [
      await send(person, { draft, data: { ...addressAnswers, street: 'Typed elsewhere' } }),
      await send(person, { draft, data: {} }),
      await send(person, { draft, form: other.formId }, { type: other.typeId }),
      await submit(person, { draft, form: offered.formId, data: { ...addressAnswers, street: 'Typed elsewhere' } }),
    ]
    for (const { status, body } of late) assert.deepEqual([status, body.error], [409, submissionTexts.sentAlready])
    assert.equal(idOf(await send(person, { draft, form: offered.formId.toUpperCase() })), idOf(sent))
    assert.equal(await countOf('requests', person), 1)
  })

  it('sent twice at the same instant is one, fifty times over', async () => {
    for (let round = 0; round < 50; round++) {
      const person = await enter()
      const ways = [{}, { nonce_token: await nonceOf(person) }, { draft: draftOf(await save(person))._id }]
      const filled = ways[round % ways.length] ?? {}
      const answers = await Promise.all([send(person, filled), send(person, filled)])
      assert.equal(new Set(answers.map(idOf)).size, 1)
      assert.equal(await countOf('requests', person), 1)
      assert.equal(await countOf('form_answers', person), 1)
    }
  })

  it('comes with its files in one body too, and sent twice it is one', async () => {
    const person = await enter()
    const nonce_token = await nonceOf(person)
    const body = async (more: Record<string, string> = {}, name = 'form_submit[data][proofs][]') => {
      const form = new FormData()
      form.append('request[request_type]', offered.typeId)
      form.append('form_submit[form]', offered.formId)
      form.append('form_submit[data]', JSON.stringify(addressAnswers))
      for (const [field, value] of Object.entries(more)) form.append(field, value)
      form.append(name, new Blob([new Uint8Array(makePdf())]), 'bill.pdf')
      const packed = new Request('http://localhost', { method: 'POST', body: form })
      return caller.send({
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
    const [row] = await listed(person)
    const shown = JSON.parse(row?.form_data ?? '{}') as { files: { name: string }[] }
    assert.deepEqual(
      shown.files.map(({ name }) => name),
      ['bill.pdf'],
    )
    assert.equal((await body({}, 'form_submit[data][other]')).status, 422)
    for (const name of ['form_submit[data][__proto__]', 'form_submit[data][constructor]', 'a[b][c][d][e]'])
      assert.ok([400, 422].includes((await body({}, name)).status), name)
    assert.equal(await countOf('requests', person), 1)
  })

  it('is not there for whoever may not ask, and its form neither', async () => {
    const person = await enter()
    await setPermissions(system, person.member.memberId, ['requests-', 'documents-'])
    assert.equal((await send(person)).status, 403)
    assert.equal((await submit(person, { form: offered.formId, data: addressAnswers })).status, 403)
    assert.equal((await readDraft(person)).status, 403)
    assert.equal((await caller.post('/requests/send-customer-request', {})).status, 401)
    await setFeatures(system, { requests: false })
    assert.equal((await send(await enter())).status, 404)
    await setFeatures(system, { requests: true })
  })

  it('is sent by no form of its own either where documents alone are open', async () => {
    const form = await addForm(system, { show_on: 'members-portal', is_request: false })
    const person = await enter()
    await setPermissions(system, person.member.memberId, ['requests-', 'documents'])
    const mine = { form: offered.formId, data: addressAnswers }
    assert.equal((await submit(person, mine)).status, 403)
    assert.equal((await submit(person, { form, data: addressAnswers })).status, 200)
    await setFeatures(system, { requests: false })
    const other = await enter()
    assert.deepEqual([(await submit(other, mine)).status, await countOf('requests', other)], [404, 0])
    await setFeatures(system, { requests: true })
    assert.equal((await submit(other, mine)).status, 200)
  })

  it('of more choices than a hundred is taken as its form takes it', async () => {
    const values = Array.from({ length: 150 }, (_, at) => `choice-${at}`)
    const asks = aForm([aField('checkbox_group', 'which', { options: values })])
    const { formId, typeId } = await addOffered(system, asks)
    const person = await enter()
    const answer = await send(person, { form: formId, data: { which: values } }, { type: typeId })
    assert.equal(answer.status, 200, answer.raw)
  })
})

describe('taking a request back', () => {
  it('and asking the same again at once is another request', async () => {
    const plain = await addRequestType(system, { name: 'A call, please' })
    const asks: ((person: Person) => Promise<string>)[] = [
      async (person) => idOf(await send(person)),
      async (person) => idOf(await send(person, { form: null, data: {} }, { type: plain })),
      async (person) => {
        const { body } = await submit(person, { form: offered.formId, data: addressAnswers })
        return (body.submission as { request: string }).request
      },
    ]
    for (const ask of asks) {
      const person = await enter()
      const first = await ask(person)
      assert.equal(await ask(person), first)
      assert.equal((await cancel(person, first)).status, 200)
      const second = await ask(person)
      assert.notEqual(second, first)
      assert.equal(await ask(person), second)
    }
  })

  it('takes a comment, and is told', async () => {
    const person = await enter()
    const id = idOf(await send(person))
    for (const comment of [undefined, null, '', '   ']) {
      const answer = await cancel(person, id, { comment })
      assert.deepEqual(errorsOf(answer), { comment: ['This action requires a Comment, please write it.'] })
    }
    const answer = await cancel(person, id)
    assert.deepEqual(answer.body.msg, ['The Request was cancelled'])
    const [row] = await listed(person)
    assert.deepEqual({ ...row, comment: 'Not needed any more' }, { ...row, status: 'canceled' })
    assert.equal((await cancel(person, id)).status, 200)
    made.ground.clock.advance(120_000)
    assert.equal((await cancel(person, id)).status, 409)
  })

  it('is for what is not decided: refused with the reason in every other state, by the database too', async () => {
    const person = await enter()
    for (const status of requestStates) {
      const id = await addRequest(system, {
        memberId: person.member.memberId,
        requestTypeId: offered.typeId,
        status,
        created_at: new Date(0),
      })
      const isOpen = requestMoves.member[status].includes('canceled')
      const byHand = inTransaction(person.member, (tx) =>
        tx
          .updateTable('requests')
          .where(here)
          .set({ status: isOpen ? 'done' : 'canceled' })
          .where('request_id', '=', id)
          .execute(),
      )
      await assert.rejects(byHand, status)
      const answer = await cancel(person, id)
      assert.equal(answer.status, isOpen ? 200 : 409, status)
      if (isOpen) continue
      const said = requestTexts.alreadyOver.replace('{{status}}', status)
      assert.deepEqual([answer.body.error, errorsOf(answer)], [said, { new_status: [said] }])
    }
  })

  it('is all that a member does to a status', async () => {
    const person = await enter()
    const id = idOf(await send(person))
    for (const new_status of requestStates.filter((state) => state !== 'canceled')) {
      const answer = await cancel(person, id, { new_status })
      assert.deepEqual([answer.status, answer.body.error], [409, requestTexts.notYours])
    }
  })

  it('of somebody else’s is as taking back one that is not there', async () => {
    const [person, other, away] = [await enter(), await enter(), await enter(elsewhere)]
    const id = idOf(await send(person))
    const strip = ({ raw }: Answered) => raw.replace(/"request_id":"[^"]*"/, '')
    const unknown = strip(await cancel(other, newId()))
    assert.equal(strip(await cancel(other, id)), unknown)
    const there = callerOf(app, 'elsewhere.localhost')
    const body = { _id: id, new_status: 'canceled', comment: 'Not mine' }
    assert.equal(strip(await there.post('/requests/cp-change-status', body, away.token)), unknown)
    assert.equal((await listed(person))[0]?.status, 'not-assigned')
  })

  it('moves along the one table in the database as in the contract', async () => {
    const person = await enter()
    const wrong: string[] = []
    for (const from of requestStates)
      for (const to of requestStates.filter((state) => state !== from)) {
        const id = await addRequest(system, {
          memberId: person.member.memberId,
          requestTypeId: offered.typeId,
          status: from,
        })
        const moved = await inTransaction(system, (tx) =>
          tx.updateTable('requests').where(here).set({ status: to }).where('request_id', '=', id).execute(),
        ).then(
          () => true,
          () => false,
        )
        const isLegal = requestMoves.staff[from as RequestState].includes(to)
        if (moved !== isLegal) wrong.push(`${from}>${to}`)
      }
    assert.deepEqual(wrong, [])
  })
})

describe('a draft', () => {
  it('goes on where it was left, and of two devices the second is told', async () => {
    const person = await enter()
    const first = draftOf(await save(person))
    assert.deepEqual([first.revision, await countOf('form_drafts', person)], [1, 1])
    // Its answer was lost: saved again it is the same.
    assert.equal(draftOf(await save(person)).revision, 1)
    assert.equal(draftOf(await save(person, { revision: 1, answers: { street: 'Quay 12' }, step: 1 })).revision, 2)
    const late = await save(person, { revision: 1, answers: { street: 'Elsewhere' } })
    assert.deepEqual([late.status, late.body.error], [409, submissionTexts.draftElsewhere])
    const { draft } = (await readDraft(person)).body as { draft: { answers: object; step: number } }
    assert.deepEqual([draft.answers, draft.step], [{ street: 'Quay 12' }, 1])
    assert.equal((await readDraft(await enter())).body.draft, null)
    await caller.post('/forms/drafts/discard', { form: offered.formId }, person.token)
    assert.equal((await readDraft(person)).body.draft, null)
  })

  it('keeps its files from being swept, and no longer than it is there', async () => {
    const person = await enter()
    const file = await addAnswerFile(system, person.member.memberId)
    const lying = await addAnswerFile(system, person.member.memberId)
    await save(person, { answers: { proofs: [file] } })
    made.ground.clock.advance(25 * 3_600_000)
    await sweepUploads(system)
    const left = await owner.query('select media_id from media where media_id = any($1)', [[file, lying]])
    assert.deepEqual(left.rows, [{ media_id: file }])
    const { token } = await openTestSession(system, { kind: 'member', id: person.member.memberId })
    await caller.post('/forms/drafts/discard', { form: offered.formId }, token)
    await sweepUploads(system)
    assert.equal(await countOf('media', person), 0)
  })

  it('is dropped when nobody went on with it for ninety days', async () => {
    const [person, other] = [await enter(), await enter()]
    await save(person)
    made.ground.clock.advance(89 * 24 * 3_600_000)
    await save({
      ...other,
      token: (await openTestSession(system, { kind: 'member', id: other.member.memberId })).token,
    })
    made.ground.clock.advance(2 * 24 * 3_600_000)
    await sweepDrafts(system)
    assert.deepEqual([await countOf('form_drafts', person), await countOf('form_drafts', other)], [0, 1])
  })

  it('is of a form that the member sees', async () => {
    const person = await enter()
    const theirs = await addForm(elsewhere, { show_on: 'members-portal', is_request: false })
    for (const form of [newId(), theirs, await addForm(system)]) {
      assert.equal((await readDraft(person, form)).status, 404)
      assert.equal((await save(person, { form })).status, 404)
    }
  })
})

describe('a form', () => {
  it('is shown by itself or at a type that is offered, and to nobody otherwise', async () => {
    const person = await enter()
    const formOf = async (id: string) =>
      (
        await ask<{ form: { version: number; steps: { fields: { type: string; config: string }[] }[] } | null }>(
          person,
          `{ form(_id: "${id}") { _id version steps { _id name fields { name type config options row column } } } }`,
        )
      ).data.form
    const shown = await formOf(offered.formId)
    assert.equal(shown?.version, 1)
    assert.deepEqual(JSON.parse(shown?.steps[0]?.fields[0]?.config ?? ''), { required: true })
    assert.ok(await formOf(await addForm(system, { show_on: 'members-portal', is_request: false })))
    const hidden = [
      await addForm(system),
      // It becomes a request, and no type offers it: nobody could send it.
      await addForm(system, { show_on: 'members-portal', is_request: true }),
      await addForm(system, { show_on: 'members-portal', is_request: false, archived_at: new Date(0) }),
      await addForm(elsewhere, { show_on: 'members-portal', is_request: false }),
      newId(),
      'no id',
    ]
    for (const id of hidden) assert.equal(await formOf(id), null)
  })

  it('sent by itself is kept, and one of requests becomes a request', async () => {
    const person = await enter()
    const form = await addForm(system, { show_on: 'members-portal', is_request: false })
    const answer = await submit(person, { form, data: { ...addressAnswers, has_moved: 'yes', moved_from: 'Sea 2' } })
    assert.equal(answer.status, 200, answer.raw)
    const submission = answer.body.submission as { _id: string; scores: object; request: string | null }
    assert.deepEqual(submission.scores, { total: 2, band: { name: 'Low', text: 'Nothing to do.' } })
    assert.equal(submission.request, null)
    const asked = await submit(person, { form: offered.formId, data: addressAnswers })
    assert.deepEqual(
      (await listed(person)).map(({ _id }) => _id),
      [(asked.body.submission as { request: string }).request],
    )
    const again = await submit(person, { form: offered.formId, data: addressAnswers })
    assert.deepEqual(again.body.submission, asked.body.submission)
    assert.equal((await submit(person, { form: newId() })).status, 404)
  })
})

describe('the list of requests', () => {
  it('is found by words in the search of the portal, by its member alone', async () => {
    const [person, other] = [await enter(), await enter()]
    await addRequest(system, { memberId: person.member.memberId, requestTypeId: offered.typeId, subject: 'Zanzibar' })
    const found = async ({ token }: Person) => {
      const { body } = await caller.get('/members/search?q=zanzi', token)
      const groups = body.groups as { name: string; hits: { title: string; facts: string[] }[] }[]
      return groups.find(({ name }) => name === 'requests')?.hits.map(({ title, facts }) => [title.slice(-8), facts])
    }
    assert.deepEqual(await found(person), [['Zanzibar', ['Not assigned']]])
    assert.deepEqual((await found(other)) ?? [], [])
  })

  it('is the member’s own, newest first, by page, number, words, status and day', async () => {
    const [person, other] = [await enter(), await enter()]
    const midnight = Date.UTC(2026, 9, 1)
    const at = (hours: number) => new Date(midnight + hours * 3_600_000)
    const values = { memberId: person.member.memberId, requestTypeId: offered.typeId }
    for (let made = 0; made < 30; made++)
      await addRequest(system, {
        ...values,
        subject: `Number ${made}`,
        created_at: at(made),
        status: made < 3 ? 'done' : 'open',
      })
    await addRequest(system, { ...values, memberId: other.member.memberId })
    const query = (args: string) => `{ requests(${args}, withCount: true) { subject } }`
    const found = async (args: string) => {
      const { data, extra } = await ask<{ requests: { subject: string }[] }>(person, query(args))
      return [extra.countRequests, data.requests.length, data.requests[0]?.subject]
    }
    assert.deepEqual(await found('page: 1, scope: "crm"'), [30, 25, 'Number 29'])
    assert.deepEqual(await found('page: 2'), [30, 5, 'Number 4'])
    assert.deepEqual(await found('status: "done"'), [3, 3, 'Number 2'])
    assert.deepEqual(await found('status: "none"'), [0, 0, undefined])
    assert.deepEqual(await found('q: "number 1"'), [11, 11, 'Number 19'])
    assert.deepEqual(await found('q: "%"'), [0, 0, undefined])
    assert.deepEqual(await found(`created_at: ${midnight}`), [24, 24, 'Number 23'])
    assert.deepEqual(await found(`customer: "${other.member.memberId}"`), [0, 0, undefined])
    assert.equal((await found(`customer: "${person.member.memberId}"`))[0], 30)
  })
})
