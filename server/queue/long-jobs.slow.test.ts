// spec: OP faults
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { eventually } from '../../tests/doubles/child-server.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import type { Queue } from './jobs.ts'
import { readQueues } from './queue-metrics.ts'
import { askForSweep } from './sweeping.ts'

const round = 'funding.check-ledger'
const task = 'files.scan'

const logLines: string[] = []
const begun: Queue[] = []
const ends: (() => void)[] = []
let made: MadeContext
let system: System
let owner: pg.Client

before(async () => {
  made = await makeTestContext({ logLines })
  system = await addWorkspace(made.context)
  owner = await made.openOwner()
  const hold = (queue: Queue) => () =>
    new Promise<void>((resolve) => {
      begun.push(queue)
      ends.push(resolve)
    })
  await made.context.jobs.start({ [round]: hold(round), [task]: hold(task) })
})
after(async () => {
  for (const end of ends) end()
  await made.close()
})

const statesOf = async (queue: Queue): Promise<string[]> => {
  const { rows } = await owner.query(
    'select state, retry_count as tries from pgboss.job where name = $1 order by created_on',
    [queue],
  )
  return rows.map(({ state, tries }) => (tries === 0 ? state : `${state} again`))
}
const overlong = async () => (await readQueues(made.context)).find(({ queue }) => queue === round)?.overlong
const monitoredAt = async (queue: Queue): Promise<number> =>
  (await owner.query('select monitor_claim_on as at from pgboss.queue where name = $1', [queue])).rows[0].at?.getTime()

/** A monitor run has certainly ended when the next one begins. */
async function hasBeenMonitored(queue: Queue): Promise<void> {
  for (const _ of ['perhaps a running one', 'a complete one', 'the next one']) {
    const before = await monitoredAt(queue)
    await eventually('a monitor run begins', async () => (await monitoredAt(queue)) !== before, 1_200)
  }
}

test('does not start a long sweep with heartbeats twice, and reports it as overlong', async () => {
  await askForSweep(system, round)
  await eventually('the job has started', async () => begun.includes(round))
  assert.equal(await overlong(), 0)
  await owner.query(`update pgboss.job set started_on = now() - interval '7 hours' where name = $1`, [round])
  assert.equal(await overlong(), 1)
  await hasBeenMonitored(round)
  assert.deepEqual(await statesOf(round), ['active'])
  await askForSweep(system, round)
  assert.deepEqual(await statesOf(round), ['active'], 'not enqueued again while it runs')
  for (const end of ends.splice(0)) end()
  await eventually('the job is completed', async () => (await statesOf(round))[0] === 'completed')
  await askForSweep(system, round)
  await askForSweep(system, round)
  const [, ...next] = await statesOf(round)
  assert.equal(next.length, 1, 'enqueued once')
})

test('retries a task that exceeds its time limit, and logs that the job was taken from it', async () => {
  const { workspaceId } = system
  await inTransaction(system, (tx) => made.context.jobs.enqueue(tx, task, { workspaceId, id: workspaceId }))
  await eventually('the job has started', async () => begun.includes(task))
  await owner.query(`update pgboss.job set started_on = now() - interval '1 hour' where name = $1`, [task])
  await eventually('the job is retried', async () => begun.filter((queue) => queue === task).length === 2, 1_200)
  const warnings = () =>
    logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'job reclaimed from a running task')
  await eventually('a warning is logged', async () => warnings().length > 0)
  assert.deepEqual(
    warnings().map(({ queue, workspace, job }) => ({ queue, workspace, job })),
    [{ queue: task, workspace: workspaceId, job: workspaceId }],
  )
})
