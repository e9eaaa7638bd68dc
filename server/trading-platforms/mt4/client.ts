import type { z } from 'zod'
import { openBackOff } from '../back-off.ts'
import { GatewayError, type GatewayFailure, type HealthProblem, type Utc } from '../contract.ts'
import { openQueue } from '../queue.ts'
import { openRateLimit } from '../rate-limit.ts'
import { protocolError } from '../refusals.ts'
import type { Surroundings } from '../surroundings.ts'
import { type HttpAnswer, shutdownError, TransportFailure, transportError } from '../transport.ts'
import { openLine } from './connection.ts'
import { failureOf, parseJson } from './failures.ts'
import type { Mt4Settings } from './settings.ts'

export type Mt4Call = {
  path: string
  method?: 'POST' | 'PUT' | 'PATCH'
  query?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
  /** The idempotency key. A call that has one changes something on the platform, and is therefore never sent twice. */
  key?: string
  /** Goes before what waits already: money, and the look-ups that money waits for. */
  urgent?: boolean
  deadlineAt?: number
}

export type ClientState = { authenticated: boolean; lastTrafficAt: Utc | null; problems: HealthProblem[] }

export type Mt4Client = {
  /** The body of an answer that says "done" and has the agreed form. Anything else is thrown, classified. */
  call<Form extends z.ZodType>(call: Mt4Call, form: Form): Promise<z.output<Form>>
  state(): ClientState
  close(): Promise<void>
}

const HOLD_MS_MAX = 60_000

export function openClient(settings: Mt4Settings, surroundings: Surroundings): Mt4Client {
  const { time, log } = surroundings
  const line = openLine(settings, surroundings)
  const queue = openQueue(time, { atOnce: settings.callsAtOnce })
  const backOff = openBackOff(settings.backOff, surroundings)
  const rateLimit = openRateLimit(settings.callsPerSecond, time)
  let lastTrafficAt: number | null = null
  let authenticated = false
  let closed = false

  async function exchange(call: Mt4Call, signal: AbortSignal, fresh: boolean): Promise<HttpAnswer> {
    const query = new URLSearchParams(call.query).toString()
    await rateLimit.wait(signal)
    backOff.refuse()
    const http = await line.exchange({
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

  async function run(call: Mt4Call, signal: AbortSignal, isSecondTry = false): Promise<unknown> {
    const mayRepeat = call.key === undefined && !isSecondTry
    let http: HttpAnswer
    try {
      http = await exchange(call, signal, !mayRepeat)
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error
      if (error.kind === 'lost' && mayRepeat) return run(call, signal, true)
      if (error.kind === 'unreachable') throw noteUnreachable(error)
      throw transportError(error, closed)
    }
    if (http.status >= 200 && http.status < 300) {
      noteAuthenticated()
      return http.text === '' ? undefined : parseJson(http.text)
    }
    const failure = failureOf(http)
    if (failure.reason === 'auth_failed') throw noteRefusedToken(failure)
    noteAuthenticated()
    if (failure.reason === 'throttled') holdAsAsked(http)
    if (failure.reason === 'session_lost' && mayRepeat) return run(call, signal, true)
    throw new GatewayError(failure)
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

  function noteRefusedToken(failure: GatewayFailure): GatewayError {
    authenticated = false
    backOff.failed({ failure: { ...failure, sent: false }, problem: 'auth_failed' })
    return new GatewayError(failure)
  }

  function holdAsAsked(http: HttpAnswer): void {
    const seconds = Number(/^\d{1,4}$/.exec(http.headers['retry-after'] ?? '')?.[0] ?? 0)
    rateLimit.holdUntil(time.now() + Math.min(HOLD_MS_MAX, seconds * 1000))
  }

  async function logged<Result>(call: Mt4Call, running: Promise<Result>): Promise<Result> {
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

  async function perform<Form extends z.ZodType>(call: Mt4Call, form: Form, signal: AbortSignal) {
    const parsed = form.safeParse(await run(call, signal))
    // What was wrong with it is not told: the answer may hold personal data.
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
        run: (signal) => (changes ? logged(call, perform(call, form, signal)) : perform(call, form, signal)),
      })
    },
    state: () => ({
      authenticated,
      lastTrafficAt: lastTrafficAt === null ? null : Math.floor(lastTrafficAt / 1000),
      ...backOff.state(),
    }),
    close: () => {
      closed = true
      queue.stop(shutdownError())
      line.close()
      return Promise.resolve()
    },
  }
}
