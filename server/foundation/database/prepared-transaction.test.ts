import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { openSingleConnection } from '../../../tests/fixtures/database/single-connection.ts'
import { addWorkspace } from '../../../tests/fixtures/workspaces.ts'
import { makeLog } from '../../observability/log.ts'
import type { System } from '../actor.ts'
import { refuse } from '../errors.ts'
import { inPreparedTransaction, type Tx } from './database.ts'
import type { Database } from './pool.ts'

describe('a transaction with prepared statements', () => {
  let made: MadeContext
  let database: Database
  let system: System
  let runs: number
  const lines: string[] = []
  const log = makeLog('warn', { write: (line) => void lines.push(line) })
  before(async () => {
    made = await makeTestContext()
    system = await addWorkspace(made.context)
  })
  after(() => made.close())

  const open = (isPooled: boolean) => {
    database = openSingleConnection(made, isPooled)
    system = { ...system, context: { ...made.context, database, log } }
  }
  beforeEach(async () => {
    open(false)
    runs = 0
    lines.length = 0
    await database.pool.query('create table noted (number int)')
  })
  afterEach(async () => {
    await database.pool.query('drop table noted')
    await database.close()
  })

  /** Two statements of one text, in flight together, and a third that depends on them. */
  const note = (number: number) =>
    inPreparedTransaction(system, async (tx) => {
      runs += 1
      const insert = () => sql`insert into noted values (${number})`.execute(tx)
      await Promise.all([insert(), insert()])
      return numbers(tx)
    })
  const numbers = async (tx: Tx) =>
    (await sql<{ number: unknown }>`select * from noted order by 1`.execute(tx)).rows.map(({ number }) => number)
  const prepared = async () =>
    (await database.pool.query(`select from pg_prepared_statements where name like 'unit%'`)).rowCount

  test('parses each text once per connection', async () => {
    assert.deepEqual(await note(1), [1, 1])
    assert.deepEqual(await note(2), [1, 1, 2, 2])
    assert.equal(await prepared(), 2)
  })

  test('runs once more when its session lost them, and they are no longer prepared afterwards', async () => {
    await note(1)
    await database.pool.query('deallocate all')
    assert.deepEqual(await note(2), [1, 1, 2, 2])
    assert.equal(runs, 3)
    assert.deepEqual(await note(3), [1, 1, 2, 2, 3, 3])
    assert.deepEqual([runs, await prepared()], [4, 0])
    assert.match(lines.join(''), /^[^\n]*lost a prepared statement[^\n]*\n$/)
  })

  test('runs once more, on another connection, when a table has changed since', async () => {
    await note(1)
    await database.pool.query('alter table noted alter number type text')
    assert.deepEqual(await note(2), ['1', '1', '2', '2'])
    assert.equal(runs, 3)
    assert.deepEqual(await note(3), ['1', '1', '2', '2', '3', '3'])
    assert.deepEqual([runs, await prepared()], [4, 2])
    assert.deepEqual(lines, [])
  })

  test('does not run again after a refusal or another error', async () => {
    const failing = (fail: (tx: Tx) => Promise<unknown>) =>
      inPreparedTransaction(system, async (tx) => {
        runs += 1
        await sql`insert into noted values (1)`.execute(tx)
        await fail(tx)
      })
    await assert.rejects(
      failing(async () => refuse('conflict', 'No.')),
      { code: 'conflict' },
    )
    await assert.rejects(
      failing((tx) => sql`insert into noted values (1 / ${0}::int)`.execute(tx)),
      { code: '22012' },
    )
    assert.equal(runs, 2)
    assert.deepEqual(await note(2), [2, 2])
  })

  test('prepares nothing behind a pooler of transactions', async () => {
    const owner = database
    open(true)
    await owner.pool.query('grant all on noted to public')
    await note(1)
    const { rowCount } = await database.pool.query('select from pg_prepared_statements')
    await database.close()
    database = owner
    assert.equal(rowCount, 0)
  })
})
