// spec: OP notifications

/**
 * Two server processes: a page that follows one receives what either wrote, and when its server is killed it resumes at
 * the other without gaps or duplicates.
 */

import assert from 'node:assert/strict'
import { type ClientRequest, get } from 'node:http'
import { after, before, test } from 'node:test'
import { notificationView, watchNotifications } from '@atrium/contract/notifications/calls.ts'
import { type ChildServer, eventually } from '../../tests/doubles/child-server.ts'
import { startServerOn } from '../../tests/doubles/killed-server.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { notify } from './notify.ts'

let made: MadeContext
let system: System
let servers: [ChildServer, ChildServer]

before(async () => {
  made = await makeTestContext({ startAt: new Date() }) // Both processes use the real clock.
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  const start = () => startServerOn(made, { roles: 'web' })
  servers = [await start(), await start()]
})
after(async () => {
  for (const server of servers) await server.stop()
  await made.close()
})

type Page = { numbers: number[]; lastId: string | undefined; request: ClientRequest; hasBell: boolean; isOver: boolean }

/** A page that reconnects with the last event id. */
function follow(server: ChildServer, token: string, before?: Page): Page {
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${token}`,
    ...(before?.lastId !== undefined && { 'last-event-id': before.lastId }),
  }
  const page: Omit<Page, 'request'> = {
    numbers: before?.numbers ?? [],
    lastId: before?.lastId,
    hasBell: false,
    isOver: false,
  }
  let rest = ''
  const over = () => {
    shown.isOver = true
  }
  const request = get(server.url + watchNotifications.path, { headers }, (answer) => {
    answer.setEncoding('utf8').on('data', (text: string) => {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, name, id, data = ''] = /^event: (\w+)\n(?:id: (\d+)\n)?data: (.*)$/.exec(block) ?? []
        if (name === 'notice') shown.numbers.push(notificationView.parse(JSON.parse(data)).number)
        if (name === 'bell') shown.hasBell = true
        shown.lastId = id ?? shown.lastId
      }
    })
    answer.on('error', over).on('close', over)
  })
  request.on('error', over) // A killed server drops the connection.
  const shown: Page = Object.assign(page, { request })
  return shown
}

async function addNotification(memberId: string, key: number): Promise<void> {
  await inTransaction(system, (tx) =>
    notify(tx, system, {
      memberId,
      kind: 'deposit.approved',
      dedupeKey: `said:${key}`,
      title: 'Deposit',
      body: '',
      target: { kind: 'transaction' },
    }),
  )
}

test('a page whose server is killed resumes at the other without gaps or duplicates', async () => {
  const [here, there] = servers
  const { memberId } = await addMember(system)
  const { token } = await openTestSession(system, { kind: 'member', id: memberId })
  const [first, other] = [follow(here, token), follow(there, token)]
  await eventually('both pages have their first event', async () => first.hasBell && other.hasBell)
  let key = 0
  const sayMany = async (count: number) => {
    for (let index = 0; index < count; index++) await addNotification(memberId, ++key)
  }
  await sayMany(5)
  await eventually(
    'both pages have the first notifications',
    async () => first.numbers.length >= 5 && other.numbers.length >= 5,
  )
  const killing = sayMany(20)
  here.child.kill('SIGKILL')
  await Promise.all([here.exited, killing])
  await eventually('the stream has ended', async () => first.isOver)
  const again = follow(there, token, first)
  await sayMany(5)
  await eventually(
    'the new stream has all notifications',
    async () => again.numbers.length >= 30 && other.numbers.length >= 30,
  )
  other.request.destroy()
  const back = follow(there, token, other)
  await sayMany(1)
  await eventually(
    'the reconnected page has the next notification',
    async () => back.numbers.length >= 31 && again.numbers.length >= 31,
  )
  const all = Array.from({ length: 31 }, (_, index) => index + 1)
  assert.deepEqual(again.numbers, all)
  assert.deepEqual(back.numbers, all)
  for (const { request } of [again, back]) request.destroy()
})
