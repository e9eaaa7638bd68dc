// spec: OP backups
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { backUp, makeArchive, restoreElsewhere } from '../../tests/fixtures/backups.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { allJobs } from '../domains.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { queues, scheduledRounds } from '../queue/jobs.ts'
import { checkBackup } from './verify.ts'

let made: MadeContext
let system: System
const place = makeArchive()
before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
})
after(async () => {
  await made.close()
  place.remove()
})

type Row = { name: string; id: string; state: string; start_after: Date; priority: number; group_id: string | null }

async function jobsOf({ context }: Pick<MadeContext, 'context'>): Promise<Row[]> {
  const { rows } = await context.database.pool.query<Row>(`
    select name, data ->> 'id' as id, state, start_after, priority, group_id from pgboss.job
    where data ->> 'workspaceId' <> '' order by name, start_after, id`)
  return rows
}

const setState = (state: string, names: readonly string[]) =>
  made.context.database.pool.query('update pgboss.job set state = $1::pgboss.job_state where name = any($2)', [
    state,
    [...names],
  ])

/** One that is due, one of the next days, and a round of the brokerage, in each queue. */
async function fillQueues(): Promise<void> {
  const { workspaceId, context } = system
  const soon = new Date(Date.now() + 3 * 3_600_000)
  await inTransaction(system, async (tx) => {
    for (const queue of queues) {
      await context.jobs.enqueue(tx, queue, { workspaceId, id: newId() }, { isFirst: true })
      await context.jobs.enqueue(tx, queue, { workspaceId, id: newId() }, { startAfter: soon })
    }
    for (const queue of scheduledRounds) await context.jobs.enqueueRound(tx, queue, { workspaceId, id: workspaceId })
  })
}

test('after a restore every unfinished job of every queue is due again, and no finished one', async () => {
  await fillQueues()
  await setState('completed', ['forms.sweep-drafts'])
  await setState('failed', ['sessions.sweep'])
  const due = (await jobsOf(made)).filter(({ state }) => state === 'created')
  // A job that runs during the backup may not have done anything yet.
  await setState('active', ['funding.recount-intent', 'openings.compare'])
  await setState('retry', ['openings.recount'])
  await backUp(place.archive, made)
  const there = await restoreElsewhere(place.archive, made)
  try {
    assert.deepEqual(await jobsOf(there), due)
    const names = new Set(due.map(({ name }) => name))
    const finished = ['forms.sweep-drafts', 'sessions.sweep']
    assert.deepEqual([...names].sort(), queues.filter((queue) => !finished.includes(queue)).sort())
    assert.equal(there.contents.jobs?.count, due.length)
    assert.deepEqual((await checkBackup(place.archive, there.contents)).wrong, [])
    const rules = `select name, retry_limit, expire_seconds, heartbeat_seconds, policy from pgboss.job
      where data ->> 'workspaceId' <> '' and state = 'created' group by 1, 2, 3, 4, 5 order by 1`
    const rulesOf = async ({ context }: Pick<MadeContext, 'context'>) => (await context.database.pool.query(rules)).rows
    await setState('created', queues)
    const here = (await rulesOf(made)).filter(({ name }) => names.has(name))
    assert.deepEqual(await rulesOf(there), here)
  } finally {
    await there.close()
  }
})

test('every queue has a worker', () => {
  assert.deepEqual(Object.keys(allJobs(made.context)).sort(), [...queues].sort())
})
