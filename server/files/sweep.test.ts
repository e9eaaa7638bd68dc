// spec: MP 9, AO 9
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { openUploadFixture, uploadCallsOf } from '../../tests/fixtures/files/upload-fixture.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import * as sample from '../../tests/fixtures/sample-files.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { fileJobs } from './jobs.ts'
import { sweepUploads } from './sweep.ts'

describe('the sweep of uploads', () => {
  let fixture: Awaited<ReturnType<typeof openUploadFixture>>
  let made: MadeContext
  let system: System
  let memberId: string
  let session: { token: string }

  before(async () => {
    fixture = await openUploadFixture()
    ;({ made, system } = fixture)
  })
  after(() => fixture.close())
  beforeEach(async () => {
    memberId = (await addMember(system)).memberId
    session = await openTestSession(system, { kind: 'member', id: memberId })
  })
  const { rowsOf } = uploadCallsOf(() => ({ fixture, memberId, session }))
  it('sweeps unattached files after a day, and nothing else', async () => {
    await sweepUploads(system)
    const platformId = await addPlatform(system)
    const accountId = await addAccount(system, { memberId, platformId })
    const transactionId = await addTransaction(system, { memberId, accountId })
    const used = await addMedia(system, { memberId })
    const unused = await addMedia(system, { memberId })
    const small = { width: 8, height: 8, small_key: `${system.workspaceId}/small/${used}` }
    await made.context.files.write(small.small_key, sample.makeJpeg())
    await inTransaction(system, (tx) =>
      tx.updateTable('media').where(here).set(small).where('media_id', '=', used).execute(),
    )
    const created_at = made.context.clock.now()
    const key = { workspace_id: system.workspaceId, member_id: memberId }
    await inTransaction(system, (tx) =>
      tx
        .insertInto('transaction_attachments')
        .values({ ...key, transaction_id: transactionId, media_id: used, created_at })
        .execute(),
    )
    await made.context.files.write(`${system.workspaceId}/orphan`, sample.makePdf())
    await sweepUploads(system)
    assert.equal((await rowsOf()).length, 2)
    // Files have the disk's time and rows the test clock's, so it advances well beyond a day of both.
    made.context.clock.set(new Date(Date.now() + 240 * 3_600_000))
    await fileJobs(made.context)['files.sweep-uploads']?.({ workspaceId: system.workspaceId, id: system.workspaceId })
    assert.deepEqual(
      (await rowsOf()).map((row) => row.media_id),
      [used],
    )
    assert.equal(await made.context.files.read(`${system.workspaceId}/${unused}`), null)
    assert.equal(await made.context.files.read(`${system.workspaceId}/orphan`), null)
    const kept = await made.context.files.read(`${system.workspaceId}/${used}`)
    assert.ok(kept)
    kept.destroy()
    const keptSmall = await made.context.files.read(small.small_key)
    assert.ok(keptSmall)
    keptSmall.destroy()
  })
})
