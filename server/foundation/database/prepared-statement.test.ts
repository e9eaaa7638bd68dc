import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { openSingleConnection } from '../../../tests/fixtures/database/single-connection.ts'
import { addWorkspace } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../actor.ts'
import { preparedStatementsMax } from './batch.ts'
import { reading, type Tx } from './database.ts'
import type { Database } from './pool.ts'
import { prepareStatement } from './prepared-statement.ts'

type Values = { first: string; second: string }

const joined = prepareStatement<Values, { joined: string }>('joined_for_a_test', (tx, { first, second }) =>
  tx.selectNoFrom(sql<string>`concat(${second}::text, ' after ', ${first}::text)`.as('joined')),
)

type Chosen = { first?: string | undefined; second?: string | undefined }

const chosen = prepareStatement<Chosen, { said: string }, string>('chosen_for_a_test', (tx, values, variant) => {
  const parts = Object.entries(values).map(([key, value]) => sql`${sql.lit(` ${key} `)}, ${value}::text`)
  return tx.selectNoFrom(sql<string>`concat(${sql.join([sql.lit(variant), ...parts])})`.as('said'))
})

describe('a prepared statement', () => {
  let made: MadeContext
  let database: Database
  let system: System
  before(async () => {
    made = await makeTestContext()
    system = await addWorkspace(made.context)
  })
  after(() => made.close())

  const open = (isPooled: boolean) => {
    database = openSingleConnection(made, isPooled)
    system = { ...system, context: { ...made.context, database } }
  }
  const ask = (values: Values) => reading(system, async (tx) => (await joined(tx, values)).rows[0]?.joined)
  const preparedNames = () =>
    reading(system, async (tx: Tx) => {
      const { rows } = await sql<{ name: string; times: number }>`
        select name, (generic_plans + custom_plans)::int as times from pg_prepared_statements`.execute(tx)
      return rows.map(({ name, times }) => `${name} ${times}`)
    })

  const timesPrepared = async () =>
    (await preparedNames()).filter((name) => name.startsWith('joined_for_a_test')).map((name) => name.split(' ')[1])

  describe('on a direct connection', () => {
    beforeEach(() => open(false))
    afterEach(() => database.close())

    test('is parsed once and run with new values', async () => {
      assert.deepEqual(await Promise.all([ask({ first: 'a', second: 'b' }), ask({ first: 'c', second: 'd' })]), [
        'b after a',
        'd after c',
      ])
      assert.equal(await ask({ first: 'e', second: 'f' }), 'f after e')
      assert.deepEqual(await timesPrepared(), ['3'])
    })

    test('has a text of its own for each set of values and each variant, also right after another', async () => {
      const readChosen = (values: Chosen, variant?: string) =>
        reading(system, async (tx) => (await chosen(tx, values, variant)).rows[0]?.said)
      assert.equal(await readChosen({ first: 'a', second: undefined }), ' first a')
      assert.equal(await readChosen({ first: undefined, second: 'b' }), ' second b')
      assert.equal(await readChosen({ first: 'c', second: 'd' }), ' first c second d')
      assert.equal(await readChosen({ first: 'e' }), ' first e')
      assert.equal(await readChosen({ first: 'f' }, 'other'), 'other first f')
      assert.equal(await readChosen({ first: 'g' }), ' first g')
    })

    test('survives the loss of its session state, and statements are no longer prepared afterwards', async () => {
      assert.equal(await ask({ first: 'a', second: 'b' }), 'b after a')
      await database.pool.query('deallocate all')
      assert.equal(await ask({ first: 'a', second: 'b' }), 'b after a')
      assert.equal(await ask({ first: 'a', second: 'b' }), 'b after a')
      assert.deepEqual(await preparedNames(), [])
    })

    test('is prepared again after a migration changes its table', async () => {
      const owner = await made.openOwner()
      await owner.query('create table growing (word text); insert into growing values (1)')
      const all = prepareStatement('all_of_a_growing_table', (tx, _values: { nothing?: string }) => ({
        compile: () => sql<Record<string, unknown>>`select * from growing`.compile(tx),
      }))
      const readAll = () => reading(system, async (tx) => (await all(tx, {})).rows)
      assert.deepEqual(await readAll(), [{ word: '1' }])
      await owner.query('alter table growing add column more int not null default 2')
      assert.deepEqual(await readAll(), [{ word: '1', more: 2 }])
      await owner.query('drop table growing')
      await assert.rejects(readAll(), { code: '42P01' })
    })

    test('is evicted once a connection holds the maximum', async () => {
      for (let count = 0; count < preparedStatementsMax + 30; count += 1)
        await reading(system, (tx) => sql.raw(`select ${count} as number`).execute(tx))
      const stored = await preparedNames()
      assert.ok(
        stored.length <= preparedStatementsMax && stored.length > preparedStatementsMax - 5,
        `${stored.length} prepared statements`,
      )
      assert.equal(await ask({ first: 'a', second: 'b' }), 'b after a')
    })

    test('works again after another statement of its batch has failed', async () => {
      const both = () =>
        reading(system, (tx) =>
          Promise.allSettled([
            joined(tx, { first: 'a', second: 'b' }),
            sql`select 1 / 0`.execute(tx),
            sql`select 3`.execute(tx),
          ]),
        )
      for (const [first, second, third] of [await both(), await both()]) {
        assert.equal(first?.status, 'fulfilled')
        assert.equal(second?.status, 'rejected')
        assert.equal(third?.status, 'rejected')
      }
      assert.equal(await ask({ first: 'a', second: 'b' }), 'b after a')
    })
  })

  describe('behind a pooler', () => {
    beforeEach(() => open(true))
    afterEach(() => database.close())

    test('runs unprepared', async () => {
      assert.equal(await ask({ first: 'a', second: 'b' }), 'b after a')
      assert.deepEqual(await preparedNames(), [])
    })
  })
})
