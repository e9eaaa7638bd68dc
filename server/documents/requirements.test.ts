// spec: MP 2.7, DK documents
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type DocumentCalls, type DocumentFixture, openDocumentFixture } from '../../tests/fixtures/document-fixture.ts'
import { addFileCategory } from '../../tests/fixtures/documents.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addStaff, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { settleStatuses, watchExpiry } from './expiry.ts'
import { requestDocument, withdrawDocumentRequest } from './requests.ts'

let fixture: DocumentFixture
let made: DocumentFixture['made']
let send: DocumentCalls['send']
let decide: DocumentCalls['decide']
let file: DocumentCalls['file']
let statusOf: DocumentCalls['statusOf']
let passport: DocumentCalls['passport']
let bill: DocumentCalls['bill']
let added: DocumentCalls['added']
let system: DocumentCalls['system']
let member: DocumentCalls['member']
let staff: DocumentCalls['staff']
let staffToken: DocumentCalls['staffToken']
let identity: DocumentCalls['identity']
let address: DocumentCalls['address']

before(async () => {
  fixture = await openDocumentFixture()
  made = fixture.made
})
after(() => fixture.close())
beforeEach(async () => {
  ;({ send, decide, file, statusOf, passport, bill, added, system, member, staff, staffToken, identity, address } =
    await fixture.begin())
})

describe('a brokerage that requires no document any more', () => {
  const archiveAll = async () => {
    const { staffId } = await addStaff(system)
    const administrator = (await openTestSession(system, { kind: 'staff', id: staffId })).token
    for (const { id } of [identity, address]) {
      const path = `/desk/api/file-categories/${id}/archive`
      assert.equal((await send('POST', path, administrator, { archived: true })).status, 200)
    }
    await settleStatuses(made.context, system.workspaceId)
  }

  const mark = async (elsewhere: boolean) => {
    const path = `/desk/api/members/${member.memberId}/papers-elsewhere`
    const answer = await send('POST', path, staffToken, { elsewhere, reason: 'Known for years' })
    assert.equal(answer.status, 200)
    return statusOf()
  }
  /** Approved by documents, after one was rejected; the categories are archived afterwards. */
  const approved = async () => {
    await decide(await added(await bill()), 'reject', { reason: 'Too dark' })
    const ids = [await added(await passport({ expires_on: '2026-12-10' })), await added(await bill())] as const
    for (const id of ids) assert.equal((await decide(id, 'verify')).status, 200)
    const inReview = await added(await bill())
    await archiveAll()
    assert.equal(await statusOf(), 'approved')
    return { bills: [ids[1], inReview] as const }
  }

  test('approves nobody by documents, and a member whom staff confirm until they revoke it', async () => {
    const ids = [await added(await passport()), await added(await bill())]
    await archiveAll()
    for (const id of ids) assert.equal((await decide(id, 'verify')).status, 200)
    assert.equal(await statusOf(), 'pending')
    assert.equal(await mark(true), 'approved')
    await settleStatuses(made.context, system.workspaceId)
    assert.equal(await statusOf(), 'approved')
    assert.equal(await mark(false), 'pending')
  })

  test('keeps an approval by documents until one of them expires', async () => {
    await approved()
    const other = await addFileCategory(system, { name: 'Other', required: false, validDocuments: [] })
    const optional = await added({ documents: [await file()], category: other.id })
    await decide(optional, 'reject', { reason: 'Too dark' })
    await settleStatuses(made.context, system.workspaceId)
    assert.equal(await statusOf(), 'approved')
    const start = made.context.clock.now()
    made.context.clock.set(new Date('2026-12-11T00:01:00Z'))
    await watchExpiry(system)
    assert.equal(await statusOf(), 'pending')
    made.context.clock.set(start)
  })

  test('restores the approval when a document request of staff ends', async () => {
    await approved()
    const other = await addFileCategory(system, { name: 'Other', required: false, validDocuments: [] })
    await requestDocument(staff, member.memberId, { category: other.id, note: '' })
    assert.equal(await statusOf(), 'pending')
    const { id } = await reading(system, (tx) =>
      tx
        .selectFrom('document_requests')
        .select('document_request_id as id')
        .where(here)
        .where('member_id', '=', member.memberId)
        .executeTakeFirstOrThrow(),
    )
    await withdrawDocumentRequest(staff, id)
    assert.equal(await statusOf(), 'approved')
  })

  test('ends the approval when the last approved document of a category is revoked', async () => {
    const [first, second] = (await approved()).bills
    assert.equal((await decide(second, 'verify')).status, 200)
    assert.equal((await decide(first, 'unverify', { reason: 'Moved' })).status, 200)
    assert.equal(await statusOf(), 'approved')
    assert.equal((await decide(second, 'unverify', { reason: 'Moved' })).status, 200)
    assert.equal(await statusOf(), 'pending')
  })

  test('does not give back an approval that was revoked while the category was still required', async () => {
    const { staffId } = await addStaff(system)
    const administrator = (await openTestSession(system, { kind: 'staff', id: staffId })).token
    const ask = async (id: string, name: string, required: boolean) => {
      const body = { name, description: '', required, valid_documents: [] }
      const answer = await send('POST', `/desk/api/file-categories/${id}/change`, administrator, body)
      assert.equal(answer.status, 200, answer.raw)
      await settleStatuses(made.context, system.workspaceId)
    }
    const shown = await added(await passport())
    for (const id of [shown, await added(await bill())]) assert.equal((await decide(id, 'verify')).status, 200)
    await ask(address.id, 'Address', false)
    assert.equal((await decide(shown, 'unverify', { reason: 'Forged' })).status, 200)
    assert.equal(await statusOf(), 'pending')
    await ask(identity.id, 'Identity', false)
    assert.equal(await statusOf(), 'pending')
    await ask(identity.id, 'Identity document', false)
    assert.equal(await statusOf(), 'pending')
  })
})

test('a document of a member who is to be approved is accepted, and the approval follows separately', async () => {
  await inTransaction(system, (tx) =>
    tx
      .updateTable('members')
      .where(here)
      .set({ papers_elsewhere: true })
      .where('member_id', '=', member.memberId)
      .execute(),
  )
  await added(await passport())
  assert.equal(await statusOf(), 'pending')
  await settleStatuses(made.context, system.workspaceId)
  assert.equal(await statusOf(), 'approved')
})
