import type { Call, CallAnswer, CallInput } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import { termsHeader } from '@atrium/contract/terms/header.ts'
import { texts } from '@atrium/contract/texts.ts'
import { apiOrigin, fillPath, graphRequest, toSearch } from './address.ts'
import { ApiError, notSent, readFailure, readThrown } from './api-error.ts'
import { recordVersion } from './app-version.ts'
import { report } from './log.ts'
import { openProof } from './proof.ts'
import type { SessionStore } from './session-store.ts'
import { watchRequest } from './slow-requests.ts'
import { recordTerms } from './told-terms.ts'

/** Which app this is: set once, before the first call. */
type App = {
  session: SessionStore
  onSignedOut: () => void
  /** There is a session, and a second factor has to be set up before anything else. */
  onMustEnrol: () => void
}
let app: App | null = null

export function startTransport(settings: App): void {
  app = settings
}

export function authorization(): Record<string, string> {
  const session = app?.session.read()
  return session ? { authorization: `Bearer ${session.token}` } : {}
}

/** A 401 while somebody is signed in means that the session is over, wherever the answer came from. */
export function noteFailure(error: ApiError): void {
  if (error.code === 'second_factor_required') app?.onMustEnrol()
  if (error.code !== 'unauthenticated' || !app?.session.read()) return
  app.session.clear(error.message)
  app.onSignedOut()
}

type Sent = { method: 'GET' | 'POST'; path: string; body?: string | undefined } & Manner
type Manner = {
  /** Nobody waits for a quiet one, so the loader does not speak of it. */
  isQuiet?: boolean
  /** Of whoever asked: gone with their page, the call ends as well. */
  signal?: AbortSignal | undefined
}

/**
 * The browser's own word for it, which does not hold for a server on the same machine: that one is asked. That the browser says
 * nothing does not mean that there is a network.
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

/** A change never waits for the network: whoever is back online later, or on another page, did not order it then. */
export async function refuseOffline(): Promise<void> {
  if (await isOffline()) throw notSent(texts.offline)
}

type Early = { token: string | undefined; answer: Promise<unknown> }
const askedEarly = new Map<string, Early>()

/** Asks while the code that needs the answer is still on its way: whoever asks the same first has this answer. */
export function askEarly(path: string): void {
  const token = app?.session.read()?.token
  const answer = fetchAnswer({ method: 'GET', path, isQuiet: true })
  askedEarly.set(path, { token, answer })
  // Whoever takes it hears of a failure.
  answer.catch(() => undefined)
}

/** Once, and never for another person than the one who asked. */
function takeEarly({ method, path }: Sent): Promise<unknown> | undefined {
  const early = method === 'GET' ? askedEarly.get(path) : undefined
  askedEarly.delete(path)
  return early?.token === app?.session.read()?.token ? early?.answer : undefined
}

/** One exchange, unparsed. `call` and `graph` are what screens use. */
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
    recordVersion(response.headers.get('x-app-version'))
    recordTerms(response.headers.get(termsHeader))
    const answer: unknown = await response.json().catch((thrown: unknown) => {
      if (thrown instanceof DOMException) throw thrown
      return null
    })
    if (!response.ok) throw readFailure(response.status, answer, response.headers.get('retry-after'))
    return answer
  } catch (thrown) {
    const error = readThrown(thrown)
    noteFailure(error)
    throw error
  } finally {
    clearTimeout(timer)
    over()
  }
}

/** An answer that is not of the agreed shape is a fault of ours, not of the person who asked. */
export function readAnswer<C extends Call>(call: C, answer: unknown): CallAnswer<C> {
  const parsed = call.answer.safeParse(answer)
  if (parsed.success) return parsed.data as CallAnswer<C>
  report('answer.unexpected', { path: call.path, issues: parsed.error.issues.map((issue) => issue.path.join('.')) })
  throw new ApiError({ code: 'fault', message: texts.requestFailed })
}

/** One REST call of the contract. */
export async function call<C extends Call>(
  definition: C,
  input: CallInput<C>,
  manner: Manner = {},
): Promise<CallAnswer<C>> {
  const { path, rest } = fillPath(definition.path, (input ?? {}) as Record<string, unknown>)
  const sent: Sent =
    definition.method === 'GET'
      ? { method: 'GET', path: `${path}${toSearch(rest)}` }
      : { method: 'POST', path, body: JSON.stringify(rest) }
  const send = async () => readAnswer(definition, await fetchAnswer({ ...sent, ...manner }))
  const isChange = definition.method === 'POST'
  if (isChange) await refuseOffline()
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isEnded = manner.signal?.aborted === true || (await isOffline())
    if (isEnded || !(await mayBeSentAgain(definition, error))) throw isChange ? withDoubt(definition, error) : error
    return send().catch((again: unknown) => {
      throw again instanceof ApiError && isChange ? withDoubt(definition, again) : again
    })
  }
}

/** Only where twice is once may a person be told to try again: anything else that got lost is to be looked at first. */
function withDoubt(definition: Call, error: ApiError): ApiError {
  const isLost = error.isOutcomeUnknown && error.code !== 'fault'
  if (!isLost || definition.isHarmlessTwice) return error
  return new ApiError({ code: error.code, message: texts.outcomeUnknown, status: error.status })
}

/** What needs proof was not done. What got lost on its way may have been, and is sent again only where that is no matter. */
async function mayBeSentAgain(definition: Call, error: ApiError): Promise<boolean> {
  return error.code === 'proof_required' ? await openProof() : definition.isHarmlessTwice === true && error.isLost
}

/** A query document with the types of its answer and variables in it. */
export type TypedQuery<Result, Variables> = {
  toString(): string
  __apiType?: ((variables: Variables) => Result) | undefined
}

export type GraphAnswer<Result> = { data: Result; extra: Record<string, number> }

/** The query endpoint. Errors beside data are only logged; without data there is nothing to show, so that throws. */
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
