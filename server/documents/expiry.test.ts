// spec: DK documents
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addDocument, addFileCategory } from '../../tests/fixtures/documents.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addMember, addStaff, addWorkspace, staffActor } from '../../tests/fixtures/workspaces.ts'
import { verifyDocument } from './decision.ts'
import { watchExpiry } from './expiry.ts'

let made: MadeContext
let owner: pg.Client
let watcher: pg.Client

before(async () => {
  made = await makeTestContext()
  owner = new pg.Client({ connectionString: made.ownerUrl })
  watcher = new pg.Client({ connectionString: made.ownerUrl })
  await Promise.all([owner.connect(), watcher.connect()])
})
after(async () => {
  await Promise.all([owner.end(), watcher.end()])
  await made.close()
})

test('a document that is revoked while the round runs is not announced as expiring', async () => {
  const system = await addWorkspace(made.context)
  const staff = staffActor(system, await addStaff(system, { role: 'compliance' }))
  const category = await addFileCategory(system, { validDocuments: [{ name: 'Passport', expires: true }] })
  const { memberId } = await addMember(system)
  const tomorrow = new Date(made.context.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)
  const id = await addDocument(system, { memberId, category, expires_on: tomorrow })
  await verifyDocument(staff, id)
  await owner.query('begin')
  await owner.query(`update documents set status = 'pending', unverify_reason = 'Forged' where document_id = $1`, [id])
  const round = watchExpiry(system)
  await untilWaiting(watcher, 1)
  await owner.query('commit')
  await round
  const { rows } = await owner.query('select kind from notices where member_id = $1 order by notice_number', [memberId])
  assert.ok(!rows.some(({ kind }) => kind === 'document.expiring'), JSON.stringify(rows))
})
