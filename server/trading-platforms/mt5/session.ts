import { GatewayError, type GatewayFailure, type HealthProblem } from '../contract.ts'
import type { Dependencies } from '../dependencies.ts'
import { type HttpAnswer, TransportFailure } from '../transport.ts'
import { type Connection, openConnection } from './connection.ts'
import { challengeAnswer, isChallenge, makeChallenge, provesKey } from './handshake.ts'
import type { Mt5Settings } from './settings.ts'
import { encodeQuery, type Mt5Answer, parseAnswer } from './wire.ts'

const PROTOCOL_VERSION = '3000'

/** A signed-in socket. */
export type Session = {
  connection: Connection
  cookies: Map<string, string>
  startedAt: number
  lastTrafficAt: number
}

export type Request = {
  path: string
  method?: 'POST'
  query?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
  signal: AbortSignal
}

export async function sendOn(session: Session, request: Request, now: () => number): Promise<HttpAnswer> {
  const query = request.query === undefined ? '' : `?${encodeQuery(request.query)}`
  const cookies = [...session.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await session.connection.exchange({
    method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
    target: `${request.path}${query}`,
    body: request.body === undefined ? undefined : JSON.stringify(request.body),
    cookies: cookies === '' ? undefined : cookies,
    signal: request.signal,
  })
  keepCookies(session, answer.headers['set-cookie'] ?? [])
  session.lastTrafficAt = now()
  return answer
}

/** Not documented, but some builds seem to set cookies; they are sent back and not required. */
function keepCookies(session: Session, lines: readonly string[]): void {
  for (const line of lines) {
    const [, name, value] = /^\s*([^=;\s]+)=([^;]*)/.exec(line) ?? []
    if (name !== undefined && value !== undefined && session.cookies.size < 20) session.cookies.set(name, value)
  }
}

/** A failed sign-in, with the failure for the caller and the problem for operators. */
export class SignInFailure extends Error {
  readonly failure: GatewayFailure
  readonly problem: HealthProblem
  constructor(problem: HealthProblem, platform: { code?: number; words?: string } = {}) {
    super(`sign-in failed: ${problem}`)
    const reason = problem === 'unreachable' ? 'unreachable' : 'auth_failed'
    this.problem = problem
    this.failure = {
      outcome: 'not_executed',
      reason,
      sent: false,
      platformCode: platform.code,
      platformText: platform.words,
    }
  }
}

type SignIn = { settings: Mt5Settings; key: Buffer; dependencies: Dependencies; signal: AbortSignal }

export async function signIn(terms: SignIn): Promise<Session> {
  const { settings, dependencies } = terms
  const { time } = dependencies
  const connection = await within(terms, settings.deadlines.connectMs, (signal) =>
    openConnection(settings, signal, dependencies.lookup),
  )
  const session = { connection, cookies: new Map(), startedAt: time.now(), lastTrafficAt: time.now() }
  try {
    await within(terms, settings.deadlines.authMs, (signal) => shakeHands(session, { ...terms, signal }))
  } catch (error) {
    connection.destroy()
    throw error
  }
  session.startedAt = time.now()
  return session
}

async function shakeHands(session: Session, { settings, key, dependencies, signal }: SignIn): Promise<void> {
  const now = dependencies.time.now
  const query = { version: PROTOCOL_VERSION, agent: settings.agent, login: settings.managerLogin, type: 'manager' }
  const started = readStep(await sendOn(session, { path: '/api/auth/start', query, signal }, now))
  const theirs = started.record.text('srv_rand')
  if (!isChallenge(theirs)) throw new SignInFailure('auth_failed')
  const ours = makeChallenge()
  const proof = { srv_rand_answer: challengeAnswer(key, theirs), cli_rand: ours }
  const answered = readStep(await sendOn(session, { path: '/api/auth/answer', query: proof, signal }, now))
  // A server that cannot prove the password is another one, or an attacker in between.
  if (!provesKey(key, ours, answered.record.text('cli_rand_answer'))) throw new SignInFailure('server_not_proven')
}

/** Most refusals are a bare 403: wrong or missing API password, or a disallowed address or connection type. */
function readStep(http: HttpAnswer): Mt5Answer {
  if (http.status !== 200) throw new SignInFailure('auth_failed')
  const answer = parseAnswer(http.text)
  if (answer.code !== 0) throw new SignInFailure('auth_failed', answer)
  return answer
}

/** Runs a step with its own deadline inside the call's. Exceeding its own is the server's fault, not the caller's. */
async function within<Result>(terms: SignIn, ms: number, step: (signal: AbortSignal) => Promise<Result>) {
  const controller = new AbortController()
  const cancel = terms.dependencies.time.after(ms, () => controller.abort())
  try {
    return await step(AbortSignal.any([controller.signal, terms.signal]))
  } catch (error) {
    if (error instanceof SignInFailure) throw error
    const callEnded = terms.signal.aborted && !controller.signal.aborted
    if (error instanceof TransportFailure && !callEnded) throw new SignInFailure('unreachable')
    if (error instanceof GatewayError) throw new SignInFailure('auth_failed')
    throw error
  } finally {
    cancel()
  }
}
