// spec: OP operation
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { eventually } from '../../tests/doubles/child-server.ts'
import { startServerOn } from '../../tests/doubles/killed-server.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { openMetrics } from '../metrics/metrics.ts'
import { makeLog } from '../observability/log.ts'
import { openJobs } from './jobs.ts'
import { queueTablesVersion } from './queue-tables.ts'

let made: MadeContext
let system: System
let owner: pg.Client
before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context)
  owner = await made.openOwner()
})
after(() => made.close())

const bringTo = (version: number) => owner.query('update pgboss.version set version = $1', [version])

test('works on tables of a later version, and logs that', async () => {
  await bringTo(queueTablesVersion + 1)
  const lines: string[] = []
  const log = makeLog('warn', { write: (line) => void lines.push(line) })
  const jobs = await openJobs(made.programUrl, { log, metrics: openMetrics() })
  try {
    const logged = lines.map((line) => JSON.parse(line)).map(({ msg, found, known }) => ({ msg, found, known }))
    const msg = 'the tables of the job queue are from a later version'
    assert.deepEqual(logged, [{ msg, found: queueTablesVersion + 1, known: queueTablesVersion }])
    const done: string[] = []
    await jobs.start({ 'forms.sweep-drafts': async ({ id }) => void done.push(id) })
    const id = newId()
    await inTransaction(system, (tx) => jobs.enqueue(tx, 'forms.sweep-drafts', { workspaceId: system.workspaceId, id }))
    await eventually('the job is done', async () => done.includes(id))
  } finally {
    await jobs.stop()
  }
  const server = await startServerOn(made)
  await server.stop()
  const { rows } = await owner.query<{ version: number }>('select version from pgboss.version')
  assert.equal(Number(rows[0]?.version), queueTablesVersion + 1, 'the tables are unchanged')
})

test('refuses to start on tables of an earlier version, which were not migrated', async () => {
  await bringTo(queueTablesVersion - 1)
  await assert.rejects(
    openJobs(made.programUrl, { log: made.context.log, metrics: openMetrics() }),
    /requires migrations/,
  )
})
