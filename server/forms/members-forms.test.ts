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

let fixture: RequestFixture

before(async () => {
  fixture = await openRequestFixture()
})
after(() => fixture.close())

describe('a draft', () => {
  it('continues where it was left, and gives a conflict to the second of two devices', async () => {
    const person = await fixture.enter()
    const first = draftOf(await fixture.save(person))
    assert.deepEqual([first.revision, await fixture.countOf('form_drafts', person)], [1, 1])
    // Its answer was lost: saving it again changes nothing.
    assert.equal(draftOf(await fixture.save(person)).revision, 1)
    assert.equal(
      draftOf(await fixture.save(person, { revision: 1, answers: { street: 'Quay 12' }, step: 1 })).revision,
      2,
    )
    const late = await fixture.save(person, { revision: 1, answers: { street: 'Elsewhere' } })
    assert.deepEqual([late.status, late.body.error], [409, submissionTexts.draftElsewhere])
    const { draft } = (await fixture.readDraft(person)).body as { draft: { answers: object; step: number } }
    assert.deepEqual([draft.answers, draft.step], [{ street: 'Quay 12' }, 1])
    assert.equal((await fixture.readDraft(await fixture.enter())).body.draft, null)
    await fixture.caller.post('/forms/drafts/discard', { form: fixture.offered.formId }, person.token)
    assert.equal((await fixture.readDraft(person)).body.draft, null)
  })

  it('protects its files from the sweep while it exists', async () => {
    const person = await fixture.enter()
    const file = await addAnswerFile(fixture.system, person.member.memberId)
    const lying = await addAnswerFile(fixture.system, person.member.memberId)
    await fixture.save(person, { answers: { proofs: [file] } })
    fixture.made.context.clock.advance(25 * 3_600_000)
    await sweepUploads(fixture.system)
    const left = await fixture.owner.query('select media_id from media where media_id = any($1)', [[file, lying]])
    assert.deepEqual(left.rows, [{ media_id: file }])
    const { token } = await openTestSession(fixture.system, { kind: 'member', id: person.member.memberId })
    await fixture.caller.post('/forms/drafts/discard', { form: fixture.offered.formId }, token)
    await sweepUploads(fixture.system)
    assert.equal(await fixture.countOf('media', person), 0)
  })

  it('is deleted after ninety days without a change', async () => {
    const [person, other] = [await fixture.enter(), await fixture.enter()]
    await fixture.save(person)
    fixture.made.context.clock.advance(89 * 24 * 3_600_000)
    await fixture.save({
      ...other,
      token: (await openTestSession(fixture.system, { kind: 'member', id: other.member.memberId })).token,
    })
    fixture.made.context.clock.advance(2 * 24 * 3_600_000)
    await sweepDrafts(fixture.system)
    assert.deepEqual(
      [await fixture.countOf('form_drafts', person), await fixture.countOf('form_drafts', other)],
      [0, 1],
    )
  })

  it('needs a form that the member may see', async () => {
    const person = await fixture.enter()
    const theirs = await addForm(fixture.elsewhere, { show_on: 'members-portal', is_request: false })
    for (const form of [newId(), theirs, await addForm(fixture.system)]) {
      assert.equal((await fixture.readDraft(person, form)).status, 404)
      assert.equal((await fixture.save(person, { form })).status, 404)
    }
  })
})

describe('the current day and the number format', () => {
  const definition = formOf([[aField('date', 'sold_on', { config: { max_date: 'today' } }), aField('decimal', 'sum')]])
  const choose = (
    person: Awaited<ReturnType<RequestFixture['enter']>>,
    values: { time_zone?: string; language?: string },
  ) =>
    inTransaction(fixture.system, (tx) =>
      tx
        .updateTable('members')
        .set(values)
        .where('workspace_id', '=', fixture.system.workspaceId)
        .where('member_id', '=', person.member.memberId)
        .execute(),
    )

  it('are those of the member, then of the browser, then of the brokerage', async () => {
    const form = await addForm(fixture.system, { show_on: 'members-portal', is_request: false, definition })
    // 06:59 of 27 November in Auckland.
    const clock = fixture.made.context.clock
    clock.advance(Date.parse('2026-11-26T17:59:00Z') - clock.now().getTime())
    const [member, browser, nobody] = [await fixture.enter(), await fixture.enter(), await fixture.enter()]
    await choose(member, { time_zone: 'Pacific/Auckland' })
    const send = (person: typeof member, sold_on: string, more: object = {}) =>
      fixture.submit(person, { form, data: { sold_on }, ...more })
    assert.equal((await send(member, '2026-11-27')).status, 200)
    assert.equal((await send(browser, '2026-11-27', { time_zone: 'Pacific/Auckland' })).status, 200)
    assert.equal((await send(nobody, '2026-11-26')).status, 200)
    const late = ['Choose a date on or before 2026-11-26.']
    for (const zone of [undefined, 'Nowhere/Land', 'America/New_York'])
      assert.deepEqual(errorsOf(await send(nobody, '2026-11-27', { time_zone: zone })), { sold_on: late })
    const inAuckland = { sold_on: ['Choose a date on or before 2026-11-27.'] }
    assert.deepEqual(errorsOf(await send(member, '2026-11-28', { time_zone: 'Pacific/Kiritimati' })), inAuckland)
    await chooseSettings(fixture, {
      withdrawal_cut_off: { time: '15:00', zone: 'Asia/Tokyo', days_min: 1, days_max: 3 },
    })
    assert.equal((await send(nobody, '2026-11-27')).status, 200)
    await chooseSettings(fixture, {})
  })

  it('are read by the server as by the browser', async () => {
    const form = await addForm(fixture.system, { show_on: 'members-portal', is_request: false, definition })
    const person = await fixture.enter()
    await choose(person, { language: 'de' })
    assert.equal((await fixture.submit(person, { form, data: { sum: '1.250,50' } })).status, 200)
    const { rows } = await fixture.owner.query('select answers from form_answers where form_id = $1', [form])
    assert.deepEqual(rows, [{ answers: { sum: '1250.50' } }])
  })
})

describe('a form', () => {
  it('is visible standalone or through an offered request type, and not otherwise', async () => {
    const person = await fixture.enter()
    const formOf = async (id: string) =>
      (
        await fixture.ask<{
          form: { version: number; steps: { fields: { type: string; config: string }[] }[] } | null
        }>(
          person,
          `{ form(_id: "${id}") { _id version steps { _id name fields { name type config options row column } } } }`,
        )
      ).data.form
    const shown = await formOf(fixture.offered.formId)
    assert.equal(shown?.version, 1)
    assert.deepEqual(JSON.parse(shown?.steps[0]?.fields[0]?.config ?? ''), { required: true })
    assert.ok(await formOf(await addForm(fixture.system, { show_on: 'members-portal', is_request: false })))
    const hidden = [
      await addForm(fixture.system),
      // It becomes a request, and without an offered type it could not be sent.
      await addForm(fixture.system, { show_on: 'members-portal', is_request: true }),
      await addForm(fixture.system, { show_on: 'members-portal', is_request: false, archived_at: new Date(0) }),
      await addForm(fixture.elsewhere, { show_on: 'members-portal', is_request: false }),
      newId(),
      'no id',
    ]
    for (const id of hidden) assert.equal(await formOf(id), null)
  })

  it('stores the answers of a standalone form, and creates a request from a request form', async () => {
    const person = await fixture.enter()
    const form = await addForm(fixture.system, { show_on: 'members-portal', is_request: false })
    const answer = await fixture.submit(person, {
      form,
      data: { ...addressAnswers, has_moved: 'yes', moved_from: 'Sea 2' },
    })
    assert.equal(answer.status, 200, answer.raw)
    const submission = answer.body.submission as { _id: string; scores: object; request: string | null }
    assert.deepEqual(submission.scores, { total: 2, band: { name: 'Low', text: 'Nothing to do.' } })
    assert.equal(submission.request, null)
    const asked = await fixture.submit(person, { form: fixture.offered.formId, data: addressAnswers })
    assert.deepEqual(
      (await fixture.listed(person)).map(({ _id }) => _id),
      [(asked.body.submission as { request: string }).request],
    )
    const again = await fixture.submit(person, { form: fixture.offered.formId, data: addressAnswers })
    assert.deepEqual(again.body.submission, asked.body.submission)
    assert.equal((await fixture.submit(person, { form: newId() })).status, 404)
  })
})
