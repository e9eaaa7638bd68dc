import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import type { System } from './actor.ts'
import { inTransaction, reading } from './database/database.ts'
import { countTries, type Limit, takeTry } from './rate-limit.ts'

const limit: Limit = { name: 'storm', triesMax: 1_000, windowSeconds: 60 }
let made: MadeContext
let system: System
let owner: pg.Client
let watcher: pg.Client

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { isDefault: true })
  ;[owner, watcher] = await Promise.all([made.openOwner(), made.openOwner()])
})
after(() => made.close())

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

test('a window of a day has 24 hours, whatever the time zone of the session is', async () => {
  const daily: Limit = { name: 'daily', triesMax: 1, windowSeconds: 86_400 }
  const tryIn = (zone: string) =>
    inTransaction(system, async (tx) => {
      await sql`select set_config('timezone', ${zone}, true)`.execute(tx)
      await countTries(tx, system, [[daily, zone]])
    })
  for (const [zone, day] of [
    ['Europe/Berlin', '2026-03-28T12:00:00Z'], // The next day has 23 hours there.
    ['America/New_York', '2026-10-31T12:00:00Z'], // The next day has 25 hours there.
  ] as const) {
    made.context.clock.set(new Date(day))
    await tryIn(zone)
    made.context.clock.advance(86_399_000)
    await assert.rejects(tryIn(zone), { code: 'too_many_requests' })
    made.context.clock.advance(2_000)
    await tryIn(zone)
  }
})
