// spec: AO 7
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { submissionTexts } from '@atrium/contract/requests/texts.ts'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { type Answered, type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { aField, aForm } from '../../tests/fixtures/form-definitions.ts'
import { addOffered, type Offered } from '../../tests/fixtures/forms.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { makePdf, makePdfOfSize, makePng } from '../../tests/fixtures/sample-files.ts'
import { addMember, addWorkspace, memberActor, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { unattachedMax } from '../files/upload.ts'
import type { Member, System } from '../foundation/actor.ts'

let made: MadeContext
let system: System
let app: FastifyInstance
let caller: Caller
let owner: pg.Client
let offered: Offered

/** A field of each kind that takes files, and fields of other kinds. */
const filesForm = aForm(
  [
    aField('text', 'street', { config: { required: true } }),
    aField('file', 'bill', { config: { file_types: ['pdf'], size_kb_max: 2 } }),
    aField('files', 'proofs', { config: { file_types: ['pdf', 'png'], count_max: 2 } }),
    aField('signature', 'signed'),
    aField('file', 'hidden_one'),
  ],
  { show_conditions: { hidden_one: { '==': [{ var: 'street' }, 'nowhere'] } } },
)

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { isDefault: true })
  app = await buildApp(made.context)
  caller = callerOf(app)
  owner = await made.openOwner()
  offered = await addOffered(system, filesForm)
})
after(async () => {
  await app.close()
  await made.close()
})

type Person = { member: Member; token: string }

async function enter(): Promise<Person> {
  const { memberId } = await addMember(system)
  const { token } = await openTestSession(system, { kind: 'member', id: memberId })
  return { member: await memberActor(system, memberId), token }
}

const send = ({ token }: Person, data: object) =>
  caller.post(
    '/requests/send-customer-request',
    {
      request: { request_type: offered.typeId },
      form_submit: { form: offered.formId, data: { street: 'Quay 1', ...data } },
    },
    token,
  )

const pdf = new Uint8Array(makePdf())
const png = new Uint8Array(makePng())

type Part = [field: string, content: Uint8Array | string, name?: string]

async function sendParts({ token }: Person, url: string, parts: Part[]): Promise<Answered> {
  const form = new FormData()
  for (const [field, content, name] of parts)
    if (typeof content === 'string') form.append(field, content)
    else form.append(field, new Blob([new Uint8Array(content)]), name ?? 'bill.pdf')
  const packed = new Request('http://localhost', { method: 'POST', body: form })
  return caller.send({
    method: 'POST',
    url,
    payload: Buffer.from(await packed.arrayBuffer()),
    headers: { authorization: `Bearer ${token}`, 'content-type': packed.headers.get('content-type') ?? '' },
  })
}

const sendForm = (person: Person, parts: Part[], data: object = { street: 'Quay 1' }) =>
  sendParts(person, '/requests/send-customer-request', [
    ['request[request_type]', offered.typeId],
    ['form_submit[form]', offered.formId],
    ['form_submit[data]', JSON.stringify(data)],
    ...parts,
  ])

const of = (field: string) => `form_submit[data][${field}]`
const errorsOf = ({ body }: Answered) => body.errors as Record<string, string[]>
const idOf = ({ body, raw }: Answered): string => {
  assert.ok(body.request, raw)
  return (body.request as { _id: string })._id
}
const countOf = async (table: string, { member }: Person): Promise<number> =>
  Number((await owner.query(`select count(*) from ${table} where member_id = $1`, [member.memberId])).rows[0].count)

async function storedFiles(): Promise<number> {
  let count = 0
  for await (const _file of made.context.files.list(system.workspaceId)) count += 1
  return count
}

/** No row, no stored file and no partial upload. */
async function assertNothingKept(person: Person, storedBefore: number): Promise<void> {
  for (const table of ['media', 'requests', 'form_answers']) assert.equal(await countOf(table, person), 0, table)
  assert.equal(await storedFiles(), storedBefore)
  assert.deepEqual(readdirSync(join(made.context.config.dataDirectory, 'incoming')), [])
}

const typesOf = (...types: string[]) => fileTexts.fileTypes.replace('{{types}}', types.join(', '))
const fileOf = (person: Person, values: object) =>
  addMedia(system, { memberId: person.member.memberId, purpose: 'form', name: 'bill.pdf', ...values })

describe('answers of a form with files', () => {
  it('that are no object are refused, also where nothing is required', async () => {
    const free = await addOffered(system, aForm([aField('text', 'note')]))
    for (const data of ['5', 'true', 'null', '[]', '"note"', '{']) {
      const person = await enter()
      const { status, body } = await sendParts(person, '/requests/send-customer-request', [
        ['request[request_type]', free.typeId],
        ['form_submit[form]', free.formId],
        ['form_submit[data]', data],
      ])
      assert.deepEqual([status, body.code, await countOf('requests', person)], [400, 'malformed', 0], data)
    }
  })
})

describe('a file of an answer', () => {
  it('has a type that its field accepts; a signature is a picture', async () => {
    const person = await enter()
    const picture = { kind: 'image', name: 'a.png', extension: 'png', content_type: 'image/png' }
    const sheet = await fileOf(person, { name: 'a.csv', extension: 'csv', content_type: 'text/csv' })
    const pdf = await fileOf(person, {})
    const drawn = await fileOf(person, picture)
    const tries: [object, Record<string, string[]>][] = [
      [{ bill: drawn }, { bill: [typesOf('pdf')] }],
      [{ proofs: [pdf, sheet] }, { proofs: [typesOf('pdf', 'png')] }],
      [{ signed: pdf }, { signed: [typesOf('png', 'jpg', 'jpeg')] }],
      [
        { bill: sheet, signed: sheet },
        { bill: [typesOf('pdf')], signed: [submissionTexts.fileGone] },
      ],
    ]
    for (const [data, errors] of tries) {
      const answer = await send(person, data)
      assert.deepEqual([answer.status, errorsOf(answer)], [422, errors], JSON.stringify(data))
    }
    const other = await fileOf(person, picture)
    assert.equal((await send(person, { bill: pdf, proofs: [other], signed: drawn })).status, 200)
  })

  it('is limited by the size that was sent', async () => {
    const person = await enter()
    const tooLarge = { bill: [fileTexts.fileTooLarge.replace('{{size}}', '2 KB')] }
    const large = await fileOf(person, { size_bytes: 2_001 })
    assert.deepEqual(errorsOf(await send(person, { bill: large })), tooLarge)
    // The re-encoded file is larger than the one sent, which is not the sender's fault.
    const drawn = await fileOf(person, { size_bytes: 3_000, sent_bytes: 2_000 })
    assert.equal((await send(person, { bill: drawn })).status, 200)
    const sent = await fileOf(person, { size_bytes: 1_000, sent_bytes: 2_001 })
    assert.deepEqual(errorsOf(await send(person, { bill: sent })), tooLarge)
  })
})

describe('a form sent with its files', () => {
  it('refuses an outdated draft revision and loses neither draft nor edits of another device', async () => {
    const person = await enter()
    const stored = await storedFiles()
    const save = async (street: string, revision: number | null) => {
      const draft = { form: offered.formId, version: 1, answers: { street }, step: 0, revision }
      return (await caller.post('/forms/drafts/save', draft, person.token)).body.draft as { _id: string }
    }
    const { _id } = await save('Quay 1', null)
    await save('Typed on the other one', 1)
    const sendFrom = (revision: string) =>
      sendForm(person, [
        ['form_submit[draft]', _id],
        ['form_submit[draft_revision]', revision],
        [of('bill'), pdf],
      ])
    for (const revision of ['1', '']) {
      const refused = await sendFrom(revision)
      assert.notEqual(refused.status, 200, refused.raw)
      await assertNothingKept(person, stored)
    }
    const draft = await caller.get(`/forms/draft?form=${offered.formId}`, person.token)
    assert.deepEqual((draft.body.draft as { answers: object }).answers, { street: 'Typed on the other one' })
    assert.equal((await sendFrom('2')).status, 200)
  })

  it('stores nothing of a refused form, whether for its answers or its files', async () => {
    const person = await enter()
    const stored = await storedFiles()
    const csv = new TextEncoder().encode('a,b\n1,2\n')
    const tries: [Part[], object, Record<string, string[]>][] = [
      [[[of('bill'), pdf]], {}, { street: [validatorTexts.required] }],
      [[[of('bill'), png, 'a.png']], { street: 'Q' }, { bill: [typesOf('pdf')] }],
      [[[of('signed'), pdf]], { street: 'Q' }, { signed: [typesOf('png', 'jpg', 'jpeg')] }],
      [
        [[of('bill'), new Uint8Array(makePdfOfSize(2_500))]],
        { street: 'Q' },
        { bill: [fileTexts.fileTooLarge.replace('{{size}}', '2 KB')] },
      ],
      [[[`${of('proofs')}[]`, csv, 'a.csv']], { street: 'Q' }, { proofs: [typesOf('pdf', 'png')] }],
      [[[of('street'), pdf]], {}, { street: [submissionTexts.fileNotAsked] }],
      [[[of('unknown'), pdf]], { street: 'Q' }, { unknown: ['This form has no such field.'] }],
      [[[of('bill'), new Uint8Array()]], { street: 'Q' }, { bill: [fileTexts.fileEmpty] }],
      // The extension is accepted and the content is not. The other files of the form are deleted too.
      [
        [
          [of('bill'), pdf],
          [of('signed'), new Uint8Array(png.subarray(0, 40)), 'a.png'],
        ],
        { street: 'Q' },
        { signed: [] },
      ],
    ]
    for (const [parts, data, errors] of tries) {
      const answer = await sendForm(person, parts, data)
      assert.equal(answer.status, 422, answer.raw)
      const [name = ''] = Object.keys(errors)
      assert.deepEqual(Object.keys(errorsOf(answer)), [name], answer.raw)
      if (errors[name]?.length) assert.deepEqual(errorsOf(answer), errors, answer.raw)
      await assertNothingKept(person, stored)
    }
    const many = Array.from({ length: 3 }, (): Part => [`${of('proofs')}[]`, pdf])
    assert.ok(errorsOf(await sendForm(person, many)).proofs)
    const eleven = Array.from({ length: 11 }, (): Part => [`${of('proofs')}[]`, pdf])
    assert.equal((await sendForm(person, eleven)).status, 400)
    await assertNothingKept(person, stored)
  })

  it('is refused over the quota, and counts only stored files', async () => {
    const person = await enter()
    const lying = unattachedMax.files - 1
    for (let count = 0; count < lying; count += 1) await fileOf(person, { purpose: 'ticket' })
    const stored = await storedFiles()
    const two: Part[] = [
      [`${of('proofs')}[]`, pdf],
      [`${of('proofs')}[]`, png, 'a.png'],
    ]
    const refused = await sendForm(person, two)
    assert.deepEqual([refused.status, Object.keys(errorsOf(refused))], [429, ['proofs']], refused.raw)
    assert.deepEqual([await countOf('media', person), await storedFiles()], [lying, stored])
    assert.equal((await sendForm(person, [[of('bill'), pdf]])).status, 200)
    await fileOf(person, { purpose: 'ticket' })
    assert.equal((await sendForm(person, [[of('bill'), pdf]], { street: 'Other' })).status, 429)
  })

  it('drops a file of a hidden field', async () => {
    const person = await enter()
    assert.equal((await sendForm(person, [[of('hidden_one'), pdf]])).status, 200)
    assert.deepEqual([await countOf('requests', person), await countOf('media', person)], [1, 0])
  })

  it('is one request when repeated, and another with other answers or later', async () => {
    const person = await enter()
    const bill: Part[] = [[of('bill'), pdf]]
    const first = idOf(await sendForm(person, bill))
    assert.equal(idOf(await sendForm(person, bill)), first)
    // The same bill may belong to two requests within one minute.
    const other = idOf(await sendForm(person, bill, { street: 'Quay 2' }))
    assert.notEqual(other, first)
    for (let turn = 0; turn < 2; turn += 1) {
      made.context.clock.advance(61_000)
      const later = idOf(await sendForm(person, bill))
      assert.equal(idOf(await sendForm(person, bill)), later)
    }
    assert.deepEqual([await countOf('requests', person), await countOf('media', person)], [4, 4])
  })

  it('is one request with one set of files when sent twice together', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await enter()
      const parts: Part[] = [
        [of('bill'), pdf],
        [of('signed'), png, 'a.png'],
      ]
      const answers = await Promise.all([sendForm(person, parts), sendForm(person, parts)])
      assert.equal(new Set(answers.map(idOf)).size, 1)
      assert.deepEqual([await countOf('requests', person), await countOf('media', person)], [1, 2])
    }
  })

  it('is accepted by the form call as well', async () => {
    const person = await enter()
    const parts: Part[] = [
      ['form', offered.formId],
      ['data', JSON.stringify({ street: 'Quay 9' })],
      ['data[bill]', pdf],
    ]
    const answer = await sendParts(person, '/form/submit', parts)
    assert.equal(answer.status, 200, answer.raw)
    assert.deepEqual([await countOf('form_answer_files', person), await countOf('requests', person)], [1, 1])
    const wrong = await sendParts(person, '/form/submit', [...parts.slice(0, 2), ['data[signed]', pdf]])
    assert.deepEqual(errorsOf(wrong), { signed: [typesOf('png', 'jpg', 'jpeg')] })
    assert.equal(await countOf('media', person), 1)
  })

  it('refuses too much text before it fills the memory', async () => {
    const person = await enter()
    const parts = Array.from({ length: 5 }, (_, at): Part => [`x${at}`, 'x'.repeat(100_000)])
    assert.equal((await sendForm(person, parts)).status, 413)
  })
})
