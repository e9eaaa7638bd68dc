// spec: DK mails, OP notifications
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import type { FastifyInstance } from 'fastify'
import { type MailServer, startMailServer } from '../../tests/doubles/mail-server.ts'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addDeadLetters, mailRow } from '../../tests/fixtures/dead-letters.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { addMember, addStaff, addWorkspace, openTestSession, staffActor } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { Staff, System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { tryAgain, tryAllAgain } from './dead-letter-retry.ts'
import { deliverMail } from './delivery.ts'
import { sendMail } from './mail.ts'

let server: MailServer
let made: MadeContext
let app: FastifyInstance
let caller: Caller
let system: System
let elsewhere: System
let staff: Staff
let token: string

before(async () => {
  server = await startMailServer()
  made = await makeTestContext({ environment: { SMTP_URL: server.url } })
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  elsewhere = await addWorkspace(made.context, { subdomain: 'elsewhere' })
  app = await buildApp(made.context)
  caller = callerOf(app)
  const person = await addStaff(system)
  staff = staffActor(system, person)
  token = (await openTestSession(system, { kind: 'staff', id: person.staffId })).token
})
after(async () => {
  await app.close()
  await made.close()
  await server.close()
})
afterEach(async () => {
  server.setBehaviour('accept')
  // Each test uses its own mails.
  for (const one of [system, elsewhere])
    await inTransaction(one, (tx) => tx.deleteFrom('mails').where('workspace_id', '=', one.workspaceId).execute())
})

type Shown = { _id: string; subject: string; problem: string; can_be_tried: boolean; member: { _id: string } | null }
type Answer = { mails: Shown[]; next: string | null; previous: string | null; total: number }

async function list(query = ''): Promise<Answer> {
  const { status, body, raw } = await caller.get(`/desk/api/mails${query}`, token)
  assert.equal(status, 200, raw)
  return body as Answer
}

const tryIt = (id: string, as = token) => caller.post(`/desk/api/mails/${id}/try-again`, {}, as)
const leaveIt = (id: string, as = token) => caller.post(`/desk/api/mails/${id}/leave`, {}, as)

async function entriesOf(subjectId: string): Promise<string[]> {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select('action')
      .where('workspace_id', '=', system.workspaceId)
      .where('subject_id', '=', subjectId)
      .orderBy('audit_id')
      .execute(),
  )
  return rows.map(({ action }) => action)
}

describe('dead letters', () => {
  test('lists failed mails with the reason, newest first, by page; leaves out queued ones', async () => {
    const { memberId, email } = await addMember(system)
    await inTransaction(system, (tx) =>
      sendMail(tx, system, { to: email, memberId, letter: { subject: 'x', heading: 'x', lines: [], footnote: 'x' } }),
    )
    const ids: string[] = []
    for (let count = 0; count < 5; count++) {
      made.context.clock.advance(1_000)
      ids.unshift(await addDeadLetters(system, { problem: `EENVELOPE 55${count}` }))
    }
    const first = await list('?limit=2')
    assert.deepEqual([first.mails.map(({ _id }) => _id), first.total], [ids.slice(0, 2), 5])
    assert.equal(first.mails[0]?.problem, 'EENVELOPE 554')
    const second = await list(`?limit=2&after=${first.next}`)
    assert.deepEqual(
      second.mails.map(({ _id }) => _id),
      ids.slice(2, 4),
    )
    const back = await list(`?limit=2&before=${second.previous}`)
    assert.deepEqual(
      back.mails.map(({ _id }) => _id),
      ids.slice(0, 2),
    )
  })

  test('searches address and subject, filters by state, and treats pattern characters literally', async () => {
    const id = await addDeadLetters(system, { subject: 'Half of 100% is 50%', state: 'unknown' })
    const other = await addDeadLetters(system, { subject: 'Half of 1000 is 500' })
    const found = async (query: string) => (await list(query)).mails.map(({ _id }) => _id)
    assert.deepEqual(await found(`?q=${encodeURIComponent('100% is')}`), [id])
    assert.deepEqual(await found('?state=failed'), [other])
    const { recipient } = await mailRow(system, other)
    assert.deepEqual(await found(`?q=${encodeURIComponent(recipient)}`), [other])
  })

  test('exports a CSV without formulas and audits the export', async () => {
    await addDeadLetters(system, { subject: '=HYPERLINK("x")' })
    const { raw, headers } = await caller.get('/desk/api/mails/table?q=HYPER', token)
    assert.match(String(headers['content-disposition']), /mails\.csv/)
    assert.match(raw, /"'=HYPERLINK/)
    assert.deepEqual((await entriesOf(system.workspaceId)).at(-1), 'mails.exported')
  })
})

describe('the retry of one mail', () => {
  test('sends once and writes one audit entry, however often it is pressed', async () => {
    const id = await addDeadLetters(system)
    const before = server.received.length
    const answers = await Promise.all(Array.from({ length: 5 }, () => tryIt(id)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    await Promise.all([deliverMail(system, id), deliverMail(system, id)])
    assert.equal(server.received.length, before + 1)
    assert.equal((await mailRow(system, id)).state, 'sent')
    assert.deepEqual(await entriesOf(id), ['mail.tried-again'])
    assert.equal((await tryIt(id)).status, 409)
  })

  test('starts with a full number of attempts, and lists the mail again when they fail', async () => {
    const id = await addDeadLetters(system)
    await tryIt(id)
    server.setBehaviour('busy')
    for (let tries = 0; tries < 11; tries++) {
      await deliverMail(system, id)
      assert.equal((await mailRow(system, id)).state, 'queued', `try ${tries}`)
    }
    await deliverMail(system, id)
    assert.equal((await mailRow(system, id)).state, 'failed')
    assert.deepEqual(
      (await list()).mails.map(({ _id, can_be_tried }) => [_id, can_be_tried]),
      [[id, true]],
    )
  })

  test('sends to the member’s current address', async () => {
    const { memberId } = await addMember(system)
    const id = await addDeadLetters(system, { memberId })
    const email = `right-${newId()}@harbour.test`
    await inTransaction(system, (tx) =>
      tx
        .updateTable('members')
        .set({ email })
        .where('workspace_id', '=', system.workspaceId)
        .where('member_id', '=', memberId)
        .execute(),
    )
    await tryIt(id)
    assert.equal((await mailsTo(system, email)).length, 1)
  })

  test('notifies the former address of a changed email, not the new one', async () => {
    const { memberId, email } = await addMember(system)
    const body = {
      ...{ first_name: 'Mara', last_name: 'New', email: 'changed@harbour.test' },
      ...{ version: 1, reason: 'The member asked for it' },
    }
    const answer = await caller.post(`/desk/api/members/${memberId}/details`, body, token)
    assert.equal(answer.status, 200, answer.raw)
    const id = (await mailsTo(system, email))[0]?.id ?? ''
    server.setBehaviour('refuse-recipient')
    await deliverMail(system, id)
    assert.equal((await mailRow(system, id)).state, 'failed')
    server.setBehaviour('accept')
    assert.equal((await tryIt(id)).status, 200)
    await deliverMail(system, id)
    const { state, recipient } = await mailRow(system, id)
    assert.deepEqual([state, recipient, server.recipients.at(-1)], ['sent', email, `RCPT TO:<${email}>`])
  })

  test('drops the content of a mail with a link at its last attempt', async () => {
    const { memberId, email } = await addMember(system)
    const letter = { subject: 'Set a new password', heading: 'x', lines: ['CANARY'], footnote: 'x' }
    await inTransaction(system, (tx) => sendMail(tx, system, { to: email, memberId, hasLink: true, letter }))
    const id = (await mailsTo(system, email))[0]?.id ?? ''
    server.setBehaviour('refuse-recipient')
    await deliverMail(system, id)
    const { state, sealed_content } = await mailRow(system, id)
    assert.deepEqual([state, sealed_content], ['failed', null])
  })

  test('rejects a mail with a link, whose content is gone', async () => {
    const id = await addDeadLetters(system, { hasLink: true })
    assert.equal((await list()).mails[0]?.can_be_tried, false)
    assert.equal((await tryIt(id)).status, 409)
    assert.equal((await leaveIt(id)).status, 200)
  })
})

describe('the retry of all mails', () => {
  const tryAll = (body: object = {}, as = token) => caller.post('/desk/api/mails/try-all-again', body, as)
  const stateOf = async (id: string) => (await mailRow(system, id)).state

  test('retries refused mails with content, to current addresses, and leaves the others', async () => {
    const refused = [await addDeadLetters(system), await addDeadLetters(system, { subject: 'Another' })]
    const perhaps = await addDeadLetters(system, { state: 'unknown' })
    const refusedAtLast = await addDeadLetters(system)
    await inTransaction(system, (tx) =>
      tx
        .updateTable('mails')
        .set({ unknown_outcomes: 1 })
        .where('workspace_id', '=', system.workspaceId)
        .where('mail_id', '=', refusedAtLast)
        .execute(),
    )
    const forgotten = await addDeadLetters(system, { hasLink: true })
    const left = await addDeadLetters(system)
    await leaveIt(left)
    const there = await addDeadLetters(elsewhere)
    const { status, body } = await tryAll()
    assert.deepEqual([status, body.tried, body.more], [200, 2, false])
    assert.deepEqual(await Promise.all(refused.map(stateOf)), ['queued', 'queued'])
    const stored = await Promise.all([perhaps, refusedAtLast, forgotten, left].map(stateOf))
    assert.deepEqual(stored, ['unknown', 'failed', 'failed', 'failed'])
    assert.equal((await mailRow(elsewhere, there)).state, 'failed')
    for (const id of refused) assert.deepEqual(await entriesOf(id), ['mail.tried-again'])
    assert.deepEqual(await entriesOf(perhaps), [])
  })

  test('retries only the mails that match the current search', async () => {
    const [found, other] = [await addDeadLetters(system, { subject: 'Half of 100%' }), await addDeadLetters(system)]
    assert.equal((await tryAll({ q: '100%' })).body.tried, 1)
    assert.deepEqual([await stateOf(found), await stateOf(other)], ['queued', 'failed'])
  })

  test('retries all mails in batches and sends each once under concurrent presses', async () => {
    const ids: string[] = []
    const { memberId } = await addMember(system)
    for (let count = 0; count < limits.mailsTriedAtOnce + 5; count++)
      ids.push(await addDeadLetters(system, { memberId, subject: `Mail ${count}` }))
    const before = server.received.length
    const presses = await Promise.all([1, 2, 3, 4].map(() => tryAll()))
    const last = await tryAll({ until: presses[0]?.body.until })
    const tried = [...presses, last].map(({ body }) => Number(body.tried))
    assert.ok(tried.every((count) => count <= limits.mailsTriedAtOnce))
    assert.equal(
      tried.reduce((sum, count) => sum + count, 0),
      ids.length,
    )
    for (const id of ids) await Promise.all([deliverMail(system, id), deliverMail(system, id)])
    assert.equal(server.received.length - before, ids.length)
    assert.deepEqual(await entriesOf(ids[0] ?? ''), ['mail.tried-again'])
  })

  test('leaves out mails that failed again after the first press', async () => {
    const id = await addDeadLetters(system)
    const { until } = (await tryAll()).body
    made.context.clock.advance(1_000)
    server.setBehaviour('refuse-recipient')
    await deliverMail(system, id)
    assert.equal(await stateOf(id), 'failed')
    assert.equal((await tryAll({ until })).body.tried, 0)
    assert.equal((await tryAll({ until: Number.MAX_SAFE_INTEGER })).body.tried, 1)
  })

  test('rejects staff without the permission', async () => {
    const id = await addDeadLetters(system)
    for (const role of ['viewer', 'finance']) {
      const { staffId } = await addStaff(system, { role })
      const { token: without } = await openTestSession(system, { kind: 'staff', id: staffId })
      assert.equal((await tryAll({}, without)).status, 403)
    }
    await assert.rejects(tryAllAgain({ ...staff, role: 'finance' }, {}), { code: 'not_permitted' })
    assert.equal(await stateOf(id), 'failed')
  })
})

describe('the dismissal of a mail', () => {
  test('removes it from the list and deletes its content', async () => {
    const id = await addDeadLetters(system)
    for (let times = 0; times < 2; times++) assert.equal((await leaveIt(id)).status, 200)
    assert.equal((await list()).total, 0)
    assert.equal((await mailRow(system, id)).sealed_content, null)
    assert.equal((await tryIt(id)).status, 409)
    assert.deepEqual(await entriesOf(id), ['mail.left'])
  })
})

describe('access to dead letters', () => {
  test('rejects members, viewers and another brokerage', async () => {
    const id = await addDeadLetters(system)
    const { token: ofMember } = await openTestSession(system, {
      kind: 'member',
      id: (await addMember(system)).memberId,
    })
    assert.equal((await caller.get('/desk/api/mails', ofMember)).status, 401)
    const viewer = await openTestSession(system, {
      kind: 'staff',
      id: (await addStaff(system, { role: 'viewer' })).staffId,
    })
    assert.equal((await caller.get('/desk/api/mails', viewer.token)).status, 200)
    for (const press of [tryIt, leaveIt]) assert.equal((await press(id, viewer.token)).status, 403)
    const there = callerOf(app, 'elsewhere.localhost')
    const otherStaff = await openTestSession(elsewhere, { kind: 'staff', id: (await addStaff(elsewhere)).staffId })
    assert.deepEqual((await there.get('/desk/api/mails', otherStaff.token)).body.mails, [])
    for (const task of ['try-again', 'leave'])
      assert.equal((await there.post(`/desk/api/mails/${id}/${task}`, {}, otherStaff.token)).status, 404)
    await assert.rejects(tryAgain({ ...staff, role: 'finance' }, id), { code: 'not_permitted' })
    assert.equal((await mailRow(system, id)).state, 'failed')
  })
})

test('writes a mail once for each deduplication key', async () => {
  const { memberId, email } = await addMember(system)
  const letter = { subject: 'Once', heading: 'Once', lines: [], footnote: 'x' }
  const write = () =>
    inTransaction(system, (tx) => sendMail(tx, system, { to: email, memberId, dedupeKey: `${memberId}:once`, letter }))
  await Promise.all(Array.from({ length: 6 }, write))
  assert.equal((await mailsTo(system, email)).length, 1)
})
