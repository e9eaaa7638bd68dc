// spec: OP faults
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openMuteProxy } from '../../../tests/doubles/mute-proxy.ts'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { addWorkspace } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../actor.ts'
import { inTransaction, reading } from './database.ts'
import { type Database, openDatabase } from './pool.ts'

/** Far more than a working database needs to answer, however busy the machine is. */
const silenceMaxMs = 2_000

describe('a database whose machine disappears', () => {
  let made: MadeContext
  let way: Awaited<ReturnType<typeof openMuteProxy>>
  let database: Database
  let system: System
  /** Otherwise a query without a limit of its own would hold the test for ever. */
  let cutting: NodeJS.Timeout
  before(async () => {
    made = await makeTestContext()
    way = await openMuteProxy(made.programUrl)
    cutting = setTimeout(way.close, 30 * silenceMaxMs)
    database = openDatabase(way.url, { silenceMaxMs })
    system = { ...(await addWorkspace(made.context, { subdomain: 'harbour' })), context: { ...made.context, database } }
  })
  after(async () => {
    clearTimeout(cutting)
    await database.close()
    way.close()
    await made.close()
  })

  test('fails a unit of work in time, before a statement and before the commit', async () => {
    for (const unit of [inTransaction, reading]) {
      await assert.rejects(
        unit(system, async (tx) => {
          await sql`select 1`.execute(tx)
          way.mute(true)
          await sql`select 2`.execute(tx)
        }),
        { code: 'ETIMEDOUT' },
      )
      way.mute(false)
      await unit(system, (tx) => sql`select 3`.execute(tx))
    }
    const ending = inTransaction(system, async (tx) => {
      await sql`select 4`.execute(tx)
      way.mute(true)
    })
    await assert.rejects(ending, { code: 'ETIMEDOUT' })
    way.mute(false)
  })

  test('an idle connection stays open', async () => {
    await reading(system, (tx) => sql`select 1`.execute(tx))
    const pid = async () => (await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
    const before = await pid()
    await database.pool.query(`select pg_sleep(${(silenceMaxMs * 2) / 1_000})`)
    assert.equal(await pid(), before)
  })
})
