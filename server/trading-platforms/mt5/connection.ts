import { Agent, type ClientRequest, request as sendRequest } from 'node:http'
import { connect as connectPlain, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type HttpAnswer, readAnswer, TransportFailure, tlsOptions } from '../transport.ts'
import type { Mt5Settings } from './settings.ts'

export type HttpCall = {
  method: 'GET' | 'POST'
  /** Path and query, encoded. */
  target: string
  body: string | undefined
  cookies: string | undefined
  signal: AbortSignal
}
export type Connection = {
  usable(): boolean
  exchange(call: HttpCall): Promise<HttpAnswer>
  destroy(): void
}

/**
 * The platform binds the sign-in to the socket, so each connection has exactly one. `fetch` and the usual agents open a
 * second one for parallel calls or after idle time, and get a 403 there.
 */
class OneSocketAgent extends Agent {
  readonly #socket: Socket
  #taken = false

  constructor(socket: Socket) {
    super({ keepAlive: true, maxSockets: 1 })
    this.#socket = socket
  }

  override createConnection(_options: object, callback?: (error: Error | null, socket: Socket) => void): Socket | null {
    if (!this.#taken) {
      this.#taken = true
      return this.#socket
    }
    callback?.(new TransportFailure('lost', false), this.#socket)
    return null
  }

  /** Ignores keep-alive hints: the platform's limit is 180 s, and pings keep the socket open. */
  override keepSocketAlive(socket: Socket): boolean {
    socket.unref()
    return true
  }
}

export async function openConnection(
  settings: Mt5Settings,
  signal: AbortSignal,
  lookup?: LookupFunction,
): Promise<Connection> {
  const url = new URL(settings.baseUrl)
  const socket = await openSocket(settings, { url, lookup }, signal)
  const agent = new OneSocketAgent(socket)
  // Without a listener a reset between two calls would crash the process; `usable` reports it.
  socket.on('error', () => socket.destroy())
  return {
    usable: () => !socket.destroyed && socket.writable && !socket.readableEnded,
    destroy: () => {
      agent.destroy()
      socket.destroy()
    },
    exchange: (call) => exchange(call, { url, socket, agent, userAgent: settings.agent }),
  }
}

type Goal = { url: URL; lookup: LookupFunction | undefined }

function openSocket(settings: Mt5Settings, { url, lookup }: Goal, signal: AbortSignal): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'https:'
  const port = Number(url.port === '' ? (secure ? 443 : 80) : url.port)
  const goal = { host, port, ...(lookup && { lookup }) }
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new TransportFailure('aborted', false))
      return
    }
    const socket = secure
      ? connectTls({ ...goal, ...tlsOptions(settings, host) })
      : connectPlain({ ...goal, noDelay: true })
    const fail = (kind: TransportFailure['kind']) => {
      socket.destroy()
      reject(new TransportFailure(kind, false))
    }
    const abort = () => fail('aborted')
    signal.addEventListener('abort', abort, { once: true })
    const refused = () => fail('unreachable')
    socket.once('error', refused)
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', abort)
      socket.off('error', refused)
      resolve(socket)
    })
  })
}

type OpenConnection = { url: URL; socket: Socket; agent: Agent; userAgent: string }

function exchange(call: HttpCall, { url, socket, agent, userAgent }: OpenConnection): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const before = socket.bytesWritten
    const request: ClientRequest = sendRequest({
      agent,
      method: call.method,
      path: call.target,
      headers: {
        host: url.host,
        connection: 'keep-alive',
        accept: '*/*',
        'user-agent': userAgent,
        // The documented content type, even for a JSON body.
        'content-type': 'application/x-www-form-urlencoded',
        ...(call.cookies === undefined ? {} : { cookie: call.cookies }),
        ...(call.method === 'POST' ? { 'content-length': Buffer.byteLength(call.body ?? '') } : {}),
      },
    })
    const settle = () => call.signal.removeEventListener('abort', abort)
    const fail = (kind: 'lost' | 'aborted') => {
      settle()
      const sent = socket.bytesWritten > before
      // A late answer must never be taken for the next one.
      request.destroy()
      socket.destroy()
      reject(new TransportFailure(kind, sent))
    }
    const abort = () => fail('aborted')
    call.signal.addEventListener('abort', abort, { once: true })
    // Several errors may follow, and one without a listener would crash the process.
    request.on('error', () => fail('lost'))
    request.once('response', (response) => {
      readAnswer(response).then(
        (answer) => {
          settle()
          resolve(answer)
        },
        () => fail('lost'),
      )
    })
    if (call.signal.aborted) abort()
    else request.end(call.body)
  })
}
