// spec: DK documents
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import { signWebhook } from '../../simulators/sumsub/simulator.ts'
import {
  blurred,
  green,
  type IdentityCalls,
  type IdentityFixture,
  openIdentityFixture,
} from '../../tests/fixtures/identity/identity-fixture.ts'
import { ensureIdentityVendor, sumsubSettings } from '../../tests/fixtures/identity/identity-vendors.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { personalData } from '../domains.ts'
import { reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { eraseMember } from '../members/personal-data/erasure.ts'
import { clearIdentityWebhookEvents } from './identity-clearing.ts'
import { documentJobs } from './jobs.ts'

let fixture: IdentityFixture
let made: IdentityFixture['made']
let caller: IdentityFixture['caller']
let simulator: IdentityFixture['simulator']
let logLines: IdentityFixture['logLines']
let system: IdentityCalls['system']
let host: IdentityCalls['host']
let memberId: IdentityCalls['memberId']
let start: IdentityCalls['start']
let sendWebhook: IdentityCalls['sendWebhook']
let webhookEvents: IdentityCalls['webhookEvents']
let verdicts: IdentityCalls['verdicts']
let readAll: IdentityCalls['readAll']
let checkOf: IdentityCalls['checkOf']
let begun: IdentityCalls['begun']
let statusOf: IdentityCalls['statusOf']
let titles: IdentityCalls['titles']
let said: IdentityCalls['said']
let setSecret: IdentityCalls['setSecret']

before(async () => {
  fixture = await openIdentityFixture()
  ;({ made, caller, simulator, logLines } = fixture)
})
after(() => fixture.close())
beforeEach(async () => {
  ;({
    system,
    host,
    memberId,
    start,
    sendWebhook,
    webhookEvents,
    verdicts,
    readAll,
    checkOf,
    begun,
    statusOf,
    titles,
    said,
    setSecret,
  } = await fixture.begin())
})

describe('a webhook of an identity vendor', () => {
  it('is stored and applied once, also when it arrives several times together', async () => {
    const check = await begun()
    const webhook = simulator.control.review(check, green)
    const answers = await Promise.all([sendWebhook(webhook), sendWebhook(webhook), sendWebhook(webhook)])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    await Promise.all([readAll(), readAll(), readAll()])
    await sendWebhook(webhook)
    await readAll()
    assert.deepEqual(await verdicts(), ['applied'])
    assert.equal((await webhookEvents())[0]?.body.toString(), webhook.body.toString())
    assert.equal((await titles()).length, 2)
  })

  it('changes nothing when it is older than the stored state', async () => {
    const check = await begun()
    const older = simulator.control.review(check, blurred)
    await said(() => simulator.control.review(check, green))
    assert.equal((await sendWebhook(older)).status, 200)
    await readAll()
    assert.equal(await statusOf(), 'approved')
    assert.deepEqual(await verdicts(), ['applied', 'late'])
  })

  it('is stored, refused and without effect when its signature is wrong or missing', async () => {
    const check = await begun()
    const { body } = simulator.control.review(check, green)
    for (const webhook of [signWebhook('another secret', body), { body, headers: {} }]) {
      assert.equal((await sendWebhook(webhook)).status, 401)
      await readAll()
    }
    assert.deepEqual((await verdicts()).sort(), ['forged', 'unsigned'])
    assert.equal(await statusOf(), 'pending')
  })

  it('is reported in the log and the metrics when it is signed but unreadable', async () => {
    const { body } = simulator.control.review(await begun(), green)
    const { webhook_secret } = await sumsubSettings(made.context)
    const reported = () => logLines.filter((line) => line.includes('a signed webhook event cannot be read')).length
    const before = reported()
    assert.equal((await sendWebhook(signWebhook('another secret', body))).status, 401)
    assert.equal(reported(), before)
    assert.equal((await sendWebhook(signWebhook(webhook_secret, Buffer.from('{"type":"new"}')))).status, 401)
    assert.equal(reported(), before + 1)
    assert.deepEqual((await verdicts()).sort(), ['forged', 'unreadable'])
    const page = await made.context.metrics.registry.metrics()
    assert.match(page, /^atrium_identity_notifications_unproven_total\{vendor="sumsub",why="unreadable"\} 1$/m)
    assert.match(page, /^atrium_identity_notifications_unproven_total\{vendor="sumsub",why="forged"\} [1-9]/m)
  })

  it('is processed on redelivery after the secret was corrected', async () => {
    const check = await begun()
    const webhook = simulator.control.review(check, green)
    await setSecret('mistyped-secret')
    assert.equal((await sendWebhook(webhook)).status, 401)
    await setSecret(simulator.keys.webhookSecret)
    assert.equal((await sendWebhook(webhook)).status, 200)
    await readAll()
    assert.deepEqual([await verdicts(), await statusOf()], [['applied'], 'approved'])
  })

  it('is processed although its job was lost, for the vendor does not repeat it', async () => {
    await sendWebhook(simulator.control.review(await begun(), green))
    const [event] = await webhookEvents()
    const waiting = () =>
      reading(system, async (tx) => {
        const { rows } = await sql`select from pgboss.job
          where name = 'documents.read-identity-notification' and data ->> 'id' = ${event?.notification_id}`.execute(tx)
        return rows.length
      })
    const watch = async () => {
      await documentJobs(made.context)['documents.watch-expiry']?.({ workspaceId: system.workspaceId, id: '' })
      return waiting()
    }
    await sql`delete from pgboss.job where data ->> 'id' = ${event?.notification_id}`.execute(
      made.context.database.kysely,
    )
    assert.equal(await watch(), 0)
    made.context.clock.advance(16 * 60_000)
    assert.equal(await watch(), 1)
    await readAll()
    assert.deepEqual([await statusOf(), await watch()], ['approved', 1])
  })

  it('matches no check of another workspace and no other applicant', async () => {
    const check = await begun()
    const elsewhere = await addWorkspace(made.context, { subdomain: `other-${newId().slice(-12)}` })
    await ensureIdentityVendor(elsewhere)
    const subdomain = await reading(elsewhere, async (tx) => {
      const rows = tx.selectFrom('workspaces').select('subdomain').where('workspace_id', '=', elsewhere.workspaceId)
      return (await rows.executeTakeFirstOrThrow()).subdomain
    })
    const webhook = simulator.control.review(check, green)
    assert.equal((await sendWebhook(webhook, `${subdomain}.localhost`)).status, 200)
    await readAll(elsewhere)
    assert.deepEqual(await verdicts(elsewhere), ['no_check'])
    const otherApplicant = { ...JSON.parse(webhook.body.toString()), applicantId: 'somebody-else' }
    await sendWebhook(signWebhook(simulator.keys.webhookSecret, Buffer.from(JSON.stringify(otherApplicant))))
    await readAll()
    assert.deepEqual([await verdicts(), await statusOf()], [['no_check'], 'pending'])
  })

  it('answers 404 for an unknown vendor and for one that is not set up', async () => {
    const post = (url: string) => caller.send({ method: 'POST', url, headers: { host }, payload: {} })
    assert.equal((await post('/callbacks/identity/sumsub')).status, 404)
    assert.equal((await post('/callbacks/identity/nobody')).status, 404)
  })
})

describe('a stored webhook', () => {
  const days = (count: number) => made.context.clock.advance(count * 24 * 3_600_000)
  const stored = async () => (await webhookEvents()).map(({ verdict, body }) => [verdict, body.length > 0])

  it('is cleared after the retention period; its verdict and digest remain, so that a redelivery is recognised', async () => {
    const webhook = simulator.control.review(await begun(), green)
    await said(() => webhook)
    days(89)
    assert.equal(await clearIdentityWebhookEvents(system), 0)
    assert.deepEqual(await stored(), [['applied', true]])
    days(1)
    assert.equal(await clearIdentityWebhookEvents(system), 1)
    assert.equal(await clearIdentityWebhookEvents(system), 0)
    assert.equal((await sendWebhook(webhook)).status, 200)
    await readAll()
    assert.deepEqual(await stored(), [['applied', false]])
  })

  it('is not cleared while unread', async () => {
    await sendWebhook(simulator.control.review(await begun(), green))
    days(400)
    assert.equal(await clearIdentityWebhookEvents(system), 0)
    assert.deepEqual(await stored(), [['unread', true]])
    await readAll()
    assert.equal(await clearIdentityWebhookEvents(system), 1)
  })

  it('is processed on a genuine redelivery even after it was cleared', async () => {
    const webhook = simulator.control.review(await begun(), green)
    await setSecret('mistyped-secret')
    await sendWebhook(webhook)
    days(90)
    assert.equal(await clearIdentityWebhookEvents(system), 1)
    assert.deepEqual(await stored(), [['forged', false]])
    await setSecret(simulator.keys.webhookSecret)
    assert.equal((await sendWebhook(webhook)).status, 200)
    await readAll()
    assert.deepEqual([await stored(), await statusOf()], [[['applied', true]], 'approved'])
  })

  it('is cleared with the erasure of its member, also when it arrives later, and those of others remain', async () => {
    const check = await begun()
    await said(() => simulator.control.review(check, blurred))
    const other = await addMember(system, { documents_status: 'pending' })
    const theirs = (await openTestSession(system, { kind: 'member', id: other.memberId })).token
    assert.equal((await start(theirs)).status, 200)
    const others = await checkOf(other.memberId)
    await said(() => simulator.control.review(others, green))
    const { customer_number } = await reading(system, (tx) =>
      tx
        .selectFrom('members')
        .where(here)
        .select('customer_number')
        .where('member_id', '=', memberId)
        .executeTakeFirstOrThrow(),
    )
    await eraseMember(system, memberId, { reason: 'Asked', customer_number }, personalData)
    assert.deepEqual(await stored(), [
      ['applied', false],
      ['applied', true],
    ])
    await said(() => simulator.control.review(check, green))
    assert.deepEqual(await stored(), [
      ['applied', false],
      ['applied', true],
      ['late', true],
    ])
    await documentJobs(made.context)['documents.watch-expiry']?.({
      workspaceId: system.workspaceId,
      id: system.workspaceId,
    })
    assert.deepEqual(await stored(), [
      ['applied', false],
      ['applied', true],
      ['late', false],
    ])
  })
})
