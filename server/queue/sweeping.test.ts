import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { eventually } from '../../tests/doubles/child-server.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { allJobs } from '../domains.ts'
import { listWorkspaces } from '../foundation/database/every-workspace.ts'
import { startRounds } from '../foundation/repeating.ts'
import { scheduledRounds } from './jobs.ts'
import { beginRound, startRepeating } from './sweeping.ts'

const logLines: string[] = []
let made: MadeContext
before(async () => {
  made = await makeTestContext({ logLines })
})
after(() => made.close())

test('does not overlap rounds longer than their period, and continues afterwards', async () => {
  let begun = 0
  let end: (() => void) | undefined
  const stop = startRounds(1, () => {
    begun += 1
    return new Promise((resolve) => {
      end = resolve
    })
  })
  try {
    for (let period = 0; period < 20; period++) await setTimeout(2)
    assert.equal(begun, 1)
    end?.()
    await eventually('the next one', async () => begun === 2)
  } finally {
    stop()
    end?.()
  }
})

test('does not overlap sweeps of workspaces', async () => {
  await addWorkspace(made.context, { subdomain: 'slow' })
  let [begun, under, most] = [0, 0, 0]
  const ends: (() => void)[] = []
  const stop = startRepeating(made.context, 1, async () => {
    begun += 1
    under += 1
    most = Math.max(most, under)
    await new Promise<void>((resolve) => ends.push(resolve))
    under -= 1
  })
  try {
    await eventually('one sweep has started', async () => begun === 1)
    for (let turn = 0; turn < 20; turn++) await made.context.database.pool.query('select 1')
    assert.equal(most, 1)
  } finally {
    stop()
    while (under > 0) {
      ends.shift()?.()
      await setTimeout(1)
    }
  }
})

test('logs a failure in one workspace once, and sweeps all others', async () => {
  for (const subdomain of ['north', 'south']) await addWorkspace(made.context, { subdomain })
  const [swept, failed]: [string[], string[]] = [[], []]
  const stop = startRepeating(made.context, 60_000, async ({ workspaceId }) => {
    swept.push(workspaceId)
    if (swept.length > 2) return
    failed.push(workspaceId)
    throw new Error('This brokerage cannot be swept.')
  })
  try {
    await eventually('all workspaces are swept', async () => swept.length === 3)
  } finally {
    stop()
  }
  assert.equal(new Set(swept).size, 3)
  const logged = logLines.filter((line) => line.includes('sweep failed')).map((line) => JSON.parse(line).workspace)
  assert.deepEqual(logged, failed)
})

test('enqueues a due sweep in every workspace, once for any number of starters', async () => {
  const { database } = made.context
  await addWorkspace(made.context, { subdomain: 'east' })
  await Promise.all([1, 2, 3].map(() => beginRound(made.context, 'forms.sweep-drafts')))
  const asked = await database.pool.query(`select group_id from pgboss.job where name = 'forms.sweep-drafts'`)
  const workspaces = (await listWorkspaces(made.context)).map(({ workspaceId }) => workspaceId)
  assert.deepEqual(asked.rows.map((row) => row.group_id).sort(), workspaces.sort())
})

test('has a schedule and a handler for every scheduled sweep', async () => {
  const stored = await made.context.database.pool.query('select name, key, data from pgboss.schedule')
  assert.deepEqual(
    stored.rows.map(({ name, key, data }) => [name, key, data.id]).sort(),
    scheduledRounds.map((queue) => ['rounds.begin', queue, queue]).sort(),
  )
  const handlers = allJobs(made.context)
  for (const queue of ['rounds.begin', ...scheduledRounds] as const) assert.ok(handlers[queue], queue)
})
