import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type MadeGround, makeGround } from './testing/ground.ts'
import { addWorkspace } from './testing/harbour.ts'

/** As many as hold every place of a server that keeps a thread for each. */
const connectionsCount = 1_000

let made: MadeGround
let app: FastifyInstance
let origin: string

before(async () => {
  made = await makeGround()
  app = await buildApp(made.ground)
  await addWorkspace(made.ground, { isDefault: true })
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => {
  await app.close()
  await made.close()
})

async function openSlowly(port: number): Promise<{ socket: Socket; answer: () => string }> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1')
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: ')
  return { socket, answer: () => answer }
}

it('answers others while a thousand never end their headers, and lets go of these by itself', async () => {
  const { port } = new URL(origin)
  const slow = await Promise.all(Array.from({ length: connectionsCount }, () => openSlowly(Number(port))))
  const gone = slow.map(({ socket }) => once(socket, 'close'))
  // A mark now and then keeps a connection busy, and is no reason to keep it.
  const dripping = setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write('x')
  }, 1_000)
  try {
    for (let turn = 0; turn < 20; turn += 1) assert.equal((await fetch(`${origin}/healthz`)).status, 200)
    await Promise.all(gone)
  } finally {
    clearInterval(dripping)
  }
  assert.ok(slow.every(({ answer }) => answer() === '' || answer().startsWith('HTTP/1.1 408 ')))
  assert.equal((await fetch(`${origin}/healthz`)).status, 200)
})
