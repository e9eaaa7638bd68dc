import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { findDueQueues, pollTogether } from './polling.ts'

let made: MadeContext
let system: System
before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context)
})
after(() => made.close())

const database = {
  executeSql: (text: string, values?: unknown[]) => made.context.database.pool.query(text, values),
}

it('finds the queues with a job to start, and not those whose jobs start later', async () => {
  const { jobs } = made.context
  const put = (queue: Parameters<typeof jobs.enqueue>[1], startAfter?: Date) =>
    inTransaction(system, (tx) =>
      jobs.enqueue(tx, queue, { workspaceId: system.workspaceId, id: newId() }, startAfter && { startAfter }),
    )
  const names = ['files.scan', 'trades.read-history', 'sessions.sweep', 'notifications.send-mail']
  assert.deepEqual(await findDueQueues(database, names), [])
  await put('files.scan')
  await put('files.scan')
  await put('trades.read-history', new Date(Date.now() + 3_600_000))
  await put('sessions.issue-reset')
  await put('notifications.send-mail')
  assert.deepEqual((await findDueQueues(database, names)).sort(), ['files.scan', 'notifications.send-mail'])
})

it('reports a failed poll, continues, and wakes nobody once stopped', async () => {
  const problems: unknown[] = []
  const woken: string[] = []
  const answer = Promise.withResolvers<{ rows: { name: string }[] }>()
  const asked = Promise.withResolvers<void>()
  let polls = 0
  const failing = {
    executeSql: async () => {
      polls += 1
      if (polls === 1) throw new Error('the database is unavailable')
      asked.resolve()
      return answer.promise
    },
  }
  const stop = pollTogether(failing, new Map([['files.scan', { poll: () => woken.push('files.scan') }]]), (problem) =>
    problems.push(problem),
  )
  await asked.promise
  stop()
  answer.resolve({ rows: [{ name: 'files.scan' }] })
  await answer.promise
  assert.equal(problems.length, 1)
  assert.deepEqual(woken, [])
})
