// spec: DK documents
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, describe, it } from 'node:test'
import { documentTexts } from '@atrium/contract/documents/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import {
  type Answered,
  type SignedWebhook,
  type SumsubSimulator,
  signWebhook,
} from '../../simulators/sumsub/simulator.ts'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addFileCategory } from '../../tests/fixtures/documents.ts'
import { ensureIdentityVendor, sumsubOf, sumsubSettings } from '../../tests/fixtures/identity-vendors.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  memberActor,
  openTestSession,
  setFeatures,
} from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { personalData } from '../domains.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { eraseMember } from '../members/personal-data/erasure.ts'
import { clearIdentityWebhookEvents } from './identity-clearing.ts'
import { readIdentityWebhookEvent } from './identity-webhook-event.ts'
import { documentJobs } from './jobs.ts'
import { isPauseOutdated } from './paused-checks.ts'

const green: Answered = { reviewAnswer: 'GREEN' }
const blurred: Answered = {
  reviewAnswer: 'RED',
  reviewRejectType: 'RETRY',
  moderationComment: 'The picture is blurred.',
}
const refused: Answered = { reviewAnswer: 'RED', reviewRejectType: 'FINAL' }

const logLines: string[] = []
let made: MadeContext
let app: FastifyInstance
let caller: Caller
let simulator: SumsubSimulator
let system: System
let host: string
let memberId: string
let token: string

before(async () => {
  made = await makeTestContext({ logLines })
  app = await buildApp(made.context)
  caller = callerOf(app)
  simulator = await sumsubOf(made.context)
})
after(async () => {
  await app.close()
  await made.close()
})
beforeEach(async () => {
  const subdomain = `checks-${newId().slice(-12)}`
  system = await addWorkspace(made.context, { subdomain })
  host = `${subdomain}.localhost`
  await addFileCategory(system, { name: 'Identity', by_identity_check: true })
  memberId = (await addMember(system, { documents_status: 'pending' })).memberId
  token = (await openTestSession(system, { kind: 'member', id: memberId })).token
})

const send = (method: 'GET' | 'POST', url: string, by: string, payload?: object, at = host) =>
  caller.send({ method, url, headers: { authorization: `Bearer ${by}`, host: at }, ...(payload && { payload }) })
const start = (by = token) => send('POST', '/clients/start-identity-check', by, {})
const sendWebhook = ({ body, headers }: SignedWebhook, at = host) =>
  caller.send({ method: 'POST', url: '/callbacks/identity/sumsub', headers: { ...headers, host: at }, payload: body })

/** Processes every unread webhook, as the job does. */
async function readAll(of = system): Promise<void> {
  const rows = await webhookEvents(of)
  for (const { notification_id } of rows) await readIdentityWebhookEvent(of, notification_id)
}
const webhookEvents = (of = system) =>
  reading(of, (tx) =>
    tx
      .selectFrom('identity_notifications')
      .select(['notification_id', 'verdict', 'body'])
      .where('workspace_id', '=', of.workspaceId)
      .orderBy('notification_id')
      .execute(),
  )
const verdicts = async (of = system) => (await webhookEvents(of)).map(({ verdict }) => verdict)

async function begun(): Promise<string> {
  await ensureIdentityVendor(system)
  const answer = await start()
  assert.equal(answer.status, 200, answer.raw)
  return checkOf()
}
const checkOf = (of = memberId) =>
  reading(system, async (tx) => {
    const rows = tx.selectFrom('identity_checks').where(here).select('check_id').where('member_id', '=', of)
    return (await rows.executeTakeFirstOrThrow()).check_id
  })
const statusOf = () =>
  reading(system, async (tx) => {
    const rows = tx.selectFrom('members').where(here).select('documents_status').where('member_id', '=', memberId)
    return (await rows.executeTakeFirstOrThrow()).documents_status
  })
const titles = () =>
  reading(system, (tx) =>
    tx
      .selectFrom('notices')
      .where(here)
      .select('title')
      .where('member_id', '=', memberId)
      .orderBy('notice_number')
      .execute(),
  ).then((rows) => rows.map(({ title }) => title))

/** Sends a webhook and processes it, a moment after the one before. */
async function said(webhook: () => SignedWebhook): Promise<void> {
  made.context.clock.advance(1_000)
  assert.equal((await sendWebhook(webhook())).status, 200)
  await readAll()
}

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
  const kept = async () => (await webhookEvents()).map(({ verdict, body }) => [verdict, body.length > 0])

  it('is cleared after the retention period; its verdict and digest remain, so that a redelivery is recognised', async () => {
    const webhook = simulator.control.review(await begun(), green)
    await said(() => webhook)
    days(89)
    assert.equal(await clearIdentityWebhookEvents(system), 0)
    assert.deepEqual(await kept(), [['applied', true]])
    days(1)
    assert.equal(await clearIdentityWebhookEvents(system), 1)
    assert.equal(await clearIdentityWebhookEvents(system), 0)
    assert.equal((await sendWebhook(webhook)).status, 200)
    await readAll()
    assert.deepEqual(await kept(), [['applied', false]])
  })

  it('is not cleared while unread', async () => {
    await sendWebhook(simulator.control.review(await begun(), green))
    days(400)
    assert.equal(await clearIdentityWebhookEvents(system), 0)
    assert.deepEqual(await kept(), [['unread', true]])
    await readAll()
    assert.equal(await clearIdentityWebhookEvents(system), 1)
  })

  it('is processed on a genuine redelivery even after it was cleared', async () => {
    const webhook = simulator.control.review(await begun(), green)
    await setSecret('mistyped-secret')
    await sendWebhook(webhook)
    days(90)
    assert.equal(await clearIdentityWebhookEvents(system), 1)
    assert.deepEqual(await kept(), [['forged', false]])
    await setSecret(simulator.keys.webhookSecret)
    assert.equal((await sendWebhook(webhook)).status, 200)
    await readAll()
    assert.deepEqual([await kept(), await statusOf()], [[['applied', true]], 'approved'])
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
    assert.deepEqual(await kept(), [
      ['applied', false],
      ['applied', true],
    ])
    await said(() => simulator.control.review(check, green))
    assert.deepEqual(await kept(), [
      ['applied', false],
      ['applied', true],
      ['late', true],
    ])
    await documentJobs(made.context)['documents.watch-expiry']?.({
      workspaceId: system.workspaceId,
      id: system.workspaceId,
    })
    assert.deepEqual(await kept(), [
      ['applied', false],
      ['applied', true],
      ['late', false],
    ])
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

  it('does not withhold a report that is read while staff switch it on', async () => {
    const check = await begun()
    await turn(false)
    await sendWebhook(simulator.control.review(check, green))
    const watcher = new pg.Client({ connectionString: made.ownerUrl })
    await watcher.connect()
    const switched = await inTransaction(system, async (tx) => {
      await tx.updateTable('identity_vendors').where(here).set({ enabled: true }).execute()
      const read = readAll()
      await Promise.race([read, untilWaiting(watcher, 1)])
      return { read }
    }).finally(() => watcher.end())
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
    const owner = new pg.Client({ connectionString: made.ownerUrl })
    await owner.connect()
    await owner.query(
      await readFile(new URL('../migrations/20261130-8202-checks-to-settle.sql', import.meta.url), 'utf8'),
    )
    await owner.end()
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

async function setSecret(webhook_secret: string): Promise<void> {
  const { base_url: _, level_name: __, ...secrets } = await sumsubSettings(made.context)
  const sealed_secret = made.context.seal.seal(JSON.stringify({ ...secrets, webhook_secret }))
  await inTransaction(system, (tx) => tx.updateTable('identity_vendors').where(here).set({ sealed_secret }).execute())
}

describe('staff who set up a vendor', () => {
  let staffToken: string
  beforeEach(async () => {
    staffToken = await enter('administrator')
  })
  const enter = async (role: string) => {
    const { staffId } = await addStaff(system, { role })
    return (await openTestSession(system, { kind: 'staff', id: staffId })).token
  }
  const change = async (over: object = {}, by = staffToken) =>
    send('POST', '/desk/api/identity-vendors/change', by, {
      app_uid: 'sumsub',
      version: 0,
      enabled: true,
      settings: await sumsubSettings(made.context),
      ...over,
    })
  type Vendor = { enabled: boolean; version: number; notify_url: string; settings: { name: string; value: unknown }[] }
  const vendorOf = (body: Record<string, unknown>) => (body.vendors as Vendor[])[0]

  it('need the permission', async () => {
    const viewer = await enter('viewer')
    assert.equal((await change({}, viewer)).status, 403)
    assert.equal((await send('GET', '/desk/api/identity-vendors', viewer)).status, 403)
  })

  it('read the settings without secrets, and members are sent to the vendor', async () => {
    const answer = await change()
    assert.equal(answer.status, 200, answer.raw)
    const { appToken, secretKey, webhookSecret, level } = simulator.keys
    for (const secret of [appToken, secretKey, webhookSecret]) assert.ok(!answer.raw.includes(secret))
    const vendor = vendorOf(answer.body)
    assert.deepEqual([vendor?.enabled, vendor?.version], [true, 1])
    assert.ok(vendor?.notify_url.endsWith('/callbacks/identity/sumsub'), vendor?.notify_url)
    assert.equal(vendor?.settings.find(({ name }) => name === 'level_name')?.value, level)
    assert.equal((await start()).status, 200)
  })

  it('save a repeated form once, and get a conflict after a change by others', async () => {
    await change()
    assert.equal(vendorOf((await change()).body)?.version, 1)
    const late = await change({ enabled: false })
    assert.deepEqual([late.status, late.body.error], [409, deskTexts.settingsChanged])
    assert.equal(vendorOf((await change({ version: 1, enabled: false, settings: kept() })).body)?.version, 2)
    assert.equal((await start()).status, 409)
    assert.equal(await settlesAsked(), 2)
  })
  const kept = () => ({ base_url: simulator.url, level_name: simulator.keys.level })
  const settlesAsked = async () => {
    const owner = new pg.Client({ connectionString: made.ownerUrl })
    await owner.connect()
    const { rowCount } = await owner.query(
      `select from pgboss.job where name = 'documents.settle-standings' and data ->> 'id' = $1`,
      [system.workspaceId],
    )
    await owner.end()
    return rowCount
  }

  it('get every wrong field in one answer, and must enter the secrets again for another address', async () => {
    const empty = await change({ settings: {} })
    assert.deepEqual(Object.keys(empty.body.errors as object).sort(), [
      'app_token',
      'level_name',
      'secret_key',
      'webhook_secret',
    ])
    assert.equal((await change({ app_uid: 'nobody' })).status, 422)
    await change()
    const moved = await change({ version: 1, settings: { ...kept(), base_url: 'https://elsewhere.example' } })
    assert.equal(moved.status, 422)
    assert.deepEqual((moved.body.errors as Record<string, string[]>).secret_key, [deskTexts.providerSecret])
  })
})
