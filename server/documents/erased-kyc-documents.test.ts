// spec: OP operation
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { fillEveryTable } from '../../tests/catalogue/every-table.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { closePayments } from '../../tests/fixtures/payments/payment-exceptions.ts'
import { personalData } from '../domains.ts'
import { sweepUploads } from '../files/sweep.ts'
import { type System, systemActor } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { eraseMember } from '../members/personal-data/erasure.ts'
import { chooseDays } from '../workspaces/retention.ts'
import { clearErasedKycDocuments } from './erased-kyc-documents.ts'
import { documentJobs } from './jobs.ts'

const dayMs = 24 * 3_600_000
const tables = ['documents', 'document_events', 'document_requests', 'identity_checks', 'terms_acceptances'] as const

let made: MadeContext
let owner: pg.Client
before(async () => {
  made = await makeTestContext()
  owner = await made.openOwner()
})
after(() => made.close())

async function kycDocumentsOf(memberId: string): Promise<number[]> {
  const counts: number[] = []
  for (const table of tables) {
    const { rows } = await owner.query(`select count(*)::int as count from ${table} where member_id = $1`, [memberId])
    counts.push(rows[0].count)
  }
  return counts
}

/** The storage keys of a member's KYC documents. */
async function filesOf(memberId: string): Promise<string[]> {
  const { rows } = await owner.query(
    'select storage_key from media join documents using (workspace_id, media_id) where media.member_id = $1',
    [memberId],
  )
  return rows.map(({ storage_key }) => storage_key)
}

async function erase(system: System, memberId: string): Promise<void> {
  // The erasure refuses a member with pending transactions or payments.
  await closePayments(owner, memberId)
  await owner.query('alter table balance_transactions disable trigger user')
  await owner.query(
    `update balance_transactions set state = 'rejected', rejection_reason = 'other' where member_id = $1 and state <> 'approved'`,
    [memberId],
  )
  await owner.query('alter table balance_transactions enable trigger user')
  await owner.query(`update account_openings set state = 'sending' where member_id = $1 and state = 'ready'`, [
    memberId,
  ])
  await owner.query(`update account_openings set state = 'rejected' where member_id = $1 and state = 'sending'`, [
    memberId,
  ])
  const { rows } = await owner.query('select customer_number from members where member_id = $1', [memberId])
  await eraseMember(
    system,
    memberId,
    { reason: 'Asked for it', customer_number: rows[0].customer_number },
    personalData,
  )
}

test('deletes the KYC documents and files of erased members after the chosen days, and no others', async () => {
  const [here, there] = [await fillEveryTable(made.context, 'here'), await fillEveryTable(made.context, 'there')]
  const systemOf = ({ workspaceId }: { workspaceId: string }) => systemActor(made.context, workspaceId)
  await chooseDays(systemOf(here), 'paper_days', 365)
  for (const place of [here, there]) await erase(systemOf(place), place.memberId)
  const counts = await kycDocumentsOf(here.memberId)
  assert.ok(
    counts.every((count) => count > 0),
    `an erasure alone leaves documents: ${counts}`,
  )
  const [files, others] = [await filesOf(here.memberId), await filesOf(here.otherMemberId)]
  assert.ok(files.length > 0 && others.length > 0)
  const storedCount = async (keys: string[]): Promise<number> => {
    let count = 0
    for await (const { key } of made.context.files.list(here.workspaceId)) count += keys.includes(key) ? 1 : 0
    return count
  }

  made.context.clock.advance(364 * dayMs)
  assert.equal(await clearErasedKycDocuments(systemOf(here)), 0)
  made.context.clock.advance(dayMs)
  const round = documentJobs(made.context)['documents.watch-expiry']
  for (const { workspaceId } of [here, there]) await round?.({ workspaceId, id: workspaceId })
  assert.deepEqual(await kycDocumentsOf(here.memberId), [0, 0, 0, 0, 0])
  assert.equal(await clearErasedKycDocuments(systemOf(here)), 0, 'once')
  for (const otherMemberId of [here.otherMemberId, there.memberId])
    assert.ok((await kycDocumentsOf(otherMemberId)).every((count) => count > 0))
  assert.equal(await storedCount(files), files.length)
  await sweepUploads(systemOf(here))
  assert.deepEqual([await storedCount(files), await storedCount(others)], [0, others.length])

  const entries = await owner.query(`select workspace_id, member_id from audit_log where action = 'member.papers-gone'`)
  assert.deepEqual(entries.rows, [{ workspace_id: here.workspaceId, member_id: here.memberId }])
})

test('the program cannot delete the acceptances of a member who is not erased', async () => {
  const { workspaceId, memberId } = await fillEveryTable(made.context, 'elsewhere')
  const system = systemActor(made.context, workspaceId)
  await assert.rejects(
    inTransaction(system, (tx) => sql`select forget_acceptances(${memberId}::uuid)`.execute(tx)),
    /only what an erased member agreed to may go/,
  )
})

test('dates an erasure by an older version, which stored no date, from the first round that finds it', async () => {
  const { workspaceId, memberId, otherMemberId } = await fillEveryTable(made.context, 'before')
  const system = systemActor(made.context, workspaceId)
  await chooseDays(system, 'paper_days', 365)
  await owner.query(`update members set status = 'erased' where member_id = $1`, [memberId])
  assert.equal(await clearErasedKycDocuments(system), 0)
  made.context.clock.advance(364 * dayMs)
  assert.equal(await clearErasedKycDocuments(system), 0)
  made.context.clock.advance(dayMs)
  assert.equal(await clearErasedKycDocuments(system), 1)
  assert.deepEqual(await kycDocumentsOf(memberId), [0, 0, 0, 0, 0])
  assert.ok((await kycDocumentsOf(otherMemberId)).every((count) => count > 0))
})
