// spec: OP faults
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { eventually } from '../../tests/doubles/child-server.ts'
import { startHangingWorker } from '../../tests/doubles/hanging-worker.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { installJobs, type Queue, queues } from './jobs.ts'

let made: MadeContext
let system: System
let owner: pg.Client

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context)
  owner = await made.openOwner()
})
after(() => made.close())

async function enqueue(queue: Queue): Promise<string> {
  const id = newId()
  const { workspaceId } = system
  await inTransaction(system, (tx) => made.context.jobs.enqueue(tx, queue, { workspaceId, id }))
  return id
}

test('runs the job of a killed process in another one, and a slow job once', async (t) => {
  const left = await enqueue('files.scan')
  const killed = startHangingWorker(made.programUrl, 'files.scan')
  t.after(() => killed.kill())
  await killed.hasTaken
  const slow = await enqueue('sessions.sweep')
  const [done, slowly, end] = [[] as string[], [] as string[], Promise.withResolvers<void>()]
  await made.context.jobs.start({
    'files.scan': async ({ id }) => void done.push(id),
    'sessions.sweep': async ({ id }) => {
      slowly.push(id)
      await end.promise
    },
  })
  await eventually('the slow job has started', async () => slowly.length > 0)
  await killed.kill()
  await eventually('the abandoned job is done', async () => done.length > 0, 1_200)
  await eventually('a monitor run has checked for abandoned jobs', hasOutlivedMonitoring)
  end.resolve()
  await eventually('all jobs are completed', isOver)
  assert.deepEqual(done, [left])
  assert.deepEqual(slowly, [slow])
})

/** The job has run longer than the heartbeat limit, and a monitor run happened since. */
async function hasOutlivedMonitoring(): Promise<boolean> {
  const { rows } = await owner.query<{ has_outlived: boolean }>(
    `select q.monitor_claim_on > j.started_on + j.heartbeat_seconds * interval '1 second' as has_outlived
     from pgboss.job j join pgboss.queue q using (name) where name = 'sessions.sweep' and state = 'active'`,
  )
  return rows[0]?.has_outlived === true
}

async function isOver(): Promise<boolean> {
  return (await owner.query(`select from pgboss.job where state <> 'completed'`)).rowCount === 0
}

test('updates queues with outdated rules and their waiting jobs, and no others', async () => {
  const read = async () =>
    (await owner.query('select name, heartbeat_seconds, expire_seconds from pgboss.queue order by name')).rows
  const today = await read()
  await owner.query('update pgboss.queue set heartbeat_seconds = null, expire_seconds = 120 where name = any($1)', [
    queues,
  ])
  await enqueue('accounts.thin-figures')
  await installJobs(made.ownerUrl)
  assert.deepEqual(await read(), today)
  const { rows } = await owner.query(`select j.expire_seconds = q.expire_seconds as is_of_today
    from pgboss.job j join pgboss.queue q using (name) where j.name = 'accounts.thin-figures'`)
  assert.deepEqual(rows, [{ is_of_today: true }])
  const changed = async () => (await owner.query('select name, updated_on from pgboss.queue order by name')).rows
  const since = await changed()
  await installJobs(made.ownerUrl)
  assert.deepEqual(await changed(), since)
})
