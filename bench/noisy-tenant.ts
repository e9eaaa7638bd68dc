/**
 * `npm run bench -- noisy`: p99 of the pages of one brokerage while members of another and unauthenticated clients send
 * ten times the allowed rate to the same process (every kind of call, sign-ins, documents), against p99 in the seconds
 * before. A shared machine has good and bad minutes, so the turns are short and many, and the median of their ratios is
 * the result.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { startChildServer } from '../tests/doubles/child-server.ts'
import { stopOnSignal } from '../tests/fixtures/database/stop-on-signal.ts'
import { fillPeople } from './fill/filled-people.ts'
import { forkBrowsers, type Person, type Polled } from './load/polling-members.ts'
import { usedBy } from './load/process-usage.ts'
import { quantilesOf } from './measure/measurement.ts'

const seconds = Number(process.env.ATRIUM_BENCH_SECONDS ?? 5)
const peopleCount = Number(process.env.ATRIUM_BENCH_MEMBERS ?? 100)
const noisyCount = Number(process.env.ATRIUM_BENCH_NOISY ?? 3)
const turns = Number(process.env.ATRIUM_BENCH_TURNS ?? 20)
const burstSeconds = 3
const times = Number(process.env.ATRIUM_BENCH_TIMES ?? 10)
const quarterHour = 15 * 60
/** The rate limit of a session (server/http/session-rate-limit.ts). */
const callsPerMinute = 1_200
const host = 'noisy.localhost'

/** A query at the limit of one document, and one far over it. */
const longList =
  'query { balance_transactions(limit: 100, page: 1, withCount: true) { _id ticket type amount state created_at currency } }'
const tooMuch = `query { ${Array.from({ length: 120 }, (_, index) => `a${index}: balance_transactions(limit: 100) { _id ticket amount }`).join(' ')} }`

const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
const database = await stopOnSignal(startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres') }))
const browsers = forkBrowsers()
const agent = new Agent({ keepAlive: true })
try {
  const [people = [], noisy = []] = await fillPeople(database.url, folder, [
    { subdomain: 'bench', isDefault: true, peopleCount },
    { subdomain: 'noisy', peopleCount: noisyCount },
  ])
  const environment = { TRUSTED_PROXIES: '1', CALLS_PER_MINUTE: String(callsPerMinute) }
  const server = await startChildServer({ databaseUrl: database.url, dataDirectory: folder, environment })
  try {
    const targets = [server.url]
    const pid = server.child.pid ?? 0
    await browsers.press({ targets, people, seconds: 3, connections: 32 })
    const poll = (forSeconds = seconds): Promise<Polled> =>
      browsers.poll({ targets, people, seconds: forSeconds, logins: 0 })
    // A fresh process compiles and plans while it answers, which would inflate the baseline.
    await poll(15)
    const alone: Spell[] = []
    const beside: Spell[] = []
    const spell = async (): Promise<Spell> => {
      const before = usedBy(pid)?.cpuSeconds ?? 0
      const { tookMs, failed } = await poll()
      return { tookMs, failed, cores: ((usedBy(pid)?.cpuSeconds ?? 0) - before) / seconds }
    }
    for (let turn = 1; turn <= turns; turn += 1) {
      await poll(1)
      alone.push(await spell())
      const noise = makeNoise(server.url, noisy)
      // An idle session has a burst of a hundred calls, used up within a second; then the even rate applies.
      await poll(burstSeconds)
      beside.push(await spell())
      const answered = await noise.stop()
      if (turn === 1) console.log(`  Answers to the noisy brokerage: ${answered}`)
    }
    report('alone', alone)
    report('beside the other', beside)
    const ratios = beside.map((one, index) => p99Of(one) / p99Of(alone[index] ?? one))
    const [low, middle, high] = [0.25, 0.5, 0.75].map(quantilesOf(ratios)).map((ratio) => ratio.toFixed(2))
    console.log(`  p99 of a turn beside it, against the turn before: median ${middle} x of ${turns} turns (bar 1.50),`)
    console.log(`  quartiles ${low} and ${high}`)
  } finally {
    await server.stop()
  }
} finally {
  agent.destroy()
  browsers.stop()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

type Spell = Pick<Polled, 'tookMs' | 'failed'> & { cores: number }

function p99Of({ tookMs }: Spell): number {
  return quantilesOf(tookMs)(0.99)
}

function report(what: string, spells: readonly Spell[]): void {
  const all = spells.flatMap(({ tookMs }) => tookMs)
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map(quantilesOf(all)).map((ms) => ms.toFixed(1))
  const cores = spells.reduce((sum, one) => sum + one.cores, 0) / spells.length
  const each = spells.map((one) => p99Of(one).toFixed(0)).join(' ')
  const failed = spells
    .flatMap((one) => Object.entries(one.failed).map(([how, count]) => `, ${count} x ${how}`))
    .join('')
  console.log(`  ${what.padEnd(18)} p50 ${p50} ms   p95 ${p95} ms   p99 ${p99} ms   ${cores.toFixed(2)} cores${failed}`)
  console.log(`  ${''.padEnd(18)} p99 of each turn: ${each}`)
}

type Asked = { method: string; path: string; token?: string; from?: string; body?: object }

/** Each sends on its own timer, even if the previous request is unanswered. */
function makeNoise(url: string, members: readonly Person[]): { stop(): Promise<string> } {
  const answers = new Map<string, number>()
  const clocks: NodeJS.Timeout[] = []
  const underWay = new Set<Promise<void>>()
  const every = (ms: number, asked: () => Asked): void => {
    const once = (): void => {
      const { method, path, token, from, body } = asked()
      const one = send(url, {
        method,
        path,
        ...(token && { token }),
        ...(from && { from }),
        ...(body && { body }),
      }).then((status) => {
        const what = `${path.split('?')[0]} ${status}`
        answers.set(what, (answers.get(what) ?? 0) + 1)
      })
      underWay.add(one)
      void one.then(() => underWay.delete(one))
    }
    setTimeout(() => clocks.push(setInterval(once, ms)), Math.random() * ms)
  }
  for (const { token } of members) {
    every(60_000 / (callsPerMinute * times), () => ({ method: 'GET', path: '/members/terms', token }))
    every(10_000 / times, () => ({ method: 'GET', path: '/members/dashboard', token }))
    every(10_000 / times, () => ({ method: 'GET', path: graphPath(longList), token }))
    every(10_000 / times, () => ({ method: 'GET', path: graphPath(tooMuch), token }))
    const purpose = { token_key: 'transaction_deposit' }
    const tokens = { method: 'POST', path: '/members/get-unique-token', token, body: purpose }
    every((quarterHour * 1_000) / (300 * times), () => tokens)
  }
  // The limits are thirty wrong passwords per network in a quarter of an hour, and ten per account.
  for (const [index, { email }] of members.entries()) {
    const from = `203.0.113.${index + 1}`
    const body = { email, password: 'Not-it-2026' }
    every((quarterHour * 1_000) / (30 * times), () => ({ method: 'POST', path: '/members/login', from, body }))
    let turn = 0
    every((quarterHour * 1_000) / (30 * times), () => {
      turn += 1
      const unknownUser = { email: `nobody${index}-${turn}@bench.test`, password: 'Not-it-2026' }
      return { method: 'POST', path: '/members/login', from: `198.51.100.${turn % 250}`, body: unknownUser }
    })
  }
  return {
    async stop() {
      for (const clock of clocks) clearInterval(clock)
      await Promise.all(underWay)
      return [...answers]
        .map(([what, count]) => `${count} x ${what}`)
        .sort()
        .join(', ')
    },
  }
}

function graphPath(document: string): string {
  return `/graph?q=${encodeURIComponent(Buffer.from(document).toString('base64'))}`
}

function send(url: string, { method, path, token, from, body }: Asked): Promise<number | string> {
  const text = body && JSON.stringify(body)
  const headers: Record<string, string | number> = { host }
  if (token) headers.authorization = `Bearer ${token}`
  if (from) headers['x-forwarded-for'] = from
  if (text) Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  return new Promise((resolve) => {
    const asked = request(url + path, { method, agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    asked.on('error', (problem: NodeJS.ErrnoException) => resolve(problem.code ?? 'error'))
    asked.end(text)
  })
}
