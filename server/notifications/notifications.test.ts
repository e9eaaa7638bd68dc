// spec: OP notifications
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { linksIn, mailsTo } from '../../tests/fixtures/mailbox.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  openTestSession,
  setFeatures,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import { personalData } from '../domains.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { eraseMember } from '../members/personal-data/erasure.ts'
import { writeEndToken } from './notification-preferences.ts'
import { type Notification, notify } from './notify.ts'

let made: MadeContext
let close: () => Promise<void>
let app: FastifyInstance
let caller: Caller
let system: System
let elsewhere: System

before(async () => {
  ;({ made, app, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  elsewhere = await addWorkspace(made.context, { subdomain: 'elsewhere' })
})
after(() => close())

type Person = { memberId: string; email: string; token: string }

async function enter(): Promise<Person> {
  const { memberId, email } = await addMember(system)
  const { token } = await openTestSession(system, { kind: 'member', id: memberId })
  return { memberId, email, token }
}

async function addNotification(memberId: string, dedupeKey: string, change: Partial<Notification> = {}): Promise<void> {
  const notification: Notification = {
    memberId,
    kind: 'ticket.answered',
    dedupeKey,
    title: 'Ticket {{number}} was answered',
    body: '',
    details: { number: dedupeKey },
    target: { kind: 'ticket', id: newId() },
    ...change,
  }
  await inTransaction(system, (tx) => notify(tx, system, notification))
}

type Shown = { _id: string; number: number; read: boolean; details: { number: string } }

async function list(person: Person, query = '') {
  const { status, body } = await caller.get(`/members/notices${query}`, person.token)
  assert.equal(status, 200)
  return body as { notices: Shown[]; more: boolean; unread: number; number: number }
}

describe('the list of notifications', () => {
  test('pages newest first without duplicates while new ones arrive', async () => {
    const person = await enter()
    for (let index = 1; index <= 8; index++) await addNotification(person.memberId, String(index))
    const first = await list(person, '?limit=3')
    assert.deepEqual(
      first.notices.map(({ number }) => number),
      [8, 7, 6],
    )
    assert.deepEqual([first.more, first.unread, first.number], [true, 8, 8])
    await addNotification(person.memberId, '9')
    const second = await list(person, '?limit=3&before=6')
    assert.deepEqual(
      second.notices.map(({ number }) => number),
      [5, 4, 3],
    )
    const last = await list(person, '?limit=3&before=3')
    assert.deepEqual([last.notices.map(({ number }) => number), last.more], [[2, 1], false])
  })

  test('lists only unread ones on request', async () => {
    const person = await enter()
    for (const key of ['1', '2', '3']) await addNotification(person.memberId, key)
    const [newest] = (await list(person)).notices
    assert.equal((await caller.post(`/members/notices/${newest?._id}/read`, {}, person.token)).status, 200)
    const unread = await list(person, '?unread=true')
    assert.deepEqual(
      unread.notices.map(({ number }) => number),
      [2, 1],
    )
    assert.equal(unread.unread, 2)
    assert.equal((await list(person)).notices[0]?.read, true)
  })

  test('validates page and limit', async () => {
    const person = await enter()
    for (const query of ['?before=0', '?before=x', '?limit=0', '?limit=1000', '?unread=maybe'])
      assert.equal((await caller.get(`/members/notices${query}`, person.token)).status, 422, query)
  })
})

describe('a read mark', () => {
  test('is idempotent', async () => {
    const person = await enter()
    await addNotification(person.memberId, '1')
    const [notification] = (await list(person)).notices
    const once = await caller.post(`/members/notices/${notification?._id}/read`, {}, person.token)
    const twice = await caller.post(`/members/notices/${notification?._id}/read`, {}, person.token)
    assert.deepEqual([once.body.unread, once.raw], [0, twice.raw])
  })

  test('leaves notifications unread that arrived after the screen was drawn, when all are marked', async () => {
    const person = await enter()
    await addNotification(person.memberId, '1')
    const { number } = await list(person)
    await addNotification(person.memberId, '2')
    const { body } = await caller.post('/members/notices/read-all', { number }, person.token)
    assert.equal(body.unread, 1)
    assert.deepEqual(
      (await list(person)).notices.map(({ read }) => read),
      [false, true],
    )
  })

  test("answers 404 for another member's or workspace's notification, as for an unknown one", async () => {
    const [person, other] = [await enter(), await enter()]
    await addNotification(other.memberId, '1')
    const [foreign] = (await list(other)).notices
    const answers = await Promise.all(
      [String(foreign?._id), newId()].map((id) => caller.post(`/members/notices/${id}/read`, {}, person.token)),
    )
    const withoutId = answers.map(({ status, body: { request_id: _, ...body } }) => [status, body])
    assert.deepEqual(withoutId[0], withoutId[1])
    assert.equal(answers[0]?.status, 404)
    await caller.post('/members/notices/read-all', { number: 1_000_000 }, person.token)
    assert.equal((await list(other)).unread, 1)
    assert.deepEqual((await list(person)).notices, [])
    const there = callerOf(app, 'elsewhere.localhost')
    assert.equal((await there.get('/members/notices', other.token)).status, 401)
  })

  test('requires a signed-in member, as the list does', async () => {
    for (const path of ['/members/notices', '/members/notices/live', '/members/notices/mail-wishes'])
      assert.equal((await caller.get(path)).status, 401)
    const { token } = await openTestSession(system, { kind: 'staff', id: (await addStaff(system)).staffId })
    assert.equal((await caller.get('/members/notices', token)).status, 401)
  })
})

describe('notification preferences', () => {
  const preferences = async (person: Person) => {
    const { body } = await caller.get('/members/notices/mail-wishes', person.token)
    const groups = body.groups as { group: string; is_mailed: boolean; is_choosable: boolean }[]
    return Object.fromEntries(groups.map(({ group, is_mailed }) => [group, is_mailed]))
  }

  test('mail everything until a group is turned off, and can be turned on again', async () => {
    const person = await enter()
    assert.ok(Object.values(await preferences(person)).every(Boolean))
    const turn = (group: string, is_mailed: boolean) =>
      caller.post('/members/notices/mail-wishes', { group, is_mailed }, person.token)
    await Promise.all([turn('support', false), turn('money', false), turn('support', false)])
    const { support, money, documents } = await preferences(person)
    assert.deepEqual([support, money, documents], [false, false, true])
    await addNotification(person.memberId, '1')
    assert.equal((await mailsTo(system, person.email)).length, 0)
    await turn('support', true)
    await addNotification(person.memberId, '2')
    assert.equal((await mailsTo(system, person.email)).length, 1)
    assert.equal((await list(person)).unread, 2)
  })

  test('cannot turn off security mails', async () => {
    const person = await enter()
    const answer = await caller.post(
      '/members/notices/mail-wishes',
      { group: 'security', is_mailed: false },
      person.token,
    )
    assert.equal(answer.status, 422)
  })

  test('write one audit entry for each change', async () => {
    const person = await enter()
    for (let times = 0; times < 2; times++)
      await caller.post('/members/notices/mail-wishes', { group: 'money', is_mailed: false }, person.token)
    const entries = await reading(system, (tx) =>
      tx
        .selectFrom('audit_log')
        .select(['before', 'after'])
        .where('workspace_id', '=', system.workspaceId)
        .where('member_id', '=', person.memberId)
        .where('action', '=', 'mail-wishes.changed')
        .execute(),
    )
    assert.deepEqual(entries, [{ before: { mail_off: [] }, after: { mail_off: ['money'] } }])
  })
})

describe('an unsubscribe link', () => {
  const end = (token: string, on = caller) => on.post('/members/notices/end-mails', { token })

  test('ends mails of its group for its member without a sign-in, idempotently', async () => {
    const person = await enter()
    await addNotification(person.memberId, '1')
    const [mail] = await mailsTo(system, person.email)
    const link = linksIn(mail?.text ?? '').find((url) => url.includes('/end-mails/'))
    const token = link?.split('/').at(-1) ?? ''
    for (let times = 0; times < 2; times++) {
      const { status, body } = await end(token)
      assert.deepEqual([status, body.group], [200, 'support'])
    }
    await addNotification(person.memberId, '2')
    await addNotification(person.memberId, '3', { kind: 'document.approved', target: { kind: 'document' } })
    assert.equal((await mailsTo(system, person.email)).length, 2)
    assert.ok(mail?.html.includes('No more emails about support'))
  })

  test('is left out of mails that cannot be turned off', async () => {
    const person = await enter()
    await addNotification(person.memberId, '1', { kind: 'password.changed', target: { kind: 'security' } })
    await addNotification(person.memberId, '2', { kind: 'withdrawal.paid', target: { kind: 'transaction' } })
    for (const { text, html } of await mailsTo(system, person.email)) assert.ok(!`${text}${html}`.includes('end-mails'))
  })

  test('rejects truncated, altered and foreign tokens', async () => {
    const person = await enter()
    const good = writeEndToken(system, person, 'support')
    const altered = `${good.slice(0, -2)}${good.at(-2) === 'A' ? 'B' : 'A'}${good.slice(-1)}`
    const security = writeEndToken(system, person, 'security' as 'support')
    const sealed = made.context.seal.seal(JSON.stringify(['other', system.workspaceId, person.memberId, 'support']))
    const wrong = [
      ...[good.slice(0, -5), altered, 'x', '....', security, sealed.toString('base64url')],
      ...[
        writeEndToken(elsewhere, person, 'support'),
        writeEndToken(system, { ...person, memberId: newId() }, 'support'),
      ],
    ]
    for (const token of wrong) assert.equal((await end(token)).status, 404, token)
    assert.equal((await end(good, callerOf(app, 'elsewhere.localhost'))).status, 404)
    await addNotification(person.memberId, '1')
    assert.equal((await mailsTo(system, person.email)).length, 1)
  })

  test('of a former address does not work, and one of an earlier version does', async () => {
    const person = await enter()
    await addNotification(person.memberId, '1')
    const [mail] = await mailsTo(system, person.email)
    const link = linksIn(mail?.text ?? '').find((url) => url.includes('/end-mails/'))
    const email = `new-${person.email}`
    await inTransaction(system, (tx) =>
      tx
        .updateTable('members')
        .set({ email })
        .where('workspace_id', '=', system.workspaceId)
        .where('member_id', '=', person.memberId)
        .execute(),
    )
    assert.equal((await end(link?.split('/').at(-1) ?? '')).status, 404)
    await addNotification(person.memberId, '2')
    assert.equal((await mailsTo(system, email)).length, 1)
    const words = ['end-mails', system.workspaceId, person.memberId, 'support']
    assert.equal((await end(made.context.seal.seal(JSON.stringify(words)).toString('base64url'))).status, 200)
  })

  test('rejects an erased member’s token', async () => {
    const person = await enter()
    const token = writeEndToken(system, person, 'support')
    const staff = staffActor(system, await addStaff(system))
    const { customer_number } = await reading(system, (tx) =>
      tx
        .selectFrom('members')
        .select('customer_number')
        .where('workspace_id', '=', system.workspaceId)
        .where('member_id', '=', person.memberId)
        .executeTakeFirstOrThrow(),
    )
    await eraseMember(staff, person.memberId, { reason: 'Asked for it', customer_number }, personalData)
    assert.equal((await end(token)).status, 404)
  })

  test('works although others in the same network sent too many wrong ones', async () => {
    const good = writeEndToken(system, await enter(), 'support')
    const wrong: number[] = []
    for (let tries = 0; tries < 61; tries++) wrong.push((await end('x')).status)
    assert.equal(wrong.at(-1), 429)
    assert.equal((await end(good)).status, 200)
  })
})

test('serves notifications whatever features the brokerage turns off', async () => {
  const person = await enter()
  await addNotification(person.memberId, '1')
  await setFeatures(system, { support: false, documents: false })
  assert.equal((await list(person)).unread, 1)
  await setFeatures(system, {})
})
