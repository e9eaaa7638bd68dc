import type { Call, CallAnswer, CallInput } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import { termsHeader } from '@atrium/contract/terms/header.ts'
import { texts } from '@atrium/contract/texts.ts'
import { parseWithUnknown } from '@atrium/contract/unknown-values.ts'
import { apiOrigin, fillPath, graphRequest, toSearch } from './address.ts'
import { ApiError, notSent, readFailure, toApiError } from './api-error.ts'
import { recordVersion } from './app-version.ts'
import { report } from './log.ts'
import { openProof } from './proof.ts'
import type { SessionStore } from './session-store.ts'
import { watchRequest } from './slow-requests.ts'
import { recordTerms } from './terms-digest.ts'

/** The running app; set once, before the first call. */
type App = {
  session: SessionStore
  onSignedOut: () => void
  /** Called when the session must enrol a second factor before anything else. */
  onMustEnrol: () => void
}
let app: App | null = null

/** By how much the clock of the server is ahead of this device's, once an answer has said its time. */
let serverLeadMs: number | undefined

export function startTransport(settings: App): void {
  app = settings
  serverLeadMs = undefined
}

export function authorization(): Record<string, string> {
  const session = app?.session.read()
  return session ? { authorization: `Bearer ${session.token}` } : {}
}

export const hasSession = (): boolean => app?.session.read() != null

/** A 401 during a session means that the session has expired, whichever request received it. */
export function noteFailure(error: ApiError): void {
  if (error.code === 'second_factor_required') app?.onMustEnrol()
  if (error.code !== 'unauthenticated' || !app?.session.read()) return
  app.session.clear(error.message)
  app.onSignedOut()
}

type Sent = { method: 'GET' | 'POST'; path: string; body?: string | undefined } & CallOptions
type CallOptions = {
  /** A background request, for which the loader does not show. */
  isQuiet?: boolean
  /** Aborts the call when the page that made it is left. */
  signal?: AbortSignal | undefined
}

/**
 * `navigator.onLine` is wrong for a server on the same machine, so that one is probed. A value of true does not prove that
 * there is a network.
 */
async function isOffline(): Promise<boolean> {
  if (typeof navigator === 'undefined' || navigator.onLine !== false) return false
  const isHere = typeof location !== 'undefined' && /(^|\.)localhost$/.test(location.hostname)
  return (
    !isHere ||
    fetch(`${apiOrigin()}/healthz`, { mode: 'no-cors' }).then(
      () => false,
      () => true,
    )
  )
}

/** Changes are never queued for later, because the user may have moved on by the time the network is back. */
export async function refuseOffline(): Promise<void> {
  if (await isOffline()) throw notSent(texts.offline)
}

export const serverNow = (): number => Date.now() + (serverLeadMs ?? 0)

type Early = { token: string | undefined; answer: Promise<unknown> }
const askedEarly = new Map<string, Early>()

/** Sends a request while the code that needs it still loads; the first caller of the same path gets this answer. */
export function prefetchCall(path: string): void {
  const token = app?.session.read()?.token
  const answer = fetchAnswer({ method: 'GET', path, isQuiet: true })
  askedEarly.set(path, { token, answer })
  // The caller that takes the answer handles the failure.
  answer.catch(() => undefined)
}

/** Returns an early answer once, and only to the session that requested it. */
function takeEarly({ method, path }: Sent): Promise<unknown> | undefined {
  const early = method === 'GET' ? askedEarly.get(path) : undefined
  askedEarly.delete(path)
  return early?.token === app?.session.read()?.token ? early?.answer : undefined
}

/** One HTTP exchange, unparsed. Screens use `call` and `graph`. */
export async function fetchAnswer(sent: Sent): Promise<unknown> {
  const { method, path, body, isQuiet = false, signal } = sent
  const over = isQuiet ? () => undefined : watchRequest()
  const early = takeEarly(sent)
  if (early) return early.finally(over)
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new DOMException('Too late', 'TimeoutError')), limits.requestAbortMs)
  try {
    const response = await fetch(`${apiOrigin()}${path}`, {
      method,
      credentials: 'include',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...authorization(),
      },
      ...(body === undefined ? {} : { body }),
      signal: signal ? AbortSignal.any([limit.signal, signal]) : limit.signal,
    })
    const leadMs = Date.parse(response.headers.get('date') ?? '') - Date.now()
    // A delay makes the server's clock look late, so the largest difference is the closest one.
    serverLeadMs = Math.max(leadMs, serverLeadMs ?? leadMs) || serverLeadMs
    recordVersion(response.headers.get('x-app-version'))
    recordTerms(response.headers.get(termsHeader))
    const answer: unknown = await response.json().catch((thrown: unknown) => {
      if (thrown instanceof DOMException) throw thrown
      return null
    })
    if (!response.ok) throw readFailure(response.status, answer, response.headers.get('retry-after'))
    return answer
  } catch (thrown) {
    const error = toApiError(thrown)
    noteFailure(error)
    throw error
  } finally {
    clearTimeout(timer)
    over()
  }
}

/** An answer that does not match the schema is our fault, not the user's. */
export function readAnswer<C extends Call>(call: C, answer: unknown): CallAnswer<C> {
  const parsed = parseWithUnknown(call.answer, answer)
  if (parsed.success && parsed.unknown.length > 0)
    report('answer.unknown-value', { path: call.path, values: parsed.unknown.map((place) => place.join('.')) })
  if (parsed.success) return parsed.data as CallAnswer<C>
  report('answer.unexpected', { path: call.path, issues: parsed.error.issues.map((issue) => issue.path.join('.')) })
  throw new ApiError({ code: 'fault', message: texts.requestFailed })
}

/** One REST call of the contract. */
export async function call<C extends Call>(
  definition: C,
  input: CallInput<C>,
  options: CallOptions = {},
): Promise<CallAnswer<C>> {
  const { path, rest } = fillPath(definition.path, (input ?? {}) as Record<string, unknown>)
  const sent: Sent =
    definition.method === 'GET'
      ? { method: 'GET', path: `${path}${toSearch(rest)}` }
      : { method: 'POST', path, body: JSON.stringify(rest) }
  const send = async () => readAnswer(definition, await fetchAnswer({ ...sent, ...options }))
  const isChange = definition.method === 'POST'
  if (isChange) await refuseOffline()
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isEnded = options.signal?.aborted === true || (await isOffline())
    if (isEnded || !(await mayBeSentAgain(definition, error))) throw isChange ? withDoubt(definition, error) : error
    return send().catch((again: unknown) => {
      throw again instanceof ApiError && isChange ? withDoubt(definition, again) : again
    })
  }
}

/** Only for an idempotent call may the message say to try again; otherwise the user must check the outcome first. */
function withDoubt(definition: Call, error: ApiError): ApiError {
  const isLost = error.isOutcomeUnknown && error.code !== 'fault'
  if (!isLost || definition.isHarmlessTwice) return error
  return new ApiError({ code: error.code, message: texts.outcomeUnknown, status: error.status })
}

/** A call that needs proof was not executed. A lost call may have been, so only an idempotent one is retried. */
async function mayBeSentAgain(definition: Call, error: ApiError): Promise<boolean> {
  return error.code === 'proof_required' ? await openProof() : definition.isHarmlessTwice === true && error.isLost
}

/** A GraphQL document with the types of its answer and variables. */
export type TypedQuery<Result, Variables> = {
  toString(): string
  __apiType?: ((variables: Variables) => Result) | undefined
}

export type GraphAnswer<Result> = { data: Result; extra: Record<string, number> }

/** The GraphQL endpoint. Errors that accompany data are only reported; an answer without data throws. */
export async function graph<Result, Variables extends Record<string, unknown>>(
  document: TypedQuery<Result, Variables>,
  variables: Variables,
): Promise<GraphAnswer<Result>> {
  const answer = (await fetchAnswer(graphRequest(document.toString(), variables))) as Partial<GraphAnswer<Result>> & {
    errors?: unknown[]
  }
  if (answer?.errors?.length) report('graph.errors', { errors: answer.errors })
  if (!answer?.data) throw new ApiError({ code: 'fault', message: texts.requestFailed })
  return { data: answer.data, extra: answer.extra ?? {} }
}
