// spec: OP faults, OP notifications
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../tests/doubles/child-server.ts'
import { type MailServer, startMailServer } from '../../tests/doubles/mail-server.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addMember, addWorkspace, type MadeMember, memberActor } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { sweepBatch } from '../queue/sweeping.ts'
import { deliverMail } from './delivery.ts'
import { notificationJobs } from './jobs.ts'
import { sendMail } from './mail.ts'
import { savePreference } from './notification-preferences.ts'
import { notify } from './notify.ts'
import { sendBySmtp } from './smtp.ts'
import { requeueLostMails } from './sweep.ts'
import type { Letter } from './templates.ts'

const letter = {
  subject: 'A canary ☼',
  heading: 'Good morning',
  lines: ['The word is CANARY-8f3a.'],
  footnote: 'That is all.',
} satisfies Letter

let server: MailServer
let made: MadeContext
let system: System
let member: MadeMember
const logLines: string[] = []

before(async () => {
  server = await startMailServer()
  const SMTP_URL = server.url.replace('//', '//sender:S3cret-canary@')
  made = await makeTestContext({ environment: { SMTP_URL, MAIL_FROM: 'post@atrium.test' }, logLines })
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true, name: 'Harbour, "Markets" <x>' })
})
after(async () => {
  await made.close()
  await server.close()
})
afterEach(() => server.setBehaviour('accept'))

/** A mail of its own member, so that tests do not see each other's mails. */
async function post(to?: string): Promise<string> {
  member = await addMember(system, to ? { email: to } : {})
  await inTransaction(system, (tx) => sendMail(tx, system, { to: member.email, memberId: member.memberId, letter }))
  return (await mailsTo(system, member.email))[0]?.id ?? ''
}

function rowOf(mailId: string) {
  return reading(system, (tx) =>
    tx
      .selectFrom('mails')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .where('mail_id', '=', mailId)
      .executeTakeFirstOrThrow(),
  )
}

/** Runs the next attempt, ignoring the pause. */
async function again(mailId: string): Promise<string> {
  await deliverMail(system, mailId)
  return (await rowOf(mailId)).state
}

/** The delays, in seconds, with which delivery jobs of a mail were enqueued, in order. */
async function pausesOf(mailId: string): Promise<number[]> {
  const owner = await made.openOwner()
  const found = await owner.query<{ pause: number }>(
    `select extract(epoch from start_after - created_on)::float8 as pause from pgboss.job
    where name = 'notifications.send-mail' and data ->> 'id' = $1 order by created_on`,
    [mailId],
  )
  return found.rows.map(({ pause }) => pause)
}

describe('the delivery of mail', () => {
  test('sends text and HTML once in the brokerage’s name, and deletes the content', async () => {
    const id = await post()
    const before = server.received.length
    for (let asked = 0; asked < 3; asked++) await deliverMail(system, id)
    assert.equal(server.received.length, before + 1)
    const mail = server.received.at(-1) ?? ''
    assert.match(mail, /^From: "Harbour, \\"Markets\\" <x>" <post@atrium\.test>$/m)
    assert.match(mail, new RegExp(`^Message-ID: <${id}@localhost>$`, 'm'))
    assert.match(mail, /^Auto-Submitted: auto-generated$/im)
    assert.match(mail, /text\/plain[\s\S]*text\/html/)
    assert.equal(mail.split('CANARY-8f3a').length, 3)
    const row = await rowOf(id)
    assert.deepEqual([row.state, row.sealed_content, row.attempts], ['sent', null, 1])
  })

  test('sends once when processes deliver together', async () => {
    const id = await post()
    const before = server.received.length
    await Promise.all(Array.from({ length: 10 }, () => deliverMail(system, id)))
    assert.equal(server.received.length, before + 1)
  })

  test('sends to one address, even if it contains a comma', async () => {
    const id = await post('a@harbour.test, b@elsewhere.test')
    await deliverMail(system, id)
    assert.ok(!server.recipients.some((line) => line.includes('TO:<b@elsewhere.test>')))
  })

  test('retries until a mail server accepts', async () => {
    const id = await post()
    for (const behaviour of ['busy', 'silence-before-content', 'refuse-credentials', 'busy'] as const) {
      server.setBehaviour(behaviour)
      assert.equal(await again(id), 'queued', behaviour)
    }
    server.setBehaviour('accept')
    assert.equal(await again(id), 'sent')
    assert.equal((await rowOf(id)).attempts, 5)
  })

  test('retries with growing pauses while the mail server is down, then becomes a dead letter with its error', async () => {
    const id = await post()
    const { config } = made.context
    const usual = config.smtpUrl
    const down = await startMailServer()
    await down.close()
    config.smtpUrl = down.url
    const states = []
    for (let tries = 0; tries < 13; tries++) states.push(await again(id))
    config.smtpUrl = usual
    assert.deepEqual(states, [...Array.from({ length: 11 }, () => 'queued'), 'failed', 'failed'])
    const [first, ...pauses] = (await pausesOf(id)).map((seconds) => Math.round(seconds / 10))
    assert.equal(first, 0)
    assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360])
    const { attempts, sealed_content, unknown_outcomes } = await rowOf(id)
    assert.deepEqual([attempts, unknown_outcomes], [12, 0])
    assert.ok(sealed_content)
  })

  for (const [behaviour, outcome] of [
    ['deaf-from-the-start', 'later'],
    ['deaf-before-content', 'later'],
    ['deaf-after-content', 'unknown'],
  ] as const)
    test(`stops waiting for a mail server that is ${behaviour.replaceAll('-', ' ')}: ${outcome}`, async () => {
      server.setBehaviour(behaviour)
      const patience = new AbortController()
      const unansweredBefore = server.unanswered.length
      const { subject, lines } = letter
      const content = { subject, text: lines.join(), html: lines.join() }
      const from = { name: 'Harbour', address: 'post@atrium.test' }
      const whole = { ...content, from, replyTo: null, to: 'a@harbour.test', messageId: '<1@harbour.test>' }
      const sending = sendBySmtp(server.url, { ...whole, date: new Date() }, patience.signal)
      await eventually('nobody answers', async () => server.unanswered.length > unansweredBefore)
      patience.abort()
      assert.deepEqual(await sending, { outcome, problem: 'too slow' })
    })

  test('enqueues again a mail whose job is lost, and leaves one with a pending job', async () => {
    const [forgotten, waiting] = [await post(), await post()]
    await inTransaction(system, (tx) =>
      tx
        .updateTable('mails')
        .set({ state: 'sending', lease_until: made.context.clock.now(), next_try_at: made.context.clock.now() })
        .where('workspace_id', '=', system.workspaceId)
        .where('mail_id', '=', forgotten)
        .execute(),
    )
    const asked = async () => [(await pausesOf(forgotten)).length, (await pausesOf(waiting)).length]
    await requeueLostMails(system)
    assert.deepEqual(await asked(), [1, 1])
    made.context.clock.advance(10 * 60_000)
    // An attempt failed, and the next is due after a pause.
    server.setBehaviour('busy')
    assert.equal(await again(waiting), 'queued')
    made.context.clock.advance(6 * 60_000)
    for (let times = 0; times < 2; times++) await requeueLostMails(system)
    assert.deepEqual(await asked(), [2, 2])
  })

  test('enqueues again every mail whose job is lost in one round, since the next is an hour away', async () => {
    const restored = await addWorkspace(made.context)
    await inTransaction(restored, async (tx) => {
      await sendMail(tx, restored, { to: 'one@atrium.test', memberId: null, letter })
      const another = sql`jsonb_populate_record(mail, jsonb_build_object('mail_id', gen_random_uuid()))`
      await sql`insert into mails select (${another}).* from mails as mail, generate_series(1, ${sweepBatch})
        where workspace_id = ${restored.workspaceId}`.execute(tx)
    })
    made.context.clock.advance(16 * 60_000)
    assert.equal(await requeueLostMails(restored), sweepBatch + 1)
    assert.equal(await requeueLostMails(restored), 0)
  })

  test('does not retry a permanent refusal', async () => {
    for (const behaviour of ['refuse-recipient', 'refuse-content'] as const) {
      server.setBehaviour(behaviour)
      const id = await post()
      assert.equal(await again(id), 'failed')
      server.setBehaviour('accept')
      assert.equal(await again(id), 'failed')
      assert.ok((await rowOf(id)).sealed_content, 'staff can retry it')
    }
  })

  test('retries a mail with an unknown outcome once', async () => {
    const id = await post()
    const before = server.received.length
    server.setBehaviour('silence-after-content')
    assert.equal(await again(id), 'queued')
    assert.equal(await again(id), 'unknown')
    assert.equal(await again(id), 'unknown')
    assert.equal(server.received.length, before + 2)
  })

  test('treats a crash during sending as an unknown outcome', async () => {
    const id = await post()
    const interrupt = () =>
      inTransaction(system, (tx) =>
        tx
          .updateTable('mails')
          .set({ state: 'sending', lease_until: made.context.clock.now() })
          .where('workspace_id', '=', system.workspaceId)
          .where('mail_id', '=', id)
          .execute(),
      )
    await interrupt()
    server.setBehaviour('busy')
    assert.equal(await again(id), 'queued')
    assert.equal((await rowOf(id)).unknown_outcomes, 1)
    await interrupt()
    server.setBehaviour('accept')
    assert.equal(await again(id), 'unknown')
  })

  test('is rolled back with its transaction', async () => {
    const { email } = await addMember(system)
    const failing = inTransaction(system, async (tx) => {
      await sendMail(tx, system, { to: email, memberId: null, letter })
      throw new Error('never mind')
    })
    await assert.rejects(failing)
    assert.deepEqual(await mailsTo(system, email), [])
  })

  test('lets members write their own mails, not those of others, and read none', async () => {
    const own = await addMember(system)
    const other = await addMember(system)
    const actor = await memberActor(system, own.memberId)
    const send = (memberId: string) =>
      inTransaction(actor, (tx) => sendMail(tx, actor, { to: own.email, memberId, letter }))
    await send(own.memberId)
    await assert.rejects(send(other.memberId), /row-level security/)
    assert.deepEqual(await reading(actor, (tx) => tx.selectFrom('mails').where(here).selectAll().execute()), [])
  })

  test('sends no mail of a group that its member turned off after it was written, at a retry neither', async () => {
    server.setBehaviour('busy')
    const person = await addMember(system)
    const tell = (kind: 'ticket.answered' | 'trading-password.changed', id: string) =>
      inTransaction(system, (tx) =>
        notify(tx, system, {
          ...{ memberId: person.memberId, kind, dedupeKey: id, title: 'News', body: 'There are news.' },
          target: { kind: 'ticket', id },
        }),
      )
    await tell('ticket.answered', '01930000-0000-7000-8000-000000000001')
    await tell('ticket.answered', '01930000-0000-7000-8000-000000000002')
    await tell('trading-password.changed', '01930000-0000-7000-8000-000000000003')
    const [retried = '', waiting = '', security = ''] = (await mailsTo(system, person.email)).map(({ id }) => id)
    assert.equal(await again(retried), 'queued')
    await savePreference(await memberActor(system, person.memberId), { group: 'support', is_mailed: false })
    server.setBehaviour('accept')
    const before = server.received.length
    assert.deepEqual(await Promise.all([again(retried), again(waiting)]), ['declined', 'declined'])
    assert.equal(server.received.length, before)
    assert.deepEqual([(await rowOf(retried)).sealed_content, (await rowOf(waiting)).sealed_content], [null, null])
    assert.equal(await again(security), 'sent')
  })

  test('is delivered by the job that its transaction enqueued', async () => {
    await made.context.jobs.start(notificationJobs(made.context))
    const id = await post()
    await eventually('the mail is sent', async () => (await rowOf(id)).state === 'sent')
  })
})

test('keeps content and SMTP password out of log, queue and table, and addresses out of the log', async () => {
  const owner = await made.openOwner()
  const jobs = await owner.query('select data, output from pgboss.job')
  const rows = await reading(system, (tx) =>
    tx.selectFrom('mails').selectAll().where('workspace_id', '=', system.workspaceId).execute(),
  )
  const stored = JSON.stringify(rows.map((row) => ({ ...row, content: row.sealed_content?.toString('latin1') })))
  assert.ok(logLines.length > 0 && jobs.rows.length > 0)
  for (const canary of ['CANARY-8f3a', 'S3cret-canary']) {
    assert.ok(![...logLines, JSON.stringify(jobs.rows), stored].some((text) => text.includes(canary)), canary)
  }
  assert.ok(!logLines.some((line) => line.includes('@harbour.test')))
})
