import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import type { System } from './actor.ts'
import { reading } from './database/database.ts'
import { type Limit, takeTry } from './rate-limit.ts'

const limit: Limit = { name: 'storm', triesMax: 1_000, windowSeconds: 60 }
let made: MadeContext
let system: System
let owner: pg.Client
let watcher: pg.Client

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { isDefault: true })
  owner = new pg.Client({ connectionString: made.ownerUrl })
  watcher = new pg.Client({ connectionString: made.ownerUrl })
  await Promise.all([owner.connect(), watcher.connect()])
})
after(async () => {
  await Promise.all([owner.end(), watcher.end()])
  await made.close()
})

test('many concurrent tries of one network leave connections for readers', async () => {
  await takeTry(system, limit, 'one network')
  await owner.query('begin')
  await owner.query('select from rate_limits for update')
  const storm = Promise.all(Array.from({ length: 60 }, () => takeTry(system, limit, 'one network')))
  await untilWaiting(watcher, 2) // The concurrency limit of the counter.
  const name = await reading(system, async (tx) => {
    const { name } = await tx
      .selectFrom('workspaces')
      .select('name')
      .where('workspace_id', '=', system.workspaceId)
      .executeTakeFirstOrThrow()
    return name
  })
  assert.ok(name)
  await owner.query('commit')
  await storm
  const { rows } = await owner.query<{ tries: number }>('select cardinality(tried_at) as tries from rate_limits')
  assert.deepEqual(rows, [{ tries: 61 }])
})
