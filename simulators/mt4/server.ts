import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Faults, Waiting } from '../metatrader/faults.ts'
import { listen, readText } from '../metatrader/http-server.ts'
import { misbehave } from '../metatrader/misbehaviour.ts'
import { type Asked, perform, routeOf } from './bridge.ts'
import { errorReply, Refusal, type Reply, refusalOfCode } from './refusal.ts'
import type { World } from './world.ts'

/** A call without its contents, which may hold secrets. */
export type CallNote = { call: string; connection: number; at: number; status: number | null }

/** A complete exchange, for a test in the same process that validates it against the document. */
export type Exchange = { asked: Asked; headers: IncomingMessage['headers']; reply: Reply }

export type Outside = {
  world: World
  token: string
  faults: Faults
  waiting: Waiting
  calls: CallNote[]
  connections: Map<Socket, number>
  watch?: ((exchange: Exchange) => void) | undefined
}

const CALLS_KEPT = 10_000

export async function openServer(outside: Outside, port: number): Promise<{ server: Server; port: number }> {
  let counted = 0
  const server = createServer((request, response) => {
    serve(outside, request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 0
  server.on('connection', (socket) => {
    counted += 1
    outside.connections.set(socket, counted)
    socket.once('close', () => outside.connections.delete(socket))
  })
  return { server, port: await listen(server, port) }
}

async function serve(outside: Outside, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { world, faults, waiting, calls } = outside
  const text = await readText(request)
  const url = new URL(request.url ?? '/', 'http://bridge')
  const key = request.headers['idempotency-key']?.toString()
  const asked = { method: request.method ?? 'GET', path: url.pathname, query: url.searchParams, text, key }
  const { name } = routeOf(asked)
  const connection = outside.connections.get(request.socket) ?? 0
  const note: CallNote = { call: name, connection, at: world.clock.now(), status: null }
  calls.push(note)
  if (calls.length > CALLS_KEPT) calls.shift()
  const send = (reply: Reply) => {
    note.status = reply.status
    outside.watch?.({ asked, headers: request.headers, reply })
    sendReply(response, reply)
  }
  const refuse = (refusal: Refusal) => send(errorReply(refusal, world.switches.retryAfterSeconds))
  if (!isToken(outside.token, request.headers.authorization)) return refuse(new Refusal('unauthorized'))
  const run = (comment?: string) => perform(world, asked, comment)
  const rule = faults.take(name)
  if (rule === undefined) return send(run())
  const loseSession = () => refuse(new Refusal('not_connected'))
  const sendCode = (code: number) => refuse(refusalOfCode(code))
  misbehave(rule, { request, response, waiting, run, send, sendCode, loseSession, garbage: '{"order":"41000' })
}

function isToken(token: string, header: string | undefined): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(`Bearer ${token}`), digest(header ?? ''))
}

function sendReply(response: ServerResponse, { status, body, headers }: Reply): void {
  if (response.destroyed) return
  response.writeHead(status, { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}
