import type { z } from 'zod'
import { openBackOff } from '../back-off.ts'
import { GatewayError, type GatewayFailure, type HealthProblem, type Utc } from '../contract.ts'
import type { Dependencies, PlatformLog } from '../dependencies.ts'
import { openQueue } from '../queue.ts'
import { openRateLimit } from '../rate-limit.ts'
import { protocolError } from '../refusals.ts'
import { type HttpAnswer, shutdownError, TransportFailure, transportError } from '../transport.ts'
import { openHttpConnection } from './connection.ts'
import { failureOf, parseJson } from './failures.ts'
import type { Mt4Settings } from './settings.ts'

export type Mt4Call = {
  path: string
  method?: 'POST' | 'PUT' | 'PATCH'
  query?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
  /** The idempotency key. A call with a key changes something on the platform and is never sent twice. */
  key?: string
  /** Goes ahead of waiting calls: balance operations, and the look-ups they wait for. */
  urgent?: boolean
  deadlineAt?: number
}

export type ClientState = { authenticated: boolean; lastTrafficAt: Utc | null; problems: HealthProblem[] }

export type Mt4Client = {
  /** The validated body of a successful answer. Throws a classified error otherwise. */
  call<Form extends z.ZodType>(call: Mt4Call, form: Form): Promise<z.output<Form>>
  state(): ClientState
  close(): Promise<void>
}

const HOLD_MS_MAX = 60_000

export function openClient(settings: Mt4Settings, dependencies: Dependencies): Mt4Client {
  const { time, log } = dependencies
  const queue = openQueue(time, { atOnce: settings.callsAtOnce })
  const bridge = openBridge(settings, dependencies)
  let closed = false

  async function run(call: Mt4Call, signal: AbortSignal, isSecondTry = false): Promise<unknown> {
    const mayRepeat = call.key === undefined && !isSecondTry
    let http: HttpAnswer
    try {
      http = await bridge.exchange(call, signal, !mayRepeat)
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error
      if (error.kind === 'lost' && mayRepeat) return run(call, signal, true)
      if (error.kind === 'unreachable') throw bridge.noteUnreachable(error)
      throw transportError(error, closed)
    }
    if (http.status >= 200 && http.status < 300) {
      bridge.noteAuthenticated()
      return http.text === '' ? undefined : parseJson(http.text)
    }
    const failure = failureOf(http)
    bridge.noteRefusal(http, failure)
    if (failure.reason === 'session_lost' && mayRepeat) return run(call, signal, true)
    throw new GatewayError(failure)
  }

  async function perform<Form extends z.ZodType>(call: Mt4Call, form: Form, signal: AbortSignal) {
    const parsed = form.safeParse(await run(call, signal))
    // Without details, since the answer may hold personal data.
    if (!parsed.success) throw protocolError()
    return parsed.data
  }

  return {
    call: (call, form) => {
      if (closed) return Promise.reject(shutdownError())
      const { readMs, writeMs } = settings.deadlines
      const changes = call.key !== undefined
      return queue.add({
        urgent: call.urgent ?? false,
        deadlineAt: call.deadlineAt ?? time.now() + (changes ? writeMs : readMs),
        run: (signal) => (changes ? logged(log, call, perform(call, form, signal)) : perform(call, form, signal)),
      })
    },
    state: bridge.state,
    close: () => {
      closed = true
      queue.stop(shutdownError())
      bridge.close()
      return Promise.resolve()
    },
  }
}

/** The connection to the bridge with its rate limit, and its state as its answers show it. */
function openBridge(settings: Mt4Settings, dependencies: Dependencies) {
  const { time } = dependencies
  const connection = openHttpConnection(settings, dependencies)
  const backOff = openBackOff(settings.backOff, dependencies)
  const rateLimit = openRateLimit(settings.callsPerSecond, time)
  let lastTrafficAt: number | null = null
  let authenticated = false

  async function exchange(call: Mt4Call, signal: AbortSignal, fresh: boolean): Promise<HttpAnswer> {
    const query = new URLSearchParams(call.query).toString()
    await rateLimit.wait(signal)
    backOff.refuse()
    const http = await connection.exchange({
      method: call.method ?? 'GET',
      target: query === '' ? call.path : `${call.path}?${query}`,
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      key: call.key,
      fresh,
      signal,
    })
    lastTrafficAt = time.now()
    return http
  }

  function noteAuthenticated(): void {
    authenticated = true
    backOff.succeeded()
  }

  function noteUnreachable(error: TransportFailure): GatewayError {
    authenticated = false
    const failure = { outcome: 'not_executed', reason: 'unreachable', sent: error.sent } as const
    return backOff.failed({ failure, problem: 'unreachable' })
  }

  function noteRefusal(http: HttpAnswer, failure: GatewayFailure): void {
    if (failure.reason === 'auth_failed') {
      authenticated = false
      backOff.failed({ failure: { ...failure, sent: false }, problem: 'auth_failed' })
      return
    }
    noteAuthenticated()
    if (failure.reason !== 'throttled') return
    const seconds = Number(/^\d{1,4}$/.exec(http.headers['retry-after'] ?? '')?.[0] ?? 0)
    rateLimit.hold(Math.min(HOLD_MS_MAX, seconds * 1000))
  }

  const state = (): ClientState => ({
    authenticated,
    lastTrafficAt: lastTrafficAt === null ? null : Math.floor(lastTrafficAt / 1000),
    ...backOff.state(),
  })
  return { exchange, noteAuthenticated, noteUnreachable, noteRefusal, state, close: () => connection.close() }
}

async function logged<Result>(log: PlatformLog, call: Mt4Call, running: Promise<Result>): Promise<Result> {
  try {
    return await running
  } catch (error) {
    if (error instanceof GatewayError) {
      const { outcome, reason, sent, platformCode } = error
      const fields = { event: 'platform.call-failed', path: call.path, outcome, reason, sent, platformCode }
      log.warn(fields, 'A call that changes the trading platform failed')
    }
    throw error
  }
}
