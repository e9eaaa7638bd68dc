import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { settleStandings } from '../server/documents/expiry.ts'
import { inTransaction, reading } from '../server/foundation/database/database.ts'
import { type MadeGround, makeGround } from '../tests/fixtures/ground.ts'
import { here } from '../tests/fixtures/on-this-machine.ts'
import { addMember, addStaff, addWorkspace } from '../tests/fixtures/workspaces.ts'
import { addDocuments, writeDocumentFiles } from './seed-documents.ts'

let made: MadeGround
before(async () => {
  made = await makeGround()
})
after(() => made.close())

it('what the demo says of its members follows from their papers, and there is one of every status', async () => {
  const system = await addWorkspace(made.ground)
  const statuses = ['approved', 'approved', 'in_verification', 'pending', 'in_verification', 'rejected', 'approved']
  const ids: string[] = []
  for (const documents_status of statuses) ids.push((await addMember(system, { documents_status })).memberId)
  const [member = '', second = '', verifying = ''] = ids
  const { staffId: staff } = await addStaff(system)
  const files = await writeDocumentFiles(system)
  const now = made.ground.clock.now().getTime()
  await inTransaction(system, (tx) => addDocuments(tx, system, { member, second, verifying, staff, files, now }))
  const before = await statusesOf()
  await settleStandings(made.ground, system.workspaceId)
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
