import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { eventually } from '../testing/child-server.ts'
import { openMachine } from '../testing/silent-machine.ts'
import { makeLog } from './log.ts'
import { openReplica } from './replica.ts'

test('a copy whose machine is gone without a word is left in peace at once, and holds nobody', async () => {
  const [machine, database] = [await openMachine('0/1'), await openMachine('0/1')]
  const primary = new pg.Pool({ connectionString: database.url })
  const replica = openReplica(machine.url, primary, makeLog('silent'))
  try {
    await eventually('it is followed', async () => replica.isUsable())
    const [one, other] = [await replica.pool.connect(), await replica.pool.connect()]
    other.release()
    machine.losePower()
    const asked = assert.rejects(one.query('select from anything'))
    await eventually('it is left in peace', async () => !replica.isUsable(), 140)
    await asked
    one.release(true)
  } finally {
    machine.close()
    await replica.close()
    await primary.end()
    database.close()
  }
})
