// spec: OP operation
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../tests/doubles/child-server.ts'
import { openMachine } from '../../../tests/doubles/silent-machine.ts'
import { makeLog } from '../../observability/log.ts'
import { openReplica } from './replica.ts'

function openPrimary(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => undefined) // As in `openDatabase`: an answer later than its query's limit ends the connection.
  return pool
}

const place = { position: '0/2', system: '7000000000000000001', timeline: '00000002' }

test('stops using a replica whose machine disappears, without blocking any reader', async () => {
  const [machine, database] = [await openMachine(place), await openMachine(place)]
  const primary = openPrimary(database.url)
  const replica = openReplica(machine.url, primary, makeLog('silent'))
  try {
    await eventually('the replica is used', async () => replica.isUsable())
    const [one, other] = [await replica.pool.connect(), await replica.pool.connect()]
    other.release()
    machine.losePower()
    const asked = assert.rejects(one.query('select from anything'))
    await eventually('the replica is no longer used', async () => !replica.isUsable(), 140)
    await asked
    one.release(true)
  } finally {
    machine.close()
    await replica.close()
    await primary.end()
    database.close()
  }
})

test('never reads a replica of another database or timeline, even at the same position', async () => {
  const lines: string[] = []
  const log = makeLog('warn', { write: (line) => void lines.push(line) })
  const database = await openMachine(place)
  const primary = openPrimary(database.url)
  const machines = [place, { ...place, system: '7000000000000000002' }, { ...place, timeline: '00000001' }]
  const copies = await Promise.all([...machines, { ...place, position: '0/3' }].map(openMachine))
  const [ours, ...others] = copies.map(({ url }) => openReplica(url, primary, log))
  try {
    await eventually('our replica is used', async () => ours?.isUsable() === true)
    await eventually('the other replicas were checked', async () => lines.length === others.length)
    assert.deepEqual(
      others.map((copy) => [copy.isUsable(), copy.lagMs()]),
      others.map(() => [false, Number.POSITIVE_INFINITY]),
    )
    for (const line of lines) assert.match(line, /of another database, or of this one before a restore/)
  } finally {
    for (const copy of [ours, ...others]) await copy?.close()
    await primary.end()
    for (const machine of [database, ...copies]) machine.close()
  }
})
