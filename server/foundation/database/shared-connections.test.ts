// spec: OP faults
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { addWorkspace } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../actor.ts'
import { inTransaction, reading } from './database.ts'
import { type Database, openDatabase, waitingFor } from './pool.ts'

const connections = 2

describe('two workspaces that share the connections of one process', () => {
  let made: MadeContext
  let database: Database
  let noisy: System
  let calm: System
  before(async () => {
    made = await makeTestContext()
    database = openDatabase(made.programUrl, { connectionsMax: connections })
    const context = { ...made.context, database }
    noisy = { ...(await addWorkspace(made.context)), context }
    calm = { ...(await addWorkspace(made.context)), context }
  })
  after(async () => {
    await database.close()
    await made.close()
  })

  test('a hundred units of one delay a unit of the other by at most those already running', async () => {
    const ended: System[] = []
    const ask = (whose: System, unit: typeof reading) =>
      unit(whose, async (tx) => {
        await sql`select pg_sleep(0.005)`.execute(tx)
      }).then(() => ended.push(whose))
    const units = Array.from({ length: 100 }, () => ask(noisy, reading))
    units.push(ask(calm, reading), ask(calm, inTransaction))
    // Reads are sent a moment later, to be batched.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(waitingFor(database.pool), 102 - connections)
    await Promise.all(units)
    const last = ended.lastIndexOf(calm)
    assert.ok(last < 3 * connections + 2, `${last} of the other came first`)
  })
})
