import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fillEveryTable } from '../../tests/catalogue/every-table.ts'
import { eventually } from '../../tests/doubles/child-server.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { type System, systemActor } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { takeTry } from '../foundation/rate-limit.ts'
import { sweepMails } from '../notifications/sweep.ts'
import { sweepBatch } from '../queue/sweeping.ts'
import { sessionJobs } from './jobs.ts'
import { endOverdueSessions } from './session.ts'
import { sweepSessions } from './sweep.ts'

const day = 24 * 3_600_000

let made: MadeContext

before(async () => {
  made = await makeTestContext()
})
after(() => made.close())

async function countRows(
  system: System,
  table: 'rate_limits' | 'sessions' | 'known_devices' | 'mails',
): Promise<number> {
  const { count } = await inTransaction(system, (tx) =>
    tx
      .selectFrom(table)
      .select((rows) => rows.fn.countAll<string>().as('count'))
      .where('workspace_id', '=', system.workspaceId)
      .executeTakeFirstOrThrow(),
  )
  return Number(count)
}

test('removes expired rows, nothing earlier, and nothing of another brokerage', async () => {
  const [here, there] = [await fillEveryTable(made.context, 'here'), await fillEveryTable(made.context, 'there')]
  const [system, other] = [here, there].map(({ workspaceId }) => systemActor(made.context, workspaceId)) as [
    System,
    System,
  ]
  const nothing = { tries: 0, challenges: 0, sessions: 0, devices: 0, tokens: 0, resets: 0, requests: 0 }
  assert.deepEqual(await sweepSessions(system), nothing)
  assert.equal(await sweepMails(system), 0)

  made.context.clock.advance(day + 1)
  assert.ok((await endOverdueSessions(system)) > 0)
  const first = await sweepSessions(system)
  assert.ok(first.tries > 0 && first.challenges > 0 && first.tokens > 0 && first.requests > 0, JSON.stringify(first))
  assert.deepEqual([first.sessions, first.devices, first.resets], [0, 0, 0])
  assert.ok((await countRows(system, 'sessions')) > 0, 'an ended session is kept for the list of devices')

  made.context.clock.advance(90 * day)
  const second = await sweepSessions(system)
  assert.ok(second.sessions > 0 && second.resets > 0, JSON.stringify(second))
  assert.equal(second.devices, 0)
  made.context.clock.advance(90 * day)
  assert.ok((await sweepSessions(system)).devices > 0)
  assert.deepEqual(await sweepSessions(system), nothing)

  for (const table of ['rate_limits', 'sessions', 'known_devices', 'mails'] as const) {
    assert.ok((await countRows(other, table)) > 0, table)
  }
})

test('keeps a live session at any age', async () => {
  const system = await addWorkspace(made.context)
  await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })
  made.context.clock.advance(400 * day)
  assert.equal((await sweepSessions(system)).sessions, 0)
})

test('removes more than one batch; removes settled mails after a quarter and waiting ones never', async () => {
  const system = await addWorkspace(made.context)
  const count = sweepBatch + 20
  for (let index = 0; index < count; index++) {
    await takeTry(system, { name: 'test', triesMax: 1, windowSeconds: 60 }, String(index))
  }
  const created_at = made.context.clock.now()
  const mail = { workspace_id: system.workspaceId, recipient: 'a@b.test', subject: 'x', created_at }
  await inTransaction(system, (tx) =>
    tx
      .insertInto('mails')
      .values([
        ...Array.from({ length: count }, () => ({ ...mail, mail_id: newId(), state: 'sent', settled_at: created_at })),
        { ...mail, mail_id: newId(), state: 'queued', settled_at: null, sealed_content: Buffer.from('x') },
        { ...mail, mail_id: newId(), state: 'kept', settled_at: created_at, sealed_content: Buffer.from('x') },
      ])
      .execute(),
  )
  made.context.clock.advance(89 * day)
  assert.equal((await sweepSessions(system)).tries, count)
  assert.equal(await sweepMails(system), 0)
  made.context.clock.advance(day)
  assert.equal(await sweepMails(system), count + 1)
  assert.equal(await countRows(system, 'mails'), 1)
})

test('runs as a job', async () => {
  const system = await addWorkspace(made.context)
  await takeTry(system, { name: 'test', triesMax: 1, windowSeconds: 60 }, 'x')
  made.context.clock.advance(day)
  await made.context.jobs.start(sessionJobs(made.context))
  const { workspaceId } = system
  await inTransaction(system, (tx) => made.context.jobs.enqueue(tx, 'sessions.sweep', { workspaceId, id: workspaceId }))
  await eventually('the expired try is removed', async () => (await countRows(system, 'rate_limits')) === 0)
})
