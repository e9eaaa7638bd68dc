import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { messagesDuring } from '../../../tests/fixtures/database/messages.ts'
import { openSingleConnection } from '../../../tests/fixtures/database/single-connection.ts'
import { addWorkspace } from '../../../tests/fixtures/workspaces.ts'
import { makeLog } from '../../observability/log.ts'
import type { System } from '../actor.ts'
import { refuse } from '../errors.ts'
import { type CommitWith, inPreparedTransaction, type Tx } from './database.ts'
import type { Database } from './pool.ts'
import { prepareStatement } from './prepared-statement.ts'

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

  const noteAll = (work: (tx: Tx, commitWith: CommitWith) => Promise<unknown>) => inPreparedTransaction(system, work)
  const insert = (tx: Tx, number: number) => sql`insert into noted values (${number})`.execute(tx)
  const noted = () => inPreparedTransaction(system, numbers)
  /** The texts of each message, without the scope and without the driver's own. */
  const messagesOf = async (work: () => Promise<unknown>) =>
    (await messagesDuring(work)).map((texts) =>
      texts.map((text) => (text.includes('set_config') ? 'scope' : (text.split(' ')[0] ?? ''))),
    )

  test('sends nearly simultaneous statements as one message, the first with begin and scope', async () => {
    const messages = await messagesOf(() =>
      noteAll(async (tx) => {
        await Promise.all([insert(tx, 1), insert(tx, 2)])
        await insert(tx, 3)
      }),
    )
    assert.deepEqual(messages, [['begin', 'scope', 'insert', 'insert'], ['insert'], ['commit']])
    assert.deepEqual(await noted(), [1, 2, 3])
  })

  test('runs built and remembered statements in the order in which they are asked for', async () => {
    const remembered = prepareStatement('noted_for_a_test', (tx, { number }: { number: number }) => {
      const inserting = sql`insert into noted values (${number}::int)`
      return { compile: () => inserting.compile(tx) }
    })
    const [texts = []] = await messagesDuring(() =>
      noteAll((tx) => Promise.all([insert(tx, 1), remembered(tx, { number: 2 }), insert(tx, 3)])),
    )
    assert.deepEqual(
      texts.slice(2).map((text) => text.includes('::int')),
      [false, true, false],
    )
  })

  test('sends the last statements together with the commit', async () => {
    const messages = await messagesOf(() =>
      noteAll(async (tx, commitWith) => {
        await insert(tx, 1)
        await commitWith(() => Promise.all([insert(tx, 2), insert(tx, 3)]))
      }),
    )
    assert.deepEqual(messages, [
      ['begin', 'scope', 'insert'],
      ['insert', 'insert', 'commit'],
    ])
    const single = await messagesOf(() => noteAll((tx, commitWith) => commitWith(() => insert(tx, 4))))
    assert.deepEqual(single, [['begin', 'scope', 'insert', 'commit']])
    assert.deepEqual(await noted(), [1, 2, 3, 4])
    assert.deepEqual(await messagesOf(() => noteAll(async () => 'nothing')), [])
  })

  test('commits nothing when one of the last statements fails', async () => {
    const failing = noteAll(async (tx, commitWith) => {
      await insert(tx, 1)
      await commitWith(() => Promise.all([insert(tx, 2), sql`insert into noted values (1 / ${0}::int)`.execute(tx)]))
    })
    await assert.rejects(failing, { code: '22012' })
    assert.deepEqual(await noted(), [])
  })

  test('fails when the commit itself fails, or follows a failed statement', async () => {
    await database.pool.query('alter table noted add constraint once unique (number) deferrable initially deferred')
    const twice = (tx: Tx) => Promise.all([insert(tx, 1), insert(tx, 1)])
    await assert.rejects(
      noteAll((tx, commitWith) => commitWith(() => twice(tx))),
      { code: '23505' },
    )
    await assert.rejects(noteAll(twice), { code: '23505' })
    const careless = noteAll((tx) => sql`select 1 / ${0}::int`.execute(tx).catch(() => undefined))
    await assert.rejects(careless, /rolled back/)
    assert.deepEqual(await noted(), [])
  })

  test('refuses statements after the commit', async () => {
    let kept: Tx | undefined
    const late = noteAll(async (tx, commitWith) => {
      kept = tx
      await commitWith(() => insert(tx, 1))
      await insert(tx, 2)
    })
    await assert.rejects(late, /unit of work is over/)
    await assert.rejects(async () => kept && insert(kept, 3), /unit of work is over/)
    assert.deepEqual(await noted(), [1])
  })

  test('counts the rows that a statement changed', async () => {
    await noteAll((tx) => Promise.all([insert(tx, 1), insert(tx, 1)]))
    const changed = await noteAll((tx) => sql`update noted set number = 2`.execute(tx))
    assert.equal((changed as { numAffectedRows?: bigint }).numAffectedRows, 2n)
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
