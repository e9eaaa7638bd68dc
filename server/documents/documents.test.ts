// spec: MP 2.7, MP 3, MP 7, DK documents
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { documentTexts } from '@atrium/contract/documents/texts.ts'
import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { type DocumentCalls, type DocumentFixture, openDocumentFixture } from '../../tests/fixtures/document-fixture.ts'
import { addFileCategory, addKycCategory, kycDocumentMedia } from '../../tests/fixtures/documents.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { addMember, addWorkspace, openTestSession, setFeatures } from '../../tests/fixtures/workspaces.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { requestDocument, setKycCategory } from './requests.ts'

let fixture: DocumentFixture
let made: DocumentFixture['made']
let send: DocumentCalls['send']
let add: DocumentCalls['add']
let file: DocumentCalls['file']
let graph: DocumentCalls['graph']
let statusOf: DocumentCalls['statusOf']
let passport: DocumentCalls['passport']
let bill: DocumentCalls['bill']
let added: DocumentCalls['added']
let system: DocumentCalls['system']
let member: DocumentCalls['member']
let token: DocumentCalls['token']
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
  ;({
    send,
    add,
    file,
    graph,
    statusOf,
    passport,
    bill,
    added,
    system,
    member,
    token,
    staff,
    staffToken,
    identity,
    address,
  } = await fixture.begin())
})

describe('a member who adds documents', () => {
  test('sees them listed with their category, and what is still missing', async () => {
    const answer = await add(await passport({ customer: member.memberId.toUpperCase() }))
    assert.equal(answer.status, 200, answer.raw)
    assert.deepEqual(answer.body.msg, [documentTexts.added])
    const data = await graph(`{
      documents(withCount: true) { _id title status category valid_document expires_on url file_category_object { name valid_documents { name } } }
      documents_progress { status required done needs { kind name standing } } }`)
    const [id] = answer.body.documents as string[]
    const [listed] = data.documents as Record<string, unknown>[]
    assert.deepEqual(
      { ...listed, url: undefined },
      {
        _id: id,
        title: 'document.pdf',
        status: 'in_verification',
        category: identity.id,
        valid_document: identity.validDocuments[0],
        expires_on: '2030-01-31',
        url: undefined,
        file_category_object: { name: 'Identity', valid_documents: [{ name: 'Passport' }] },
      },
    )
    assert.deepEqual(data.documents_progress, {
      status: 'pending',
      required: 2,
      done: 0,
      needs: [
        { kind: 'category', name: 'Identity', standing: 'in_verification' },
        { kind: 'category', name: 'Address', standing: 'missing' },
      ],
    })
    const filtered = await graph(`{ documents(category: "${identity.id.toUpperCase()}") { _id } }`)
    assert.deepEqual(filtered.documents, [{ _id: id }])
    await added(await bill())
    assert.equal(await statusOf(), 'in_verification')
  })

  test('sees the categories of the general set or of their own, and no other set', async () => {
    const companies = await addKycCategory(system)
    const register = await addFileCategory(system, { name: 'Register', kyc_category_id: companies })
    const names = async (set: string) => {
      const answer = await send('GET', `/file-categories/cp-search?kyc_category_id=${set}`, token)
      return answer.status === 200
        ? (answer.body.categories as { name: string }[]).map(({ name }) => name)
        : answer.status
    }
    assert.deepEqual(await names('GENERAL'), ['Identity', 'Address'])
    assert.equal(await names(companies), 404)
    const moved = await send('POST', `/desk/api/members/${member.memberId}/kyc-category`, staffToken, {
      kyc_category_id: companies,
    })
    assert.equal(moved.status, 200, moved.raw)
    assert.deepEqual(await names(companies), ['Register'])
    const refused = await add(await passport())
    assert.deepEqual(Object.keys(refused.body.errors as object), ['category'])
    await added({ documents: [await file()], category: register.id, valid_document: register.validDocuments[0] })
  })

  test('finds the category that staff request from another set, and adds the document to it', async () => {
    await requestDocument(staff, member.memberId, { category: address.id, note: '' })
    await setKycCategory(staff, member.memberId, await addKycCategory(system))
    const { documents_progress } = await graph('{ documents_progress { needs { _id kind } } }')
    const [need] = (documents_progress as { needs: { _id: string }[] }).needs
    const asked = (request: string) => send('GET', `/file-categories/cp-search?request=${request}`, token)
    const { body } = await asked(need?._id ?? '')
    assert.deepEqual(
      (body.categories as { _id: string; valid_documents: { _id: string }[] }[]).map((each) => [
        each._id,
        each.valid_documents.map(({ _id }) => _id),
      ]),
      [[address.id, address.validDocuments]],
    )
    await added(await bill({ request: need?._id }))
    assert.equal((await asked(newId())).status, 404)
  })

  test('gets every wrong field in one answer, and nothing is saved', async () => {
    const other = await addMember(system)
    const elsewhere = await addWorkspace(made.context)
    const foreignMember = await addMember(elsewhere)
    const foreign = await addFileCategory(elsewhere, {})
    const used = (await passport()) as { documents: string[] }
    await added(used)
    const cases: [object, Record<string, string>][] = [
      [await passport({ customer: other.memberId }), { customer: documentTexts.customerOther }],
      [await passport({ customer: foreignMember.memberId }), { customer: documentTexts.customerOther }],
      [await passport({ documents: [newId()] }), { documents: documentTexts.fileUnknown }],
      [await passport({ documents: [await file(other.memberId)] }), { documents: documentTexts.fileUnknown }],
      [
        await passport({
          documents: [await addMedia(elsewhere, { memberId: foreignMember.memberId, ...kycDocumentMedia })],
        }),
        { documents: documentTexts.fileUnknown },
      ],
      [
        await passport({
          documents: [await file(member.memberId, { name: 'a.mp4', extension: 'mp4', kind: 'video' })],
        }),
        { documents: fileTexts.fileTypes.replace('{{types}}', uploadPurposes.document.extensions.join(', ')) },
      ],
      [
        { ...used, category: address.id, valid_document: address.validDocuments[0] },
        { documents: documentTexts.fileUnknown },
      ],
      [await passport({ category: foreign.id }), { category: documentTexts.categoryUnknown }],
      [await passport({ valid_document: null }), { valid_document: documentTexts.validMissing }],
      [await passport({ valid_document: address.validDocuments[0] }), { valid_document: documentTexts.validUnknown }],
      [await passport({ expires_on: null }), { expires_on: documentTexts.expiryMissing }],
      [await passport({ expires_on: '2026-11-20' }), { expires_on: documentTexts.expired }],
      [await passport({ expires_on: '2026-02-30' }), { expires_on: documentTexts.expiryUnreadable }],
      [await passport({ request: newId() }), { request: documentTexts.requestOver }],
    ]
    for (const [body, errors] of cases) {
      const answer = await add(body)
      assert.equal(answer.status, 422, answer.raw)
      const said = Object.fromEntries(
        Object.entries(answer.body.errors as Record<string, string[]>).map(([field, [sentence]]) => [field, sentence]),
      )
      assert.deepEqual(said, errors)
    }
    const { documents } = await graph('{ documents { _id } }')
    assert.equal((documents as unknown[]).length, 1)
  })

  test('may add a document that expires today in the time zone of the member', async () => {
    assert.equal((await add(await passport({ expires_on: '2026-11-20' }))).status, 422)
    await inTransaction(system, (tx) =>
      tx
        .updateTable('members')
        .where(here)
        // Eleven hours behind UTC, where it is still the day before.
        .set({ time_zone: 'Pacific/Pago_Pago' })
        .where('member_id', '=', member.memberId)
        .execute(),
    )
    assert.equal((await add(await passport({ expires_on: '2026-11-20' }))).status, 200)
    assert.equal((await add(await passport({ expires_on: '2026-11-19' }))).status, 422)
  })

  test('gets one document for a repeated request, also for five concurrent ones', async () => {
    const body = await passport()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => add(body)))
    const ids = new Set(answers.map((answer) => (answer.body.documents as string[] | undefined)?.[0]))
    assert.deepEqual([answers.map(({ status }) => status), ids.size], [[200, 200, 200, 200, 200], 1])
  })

  test('needs the feature and the permission', async () => {
    await setFeatures(system, { documents: false })
    assert.equal((await add(await passport())).body.code, 'feature_off')
    await setFeatures(system, {})
    await inTransaction(system, (tx) =>
      tx
        .updateTable('members')
        .where(here)
        .set({ permissions: ['documents-'] })
        .where('member_id', '=', member.memberId)
        .execute(),
    )
    assert.equal((await add(await passport())).body.code, 'not_permitted')
  })

  test('does not see documents of another member', async () => {
    await added(await passport())
    const other = await addMember(system)
    const session = await openTestSession(system, { kind: 'member', id: other.memberId })
    const data = await graph('{ documents(withCount: true) { _id } documents_progress { done } }', session.token)
    assert.deepEqual(data.documents, [])
  })

  test('cannot approve documents, even with SQL of their own', async () => {
    const id = await added(await passport())
    const tries = [
      (tx: Parameters<Parameters<typeof inTransaction>[1]>[0]) =>
        tx.updateTable('documents').where(here).set({ status: 'approved' }).where('document_id', '=', id).execute(),
      (tx: Parameters<Parameters<typeof inTransaction>[1]>[0]) =>
        tx
          .updateTable('members')
          .where(here)
          .set({ documents_status: 'approved' })
          .where('member_id', '=', member.memberId)
          .execute(),
      (tx: Parameters<Parameters<typeof inTransaction>[1]>[0]) =>
        tx
          .updateTable('members')
          .where(here)
          .set({ papers_elsewhere: true })
          .where('member_id', '=', member.memberId)
          .execute(),
    ]
    for (const work of tries) await assert.rejects(inTransaction<unknown>(member, work), { code: '42501' })
  })
})
