// spec: OP faults
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { after, before, beforeEach, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type MadeContext, makeTestContext } from '../tests/fixtures/context.ts'
import { addMedia } from '../tests/fixtures/requests.ts'
import { addMember, addWorkspace, openTestSession } from '../tests/fixtures/workspaces.ts'
import { buildApp } from './app.ts'
import type { System } from './foundation/actor.ts'

/** Enough to exhaust a server with one thread a connection. */
const connectionsCount = 1_000
/** More than the socket buffers of a connection hold unread, and little enough for memory. */
const kycDocumentBytes = 20_000_000
const deafCount = 100

let made: MadeContext
let app: FastifyInstance
let system: System
let origin: string

before(async () => {
  made = await makeTestContext()
  app = await buildApp(made.context)
  app.server.on('connection', (socket) => socket.once('close', closingOf(socket.remotePort).resolve))
  system = await addWorkspace(made.context, { isDefault: true })
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => {
  await app.close()
  await made.close()
})

/**
 * By client port: resolves when the server closes the connection, which a client that reads nothing does not notice. A busy server
 * may accept it later than the client is connected.
 */
const closings = new Map<number | undefined, PromiseWithResolvers<unknown>>()

function closingOf(port: number | undefined): PromiseWithResolvers<unknown> {
  const closing = closings.get(port) ?? Promise.withResolvers()
  closings.set(port, closing)
  return closing
}

// Ports are used again.
beforeEach(() => closings.clear())

type Slow = { socket: Socket; gone: Promise<void>; answer: () => string }

/** `reads`: whether the client reads the answer. */
async function openSlowly(begin: string, { reads = true } = {}): Promise<Slow> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  let answer = ''
  if (reads)
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1')
    })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(begin)
  // The server may send an error before it disconnects.
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, gone, answer: () => answer }
}

const openMany = (count: number, open: (index: number) => Promise<Slow>) =>
  Promise.all(Array.from({ length: count }, (_, index) => open(index)))

/** An occasional byte keeps a connection active; the server must close it anyway. */
function startDripping(slow: readonly Slow[]): NodeJS.Timeout {
  return setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write('x')
  }, 1_000)
}

async function openMember(): Promise<{ token: string; memberId: string }> {
  const { memberId } = await addMember(system)
  const { token } = await openTestSession(system, { kind: 'member', id: memberId })
  return { token, memberId }
}

/** One call without the database, and one with it. */
async function othersAreAnswered(token: string): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    assert.equal((await fetch(`${origin}/healthz`)).status, 200)
    const terms = await fetch(`${origin}/members/terms`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(terms.status, 200)
  }
}

const is408 = ({ answer }: Slow): boolean => answer() === '' || answer().startsWith('HTTP/1.1 408 ')
const openFiles = (): number => readdirSync('/proc/self/fd').length

it('answers others while a thousand clients never end their headers, and disconnects these', async () => {
  const { token } = await openMember()
  const begin = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: '
  const slow = await openMany(connectionsCount, () => openSlowly(begin))
  const dripping = startDripping(slow)
  try {
    await othersAreAnswered(token)
    await Promise.all(slow.map(({ gone }) => gone))
  } finally {
    clearInterval(dripping)
  }
  assert.ok(slow.every(is408))
  await othersAreAnswered(token)
})

/** The timeouts are minutes, for large KYC documents on slow lines; the test shortens them to seconds. */
function shortenMinutes(): void {
  const { server } = app
  assert.deepEqual([server.requestTimeout, server.timeout], [300_000, 120_000])
  server.requestTimeout = 15_000
  server.timeout = 10_000
}

it('answers others while a thousand never end their bodies and a hundred read nothing, and disconnects all', async () => {
  shortenMinutes()
  const { token, memberId } = await openMember()
  const media = await addMedia(system, { memberId, content: Buffer.alloc(kycDocumentBytes, 'x') })
  const uploading = await Promise.all(Array.from({ length: 10 }, openMember))
  const filesBefore = openFiles()
  const head = 'HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9000\r\n'
  const login = `POST /members/login ${head}content-type: application/json\r\n\r\n{"email":"`
  const uploadOf = (index: number): string =>
    `POST /media/cp-upload-file?purpose=receipt ${head}authorization: Bearer ${uploading[index % 10]?.token}\r\ncontent-type: multipart/form-data; boundary=b\r\n\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF`
  // A session may send four uploads together: each holds a place, a file and part of the byte limit while it lasts.
  const sending = await openMany(connectionsCount, (index) => openSlowly(index < 40 ? uploadOf(index) : login))
  const asking = `GET /cp/private/files/${media}/a.pdf HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`
  const deaf = await openMany(deafCount, () => openSlowly(asking, { reads: false }))
  const dripping = startDripping(sending)
  try {
    await othersAreAnswered(token)
    const cut = deaf.map(async ({ gone, socket }) => {
      await closingOf(socket.localPort).promise
      socket.resume()
      await gone
    })
    await Promise.all([...sending.map(({ gone }) => gone), ...cut])
  } finally {
    clearInterval(dripping)
  }
  assert.ok(sending.every(is408))
  const received = deaf.map(({ socket }) => socket.bytesRead)
  assert.deepEqual(
    received.filter((bytes) => bytes >= kycDocumentBytes),
    [],
  )
  await othersAreAnswered(token)
  assert.ok(openFiles() < filesBefore + 50, 'no file stays open')
})
