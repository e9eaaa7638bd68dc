import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Faults, Waiting } from '../metatrader/faults.ts'
import { listen, readText } from '../metatrader/http-server.ts'
import { misbehave } from '../metatrader/misbehaviour.ts'
import { perform } from './commands.ts'
import type { Sessions } from './sessions.ts'
import { type Body, type Parameters, Refusal, type Reply, readBody, readQuery, writeReply } from './wire.ts'
import type { World } from './world.ts'

/** A call without its parameters, which may hold secrets. */
export type CallNote = { path: string; query: string; connection: number; at: number; forbidden: boolean }

export type Outside = { world: World; sessions: Sessions; faults: Faults; waiting: Waiting; calls: CallNote[] }
type Call = { path: string; parameters: Parameters; body: Body; cookies: string | undefined }

const CALLS_KEPT = 10_000

export async function openServer(outside: Outside, port: number): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    serve(outside, request, response).catch(() => response.destroy())
  })
  // The platform's sessions have their own idle timeout; Node would close connections after five seconds.
  server.keepAliveTimeout = 0
  server.requestTimeout = 0
  return { server, port: await listen(server, port) }
}

async function serve(outside: Outside, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await readText(request)
  const [path = '', query = ''] = splitOnce(request.url ?? '', '?')
  const { world, sessions, calls } = outside
  const note = {
    path,
    query,
    connection: sessions.connectionOf(request.socket),
    at: world.clock.now(),
    forbidden: false,
  }
  calls.push(note)
  if (calls.length > CALLS_KEPT) calls.shift()
  const forbid = () => {
    note.forbidden = true
    response.writeHead(403, { 'content-type': 'text/plain' }).end('403 Forbidden')
  }
  const send = (reply: Reply) => sendText(response, writeReply(reply, world.switches))
  let call: Call
  try {
    call = { path, parameters: readQuery(query), body: readBody(text), cookies: request.headers.cookie }
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof SyntaxError || error instanceof URIError)) throw error
    return send({ code: 3 })
  }
  if (path === '/api/auth/start' || path === '/api/auth/answer') {
    signIn(outside, { request, response, call, forbid })
    return
  }
  const manager = sessions.admit(request.socket, call.cookies)
  if (manager === undefined) forbid()
  else if (path === '/api/quit') leave(outside, request, response)
  else actOut(outside, { request, response, forbid, call, manager, send })
}

function splitOnce(text: string, mark: string): [string, string] {
  const place = text.indexOf(mark)
  return place === -1 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)]
}

function sendText(response: ServerResponse, text: string, status = 200): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(text)
}

type SigningIn = { request: IncomingMessage; response: ServerResponse; call: Call; forbid: () => void }

function signIn(outside: Outside, { request, response, call, forbid }: SigningIn): void {
  const { sessions, faults, waiting, world } = outside
  const fault = faults.take(call.path)
  const step = call.path === '/api/auth/start' ? sessions.start : sessions.answer
  const answer = () => {
    const reply = step(request.socket, call.parameters)
    if (reply === 'forbidden') {
      forbid()
      return
    }
    if (world.switches.cookie)
      response.setHeader('set-cookie', `${sessions.cookieOf(request.socket)}; Path=/; HttpOnly`)
    sendText(response, writeReply(reply, world.switches))
  }
  if (fault === undefined) answer()
  else if (fault.kind === 'delay' || fault.kind === 'late-answer') waiting.after(fault.ms ?? 0, answer)
  else if (fault.kind === 'answer-code') sendText(response, writeReply({ code: fault.code ?? 2 }, world.switches))
  else if (fault.kind === 'close-session') forbid()
  else request.socket.destroy()
}

function leave(outside: Outside, request: IncomingMessage, response: ServerResponse): void {
  outside.sessions.end(request.socket)
  response.setHeader('connection', 'close')
  sendText(response, writeReply({ code: 0 }, outside.world.switches))
}

type Acting = {
  request: IncomingMessage
  response: ServerResponse
  call: Call
  manager: number
  forbid: () => void
  send: (reply: Reply) => void
}

function actOut(outside: Outside, { call, manager, send, request, response, forbid }: Acting): void {
  const { faults, sessions, waiting, world } = outside
  const run = (comment?: string) => {
    const parameters = comment === undefined ? call.parameters : new Map([...call.parameters, ['comment', comment]])
    return perform(world, call.path, { parameters, body: call.body, manager })
  }
  const rule = faults.take(call.path)
  if (rule === undefined) {
    send(run())
    return
  }
  const loseSession = () => {
    sessions.end(request.socket)
    response.setHeader('connection', 'close')
    forbid()
  }
  const sendCode = (code: number) => send({ code })
  misbehave(rule, { request, response, waiting, run, send, sendCode, loseSession, garbage: '{"retcode":"0 Do' })
}
