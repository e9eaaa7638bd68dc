// spec: MP 2.7, DK documents
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type DocumentCalls, type DocumentFixture, openDocumentFixture } from '../../tests/fixtures/document-fixture.ts'
import { addFileCategory } from '../../tests/fixtures/documents.ts'
import { chooseSettings } from '../../tests/fixtures/workspaces.ts'
import { watchExpiry } from './expiry.ts'
import { requestDocument } from './requests.ts'

let fixture: DocumentFixture
let made: DocumentFixture['made']
let decide: DocumentCalls['decide']
let file: DocumentCalls['file']
let graph: DocumentCalls['graph']
let statusOf: DocumentCalls['statusOf']
let notificationsOf: DocumentCalls['notificationsOf']
let passport: DocumentCalls['passport']
let bill: DocumentCalls['bill']
let added: DocumentCalls['added']
let system: DocumentCalls['system']
let member: DocumentCalls['member']
let staff: DocumentCalls['staff']

before(async () => {
  fixture = await openDocumentFixture()
  made = fixture.made
})
after(() => fixture.close())
beforeEach(async () => {
  ;({ decide, file, graph, statusOf, notificationsOf, passport, bill, added, system, member, staff } =
    await fixture.begin())
})

type Progress = { needs: { _id: string; kind: string; standing: string }[] }

describe('the expiry of documents', () => {
  test('requests a renewal once, then revokes the approval after the last day', async () => {
    for (const id of [await added(await passport({ expires_on: '2026-12-10' })), await added(await bill())])
      await decide(id, 'verify')
    assert.equal(await statusOf(), 'approved')
    const start = made.context.clock.now()
    for (const _ of [1, 2]) await watchExpiry(system)
    assert.deepEqual((await notificationsOf()).slice(3), ['document.expiring'])
    made.context.clock.set(new Date('2026-12-10T23:59:00Z'))
    assert.equal((await watchExpiry(system)).expired, 0)
    made.context.clock.set(new Date('2026-12-11T00:01:00Z'))
    for (const _ of [1, 2]) await watchExpiry(system)
    assert.equal(await statusOf(), 'pending')
    assert.deepEqual((await notificationsOf()).slice(3), ['document.expiring', 'document.expired'])
    made.context.clock.set(start)
  })

  test('requests a renewal once the one in verification is rejected', async () => {
    await decide(await added(await passport({ expires_on: '2026-12-10' })), 'verify')
    const renewal = await added(await passport())
    await watchExpiry(system)
    assert.ok(!(await notificationsOf()).includes('document.expiring'))
    await decide(renewal, 'reject', { reason: 'Too dark.' })
    for (const _ of [1, 2]) await watchExpiry(system)
    assert.deepEqual((await notificationsOf()).slice(1), ['document.rejected', 'document.expiring'])
  })

  test('asks again for one that staff requested', async () => {
    const licence = await addFileCategory(system, {
      required: false,
      validDocuments: [{ name: 'Licence', expires: true }],
    })
    await requestDocument(staff, member.memberId, { category: licence.id, note: '' })
    const needsOf = async () =>
      (
        (await graph('{ documents_progress { needs { _id kind standing } } }')).documents_progress as Progress
      ).needs.filter(({ kind }) => kind === 'request')
    const [request] = await needsOf()
    // Without a category, the one of the request.
    const licenceOf = async (expires_on: string) =>
      added({ documents: [await file()], request: request?._id, valid_document: licence.validDocuments[0], expires_on })
    await decide(await licenceOf('2026-12-10'), 'verify')
    assert.deepEqual(await needsOf(), [])
    const start = made.context.clock.now()
    made.context.clock.set(new Date('2026-12-11T00:01:00Z'))
    await watchExpiry(system)
    made.context.clock.set(start)
    assert.deepEqual(await needsOf(), [{ ...request, standing: 'pending' }])
    await decide(await licenceOf('2027-12-10'), 'verify')
    assert.deepEqual(await needsOf(), [])
  })

  test('ends a day in the time zone of the brokerage', async () => {
    await chooseSettings(
      { system },
      { withdrawal_cut_off: { time: '15:00', zone: 'Pacific/Auckland', days_min: 1, days_max: 3 } },
    )
    await decide(await added(await passport({ expires_on: '2026-12-10' })), 'verify')
    const start = made.context.clock.now()
    made.context.clock.set(new Date('2026-12-10T10:59:00Z'))
    assert.equal((await watchExpiry(system)).expired, 0)
    made.context.clock.set(new Date('2026-12-10T11:01:00Z'))
    assert.equal((await watchExpiry(system)).expired, 1)
    made.context.clock.set(start)
  })

  test('notifies of an expiry by days of the brokerage, too', async () => {
    await chooseSettings(
      { system },
      { withdrawal_cut_off: { time: '15:00', zone: 'Pacific/Auckland', days_min: 1, days_max: 3 } },
    )
    await decide(await added(await passport({ expires_on: '2027-01-10' })), 'verify')
    const start = made.context.clock.now()
    made.context.clock.set(new Date('2026-12-10T10:59:00Z'))
    assert.equal((await watchExpiry(system)).notified, 0)
    made.context.clock.set(new Date('2026-12-10T11:01:00Z'))
    assert.equal((await watchExpiry(system)).notified, 1)
    made.context.clock.set(start)
  })

  test('leaves a member approved who has a newer approved KYC document', async () => {
    for (const body of [await passport({ expires_on: '2026-12-10' }), await passport(), await bill()])
      await decide(await added(body), 'verify')
    const start = made.context.clock.now()
    made.context.clock.set(new Date('2026-12-11T00:01:00Z'))
    await watchExpiry(system)
    assert.equal(await statusOf(), 'approved')
    assert.ok(!(await notificationsOf()).includes('document.expired'))
    made.context.clock.set(start)
  })
})
