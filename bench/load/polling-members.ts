/**
 * Members' browsers in their own process, each polling on its own timer as the pages do. The response time they see is measured,
 * and their work takes no time from the answering processes.
 */

import { readFileSync } from 'node:fs'
import { Agent, type ClientRequest, request } from 'node:http'
import { quantilesOf } from '../measure/measurement.ts'
import type { PageCalls } from './page-calls-shape.ts'
import { forkSide, takeOrders } from './side-process.ts'

export type Person = { token: string; order: string; email: string; isActive: boolean; waitsForDeposit: boolean }

/** Answers of one kind. */
export type Kind = { kind: string; count: number; p50Ms: number; p95Ms: number; p99Ms: number }
/** `failed`: calls without the expected answer; `tookMs`: each time, unordered. */
export type Polled = {
  kinds: Kind[]
  all: Kind
  others: Kind
  perSecond: number
  failed: Record<string, number>
  tookMs: number[]
}

type Order =
  | {
      do: 'poll'
      targets: readonly string[]
      people: readonly Person[]
      seconds: number
      logins: number
      /** At the rate of today's pages (page-calls.json), with their streams; otherwise at the highest rate that the specification allows. */
      asToday?: boolean
    }
  | {
      do: 'press'
      targets: readonly string[]
      people: readonly Person[]
      seconds: number
      connections: number
      kind?: string
    }

export type Browsers = {
  /** Each person polls, each request at the next target; half-way, a number of people sign in together, each from its own address. */
  poll(order: Omit<Extract<Order, { do: 'poll' }>, 'do'>): Promise<Polled>
  /** Each connection sends requests one after the other without a pause, for all kinds or for one. */
  press(order: Omit<Extract<Order, { do: 'press' }>, 'do'>): Promise<Polled>
  stop(): void
}

export const password = 'Bench-2026'
const dashboardMs = 10_000
const signingIn = 'sign-in'

export function forkBrowsers(): Browsers {
  const { order, stop } = forkSide<Order, Polled>(import.meta.filename)
  return {
    poll: (what) => order({ do: 'poll', ...what }),
    press: (what) => order({ do: 'press', ...what }),
    stop,
  }
}

type Call = { kind: string; everyMs: number; method: string; path: string; body?: (person: Person) => object }

const terms: Call = { kind: 'terms', everyMs: 1_000, method: 'GET', path: '/members/terms' }
const activity: Call = {
  kind: 'activity',
  everyMs: 1_000,
  method: 'POST',
  path: '/members/activity',
  body: () => ({ mouse: true }),
}
const dashboard: Call = { kind: 'dashboard', everyMs: dashboardMs, method: 'GET', path: '/members/dashboard' }
const accounts: Call = {
  kind: 'accounts',
  everyMs: dashboardMs,
  method: 'GET',
  path: graphPath(
    `query { current_member { _id accounts(sync: false) { _id platform_login balance currency status } } }`,
  ),
}
const transactions: Call = {
  kind: 'transactions',
  everyMs: dashboardMs,
  method: 'GET',
  path: graphPath(
    `query { balance_transactions(limit: 15, page: 1) { _id ticket type amount state created_at currency } }`,
  ),
}
const depositStatus: Call = {
  kind: 'deposit status',
  everyMs: 1_500,
  method: 'POST',
  path: '/customers/trading-accounts/deposit-status',
  body: ({ order }) => ({ order }),
}

function graphPath(document: string): string {
  return `/graph?q=${encodeURIComponent(Buffer.from(document).toString('base64'))}`
}

const readPages = (): PageCalls[] =>
  JSON.parse(readFileSync(new URL('./page-calls.json', import.meta.url), 'utf8')) as PageCalls[]

/** Gives each person another page in turn; an active person moves the mouse. */
function todaysPageOf(pages: readonly PageCalls[], { isActive }: Person, index: number) {
  const { streams = [], touched = [], untouched = [] } = pages[index % pages.length] ?? {}
  const calls = (isActive ? touched : untouched).map(({ method, path, body, perMinute }): Call => {
    const kind = `${method} ${path.split('?')[0]}`
    return { kind, everyMs: 60_000 / perMinute, method, path, ...(body && { body: () => JSON.parse(body) as object }) }
  })
  return { streams, calls }
}

function callsOf(person: Person): Call[] {
  const calls = [terms, dashboard, accounts, transactions]
  if (person.isActive) calls.push(activity)
  if (person.waitsForDeposit) calls.push(depositStatus)
  return calls
}

const pressed = [terms, dashboard, accounts, transactions, activity, depositStatus]
export const kinds = pressed.map(({ kind }) => kind)

type Took = { kind: string; ms: number }

function act(): void {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  // Sign-ins use their own agent, so that other calls do not wait for their connections.
  const newcomers = new Agent({ keepAlive: true })
  let turn = 0
  let took: Took[] = []
  let failed: Record<string, number> = {}
  takeOrders(async (order: Order) => {
    took = []
    failed = {}
    const began = performance.now()
    if (order.do === 'poll') await poll(order)
    else await press(order)
    return summarize(took, failed, (performance.now() - began) / 1_000)
  })

  async function poll({ targets, people, seconds, logins, asToday }: Extract<Order, { do: 'poll' }>): Promise<void> {
    const until = performance.now() + seconds * 1_000
    const pages = asToday ? readPages() : []
    const open: ClientRequest[] = []
    const clocks = people.flatMap((person, index) => {
      const { streams, calls } = asToday ? todaysPageOf(pages, person, index) : { streams: [], calls: callsOf(person) }
      open.push(...streams.map((path) => follow(nextOf(targets) + path, person)))
      return calls.map((call) => keepAsking(targets, person, call, until))
    })
    const storm = people.slice(0, logins).map(async (person, index) => {
      await pause(seconds * 500)
      await signIn(targets, person, `203.0.${113 + (index >> 8)}.${index & 255}`)
    })
    await Promise.all([...clocks, ...storm, pause(until - performance.now())])
    for (const stream of open) stream.destroy()
  }

  /** A page's event stream, open as long as the page. */
  function follow(url: string, { token }: Person): ClientRequest {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
    const asked = request(url, { agent: newcomers, headers }, (answer) => {
      answer.resume().on('error', () => undefined) // Aborted by the bench.
      if (answer.statusCode !== 200) count(`stream ${answer.statusCode}`)
    })
    asked.on(
      'error',
      (problem: NodeJS.ErrnoException) => problem.code !== 'ECONNRESET' && count(`stream ${problem.code}`),
    )
    asked.end()
    return asked
  }

  /** Like a page's timer: sends the next request on schedule, even if the previous one is unanswered. */
  async function keepAsking(targets: readonly string[], person: Person, call: Call, until: number): Promise<void> {
    const underWay: Promise<void>[] = []
    let due = performance.now() + Math.random() * call.everyMs
    while (due < until) {
      await pause(due - performance.now())
      underWay.push(ask(targets, person, call))
      due += call.everyMs
    }
    await Promise.all(underWay)
  }

  async function press({
    targets,
    people,
    seconds,
    connections,
    kind,
  }: Extract<Order, { do: 'press' }>): Promise<void> {
    const until = performance.now() + seconds * 1_000
    const mix = pressed.filter((call) => kind === undefined || call.kind === kind)
    let next = 0
    const connection = async (): Promise<void> => {
      while (performance.now() < until) {
        next += 1
        const person = people[next % people.length]
        const call = mix[next % mix.length]
        if (person && call) await ask(targets, person, call)
      }
    }
    await Promise.all(Array.from({ length: connections }, connection))
  }

  async function ask(targets: readonly string[], person: Person, { kind, method, path, body }: Call): Promise<void> {
    const sent = performance.now()
    const status = await send(method, nextOf(targets) + path, person.token, body?.(person))
    took.push({ kind, ms: performance.now() - sent })
    if (status !== 200) count(`${kind} ${status}`)
  }

  async function signIn(targets: readonly string[], { email }: Person, from: string): Promise<void> {
    const sent = performance.now()
    const body = { email, password }
    const status = await send('POST', `${nextOf(targets)}/members/login`, '', body, { by: newcomers, from })
    took.push({ kind: signingIn, ms: performance.now() - sent })
    if (status !== 200) count(`${signingIn} ${status}`)
  }

  function nextOf(targets: readonly string[]): string {
    turn = (turn + 1) % targets.length
    return targets[turn] ?? ''
  }

  function count(what: string): void {
    failed[what] = (failed[what] ?? 0) + 1
  }

  type Way = { by?: Agent; from?: string }
  function send(
    method: string,
    url: string,
    token: string,
    body?: object,
    { by = agent, from }: Way = {},
  ): Promise<number | string> {
    const text = body && JSON.stringify(body)
    const headers: Record<string, string | number> = {}
    if (token) headers.authorization = `Bearer ${token}`
    if (from) headers['x-forwarded-for'] = from
    if (text) Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    return new Promise((resolve) => {
      const asked = request(url, { method, agent: by, headers }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
      })
      asked.on('error', (problem: NodeJS.ErrnoException) => resolve(problem.code ?? 'error'))
      asked.end(text)
    })
  }
}

function summarize(took: readonly Took[], failed: Record<string, number>, seconds: number): Polled {
  const kinds = [...new Set(took.map(({ kind }) => kind))].map((kind) =>
    measurementOf(
      kind,
      took.filter((one) => one.kind === kind),
    ),
  )
  const others = took.filter(({ kind }) => kind !== signingIn)
  return {
    kinds,
    all: measurementOf('all', took),
    others: measurementOf('all others', others),
    perSecond: took.length / seconds,
    failed,
    tookMs: took.map(({ ms }) => ms),
  }
}

function measurementOf(kind: string, took: readonly Took[]): Kind {
  const at = quantilesOf(took.map(({ ms }) => ms))
  return { kind, count: took.length, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}

if (import.meta.main) act()
