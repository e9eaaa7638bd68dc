import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type MadeGround, makeGround } from '../../tests/fixtures/ground.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import type { System } from './actor.ts'
import { type Database, openDatabase, reading, type Tx } from './database.ts'
import { keepStatement } from './kept-statement.ts'

type Values = { first: string; second: string }

const joined = keepStatement<Values, { joined: string }>('joined_for_a_test', (tx, { first, second }) =>
  tx.selectNoFrom(sql<string>`concat(${second}::text, ' after ', ${first}::text)`.as('joined')),
)

describe('a statement that is kept', () => {
  let made: MadeGround
  let database: Database
  let system: System
  before(async () => {
    made = await makeGround()
    system = await addWorkspace(made.ground)
  })
  after(() => made.close())

  const open = (isPooled: boolean) => {
    // One connection, so that what it keeps can be looked at; ours past any pool that the tests are run through.
    database = openDatabase(isPooled ? made.programUrl : made.ownerUrl, { connectionsMax: 1, isPooled })
    system = { ...system, ground: { ...made.ground, database } }
  }
  const ask = (values: Values) => reading(system, async (tx) => (await joined(tx, values)).rows[0]?.joined)
  const keptNames = () =>
    reading(system, async (tx: Tx) => {
      const { rows } = await sql<{ name: string; times: number }>`
        select name, (generic_plans + custom_plans)::int as times from pg_prepared_statements`.execute(tx)
      return rows.map(({ name, times }) => `${name} ${times}`)
    })

  describe('where a connection is ours from begin to end', () => {
    beforeEach(() => open(false))
    afterEach(() => database.close())

    test('is read once, and asked with the values of each time', async () => {
      assert.deepEqual(await Promise.all([ask({ first: 'a', second: 'b' }), ask({ first: 'c', second: 'd' })]), [
        'b after a',
        'd after c',
      ])
      assert.equal(await ask({ first: 'e', second: 'f' }), 'f after e')
      assert.deepEqual(await keptNames(), ['joined_for_a_test 3'])
    })

    test('that the session has lost fails one unit of work, and is no longer kept from then on', async () => {
      assert.equal(await ask({ first: 'a', second: 'b' }), 'b after a')
      await reading(system, (tx) => sql`deallocate all`.execute(tx))
      await assert.rejects(ask({ first: 'a', second: 'b' }), { code: '26000' })
      assert.equal(await ask({ first: 'a', second: 'b' }), 'b after a')
      assert.deepEqual(await keptNames(), [])
    })
  })

  describe('where a pool stands between', () => {
    beforeEach(() => open(true))
    afterEach(() => database.close())

    test('is asked like any other', async () => {
      assert.equal(await ask({ first: 'a', second: 'b' }), 'b after a')
      assert.deepEqual(await keptNames(), [])
    })
  })
})
