import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { settleStatuses } from '../server/documents/expiry.ts'
import { inTransaction, reading } from '../server/foundation/database/database.ts'
import { type MadeContext, makeTestContext } from '../tests/fixtures/context.ts'
import { here } from '../tests/fixtures/on-this-machine.ts'
import { addMember, addStaff, addWorkspace } from '../tests/fixtures/workspaces.ts'
import { addDocuments, writeDocumentFiles } from './seed-documents.ts'

let made: MadeContext
before(async () => {
  made = await makeTestContext()
})
after(() => made.close())

it('derives the identity status of demo members from their KYC documents, with a document of each status', async () => {
  const system = await addWorkspace(made.context)
  const statuses = ['approved', 'approved', 'in_verification', 'pending', 'in_verification', 'rejected', 'approved']
  const ids: string[] = []
  for (const documents_status of statuses) ids.push((await addMember(system, { documents_status })).memberId)
  const [member = '', second = '', verifying = ''] = ids
  const { staffId: staff } = await addStaff(system)
  const files = await writeDocumentFiles(system)
  const now = made.context.clock.now().getTime()
  await inTransaction(system, (tx) => addDocuments(tx, system, { member, second, verifying, staff, files, now }))
  const before = await statusesOf()
  await settleStatuses(made.context, system.workspaceId)
  assert.deepEqual(await statusesOf(), before)
  assert.deepEqual(before, statuses)
  const kinds = await reading(system, (tx) =>
    tx.selectFrom('documents').where(here).select('status').distinct().execute(),
  )
  assert.deepEqual(kinds.map(({ status }) => status).sort(), ['approved', 'in_verification', 'pending', 'rejected'])

  async function statusesOf(): Promise<string[]> {
    const rows = await reading(system, (tx) =>
      tx
        .selectFrom('members')
        .where(here)
        .select(['member_id', 'documents_status'])
        .where('member_id', 'in', ids)
        .execute(),
    )
    return ids.map((id) => rows.find((row) => row.member_id === id)?.documents_status ?? '')
  }
})
