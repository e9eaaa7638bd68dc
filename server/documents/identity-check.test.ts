// spec: DK documents
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, describe, it } from 'node:test'
import { documentTexts } from '@atrium/contract/documents/texts.ts'
import {
  blurred,
  green,
  type IdentityCalls,
  type IdentityFixture,
  openIdentityFixture,
  refused,
} from '../../tests/fixtures/identity/identity-fixture.ts'
import { ensureIdentityVendor } from '../../tests/fixtures/identity/identity-vendors.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addMember, memberActor, openTestSession, setFeatures } from '../../tests/fixtures/workspaces.ts'
import { personalData } from '../domains.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { eraseMember } from '../members/personal-data/erasure.ts'
import { documentJobs } from './jobs.ts'
import { isPauseOutdated } from './paused-checks.ts'

let fixture: IdentityFixture
let made: IdentityFixture['made']
let simulator: IdentityFixture['simulator']
let system: IdentityCalls['system']
let memberId: IdentityCalls['memberId']
let token: IdentityCalls['token']
let send: IdentityCalls['send']
let start: IdentityCalls['start']
let sendWebhook: IdentityCalls['sendWebhook']
let readAll: IdentityCalls['readAll']
let verdicts: IdentityCalls['verdicts']
let begun: IdentityCalls['begun']
let statusOf: IdentityCalls['statusOf']
let titles: IdentityCalls['titles']
let said: IdentityCalls['said']
let setSecret: IdentityCalls['setSecret']

before(async () => {
  fixture = await openIdentityFixture()
  made = fixture.made
  simulator = fixture.simulator
})
after(() => fixture.close())
beforeEach(async () => {
  ;({ system, memberId, token, send, start, sendWebhook, readAll, verdicts, begun, statusOf, titles, said, setSecret } =
    await fixture.begin())
})

describe('the identity check of a member', () => {
  it('is not offered without a vendor', async () => {
    const shown = await send('GET', '/clients/identity-check', token)
    assert.deepEqual(shown.body, { status: 'ok', offered: false, vendor: null, state: null, reason: null })
    const answer = await start()
    assert.deepEqual([answer.status, answer.body.error], [409, documentTexts.checkNotOffered])
  })

  it('is off with the feature', async () => {
    await ensureIdentityVendor(system)
    await setFeatures(system, { documents: false })
    assert.equal((await start()).status, 404)
    assert.equal((await send('GET', '/clients/identity-check', token)).status, 404)
  })

  it('returns a token and a URL, and creates one applicant for repeated starts', async () => {
    await ensureIdentityVendor(system)
    const known = simulator.control.applicants().length
    const answers = await Promise.all([start(), start(), start()])
    for (const answer of answers) {
      assert.equal(answer.status, 200, answer.raw)
      assert.match(String(answer.body.url), /^https:/)
      assert.ok(String(answer.body.token).length > 8)
    }
    assert.equal(simulator.control.applicants().length, known + 1)
    const shown = await send('GET', '/clients/identity-check', token)
    assert.deepEqual([shown.body.offered, shown.body.state, shown.body.vendor], [true, 'started', 'Sumsub'])
    assert.equal(await statusOf(), 'pending')
  })

  it('is started a limited number of times at once, by each member', async () => {
    await ensureIdentityVendor(system)
    const answers = await Promise.all(Array.from({ length: 40 }, () => start()))
    assert.equal(answers.filter(({ status }) => status === 200).length, 15)
    assert.equal(answers.filter(({ status }) => status === 429).length, 25)
    const other = await addMember(system, { documents_status: 'pending' })
    const session = await openTestSession(system, { kind: 'member', id: other.memberId })
    assert.equal((await start(session.token)).status, 200)
  })

  it('goes on at another account of the vendor, which has its own applicants', async () => {
    const check = await begun()
    await inTransaction(system, (tx) =>
      tx
        .updateTable('identity_checks')
        .where(here)
        .set({ applicant_id: 'applicant-of-the-test-account' })
        .where('check_id', '=', check)
        .execute(),
    )
    assert.equal((await start()).status, 200)
    await said(() => simulator.control.review(check, green))
    assert.deepEqual([await statusOf(), await verdicts()], ['approved', ['applied']])
  })

  it('answers unavailable while the vendor is down, and starts later', async () => {
    await ensureIdentityVendor(system)
    simulator.control.fault = 'fail-before'
    const away = await start()
    simulator.control.fault = 'none'
    assert.deepEqual([away.status, away.body.error], [503, documentTexts.checkUnavailable])
    assert.equal((await start()).status, 200)
  })

  it('goes through verification and a retry to approval', async () => {
    const check = await begun()
    await said(() => simulator.control.submit(check))
    assert.equal(await statusOf(), 'in_verification')
    await said(() => simulator.control.review(check, blurred))
    assert.equal(await statusOf(), 'pending')
    const shown = await send('GET', '/clients/identity-check', token)
    assert.deepEqual(
      [shown.body.state, shown.body.reason, shown.body.offered],
      ['retry', 'The picture is blurred.', true],
    )
    await said(() => simulator.control.review(check, green))
    assert.equal(await statusOf(), 'approved')
    assert.deepEqual(await titles(), [
      'Something is missing from your identity check',
      'Your identity check was approved',
      'Your identity is verified',
    ])
    const again = await start()
    assert.deepEqual([again.status, again.body.error], [409, documentTexts.checkOver])
  })

  it('is rejected when the vendor rejects for good', async () => {
    const check = await begun()
    await said(() => simulator.control.review(check, refused))
    assert.equal(await statusOf(), 'rejected')
    assert.equal((await start()).status, 409)
  })

  it('has no effect where no category accepts it', async () => {
    await inTransaction(system, (tx) =>
      tx.updateTable('file_categories').where(here).set({ by_identity_check: false }).execute(),
    )
    const check = await begun()
    await said(() => simulator.control.review(check, green))
    assert.equal(await statusOf(), 'pending')
  })

  it('cannot be approved by the member, even with SQL of their own', async () => {
    const check = await begun()
    const member = await memberActor(system, memberId)
    await assert.rejects(
      inTransaction(member, (tx) =>
        tx
          .updateTable('identity_checks')
          .where(here)
          .set({ state: 'approved' })
          .where('check_id', '=', check)
          .execute(),
      ),
      /does not decide/,
    )
    await assert.rejects(
      inTransaction(member, (tx) =>
        tx
          .insertInto('identity_checks')
          .values({
            ...{ workspace_id: system.workspaceId, check_id: newId(), member_id: memberId, state: 'approved' },
            vendor_id: newId(),
            created_at: made.context.clock.now(),
          })
          .execute(),
      ),
      /begins as started/,
    )
  })
})

describe('a vendor that staff switched off', () => {
  const turn = async (enabled: boolean) => {
    await inTransaction(system, (tx) => tx.updateTable('identity_vendors').where(here).set({ enabled }).execute())
    await documentJobs(made.context)['documents.settle-standings']?.({
      workspaceId: system.workspaceId,
      id: system.workspaceId,
    })
    await readAll()
  }
  const events = () =>
    reading(system, (tx) =>
      tx
        .selectFrom('document_events')
        .where(here)
        .select(['event', 'note'])
        .where('member_id', '=', memberId)
        .orderBy('event_id')
        .execute(),
    ).then((rows) => rows.map(({ event, note }) => [event, note]))

  it('decides nothing about checks begun before; staff read each report in the history', async () => {
    const check = await begun()
    await said(() => simulator.control.submit(check))
    assert.equal(await statusOf(), 'in_verification')
    await turn(false)
    assert.equal(await statusOf(), 'pending')
    await said(() => simulator.control.review(check, blurred))
    await said(() => simulator.control.review(check, green))
    assert.deepEqual([await statusOf(), await titles()], ['pending', []])
    assert.deepEqual(await verdicts(), ['applied', 'vendor_off', 'vendor_off'])
    assert.deepEqual((await events()).slice(-2), [
      ['identity-check.withheld-retry', 'The picture is blurred.'],
      ['identity-check.withheld-approved', null],
    ])
  })

  it('counts again with its withheld reports when it is switched on', async () => {
    const check = await begun()
    await turn(false)
    await said(() => simulator.control.review(check, green))
    assert.equal(await statusOf(), 'pending')
    await turn(true)
    assert.deepEqual([await verdicts(), await statusOf()], [['applied'], 'approved'])
  })

  it('counts again with its withheld reports also when its secret was replaced meanwhile', async () => {
    const check = await begun()
    await turn(false)
    await said(() => simulator.control.review(check, green))
    await setSecret('the-next-secret')
    await turn(true)
    assert.deepEqual([await verdicts(), await statusOf()], [['applied'], 'approved'])
  })

  it('does not withhold a report that is read while staff switch it on', async () => {
    const check = await begun()
    await turn(false)
    await sendWebhook(simulator.control.review(check, green))
    const watcher = await made.openOwner()
    const switched = await inTransaction(system, async (tx) => {
      await tx.updateTable('identity_vendors').where(here).set({ enabled: true }).execute()
      const read = readAll()
      await Promise.race([read, untilWaiting(watcher, 1)])
      return { read }
    })
    await switched.read
    assert.deepEqual([await verdicts(), await statusOf()], [['applied'], 'approved'])
  })

  it('withholds a report that was stored while it was on and not read yet', async () => {
    const check = await begun()
    await sendWebhook(simulator.control.review(check, green))
    await turn(false)
    assert.deepEqual([await verdicts(), await statusOf()], [['vendor_off'], 'pending'])
  })

  it('counts nothing either when a process of the previous version switched it', async () => {
    const check = await begun()
    await said(() => simulator.control.submit(check))
    const switched = async (enabled: boolean) => {
      await inTransaction(system, (tx) => tx.updateTable('identity_vendors').where(here).set({ enabled }).execute())
      await documentJobs(made.context)['documents.watch-expiry']?.({ workspaceId: system.workspaceId, id: '' })
    }
    await switched(false)
    assert.equal(await statusOf(), 'pending')
    await said(() => simulator.control.review(check, green))
    await switched(true)
    await readAll()
    assert.equal(await statusOf(), 'approved')
  })

  it('counts nothing either when it was off before the upgrade', async () => {
    const check = await begun()
    await said(() => simulator.control.submit(check))
    await inTransaction(system, async (tx) => {
      await tx.updateTable('identity_vendors').where(here).set({ enabled: false }).execute()
      await tx.updateTable('identity_checks').where(here).set({ paused: true }).execute()
    })
    const owner = await made.openOwner()
    await owner.query(
      await readFile(new URL('../migrations/20261130-8202-checks-to-settle.sql', import.meta.url), 'utf8'),
    )
    await documentJobs(made.context)['documents.watch-expiry']?.({ workspaceId: system.workspaceId, id: '' })
    assert.equal(await statusOf(), 'pending')
  })

  it('leaves what it approved before', async () => {
    const check = await begun()
    await said(() => simulator.control.review(check, green))
    await turn(false)
    await said(() => simulator.control.review(check, refused))
    assert.equal(await statusOf(), 'approved')
  })

  it('leaves the history of an erased member empty', async () => {
    const check = await begun()
    await turn(false)
    const { customer_number } = await reading(system, (tx) =>
      tx
        .selectFrom('members')
        .where(here)
        .select('customer_number')
        .where('member_id', '=', memberId)
        .executeTakeFirstOrThrow(),
    )
    await eraseMember(system, memberId, { reason: 'Asked', customer_number }, personalData)
    const known = await events()
    await inTransaction(system, (tx) => tx.updateTable('identity_vendors').where(here).set({ enabled: true }).execute())
    // No settling would change it, and a round would settle all members every hour.
    assert.equal(await reading(system, (tx) => isPauseOutdated(tx, system)), false)
    await turn(false)
    await said(() => simulator.control.review(check, blurred))
    assert.deepEqual([await verdicts(), await events()], [['vendor_off'], known])
  })
})
