// spec: DK documents
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { type DocumentCalls, type DocumentFixture, openDocumentFixture } from '../../tests/fixtures/document-fixture.ts'
import { addDocument, addFileCategory } from '../../tests/fixtures/documents.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  chooseSettings,
  openTestSession,
  setFeatures,
} from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

let fixture: DocumentFixture
let made: DocumentFixture['made']
let send: DocumentCalls['send']
let decide: DocumentCalls['decide']
let file: DocumentCalls['file']
let enter: DocumentCalls['enter']
let graph: DocumentCalls['graph']
let statusOf: DocumentCalls['statusOf']
let notificationsOf: DocumentCalls['notificationsOf']
let passport: DocumentCalls['passport']
let bill: DocumentCalls['bill']
let added: DocumentCalls['added']
let system: DocumentCalls['system']
let member: DocumentCalls['member']
let staffToken: DocumentCalls['staffToken']
let address: DocumentCalls['address']
let caller: DocumentCalls['caller']

before(async () => {
  fixture = await openDocumentFixture()
  made = fixture.made
})
after(() => fixture.close())
beforeEach(async () => {
  ;({
    send,
    decide,
    file,
    enter,
    graph,
    statusOf,
    notificationsOf,
    passport,
    bill,
    added,
    system,
    member,
    staffToken,
    address,
    caller,
  } = await fixture.begin())
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

  test('take away the last day that a member named for a kind of document without one', async () => {
    const [kept, taken] = [await added(await bill({ expires_on: '2027-01-31' })), await added(await passport())]
    const dayOf = async (id: string, body: object) =>
      ((await decide(id, 'verify', body)).body.document as Record<string, unknown>).expires_on
    assert.equal(await dayOf(kept, { expires_on: null }), null)
    // A passport has a last day, so an absent correction takes none away.
    assert.equal(await dayOf(taken, { expires_on: null }), '2030-01-31')
    assert.equal(await dayOf(await added(await bill({ expires_on: '2027-01-31' })), {}), '2027-01-31')
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
