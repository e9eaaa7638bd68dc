import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { submissionTexts } from '@atrium/contract/request-texts.ts'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'
import { type Answered, type Caller, callerOf } from '../testing/caller.ts'
import { addForm, addOffered, addressAnswers, type Offered } from '../testing/forms.ts'
import { type MadeGround, makeGround } from '../testing/ground.ts'
import { addMember, addWorkspace, openTestSession } from '../testing/harbour.ts'

let made: MadeGround
let system: System
let app: FastifyInstance
let caller: Caller
let owner: pg.Client
let offered: Offered

before(async () => {
  made = await makeGround()
  system = await addWorkspace(made.ground, { isDefault: true })
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

async function enter(): Promise<string> {
  const { memberId } = await addMember(system)
  return (await openTestSession(system, { kind: 'member', id: memberId })).token
}

type Draft = { _id: string; revision: number; answers: object; step: number }
type Filled = { data?: object; draft?: string; draft_revision?: number | null; nonce_token?: string }

const save = (token: string, body: object = {}) =>
  caller.post(
    '/forms/drafts/save',
    { form: offered.formId, version: 1, answers: { street: 'Quay' }, step: 0, revision: null, ...body },
    token,
  )
const discard = (token: string) => caller.post('/forms/drafts/discard', { form: offered.formId }, token)
const savedBy = async (token: string, body: object = {}): Promise<Draft> => {
  const { body: answer, raw } = await save(token, body)
  assert.ok(answer.draft, raw)
  return answer.draft as Draft
}
const kept = async (token: string, form = offered.formId) =>
  (await caller.get(`/forms/draft?form=${form}`, token)).body.draft as Draft | null
const send = (token: string, filled: Filled = {}) =>
  caller.post(
    '/requests/send-customer-request',
    {
      request: { request_type: offered.typeId },
      form_submit: { form: offered.formId, data: addressAnswers, ...filled },
    },
    token,
  )
const idOf = ({ body, raw }: Answered): string => {
  assert.ok(body.request, raw)
  return (body.request as { _id: string })._id
}
const expectElsewhere = ({ status, body }: Answered): void =>
  assert.deepEqual(
    [status, body.error, body.errors],
    [409, submissionTexts.draftElsewhere, { draft_revision: [submissionTexts.draftElsewhere] }],
  )

describe('a draft that another device has saved since', () => {
  it('is not lost to answers that were entered before, whichever call takes them', async () => {
    const token = await enter()
    const { _id: draft } = await savedBy(token)
    await savedBy(token, { revision: 1, answers: { street: 'Typed on the other one' } })
    expectElsewhere(await send(token, { draft, draft_revision: 1 }))
    expectElsewhere(
      await caller.post(
        '/form/submit',
        { form: offered.formId, data: addressAnswers, draft, draft_revision: 1 },
        token,
      ),
    )
    assert.deepEqual((await kept(token))?.answers, { street: 'Typed on the other one' })
    assert.equal((await send(token, { draft: draft.toUpperCase(), draft_revision: 2 })).status, 200)
    assert.equal(await kept(token), null)
  })

  it('is not lost to a form by itself either', async () => {
    const token = await enter()
    const form = await addForm(system, { show_on: 'members-portal', is_request: false })
    const { _id: draft } = await savedBy(token, { form })
    await savedBy(token, { form, revision: 1, answers: { street: 'Newer' } })
    const submit = (draft_revision: number) =>
      caller.post('/form/submit', { form, data: addressAnswers, draft, draft_revision }, token)
    expectElsewhere(await submit(1))
    assert.deepEqual((await kept(token, form))?.answers, { street: 'Newer' })
    assert.equal((await submit(2)).status, 200)
  })

  it('is told to whoever had none, and to whoever goes on from one that is not there any more', async () => {
    const token = await enter()
    const { _id: first } = await savedBy(token)
    expectElsewhere(await send(token, { draft_revision: null }))
    await discard(token)
    const { revision } = await savedBy(token)
    expectElsewhere(await send(token, { draft: first, draft_revision: revision }))
    assert.ok(await kept(token))
    // Who knows nothing of drafts is asked nothing.
    assert.equal((await send(token)).status, 200)
  })

  it('was discarded there: then nothing is lost by sending', async () => {
    const token = await enter()
    const { _id: draft, revision } = await savedBy(token)
    await discard(token)
    assert.equal((await send(token, { draft, draft_revision: revision })).status, 200)
  })

  it('and is begun anew changes nothing about what was sent before: repeated it is answered as it was', async () => {
    const token = await enter()
    const { _id: draft, revision: draft_revision } = await savedBy(token)
    const { body } = await caller.post('/members/get-unique-token', { token_key: 'form_submit' }, token)
    const nonce_token = String(body.token)
    const sent = idOf(await send(token, { draft, draft_revision, nonce_token }))
    await savedBy(token, { answers: { street: 'The next one' } })
    assert.equal(idOf(await send(token, { draft, draft_revision, nonce_token })), sent)
    assert.equal(idOf(await send(token, { draft, draft_revision })), sent)
    assert.equal(idOf(await send(token, { draft_revision: null })), sent)
    made.ground.clock.advance(120_000)
    assert.equal(idOf(await send(token, { draft, draft_revision })), sent)
    assert.deepEqual((await kept(token))?.answers, { street: 'The next one' })
  })

  it('and sent at the same instant is one or the other', async () => {
    for (let round = 0; round < 20; round++) {
      const token = await enter()
      const { _id: draft } = await savedBy(token)
      const typed = { revision: 1, answers: { street: 'At the same time' } }
      const both = [send(token, { draft, draft_revision: 1 }), save(token, typed)] as const
      const [sending, saving] = await Promise.all(both)
      const isSent = sending.status === 200
      assert.deepEqual([sending.status, saving.status], isSent ? [200, 409] : [409, 200])
      assert.deepEqual((await kept(token))?.answers ?? null, isSent ? null : typed.answers)
    }
  })
})

describe('what was sent, and whose answer got lost', () => {
  const nonceOf = async (token: string): Promise<string> =>
    String((await caller.post('/members/get-unique-token', { token_key: 'form_submit' }, token)).body.token)
  const expectSent = ({ status, body }: Answered): void =>
    assert.deepEqual(
      [status, body.code, body.errors],
      [409, 'conflict', { nonce_token: [submissionTexts.nothingLeft] }],
      String(body.error),
    )

  it('is not saved as a draft afterwards, whatever was begun of it, and sent again it is the same', async () => {
    for (const isBegun of [false, true]) {
      const token = await enter()
      const begun = isBegun ? await savedBy(token) : null
      const nonce_token = await nonceOf(token)
      const filled = { nonce_token, draft_revision: begun?.revision ?? null, ...(begun && { draft: begun._id }) }
      const sent = idOf(await send(token, filled))
      const late = { revision: begun?.revision ?? null, answers: addressAnswers, nonce_token }
      expectSent(await save(token, late))
      made.ground.clock.advance(120_000)
      expectSent(await save(token, { ...late, answers: { street: 'Typed since' } }))
      expectSent(await save(token, { ...late, step: 1, version: 2 }))
      assert.equal(await kept(token), null)
      assert.equal(idOf(await send(token, filled)), sent)
      // Begun anew it is another one.
      assert.equal((await savedBy(token)).revision, 1)
    }
  })

  it('of a form by itself neither', async () => {
    const token = await enter()
    const form = await addForm(system, { show_on: 'members-portal', is_request: false })
    const nonce_token = await nonceOf(token)
    const submitted = await caller.post('/form/submit', { form, data: addressAnswers, nonce_token }, token)
    assert.equal(submitted.status, 200, submitted.raw)
    expectSent(await save(token, { form, nonce_token }))
    assert.equal(await kept(token, form), null)
  })

  it('is saved where it never came, was refused, or was sent by somebody else', async () => {
    const other = await enter()
    const theirs = await nonceOf(other)
    await send(other, { nonce_token: theirs })
    for (const come of ['never', 'refused', 'theirs', 'unknown'] as const) {
      const token = await enter()
      const nonce_token = come === 'theirs' ? theirs : come === 'unknown' ? 'none' : await nonceOf(token)
      if (come === 'refused') assert.equal((await send(token, { nonce_token, data: {} })).status, 422)
      assert.equal((await savedBy(token, { nonce_token })).revision, 1)
      assert.ok(await kept(token), come)
    }
  })

  it('is either sent or saved, where the draft overtakes it', async () => {
    for (let round = 0; round < 20; round++) {
      const token = await enter()
      const nonce_token = await nonceOf(token)
      const filled = { nonce_token, draft_revision: null }
      const [sending, saving] = await Promise.all([send(token, filled), save(token, { nonce_token })])
      const isSent = sending.status === 200
      assert.deepEqual([sending.status, saving.status], isSent ? [200, 409] : [409, 200])
      if (isSent) expectSent(saving)
      assert.equal((await kept(token)) === null, isSent)
    }
  })
})

it('a page that is turned is kept, and refuses nobody’s typing elsewhere', async () => {
  const token = await enter()
  await savedBy(token)
  const turned = { revision: 1, step: 1 }
  for (const _ of ['turned', 'its answer was lost']) assert.equal((await savedBy(token, turned)).revision, 1)
  assert.equal((await kept(token))?.step, 1)
  assert.equal((await savedBy(token, { revision: 1, answers: { street: 'Quay 7' } })).revision, 2)
  assert.equal((await save(token, turned)).status, 409)
})
