import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import type pg from 'pg'
import { eventually } from '../testing/child-server.ts'
import { makeLog } from './log.ts'
import { openReplica } from './replica.ts'

/** As a machine that lost its power is seen from here: its connections stay as they are, and nothing is ever answered. */
test('a copy whose machine is gone without a word is left in peace at once, and holds nobody', async () => {
  const machine = await openMachine()
  const primary = { query: async () => ({ rows: [{ position: '0/1' }] }) } as unknown as pg.Pool
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
  }
})

/** What PostgreSQL says to somebody who comes and asks for one text. */
async function openMachine() {
  let isAlive = true
  const server = createServer((socket) => {
    let hasBegun = false
    socket.on('error', () => undefined)
    socket.on('data', (asked) => {
      if (!isAlive) return
      if (!hasBegun) socket.write(Buffer.concat([message('R', int32(0)), ready]))
      else if (asked.includes('select')) socket.write(Buffer.concat([...oneRow('0/1'), ready]))
      hasBegun = true
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets = new Set<{ destroy(): unknown }>()
  server.on('connection', (socket) => sockets.add(socket))
  return {
    url: `postgres://reader@127.0.0.1:${port}/atrium`,
    losePower() {
      isAlive = false
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const int16 = (number: number): Buffer => Buffer.from([number >> 8, number & 255])
const int32 = (number: number): Buffer => Buffer.concat([int16(number >>> 16), int16(number & 65_535)])
const ended = (text: string): Buffer => Buffer.from(`${text}\0`)

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

const ready = message('Z', Buffer.from('I'))

function oneRow(text: string): Buffer[] {
  const column = [ended('position'), int32(0), int16(0), int32(25), int16(65_535), int32(0xffff_ffff), int16(0)]
  const value = [int32(text.length), Buffer.from(text)]
  return [message('T', int16(1), ...column), message('D', int16(1), ...value), message('C', ended('SELECT 1'))]
}
