// spec: OP notifications

/** Hubs have no timer here; two hubs stand for two processes on one database. */

import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { after, afterEach, before, describe, test } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { bellEvent, notificationView } from '@atrium/contract/notifications/calls.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addMember, addStaff, addWorkspace, openTestSession, staffActor } from '../../tests/fixtures/workspaces.ts'
import type { Member, System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { lockMember } from '../members/lock.ts'
import { endSession } from '../sessions/session.ts'
import { findMember } from '../sessions/session-proof.ts'
import { checkStreamAccess } from '../sessions/stream-access.ts'
import { type NotificationHub, openNotificationHub } from './notification-hub.ts'
import { markAllRead } from './notifications.ts'
import { notify } from './notify.ts'

let made: MadeContext
let system: System
let hubs: NotificationHub[] = []
let said = 0

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
})
after(() => made.close())
afterEach(() => {
  for (const hub of hubs) hub.close()
  hubs = []
})

function openHub(): NotificationHub {
  const hub = openNotificationHub(made.context, { checkStreamAccess, isBeating: false })
  hubs.push(hub)
  return hub
}

async function signedIn(at = system): Promise<Member> {
  const { memberId } = await addMember(at)
  const { token } = await openTestSession(at, { kind: 'member', id: memberId })
  const member = await findMember(at, { token, of: 'calls' })
  assert.ok(member)
  return member
}

async function addNotification(member: Member, dedupeKey = `said:${++said}`, body = ''): Promise<void> {
  const at = { ...system, workspaceId: member.workspaceId }
  await inTransaction(at, (tx) =>
    notify(tx, at, {
      memberId: member.memberId,
      kind: 'deposit.approved',
      dedupeKey,
      title: `Notification ${dedupeKey}`,
      body,
      target: { kind: 'transaction' },
    }),
  )
}

type Received = {
  numbers: number[]
  titles: string[]
  unread: number[]
  lastId: string | undefined
  end: string | null
}

function listen(readable: Readable): Received {
  const received: Received = { numbers: [], titles: [], unread: [], lastId: undefined, end: null }
  readable.on('data', (chunk: Buffer) => {
    for (const [, name, id, data = ''] of chunk.toString().matchAll(/event: (\w+)\n(?:id: (\d+)\n)?data: (.*)\n\n/g)) {
      received.lastId = id ?? received.lastId
      if (name === 'notice') {
        const notification = notificationView.parse(JSON.parse(data))
        assert.equal(String(notification.number), id)
        received.numbers.push(notification.number)
        received.titles.push(notification.title)
      } else if (name === 'bell') received.unread.push(bellEvent.parse(JSON.parse(data)).unread)
      else received.end = JSON.parse(data).code
    }
  })
  return received
}

async function beat(...beating: NotificationHub[]): Promise<void> {
  await Promise.all(beating.map((hub) => hub.beat()))
  await new Promise((resolve) => setImmediate(resolve))
}

describe('live notifications', () => {
  test('sends the unread count first, then each notification once, and nothing while nothing happens', async () => {
    const [hub, member] = [openHub(), await signedIn()]
    await addNotification(member)
    const received = listen(hub.follow(member, undefined))
    await beat(hub)
    assert.deepEqual([received.numbers, received.unread, received.lastId], [[], [1], '1'])
    await addNotification(member, 'second')
    await addNotification(member, 'second')
    await beat(hub)
    await beat(hub)
    assert.deepEqual([received.titles, received.unread], [['Notification second'], [1, 2]])
  })

  test('sends the same from two processes, whichever wrote the notification', async () => {
    const [here, there, member] = [openHub(), openHub(), await signedIn()]
    const [one, other] = [listen(here.follow(member, '0')), listen(there.follow(member, '0'))]
    for (let round = 0; round < 5; round++) {
      await Promise.all([addNotification(member), addNotification(member), beat(here), beat(there)])
    }
    await beat(here, there)
    for (const { numbers } of [one, other])
      assert.deepEqual(
        numbers,
        Array.from({ length: 10 }, (_, index) => index + 1),
      )
  })

  test('resumes after the last event id, also at another process', async () => {
    const [killed, other, member] = [openHub(), openHub(), await signedIn()]
    const before = listen(killed.follow(member, '0'))
    await addNotification(member)
    await beat(killed)
    killed.close()
    for (let missed = 0; missed < 3; missed++) await addNotification(member)
    const after = listen(other.follow(member, before.lastId))
    await beat(other)
    assert.deepEqual([before.numbers, after.numbers, before.end], [[1], [2, 3, 4], 'unavailable'])
  })

  test('resumes each page at its own event id within one process', async () => {
    const [hub, member] = [openHub(), await signedIn()]
    for (let index = 0; index < 4; index++) await addNotification(member)
    const [first, second] = [listen(hub.follow(member, '1')), listen(hub.follow(member, '3'))]
    await beat(hub)
    await addNotification(member)
    await beat(hub)
    assert.deepEqual(
      [first.numbers, second.numbers],
      [
        [2, 3, 4, 5],
        [4, 5],
      ],
    )
  })

  test('sends all missed notifications over several polls', async () => {
    const [hub, member] = [openHub(), await signedIn()]
    const count = limits.notificationsSentMax * 2 + 3
    for (let index = 0; index < count; index++) await addNotification(member)
    const received = listen(hub.follow(member, '0'))
    for (let polls = 0; polls < 4; polls++) await beat(hub)
    assert.deepEqual(
      received.numbers,
      Array.from({ length: count }, (_, index) => index + 1),
    )
    assert.equal(received.unread.at(-1), limits.notificationsCountedMax)
  })

  test('starts at the present for an unknown or malformed event id', async () => {
    const [hub, member] = [openHub(), await signedIn()]
    await addNotification(member)
    const all = ['999999', '-1', '1e3', 'x', '9'.repeat(40)].map((id) => listen(hub.follow(member, id)))
    await beat(hub)
    await addNotification(member)
    await beat(hub)
    for (const received of all) assert.deepEqual(received.numbers, [2])
  })

  test('reports read marks set elsewhere', async () => {
    const [hub, member] = [openHub(), await signedIn()]
    await addNotification(member)
    const received = listen(hub.follow(member, undefined))
    await beat(hub)
    await markAllRead(member, 1)
    await beat(hub)
    assert.deepEqual([received.unread, received.numbers], [[1, 0], []])
  })

  test('sends nothing of another member or workspace', async () => {
    const elsewhere = await addWorkspace(made.context, { subdomain: 'elsewhere' })
    const [hub, member, other, foreignMember] = [
      openHub(),
      await signedIn(),
      await signedIn(),
      await signedIn(elsewhere),
    ]
    const [first, second, third] = [member, other, foreignMember].map((each) => listen(hub.follow(each, '0')))
    await addNotification(member, 'for the first')
    await addNotification(foreignMember, 'for the third')
    await beat(hub)
    assert.deepEqual(first?.titles, ['Notification for the first'])
    assert.deepEqual(second?.titles, [])
    assert.deepEqual(third?.titles, ['Notification for the third'])
  })

  test('ends with the session', async () => {
    const [hub, member] = [openHub(), await signedIn()]
    const received = listen(hub.follow(member, '0'))
    await beat(hub)
    await endSession(member)
    await addNotification(member)
    await beat(hub)
    assert.deepEqual([received.numbers, received.end], [[], 'unauthenticated'])
  })

  test('ends when staff lock the member, without announcing the lock', async () => {
    const [hub, member, other] = [openHub(), await signedIn(), await signedIn()]
    const [received, undisturbed] = [listen(hub.follow(member, '0')), listen(hub.follow(other, '0'))]
    await beat(hub)
    await lockMember(staffActor(system, await addStaff(system)), member.memberId, 'Asked for it')
    await addNotification(other)
    await beat(hub)
    assert.deepEqual([received.titles, received.end], [[], 'unauthenticated'])
    assert.deepEqual([undisturbed.numbers, undisturbed.end], [[1], null])
    // A reconnecting page gets nothing either.
    const again = listen(hub.follow(member, '0'))
    await beat(hub)
    assert.deepEqual([again.titles, again.end], [[], 'unauthenticated'])
  })

  test('costs a constant number of queries for any number of listeners', async () => {
    const { pool } = made.context.database
    let units = 0
    const count = () => void units++
    const unitsOf = async (hub: NotificationHub) => {
      units = 0
      pool.on('acquire', count)
      await beat(hub)
      pool.off('acquire', count)
      return units
    }
    const [few, many] = [openHub(), openHub()]
    const members = await Promise.all(Array.from({ length: 40 }, () => signedIn()))
    const [first] = members
    assert.ok(first)
    const alone = listen(few.follow(first, '0'))
    const all = members.flatMap((member) => [1, 2, 3].map(() => listen(many.follow(member, '0'))))
    await beat(few, many)
    const quiet = [await unitsOf(few), await unitsOf(many)]
    for (const member of members) await addNotification(member)
    const unitsUsed = [await unitsOf(few), await unitsOf(many)]
    for (const received of [alone, ...all]) assert.deepEqual(received.numbers, [1])
    assert.deepEqual(quiet, [2, 2], 'one for the sessions, one for the last numbers')
    assert.deepEqual(unitsUsed, [4, 4], 'one more for new notifications, one for unread counts')
  })

  test('disconnects a page that reads nothing before memory fills, and sends it the rest on reconnecting', async () => {
    const [hub, member] = [openHub(), await signedIn()]
    const stuck = hub.follow(member, '0')
    const reading = listen(hub.follow(member, '0'))
    const long = 'x'.repeat(900)
    let count = 0
    while (!stuck.destroyed && count < 1_000) {
      for (let index = 0; index < limits.notificationsSentMax; index++)
        await addNotification(member, `long:${++count}`, long)
      await beat(hub)
      assert.ok(stuck.readableLength < 400 * 1024, String(stuck.readableLength))
    }
    assert.ok(stuck.destroyed, `${count} notifications are buffered for a page that reads none`)
    const again = listen(hub.follow(member, '1'))
    for (let polls = 0; polls <= count / limits.notificationsSentMax; polls++) await beat(hub)
    const all = Array.from({ length: count }, (_, index) => index + 1)
    assert.deepEqual([reading.numbers, again.numbers], [all, all.slice(1)])
  })

  test('admits no page once the process stops, which would wait for its stream', async () => {
    const [hub, member] = [openHub(), await signedIn()]
    hub.close()
    assert.throws(() => hub.follow(member, undefined), { code: 'unavailable' })
  })

  test('rejects a page with a retry answer when too many listen', async () => {
    const [hub, member] = [openHub(), await signedIn()]
    for (let pages = 0; pages < 8; pages++) hub.follow(member, undefined)
    assert.throws(() => hub.follow(member, undefined), { code: 'too_many_requests' })
  })
})
