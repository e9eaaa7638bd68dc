// spec: OP notifications
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  fillSentence,
  groupOf,
  notificationGroups,
  notificationKindNames,
  notificationKinds,
} from '@atrium/contract/notifications/calls.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  type MadeMember,
  memberActor,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import type { Member, System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { type Notification, notify } from './notify.ts'

let made: MadeContext
let system: System
let elsewhere: System
let owner: MadeMember

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true, name: 'Harbour' })
  elsewhere = await addWorkspace(made.context, { subdomain: 'elsewhere' })
})
after(() => made.close())

const answered = (memberId: string, change: Partial<Notification> = {}): Notification => ({
  memberId,
  kind: 'ticket.answered',
  dedupeKey: 'ticket-message:1',
  title: 'Ticket {{number}} was answered',
  body: '{{name}} wrote to you.',
  details: { number: '1001', name: 'Sela <b>Staff</b>' },
  target: { kind: 'ticket', id: '01930000-0000-7000-8000-000000000001' },
  ...change,
})

const notifyNow = (notification: Notification, actor: System | Member = system) =>
  inTransaction(actor, (tx) => notify(tx, actor, notification))

function notificationsOf(memberId: string) {
  return reading(system, (tx) =>
    tx
      .selectFrom('notices')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', memberId)
      .orderBy('notice_number')
      .execute(),
  )
}

async function turnOff(memberId: string, groups: string[]): Promise<void> {
  await inTransaction(system, (tx) =>
    tx
      .insertInto('notice_boxes')
      .values({ workspace_id: system.workspaceId, member_id: memberId, mail_off: groups })
      .execute(),
  )
}

describe('notify', () => {
  test('writes a notification and a mail with the same text, whose button opens it', async () => {
    owner = await addMember(system)
    await notifyNow(answered(owner.memberId))
    const [notification, ...more] = await notificationsOf(owner.memberId)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [notification?.kind, notification?.title, notification?.notice_number, notification?.read_at],
      ['ticket.answered', 'Ticket {{number}} was answered', '1', null],
    )
    const [mail] = await mailsTo(system, owner.email)
    assert.equal(mail?.subject, 'Ticket 1001 was answered')
    assert.match(mail?.text ?? '', /Sela <b>Staff<\/b> wrote to you\./)
    assert.match(mail?.text ?? '', /\/support\?id=01930000-0000-7000-8000-000000000001/)
    assert.ok(!mail?.html.includes('<b>Staff'))
  })

  test('links to the transaction, ticket or account concerned', async () => {
    const { memberId, email } = await addMember(system)
    const id = '01930000-0000-7000-8000-000000000002'
    const ways = {
      transaction: `/funds/transactions?open=${id}`,
      ticket: `/support?id=${id}`,
      account: `/accounts/${id}`,
    }
    for (const kind of ['transaction', 'ticket', 'account'] as const) {
      await notifyNow(answered(memberId, { dedupeKey: kind, target: { kind, id } }))
      assert.ok((await mailsTo(system, email)).at(-1)?.text.includes(`${ways[kind]}\n`), kind)
    }
  })

  test('writes a day out in the mail and leaves it for the page to format', async () => {
    const { memberId, email } = await addMember(system)
    const words = { kind: 'document.expiring', title: 'Valid until {{day}}', body: '{{note}} until {{day}}.' } as const
    await notifyNow(answered(memberId, { ...words, details: { day: '2026-12-10', note: '2026-12-10' } }))
    assert.deepEqual((await notificationsOf(memberId))[0]?.details, { day: '2026-12-10', note: '2026-12-10' })
    const [mail] = await mailsTo(system, email)
    assert.equal(mail?.subject, 'Valid until 10 December 2026')
    // Text written by a person stays unchanged.
    assert.match(mail?.text ?? '', /2026-12-10 until 10 December 2026\./)
  })

  test('writes one notification for each key and member, even when called concurrently', async () => {
    const [first, second] = [await addMember(system), await addMember(system)]
    await Promise.all(Array.from({ length: 8 }, () => notifyNow(answered(first.memberId))))
    await notifyNow(answered(second.memberId))
    await notifyNow(answered(first.memberId, { title: 'Something else', kind: 'ticket.closed' }))
    for (const { memberId, email } of [first, second]) {
      assert.equal((await notificationsOf(memberId)).length, 1)
      assert.equal((await mailsTo(system, email)).length, 1)
    }
  })

  test('numbers notifications uniquely in commit order', async () => {
    const { memberId } = await addMember(system)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => notifyNow(answered(memberId, { dedupeKey: `message:${index}` }))),
    )
    const numbers = (await notificationsOf(memberId)).map(({ notice_number }) => Number(notice_number))
    assert.deepEqual(
      numbers,
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
  })

  test('is rolled back with its transaction', async () => {
    const { memberId, email } = await addMember(system)
    const failing = inTransaction(system, async (tx) => {
      await notify(tx, system, answered(memberId))
      throw new Error('never mind')
    })
    await assert.rejects(failing, /never mind/)
    assert.deepEqual([await notificationsOf(memberId), await mailsTo(system, email)], [[], []])
  })

  test('sends no mail where the member turned it off, except for security', async () => {
    const { memberId, email } = await addMember(system)
    await turnOff(memberId, ['money', 'support'])
    await notifyNow(answered(memberId))
    await notifyNow(answered(memberId, { kind: 'document.approved', title: 'Approved', dedupeKey: 'document:1' }))
    await notifyNow(answered(memberId, { kind: 'password.changed', title: 'Changed', dedupeKey: 'password:1' }))
    await notifyNow(answered(memberId, { kind: 'withdrawal.paid', title: 'Paid', dedupeKey: 'withdrawal:1' }))
    assert.equal((await notificationsOf(memberId)).length, 4)
    assert.deepEqual(
      (await mailsTo(system, email)).map(({ subject }) => subject),
      ['Approved', 'Changed', 'Paid'],
    )
    await assert.rejects(turnOff((await addMember(system)).memberId, ['security']), /check constraint/)
  })

  for (const status of ['locked', 'invited'])
    test(`mails a member who is ${status} only what is always mailed, and keeps the rest for later`, async () => {
      const { memberId, email } = await addMember(system, { status })
      for (const kind of notificationKindNames)
        await notifyNow(answered(memberId, { kind, title: kind, dedupeKey: `${kind}:1` }))
      const kept = (await notificationsOf(memberId)).map(({ kind }) => kind)
      assert.deepEqual(kept, notificationKindNames)
      assert.deepEqual(
        (await mailsTo(system, email)).map(({ subject }) => subject),
        notificationKindNames.filter((kind) => notificationKinds[kind].mail === 'always'),
      )
    })

  test('writes nothing for an erased member', async () => {
    const { memberId, email } = await addMember(system, { status: 'erased' })
    await notifyNow(answered(memberId))
    assert.deepEqual([await notificationsOf(memberId), await mailsTo(system, email)], [[], []])
  })

  test('works for the member, staff and the system, but not for another member', async () => {
    const { memberId } = await addMember(system)
    const member = await memberActor(system, memberId)
    const staff = staffActor(system, await addStaff(system))
    await notifyNow(answered(memberId, { dedupeKey: 'by-member' }), member)
    await inTransaction(staff, (tx) => notify(tx, staff, answered(memberId, { dedupeKey: 'by-staff' })))
    assert.equal((await notificationsOf(memberId)).length, 2)
    const other = await addMember(system)
    await assert.rejects(notifyNow(answered(other.memberId), member))
    assert.deepEqual(await notificationsOf(other.memberId), [])
  })

  test('cannot cross workspaces', async () => {
    const { memberId } = await addMember(system)
    await assert.rejects(inTransaction(elsewhere, (tx) => notify(tx, elsewhere, answered(memberId))))
    assert.deepEqual(await notificationsOf(memberId), [])
  })

  test('is visible to its member alone by row security', async () => {
    const { memberId } = await addMember(system)
    await notifyNow(answered(memberId))
    const other = await memberActor(system, (await addMember(system)).memberId)
    const seen = (actor: Member | System) =>
      reading(actor, (tx) => tx.selectFrom('notices').where(here).selectAll().execute())
    assert.deepEqual(await seen(other), [])
    assert.ok(!(await seen(elsewhere)).some((row) => row.member_id === memberId))
    assert.deepEqual(
      (await seen(await memberActor(system, memberId))).map((row) => row.member_id),
      [memberId],
    )
  })
})

describe('notification kinds', () => {
  test('each belong to a group, and security kinds are always mailed', () => {
    for (const kind of notificationKindNames) {
      assert.ok(notificationGroups.includes(groupOf(kind)), kind)
      if (groupOf(kind) === 'security') assert.equal(notificationKinds[kind].mail, 'always', kind)
    }
  })

  test('fill each gap of a sentence once', () => {
    assert.equal(fillSentence('{{a}} and {{b}} and {{c}}', { a: '{{b}}', b: '$&' }), '{{b}} and $& and {{c}}')
    assert.equal(fillSentence('{{toString}}', {}), '{{toString}}')
  })
})
