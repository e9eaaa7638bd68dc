import type { Timer } from '../../foundation/timer.ts'
import { openBackOff } from '../back-off.ts'
import { GatewayError, type HealthProblem, type Utc } from '../contract.ts'
import type { Dependencies, PlatformLog } from '../dependencies.ts'
import { openQueue } from '../queue.ts'
import { openRateLimit } from '../rate-limit.ts'
import { type HttpAnswer, shutdownError, TransportFailure, transportError } from '../transport.ts'
import { webApiKey } from './handshake.ts'
import { classOfCode } from './return-codes.ts'
import { type Session, SignInFailure, sendOn, signIn } from './session.ts'
import type { Mt5Settings } from './settings.ts'
import { type Mt5Answer, Mt5Record, parseAnswer } from './wire.ts'

export type Mt5Call = {
  path: string
  query?: Readonly<Record<string, string>>
  /** For a POST without a body; a call with a body is always a POST. */
  method?: 'POST'
  body?: Readonly<Record<string, unknown>>
  /** Changes something on the platform, so it is never sent twice. */
  changes?: boolean
  /** Goes ahead of waiting calls: balance operations, and the look-ups they wait for. */
  urgent?: boolean
  deadlineAt?: number
  /** Requires a session that began after this moment (milliseconds). */
  sessionAfterMs?: number
}

export type ClientState = {
  authenticated: boolean
  lastTrafficAt: Utc | null
  /** The platform's clock minus ours, in seconds, as last measured. */
  clockAheadSeconds: number | null
  problems: HealthProblem[]
}

export type Mt5Client = {
  call(call: Mt5Call): Promise<Mt5Answer>
  state(): ClientState
  close(): Promise<void>
}

const CLOCK_MEASURED_EVERY_MS = 3_600_000
const QUIT_MS = 1_000

export function openClient(settings: Mt5Settings, dependencies: Dependencies): Mt5Client {
  const { time, log } = dependencies
  const queue = openQueue(time)
  const sessions = openSessions(settings, dependencies, queue)
  let closed = false

  async function run(call: Mt5Call, signal: AbortSignal, mayRepeat: boolean): Promise<Mt5Answer> {
    let http: HttpAnswer
    try {
      http = await sessions.exchange(await prepare(call, signal), call, signal)
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error
      sessions.drop()
      if (error.kind !== 'aborted' && mayRepeat) return run(call, signal, false)
      throw transportError(error, closed)
    }
    if (http.status === 401 || http.status === 403) {
      sessions.drop()
      if (mayRepeat) return run(call, signal, false)
      throw new GatewayError({ outcome: 'not_executed', reason: 'session_lost', sent: true })
    }
    const answer = readHttp(http)
    // Disconnects before the next call: no late answer may arrive on a connection with an unknown outcome.
    if (call.changes && classOfCode(answer.code).outcome === 'unknown') sessions.drop()
    return answer
  }

  /** An error up to here means that no byte of the call itself was sent. */
  async function prepare(call: Mt5Call, signal: AbortSignal): Promise<Session> {
    try {
      return await sessions.proven(call, signal)
    } catch (error) {
      if (error instanceof TransportFailure) throw new TransportFailure(error.kind, false)
      throw error
    }
  }

  function readHttp(http: HttpAnswer): Mt5Answer {
    try {
      if (http.status !== 200) throw new GatewayError({ outcome: 'unknown', reason: 'protocol', sent: true })
      return parseAnswer(http.text)
    } catch (error) {
      sessions.drop()
      throw error
    }
  }

  return {
    call: (call) => {
      if (closed) return Promise.reject(shutdownError())
      const { readMs, writeMs } = settings.deadlines
      const deadlineAt = call.deadlineAt ?? time.now() + (call.changes ? writeMs : readMs)
      return queue.add({
        urgent: call.urgent ?? false,
        deadlineAt,
        run: (signal) => (call.changes ? logged(log, call, run(call, signal, false)) : run(call, signal, true)),
      })
    },
    state: sessions.state,
    close: async () => {
      if (closed) return
      const isIdle = queue.idle()
      closed = true
      queue.stop(shutdownError())
      await sessions.close(isIdle)
    },
  }
}

type Queue = ReturnType<typeof openQueue>

/** The single session of a connection: signs in on demand and drops a failed session. */
function openSessions(settings: Mt5Settings, dependencies: Dependencies, queue: Queue) {
  const { time } = dependencies
  const key = webApiKey(settings.managerPassword)
  const backOff = openBackOff(settings.backOff, dependencies)
  const traffic = openTraffic(settings, dependencies, queue)
  const { drop, exchange } = traffic

  async function ensure(signal: AbortSignal): Promise<Session> {
    const usable = traffic.usable()
    if (usable) return usable
    drop()
    backOff.refuse()
    try {
      const fresh = traffic.take(await signIn({ settings, key, dependencies, signal }))
      await traffic.measureClock(fresh, signal).catch((error: unknown) => {
        if (error instanceof TransportFailure && error.kind === 'aborted') throw error
        throw new SignInFailure('unreachable')
      })
      backOff.succeeded()
      return fresh
    } catch (error) {
      drop()
      throw error instanceof SignInFailure ? backOff.failed(error) : error
    }
  }

  /** Pings first after idle time, so that a changing call never meets a dead session. */
  async function proven(call: Mt5Call, signal: AbortSignal): Promise<Session> {
    if (traffic.isFrom(call.sessionAfterMs ?? 0)) drop()
    const found = await ensure(signal)
    if (!call.changes || time.now() - found.lastTrafficAt <= settings.pingEveryMs) return found
    await traffic.ping(signal)
    return ensure(signal)
  }

  const state = (): ClientState => ({
    authenticated: traffic.usable() !== null,
    ...traffic.state(),
    ...backOff.state(),
  })

  /** A connection with a running call is cut instead of closed with a quit message. */
  async function close(isIdle: boolean): Promise<void> {
    traffic.endPings()
    const leaving = traffic.usable()
    if (isIdle && leaving) await quitSession(leaving, time)
    drop()
  }

  return { proven, exchange, drop, state, close }
}

/** Traffic on the session: rate-limited calls, pings after idle time, and clock measurements. */
function openTraffic(settings: Mt5Settings, { time }: Dependencies, queue: Queue) {
  const rateLimit = openRateLimit(settings.callsPerSecond, time)
  let session: Session | undefined
  let lastTrafficAt: number | null = null
  let clock: { aheadSeconds: number; measuredAt: number } | undefined
  let cancelPing: () => void = () => undefined
  let isEnding = false

  const usable = (): Session | null => (session?.connection.usable() ? session : null)

  function drop(): void {
    cancelPing()
    session?.connection.destroy()
    session = undefined
  }

  async function exchange(on: Session, call: Mt5Call, signal: AbortSignal): Promise<HttpAnswer> {
    await rateLimit.wait(signal)
    const answer = await sendOn(on, { ...call, signal }, time.now)
    lastTrafficAt = on.lastTrafficAt
    schedulePing()
    return answer
  }

  function schedulePing(): void {
    cancelPing()
    if (isEnding) return
    cancelPing = time.after(settings.pingEveryMs, () => {
      const job = { urgent: false, deadlineAt: time.now() + settings.deadlines.readMs, run: ping }
      queue.add(job).catch(drop)
    })
  }

  /** Runs at every sign-in and hourly, to detect a wrong time zone setting early. */
  async function measureClock(on: Session, signal: AbortSignal): Promise<void> {
    const http = await exchange(on, { path: '/api/time/server' }, signal)
    if (http.status !== 200) throw new TransportFailure('lost', true)
    const answer = parseAnswer(http.text)
    const seconds = answer.code === 0 ? readServerTime(answer) : undefined
    if (seconds === undefined) return
    clock = { aheadSeconds: seconds - Math.floor(time.now() / 1000), measuredAt: time.now() }
  }

  async function ping(signal: AbortSignal): Promise<void> {
    const pinged = usable()
    if (!pinged) return
    try {
      const due = clock === undefined || time.now() - clock.measuredAt >= CLOCK_MEASURED_EVERY_MS
      if (due) await measureClock(pinged, signal)
      else if ((await exchange(pinged, { path: '/api/test/access' }, signal)).status !== 200) drop()
    } catch {
      drop()
    }
  }

  return {
    ...{ usable, drop, exchange, measureClock, ping },
    take: (fresh: Session): Session => {
      session = fresh
      return fresh
    },
    isFrom: (latestMs: number): boolean => session !== undefined && session.startedAt <= latestMs,
    state: () => ({
      lastTrafficAt: lastTrafficAt === null ? null : Math.floor(lastTrafficAt / 1000),
      clockAheadSeconds: clock?.aheadSeconds ?? null,
    }),
    endPings: () => {
      isEnding = true
    },
  }
}

async function quitSession(leaving: Session, time: Timer): Promise<void> {
  const controller = new AbortController()
  const cancel = time.after(QUIT_MS, () => controller.abort())
  await sendOn(leaving, { path: '/api/quit', signal: controller.signal }, time.now).catch(() => undefined)
  cancel()
}

async function logged(log: PlatformLog, { path }: Mt5Call, running: Promise<Mt5Answer>): Promise<Mt5Answer> {
  const note = (fields: Record<string, unknown>) =>
    log.warn({ event: 'platform.call-failed', path, ...fields }, 'A call that changes the trading platform failed')
  try {
    const answer = await running
    const { outcome } = classOfCode(answer.code)
    if (outcome !== 'done') note({ outcome, platformCode: answer.code })
    return answer
  } catch (error) {
    if (error instanceof GatewayError) note({ outcome: error.outcome, reason: error.reason, sent: error.sent })
    throw error
  }
}

/** `1572518788 2019.10.31 10:46:28`: the platform's clock in two formats. */
export function readServerTime(answer: Mt5Answer): number | undefined {
  const seconds = /^\d{9,11}(?=\s|$)/.exec(new Mt5Record(answer.answer).text('Time'))?.[0]
  return seconds === undefined ? undefined : Number(seconds)
}
