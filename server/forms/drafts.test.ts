// spec: OP faults
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { submissionTexts } from '@atrium/contract/requests/texts.ts'
import type { Answered } from '../../tests/fixtures/caller.ts'
import { addAnswerFile, addForm, addressAnswers } from '../../tests/fixtures/forms.ts'
import {
  draftOf,
  idOf,
  openRequestFixture,
  type Person,
  type RequestFixture,
} from '../../tests/fixtures/request-fixture.ts'

let fixture: RequestFixture

before(async () => {
  fixture = await openRequestFixture()
})
after(() => fixture.close())

type Draft = ReturnType<typeof draftOf>

const discard = ({ token }: Person) =>
  fixture.caller.post('/forms/drafts/discard', { form: fixture.offered.formId }, token)
const savedBy = async (person: Person, body: object = {}): Promise<Draft> => {
  const answer = await fixture.save(person, body)
  assert.ok(answer.body.draft, answer.raw)
  return draftOf(answer)
}
const storedDraft = async (person: Person, form?: string) =>
  (await fixture.readDraft(person, form)).body.draft as Draft | null
const expectElsewhere = ({ status, body }: Answered): void =>
  assert.deepEqual(
    [status, body.error, body.errors],
    [409, submissionTexts.draftElsewhere, { draft_revision: [submissionTexts.draftElsewhere] }],
  )

describe('a draft that another device has changed', () => {
  it('is not overwritten by a submission of earlier answers, through either call', async () => {
    const person = await fixture.enter()
    const { _id: draft } = await savedBy(person)
    await savedBy(person, { revision: 1, answers: { street: 'Typed on the other one' } })
    expectElsewhere(await fixture.send(person, { draft, draft_revision: 1 }))
    expectElsewhere(
      await fixture.submit(person, { form: fixture.offered.formId, data: addressAnswers, draft, draft_revision: 1 }),
    )
    assert.deepEqual((await storedDraft(person))?.answers, { street: 'Typed on the other one' })
    assert.equal((await fixture.send(person, { draft: draft.toUpperCase(), draft_revision: 2 })).status, 200)
    assert.equal(await storedDraft(person), null)
  })

  it('is not overwritten by a submission of a standalone form', async () => {
    const person = await fixture.enter()
    const form = await addForm(fixture.system, { show_on: 'members-portal', is_request: false })
    const { _id: draft } = await savedBy(person, { form })
    await savedBy(person, { form, revision: 1, answers: { street: 'Newer' } })
    const submit = (draft_revision: number) =>
      fixture.submit(person, { form, data: addressAnswers, draft, draft_revision })
    expectElsewhere(await submit(1))
    assert.deepEqual((await storedDraft(person, form))?.answers, { street: 'Newer' })
    assert.equal((await submit(2)).status, 200)
  })

  it('gives a conflict to a device without a draft and to one with a discarded draft', async () => {
    const person = await fixture.enter()
    const { _id: first } = await savedBy(person)
    expectElsewhere(await fixture.send(person, { draft_revision: null }))
    await discard(person)
    const { revision } = await savedBy(person)
    expectElsewhere(await fixture.send(person, { draft: first, draft_revision: revision }))
    assert.ok(await storedDraft(person))
    // A client that sends no draft revision is not checked.
    assert.equal((await fixture.send(person)).status, 200)
  })

  it('does not prevent a submission when the other device discarded it', async () => {
    const person = await fixture.enter()
    const { _id: draft, revision } = await savedBy(person)
    await discard(person)
    assert.equal((await fixture.send(person, { draft, draft_revision: revision })).status, 200)
  })

  it('does not change the answer to a repeated submission when it is started again', async () => {
    const person = await fixture.enter()
    const { _id: draft, revision: draft_revision } = await savedBy(person)
    const nonce_token = await fixture.nonceOf(person)
    const sent = idOf(await fixture.send(person, { draft, draft_revision, nonce_token }))
    await savedBy(person, { answers: { street: 'The next one' } })
    assert.equal(idOf(await fixture.send(person, { draft, draft_revision, nonce_token })), sent)
    assert.equal(idOf(await fixture.send(person, { draft, draft_revision })), sent)
    assert.equal(idOf(await fixture.send(person, { draft_revision: null })), sent)
    fixture.made.context.clock.advance(120_000)
    assert.equal(idOf(await fixture.send(person, { draft, draft_revision })), sent)
    assert.deepEqual((await storedDraft(person))?.answers, { street: 'The next one' })
  })

  it('is either sent or saved when both happen at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const person = await fixture.enter()
      const { _id: draft } = await savedBy(person)
      const typed = { revision: 1, answers: { street: 'At the same time' } }
      const both = [fixture.send(person, { draft, draft_revision: 1 }), fixture.save(person, typed)] as const
      const [sending, saving] = await Promise.all(both)
      const isSent = sending.status === 200
      assert.deepEqual([sending.status, saving.status], isSent ? [200, 409] : [409, 200])
      assert.deepEqual((await storedDraft(person))?.answers ?? null, isSent ? null : typed.answers)
    }
  })
})

describe('a submission whose answer was lost', () => {
  const expectSent = ({ status, body }: Answered): void =>
    assert.deepEqual(
      [status, body.code, body.errors],
      [409, 'conflict', { nonce_token: [submissionTexts.nothingLeft] }],
      String(body.error),
    )

  it('cannot be saved as a draft afterwards, and sending it again returns the same submission', async () => {
    for (const isBegun of [false, true]) {
      const person = await fixture.enter()
      const begun = isBegun ? await savedBy(person) : null
      const nonce_token = await fixture.nonceOf(person)
      const filled = { nonce_token, draft_revision: begun?.revision ?? null, ...(begun && { draft: begun._id }) }
      const sent = idOf(await fixture.send(person, filled))
      const late = { revision: begun?.revision ?? null, answers: addressAnswers, nonce_token }
      expectSent(await fixture.save(person, late))
      fixture.made.context.clock.advance(120_000)
      expectSent(await fixture.save(person, { ...late, answers: { street: 'Typed since' } }))
      expectSent(await fixture.save(person, { ...late, step: 1, version: 2 }))
      assert.equal(await storedDraft(person), null)
      assert.equal(idOf(await fixture.send(person, filled)), sent)
      // A newly started draft is a different one.
      assert.equal((await savedBy(person)).revision, 1)
    }
  })

  it('cannot be saved as a draft for a standalone form', async () => {
    const person = await fixture.enter()
    const form = await addForm(fixture.system, { show_on: 'members-portal', is_request: false })
    const nonce_token = await fixture.nonceOf(person)
    const submitted = await fixture.submit(person, { form, data: addressAnswers, nonce_token })
    assert.equal(submitted.status, 200, submitted.raw)
    expectSent(await fixture.save(person, { form, nonce_token }))
    assert.equal(await storedDraft(person, form), null)
  })

  it('is saved as a draft if it never arrived, was refused, or was sent by another member', async () => {
    const other = await fixture.enter()
    const theirs = await fixture.nonceOf(other)
    await fixture.send(other, { nonce_token: theirs })
    for (const come of ['never', 'refused', 'theirs', 'unknown'] as const) {
      const person = await fixture.enter()
      const nonce_token = come === 'theirs' ? theirs : come === 'unknown' ? 'none' : await fixture.nonceOf(person)
      if (come === 'refused') assert.equal((await fixture.send(person, { nonce_token, data: {} })).status, 422)
      assert.equal((await savedBy(person, { nonce_token })).revision, 1)
      assert.ok(await storedDraft(person), come)
    }
  })

  it('is either sent or saved when the draft overtakes it', async () => {
    for (let round = 0; round < 20; round++) {
      const person = await fixture.enter()
      const nonce_token = await fixture.nonceOf(person)
      const filled = { nonce_token, draft_revision: null }
      const [sending, saving] = await Promise.all([fixture.send(person, filled), fixture.save(person, { nonce_token })])
      const isSent = sending.status === 200
      assert.deepEqual([sending.status, saving.status], isSent ? [200, 409] : [409, 200])
      if (isSent) expectSent(saving)
      assert.equal((await storedDraft(person)) === null, isSent)
    }
  })
})

it('keeps only as many files from the sweep as the fields of its form take', async () => {
  const person = await fixture.enter()
  const file = () => addAnswerFile(fixture.system, person.member.memberId)
  const [one, two, three, text, unknown] = [await file(), await file(), await file(), await file(), await file()]
  await savedBy(person, { answers: { proofs: [one, two.toUpperCase(), three], street: text, other: [unknown] } })
  const { rows } = await fixture.owner.query('select media_ids from form_drafts where member_id = $1', [
    person.member.memberId,
  ])
  assert.deepEqual(rows[0].media_ids, [one, two])
})

it('keeps a file from the sweep beside another one that the answers repeat', async () => {
  const person = await fixture.enter()
  const file = () => addAnswerFile(fixture.system, person.member.memberId)
  const [one, two] = [await file(), await file()]
  await savedBy(person, { answers: { proofs: [one, one.toUpperCase(), one, two] } })
  const { rows } = await fixture.owner.query('select media_ids from form_drafts where member_id = $1', [
    person.member.memberId,
  ])
  assert.deepEqual(rows[0].media_ids, [one, two])
})

it('saves the page of the form without a new revision, so that other devices can still save', async () => {
  const person = await fixture.enter()
  await savedBy(person)
  const turned = { revision: 1, step: 1 }
  for (const _ of ['turned', 'its answer was lost']) assert.equal((await savedBy(person, turned)).revision, 1)
  assert.equal((await storedDraft(person))?.step, 1)
  assert.equal((await savedBy(person, { revision: 1, answers: { street: 'Quay 7' } })).revision, 2)
  assert.equal((await fixture.save(person, turned)).status, 409)
})
