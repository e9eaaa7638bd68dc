import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { addWorkspace } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../actor.ts'
import { inTransaction, reading, type Tx } from './database.ts'

let made: MadeContext
let system: System
let owner: pg.Client
before(async () => {
  made = await makeTestContext({ connectionsMax: 2 })
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  owner = await made.openOwner()
})
after(() => made.close())

async function pidOf(tx: Tx): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  return rows[0]?.pid ?? 0
}

/** Terminates a connection as a database restart does, and waits until it is gone. */
async function endConnection(pid: number): Promise<void> {
  await owner.query('select pg_terminate_backend($1, 5000)', [pid])
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('a connection terminated between two statements fails a writing unit and no other', async () => {
  const endBetween = async (tx: Tx): Promise<{ ended: number; next: number }> => {
    const ended = await pidOf(tx)
    await endConnection(ended)
    return { ended, next: await pidOf(tx) }
  }
  await assert.rejects(inTransaction(system, endBetween))
  // Reading holds no connection between statements, and continues on another one.
  const { ended, next } = await reading(system, endBetween)
  assert.notEqual(next, ended)
  // Both slots of the pool work again.
  const [one, other] = await Promise.all([reading(system, pidOf), reading(system, pidOf)])
  assert.ok(one > 0 && other > 0)
})
