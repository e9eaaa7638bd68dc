// spec: AO 7
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { submissionTexts } from '@atrium/contract/requests/texts.ts'
import { aField, formOf } from '../../tests/fixtures/form-definitions.ts'
import { addAnswerFile, addForm, addressAnswers } from '../../tests/fixtures/forms.ts'
import { draftOf, errorsOf, openRequestFixture, type RequestFixture } from '../../tests/fixtures/request-fixture.ts'
import { chooseSettings, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { sweepUploads } from '../files/sweep.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { sweepDrafts } from './jobs.ts'

let place: RequestFixture

before(async () => {
  place = await openRequestFixture()
})
after(() => place.close())

describe('a draft', () => {
  it('continues where it was left, and gives a conflict to the second of two devices', async () => {
    const person = await place.enter()
    const first = draftOf(await place.save(person))
    assert.deepEqual([first.revision, await place.countOf('form_drafts', person)], [1, 1])
    // Its answer was lost: saving it again changes nothing.
    assert.equal(draftOf(await place.save(person)).revision, 1)
    assert.equal(
      draftOf(await place.save(person, { revision: 1, answers: { street: 'Quay 12' }, step: 1 })).revision,
      2,
    )
    const late = await place.save(person, { revision: 1, answers: { street: 'Elsewhere' } })
    assert.deepEqual([late.status, late.body.error], [409, submissionTexts.draftElsewhere])
    const { draft } = (await place.readDraft(person)).body as { draft: { answers: object; step: number } }
    assert.deepEqual([draft.answers, draft.step], [{ street: 'Quay 12' }, 1])
    assert.equal((await place.readDraft(await place.enter())).body.draft, null)
    await place.caller.post('/forms/drafts/discard', { form: place.offered.formId }, person.token)
    assert.equal((await place.readDraft(person)).body.draft, null)
  })

  it('protects its files from the sweep while it exists', async () => {
    const person = await place.enter()
    const file = await addAnswerFile(place.system, person.member.memberId)
    const lying = await addAnswerFile(place.system, person.member.memberId)
    await place.save(person, { answers: { proofs: [file] } })
    place.made.context.clock.advance(25 * 3_600_000)
    await sweepUploads(place.system)
    const left = await place.owner.query('select media_id from media where media_id = any($1)', [[file, lying]])
    assert.deepEqual(left.rows, [{ media_id: file }])
    const { token } = await openTestSession(place.system, { kind: 'member', id: person.member.memberId })
    await place.caller.post('/forms/drafts/discard', { form: place.offered.formId }, token)
    await sweepUploads(place.system)
    assert.equal(await place.countOf('media', person), 0)
  })

  it('is deleted after ninety days without a change', async () => {
    const [person, other] = [await place.enter(), await place.enter()]
    await place.save(person)
    place.made.context.clock.advance(89 * 24 * 3_600_000)
    await place.save({
      ...other,
      token: (await openTestSession(place.system, { kind: 'member', id: other.member.memberId })).token,
    })
    place.made.context.clock.advance(2 * 24 * 3_600_000)
    await sweepDrafts(place.system)
    assert.deepEqual([await place.countOf('form_drafts', person), await place.countOf('form_drafts', other)], [0, 1])
  })

  it('needs a form that the member may see', async () => {
    const person = await place.enter()
    const theirs = await addForm(place.elsewhere, { show_on: 'members-portal', is_request: false })
    for (const form of [newId(), theirs, await addForm(place.system)]) {
      assert.equal((await place.readDraft(person, form)).status, 404)
      assert.equal((await place.save(person, { form })).status, 404)
    }
  })
})

describe('the current day and the number format', () => {
  const definition = formOf([[aField('date', 'sold_on', { config: { max_date: 'today' } }), aField('decimal', 'sum')]])
  const choose = (
    person: Awaited<ReturnType<RequestFixture['enter']>>,
    values: { time_zone?: string; language?: string },
  ) =>
    inTransaction(place.system, (tx) =>
      tx
        .updateTable('members')
        .set(values)
        .where('workspace_id', '=', place.system.workspaceId)
        .where('member_id', '=', person.member.memberId)
        .execute(),
    )

  it('are those of the member, then of the browser, then of the brokerage (G1)', async () => {
    const form = await addForm(place.system, { show_on: 'members-portal', is_request: false, definition })
    // 06:59 of 27 November in Auckland.
    const clock = place.made.context.clock
    clock.advance(Date.parse('2026-11-26T17:59:00Z') - clock.now().getTime())
    const [member, browser, nobody] = [await place.enter(), await place.enter(), await place.enter()]
    await choose(member, { time_zone: 'Pacific/Auckland' })
    const send = (person: typeof member, sold_on: string, more: object = {}) =>
      place.submit(person, { form, data: { sold_on }, ...more })
    assert.equal((await send(member, '2026-11-27')).status, 200)
    assert.equal((await send(browser, '2026-11-27', { time_zone: 'Pacific/Auckland' })).status, 200)
    assert.equal((await send(nobody, '2026-11-26')).status, 200)
    const late = ['Choose a date on or before 2026-11-26.']
    for (const zone of [undefined, 'Nowhere/Land', 'America/New_York'])
      assert.deepEqual(errorsOf(await send(nobody, '2026-11-27', { time_zone: zone })), { sold_on: late })
    const inAuckland = { sold_on: ['Choose a date on or before 2026-11-27.'] }
    assert.deepEqual(errorsOf(await send(member, '2026-11-28', { time_zone: 'Pacific/Kiritimati' })), inAuckland)
    await chooseSettings(place, { withdrawal_cut_off: { time: '15:00', zone: 'Asia/Tokyo', days_min: 1, days_max: 3 } })
    assert.equal((await send(nobody, '2026-11-27')).status, 200)
    await chooseSettings(place, {})
  })

  it('are read by the server as by the browser', async () => {
    const form = await addForm(place.system, { show_on: 'members-portal', is_request: false, definition })
    const person = await place.enter()
    await choose(person, { language: 'de' })
    assert.equal((await place.submit(person, { form, data: { sum: '1.250,50' } })).status, 200)
    const { rows } = await place.owner.query('select answers from form_answers where form_id = $1', [form])
    assert.deepEqual(rows, [{ answers: { sum: '1250.50' } }])
  })
})

describe('a form', () => {
  it('is visible standalone or through an offered request type, and not otherwise', async () => {
    const person = await place.enter()
    const formOf = async (id: string) =>
      (
        await place.ask<{ form: { version: number; steps: { fields: { type: string; config: string }[] }[] } | null }>(
          person,
          `{ form(_id: "${id}") { _id version steps { _id name fields { name type config options row column } } } }`,
        )
      ).data.form
    const shown = await formOf(place.offered.formId)
    assert.equal(shown?.version, 1)
    assert.deepEqual(JSON.parse(shown?.steps[0]?.fields[0]?.config ?? ''), { required: true })
    assert.ok(await formOf(await addForm(place.system, { show_on: 'members-portal', is_request: false })))
    const hidden = [
      await addForm(place.system),
      // It becomes a request, and without an offered type it could not be sent.
      await addForm(place.system, { show_on: 'members-portal', is_request: true }),
      await addForm(place.system, { show_on: 'members-portal', is_request: false, archived_at: new Date(0) }),
      await addForm(place.elsewhere, { show_on: 'members-portal', is_request: false }),
      newId(),
      'no id',
    ]
    for (const id of hidden) assert.equal(await formOf(id), null)
  })

  it('stores the answers of a standalone form, and creates a request from a request form', async () => {
    const person = await place.enter()
    const form = await addForm(place.system, { show_on: 'members-portal', is_request: false })
    const answer = await place.submit(person, {
      form,
      data: { ...addressAnswers, has_moved: 'yes', moved_from: 'Sea 2' },
    })
    assert.equal(answer.status, 200, answer.raw)
    const submission = answer.body.submission as { _id: string; scores: object; request: string | null }
    assert.deepEqual(submission.scores, { total: 2, band: { name: 'Low', text: 'Nothing to do.' } })
    assert.equal(submission.request, null)
    const asked = await place.submit(person, { form: place.offered.formId, data: addressAnswers })
    assert.deepEqual(
      (await place.listed(person)).map(({ _id }) => _id),
      [(asked.body.submission as { request: string }).request],
    )
    const again = await place.submit(person, { form: place.offered.formId, data: addressAnswers })
    assert.deepEqual(again.body.submission, asked.body.submission)
    assert.equal((await place.submit(person, { form: newId() })).status, 404)
  })
})
