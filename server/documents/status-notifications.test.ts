// spec: DK documents
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addDocument, addFileCategory, addKycCategory, type MadeCategory } from '../../tests/fixtures/documents.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addMember, addStaff, addWorkspace, provenStaff, staffActor } from '../../tests/fixtures/workspaces.ts'
import type { Staff, System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { archiveFileCategory } from './categories.ts'
import { verifyDocument } from './decision.ts'
import { settleStatuses, watchExpiry } from './expiry.ts'
import { requestDocument, setKycCategory, setKycDocumentsElsewhere, withdrawDocumentRequest } from './requests.ts'

let made: MadeContext
let system: System
let staff: Staff
let administrator: Staff
let memberId: string
let identity: MadeCategory

before(async () => {
  made = await makeTestContext()
})
after(() => made.close())
beforeEach(async () => {
  system = await addWorkspace(made.context)
  staff = staffActor(system, await addStaff(system, { role: 'compliance' }))
  administrator = await provenStaff(system, await addStaff(system))
  identity = await addFileCategory(system, { name: 'Identity' })
  memberId = (await addMember(system, { papers_elsewhere: true, documents_status: 'approved' })).memberId
})

/** Each change is a moment after the one before. */
const then = async (work: () => Promise<unknown>): Promise<void> => {
  made.context.clock.advance(1_000)
  await work()
}
const settle = () => then(() => settleStatuses(made.context, system.workspaceId))
const mark = (elsewhere: boolean) =>
  then(() => setKycDocumentsElsewhere(staff, memberId, { elsewhere, reason: 'Seen in the branch.' }))

const notifications = (of = memberId) =>
  reading(system, (tx) =>
    tx
      .selectFrom('notices')
      .where(here)
      .select(['kind', 'title'])
      .where('member_id', '=', of)
      .orderBy('notice_number')
      .execute(),
  ).then((rows) => rows.map(({ kind, title }) => `${kind}: ${title}`))
const ended = 'document.unverified: Your identity is no longer verified'
const approved = 'documents.approved: Your identity is verified'

describe('a member is notified when the approval ends or begins', () => {
  test('by the mark for a verification outside the portal', async () => {
    await mark(false)
    assert.deepEqual(await notifications(), [ended])
    await mark(false)
    await mark(true)
    assert.deepEqual(await notifications(), [ended, approved])
  })

  test('by another set of documents', async () => {
    await inTransaction(system, (tx) =>
      tx.updateTable('file_categories').where(here).set({ required: false }).execute(),
    )
    await inTransaction(system, (tx) =>
      tx.updateTable('members').where(here).set({ papers_elsewhere: false }).execute(),
    )
    const set = await addKycCategory(system)
    await addFileCategory(system, { kyc_category_id: set })
    await then(() => setKycCategory(staff, memberId, set))
    assert.deepEqual(await notifications(), [ended])
    await then(() => setKycCategory(staff, memberId, null))
    assert.deepEqual(await notifications(), [ended, approved])
  })

  test('by a changed category, once, with mails that wait behind all others', async () => {
    await inTransaction(system, (tx) =>
      tx.updateTable('members').where(here).set({ papers_elsewhere: false }).execute(),
    )
    await settle()
    assert.deepEqual(await notifications(), [ended])
    assert.equal(await mailPriority(), -1)
    await settle()
    await then(() => archiveFileCategory(administrator, identity.id, true))
    await settle()
    await settle()
    assert.deepEqual(await notifications(), [ended, approved])
  })

  test('by a withdrawn request; a request says itself what is needed', async () => {
    const other = await addFileCategory(system, { name: 'Other', required: false, validDocuments: [] })
    await then(() => requestDocument(staff, memberId, { category: other.id, note: '' }))
    const asked = 'document.requested: We need another document'
    assert.deepEqual(await notifications(), [asked])
    const { id } = await reading(system, (tx) =>
      tx
        .selectFrom('document_requests')
        .where(here)
        .select('document_request_id as id')
        .where('member_id', '=', memberId)
        .executeTakeFirstOrThrow(),
    )
    await then(() => withdrawDocumentRequest(staff, id))
    assert.deepEqual(await notifications(), [asked, approved])
  })

  test('by an expiry while the renewal is in verification, which asks for nothing', async () => {
    await inTransaction(system, (tx) =>
      tx.updateTable('members').where(here).set({ papers_elsewhere: false }).execute(),
    )
    const start = made.context.clock.now()
    const dayIn = (days: number) => new Date(start.getTime() + days * 86_400_000)
    const add = (days: number) =>
      addDocument(system, { memberId, category: identity, expires_on: dayIn(days).toISOString().slice(0, 10) })
    await verifyDocument(staff, await add(2))
    const before = await notifications()
    await add(400)
    made.context.clock.set(dayIn(4))
    await watchExpiry(system)
    assert.deepEqual(await notifications(), [...before, ended])
    made.context.clock.set(start)
  })

  for (const status of ['invited', 'locked'])
    test(`in the portal alone while the sign-in is ${status}`, async () => {
      const away = await addMember(system, { status, papers_elsewhere: true })
      await settle()
      assert.deepEqual(await notifications(away.memberId), [approved])
      assert.deepEqual(await mailsTo(system, away.email), [])
    })
})

async function mailPriority(): Promise<number | undefined> {
  const owner = await made.openOwner()
  const { rows } = await owner.query<{ priority: number }>(
    `select priority from pgboss.job where name = 'notifications.send-mail' and data ->> 'workspaceId' = $1`,
    [system.workspaceId],
  )
  return rows[0]?.priority
}
