import { Agent, type ClientRequest, request as sendPlain } from 'node:http'
import { Agent as SecureAgent, request as sendSecure } from 'node:https'
import type { Timer } from '../../foundation/timer.ts'
import type { Dependencies } from '../dependencies.ts'
import { type HttpAnswer, readAnswer, TransportFailure, tlsOptions } from '../transport.ts'
import type { Mt4Settings } from './settings.ts'

export type HttpCall = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Path and query, encoded. */
  target: string
  body: string | undefined
  key: string | undefined
  /**
   * Uses its own connection. On a shared one, a reset may come before or after the bridge acted, so changing calls use
   * a new one: until it is open, they provably were not sent.
   */
  fresh: boolean
  signal: AbortSignal
}

export type HttpConnection = { exchange(call: HttpCall): Promise<HttpAnswer>; close(): void }

export function openHttpConnection(
  settings: Mt4Settings,
  { time, lookup }: Pick<Dependencies, 'time' | 'lookup'>,
): HttpConnection {
  const url = new URL(settings.baseUrl)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'https:'
  const agentOptions = { keepAlive: true, maxSockets: settings.callsAtOnce }
  const agent = isSecure ? new SecureAgent(agentOptions) : new Agent(agentOptions)
  const shared = {
    host,
    port: Number(url.port === '' ? (isSecure ? 443 : 80) : url.port),
    ...(lookup && { lookup }),
    ...(isSecure ? tlsOptions(settings, host) : {}),
  }
  const send = (call: HttpCall): ClientRequest => {
    const { method, target: path, fresh } = call
    const options = { ...shared, agent: fresh ? (false as const) : agent, method, path, headers: headersOf(call) }
    return isSecure ? sendSecure(options) : sendPlain(options)
  }
  const headersOf = ({ body, key, fresh }: HttpCall) => ({
    host: url.host,
    connection: fresh ? 'close' : 'keep-alive',
    accept: 'application/json',
    'user-agent': 'Atrium',
    authorization: `Bearer ${settings.token}`,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  })
  const ready = isSecure ? 'secureConnect' : 'connect'
  const { connectMs } = settings.deadlines
  return {
    exchange: (call) => exchange(call, { send, ready, connectMs, time }),
    close: () => agent.destroy(),
  }
}

type Way = { send(call: HttpCall): ClientRequest; ready: string; connectMs: number; time: Timer }

function exchange(call: HttpCall, { send, ready, connectMs, time }: Way): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    if (call.signal.aborted) {
      reject(new TransportFailure('aborted', false))
      return
    }
    const request = send(call)
    let isSent = false
    const settle = () => {
      cancelConnecting()
      call.signal.removeEventListener('abort', abort)
    }
    const fail = (kind: TransportFailure['kind']) => {
      settle()
      request.destroy()
      reject(new TransportFailure(kind, isSent))
    }
    const abort = () => fail('aborted')
    const cancelConnecting = time.after(connectMs, () => {
      if (!isSent) fail('unreachable')
    })
    call.signal.addEventListener('abort', abort, { once: true })
    // From here on the bridge may have received the call: an open connection transmits it immediately.
    const sent = () => {
      isSent = true
      cancelConnecting()
    }
    request.once('socket', (socket) => {
      if (request.reusedSocket) sent()
      else socket.once(ready, sent)
    })
    // Several errors may follow, and one without a listener would crash the process.
    request.on('error', () => fail(isSent ? 'lost' : 'unreachable'))
    request.once('response', (response) => {
      readAnswer(response).then(
        (answer) => {
          settle()
          resolve(answer)
        },
        () => fail('lost'),
      )
    })
    request.end(call.body)
  })
}
