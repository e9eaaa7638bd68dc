// spec: MP 2.7, MP 3, MP 7, DK documents
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { documentTexts } from '@atrium/contract/documents/texts.ts'
import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { FastifyInstance } from 'fastify'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import {
  addDocument,
  addFileCategory,
  addKycCategory,
  kycDocumentMedia,
  type MadeCategory,
} from '../../tests/fixtures/documents.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  chooseSettings,
  memberActor,
  openTestSession,
  setFeatures,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { Member, Staff, System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { settleStatuses, watchExpiry } from './expiry.ts'
import { requestDocument, withdrawDocumentRequest } from './requests.ts'

let made: MadeContext
let app: FastifyInstance
let caller: Caller
let system: System
let host: string
let member: Member
let token: string
let staff: Staff
let staffToken: string
let identity: MadeCategory
let address: MadeCategory

before(async () => {
  made = await makeTestContext()
  app = await buildApp(made.context)
  caller = callerOf(app)
})
after(async () => {
  await app.close()
  await made.close()
})
beforeEach(async () => {
  const subdomain = `documents-${newId().slice(-12)}`
  system = await addWorkspace(made.context, { subdomain })
  host = `${subdomain}.localhost`
  identity = await addFileCategory(system, { name: 'Identity', validDocuments: [{ name: 'Passport', expires: true }] })
  address = await addFileCategory(system, { name: 'Address' })
  const { memberId } = await addMember(system)
  member = await memberActor(system, memberId)
  token = (await openTestSession(system, { kind: 'member', id: memberId })).token
  const compliance = await addStaff(system, { role: 'compliance' })
  staff = staffActor(system, compliance)
  staffToken = (await openTestSession(system, { kind: 'staff', id: staff.staffId })).token
})

const send = (method: 'GET' | 'POST', url: string, by: string, payload?: object) =>
  caller.send({ method, url, headers: { authorization: `Bearer ${by}`, host }, ...(payload && { payload }) })
const add = (body: object, by = token) => send('POST', '/clients/add-documents', by, body)
const decide = (id: string, what: string, body: object = {}, by = staffToken) =>
  send('POST', `/desk/api/documents/${id}/${what}`, by, body)
const file = (memberId = member.memberId, values = {}) => addMedia(system, { memberId, ...kycDocumentMedia, ...values })
const enter = async (role: string) => {
  const { staffId } = await addStaff(system, { role })
  return (await openTestSession(system, { kind: 'staff', id: staffId })).token
}
const graph = async (query: string, by = token) => {
  const answer = await send('POST', '/graph', by, { query })
  assert.equal(answer.body.errors, undefined, answer.raw)
  return answer.body.data as Record<string, unknown>
}

async function statusOf(memberId = member.memberId): Promise<string> {
  const row = await reading(system, (tx) =>
    tx
      .selectFrom('members')
      .where(here)
      .select('documents_status')
      .where('member_id', '=', memberId)
      .executeTakeFirstOrThrow(),
  )
  return row.documents_status
}

const notificationsOf = (memberId = member.memberId) =>
  reading(system, (tx) =>
    tx
      .selectFrom('notices')
      .where(here)
      .select('kind')
      .where('member_id', '=', memberId)
      .orderBy('notice_number')
      .execute(),
  ).then((rows) => rows.map(({ kind }) => kind))

const passport = async (over: object = {}) => ({
  documents: [await file()],
  category: identity.id,
  valid_document: identity.validDocuments[0],
  expires_on: '2030-01-31',
  ...over,
})
const bill = async (over: object = {}) => ({
  documents: [await file()],
  category: address.id,
  valid_document: address.validDocuments[0],
  ...over,
})
const added = async (body: object): Promise<string> => {
  const answer = await add(body)
  assert.equal(answer.status, 200, answer.raw)
  return (answer.body.documents as string[])[0] ?? ''
}

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

describe('staff who check documents', () => {
  test('approve and notify the member by verifying all of them', async () => {
    const [first, second] = [await added(await passport()), await added(await bill())]
    assert.equal((await decide(first, 'verify')).status, 200)
    assert.equal(await statusOf(), 'in_verification')
    assert.equal((await decide(second, 'verify')).status, 200)
    assert.equal(await statusOf(), 'approved')
    assert.deepEqual(await notificationsOf(), ['document.approved', 'document.approved', 'documents.approved'])
  })

  const ways: [what: string, prepare: () => Promise<unknown>, button: RegExp][] = [
    ['to a live account', async () => undefined, /Open a live account:\n\S+\/accounts\/open-live-account\n/],
    [
      'to the first deposit if there is a live account',
      async () => addAccount(system, { memberId: member.memberId, platformId: await addPlatform(system) }),
      /Make a deposit:\n\S+\/funds\/deposit\/[\da-f-]{36}\n/,
    ],
    [
      'to the documents if nothing else is offered',
      () => setFeatures(system, { accounts: false, deposits: false }),
      /See your documents:\n\S+\/documents\n/,
    ],
    [
      'to the documents if members cannot open live accounts themselves',
      () => chooseSettings({ system }, { acc_creation_live_configuration: { enabled: false } }),
      /approved\.\n[\s\S]*See your documents:\n\S+\/documents\n/,
    ],
  ]
  for (const [what, prepare, button] of ways)
    test(`send an approval mail that links ${what}`, async () => {
      await prepare()
      for (const document of [await passport(), await bill()])
        assert.equal((await decide(await added(document), 'verify')).status, 200)
      const { email } = await reading(system, (tx) =>
        tx
          .selectFrom('members')
          .select('email')
          .where(here)
          .where('member_id', '=', member.memberId)
          .executeTakeFirstOrThrow(),
      )
      const mail = (await mailsTo(system, email)).find(({ subject }) => subject === 'Your identity is verified')
      assert.match(mail?.text ?? '', button)
    })

  test('reject with a reason, and revoke an approval with a reason', async () => {
    const id = await added(await passport())
    assert.equal((await decide(id, 'reject')).status, 422)
    assert.equal((await decide(id, 'reject', { reason: 'Too dark.' })).status, 200)
    assert.equal(await statusOf(), 'rejected')
    const answer = await decide(id, 'verify')
    assert.equal((answer.body.document as Record<string, unknown>).reject_reason, null)
    assert.equal((await decide(id, 'unverify', { reason: 'A newer one is needed.' })).status, 200)
    const { documents } = await graph('{ documents { status unverify_reason reject_reason } }')
    assert.deepEqual(documents, [{ status: 'pending', unverify_reason: 'A newer one is needed.', reject_reason: null }])
    assert.equal(await statusOf(), 'pending')
  })

  test('cannot reach the same verdict twice, also with concurrent decisions', async () => {
    const id = await added(await passport())
    const answers = await Promise.all([
      decide(id, 'verify'),
      decide(id, 'reject', { reason: 'No.' }),
      decide(id, 'verify'),
    ])
    // The opposite verdict may follow as a correction, so this only checks that no verdict was recorded twice.
    assert.ok(answers.some(({ status }) => status === 200))
    const again = await decide(id, 'verify')
    const twice = await decide(id, 'verify')
    assert.equal(twice.status, 409, again.raw)
    assert.equal(twice.body.error, deskTexts.documentDecided)
  })

  test('correct the last valid day, and cannot approve an expired KYC document', async () => {
    const id = await added(await passport())
    assert.equal((await decide(id, 'verify', { expires_on: '2026-11-20' })).status, 422)
    const answer = await decide(id, 'verify', { expires_on: '2026-12-24' })
    assert.equal((answer.body.document as Record<string, unknown>).expires_on, '2026-12-24')
    const entry = await reading(system, (tx) =>
      tx
        .selectFrom('audit_log')
        .select(['before', 'after'])
        .where(here)
        .where('subject_id', '=', id)
        .where('action', '=', 'document.approved')
        .executeTakeFirstOrThrow(),
    )
    const [before, after] = [entry.before, entry.after] as Record<string, unknown>[]
    assert.deepEqual([before?.expires_on, after?.expires_on], ['2030-01-31', '2026-12-24'])
  })

  test('do not overrule what a colleague has decided since they opened the document', async () => {
    const id = await added(await passport())
    assert.equal((await decide(id, 'reject', { reason: 'A forgery.', seen: 'in_verification' })).status, 200)
    const late = await decide(id, 'verify', { seen: 'in_verification' })
    assert.deepEqual([late.status, late.body.error], [409, deskTexts.documentMoved])
    assert.equal(await statusOf(), 'rejected')
    assert.deepEqual(await notificationsOf(), ['document.rejected'])
    assert.equal((await decide(id, 'verify', { seen: 'rejected' })).status, 200)
    assert.equal((await decide(id, 'unverify', { reason: 'Too old.', seen: 'approved' })).status, 200)
    assert.equal((await decide(id, 'reject', { reason: 'Too old.', seen: 'in_verification' })).status, 409)
  })

  test('are refused without the permission, and those of another brokerage find nothing', async () => {
    const id = await added(await passport())
    for (const role of ['viewer', 'support', 'finance']) {
      assert.equal((await decide(id, 'verify', {}, await enter(role))).body.code, 'not_permitted', role)
    }
    const elsewhere = await addWorkspace(made.context, { subdomain: `x-${newId().slice(-12)}` })
    const { staffId } = await addStaff(elsewhere)
    const foreign = await openTestSession(elsewhere, { kind: 'staff', id: staffId })
    const { subdomain } = await reading(elsewhere, (tx) =>
      tx.selectFrom('workspaces').where(here).select('subdomain').executeTakeFirstOrThrow(),
    )
    const answer = await caller.send({
      method: 'POST',
      url: `/desk/api/documents/${id}/verify`,
      payload: {},
      headers: { authorization: `Bearer ${foreign.token}`, host: `${subdomain}.localhost` },
    })
    assert.equal(answer.status, 404)
    assert.equal(await statusOf(), 'pending')
  })

  test('see the queue oldest first, with counts, and search it', async () => {
    const [first, second] = [await added(await passport()), await added(await bill())]
    await decide(second, 'reject', { reason: 'No.' })
    made.context.clock.advance(1_000)
    const other = await addMember(system, { first_name: 'Zeno', last_name: 'Quill' })
    const third = await addDocument(system, { memberId: other.memberId, category: address })
    const list = async (query: string) => {
      const { body } = await send('GET', `/desk/api/documents?${query}`, staffToken)
      return {
        ids: (body.documents as { _id: string }[]).map(({ _id }) => _id),
        counts: body.counts,
        total: body.total,
      }
    }
    const counts = { pending: 0, in_verification: 2, approved: 0, rejected: 1 }
    assert.deepEqual(await list('state=in_verification'), { ids: [first, third], counts, total: 2 })
    assert.deepEqual((await list('state=in_verification&order=newest')).ids, [third, first])
    assert.deepEqual((await list('q=zeno')).ids, [third])
  })

  test('request one more KYC document, which blocks the approval until it is added and approved', async () => {
    for (const id of [await added(await passport()), await added(await bill())]) await decide(id, 'verify')
    const other = await addFileCategory(system, { name: 'Other', required: false, validDocuments: [] })
    const asked = { category: other.id, note: 'A payslip of this year.' }
    const path = `/desk/api/members/${member.memberId}/documents/request`
    for (const _ of [1, 2]) assert.equal((await send('POST', path, staffToken, asked)).status, 200)
    assert.equal(await statusOf(), 'pending')
    const { documents_progress } = await graph(
      '{ documents_progress { done required needs { kind _id note standing } } }',
    )
    const { needs } = documents_progress as { needs: { kind: string; _id: string; note: string; standing: string }[] }
    const request = needs.find(({ kind }) => kind === 'request')
    assert.deepEqual([needs.length, request?.note, request?.standing], [3, asked.note, 'missing'])
    const id = await added({ documents: [await file()], category: other.id, request: request?._id })
    assert.equal(await statusOf(), 'in_verification')
    await decide(id, 'verify')
    assert.equal(await statusOf(), 'approved')
    await decide(id, 'unverify', { reason: 'Not the right year.' })
    assert.equal(await statusOf(), 'pending')
    const withdrawn = await send('POST', `/desk/api/document-requests/${request?._id}/withdraw`, staffToken, {})
    assert.equal(withdrawn.status, 200, withdrawn.raw)
    assert.equal(await statusOf(), 'approved')
    assert.equal(
      (await send('POST', `/desk/api/document-requests/${request?._id}/withdraw`, staffToken, {})).status,
      409,
    )
  })

  test('confirm that KYC documents were verified outside the portal, with a reason', async () => {
    const path = `/desk/api/members/${member.memberId}/papers-elsewhere`
    const answer = await send('POST', path, staffToken, { elsewhere: true, reason: 'Seen in the branch.' })
    assert.equal(answer.status, 200, answer.raw)
    assert.equal(await statusOf(), 'approved')
    const answered = answer.body.papers as { history: { event: string; note: string; staff_name: string }[] }
    assert.deepEqual(
      answered.history.map(({ event, note }) => [event, note]),
      [['member.papers-seen-elsewhere', 'Seen in the branch.']],
    )
    await send('POST', path, staffToken, { elsewhere: false, reason: 'The copy is lost.' })
    assert.equal(await statusOf(), 'pending')
  })
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
