/**
 * `npm run bench -- documents`: the cost of a document with a long part that no operation reads. First the time to refuse it, against
 * parsing and validating a normal document, and against validating the long one; then polling members' pages, with and without
 * one session that sends it twenty times a second, the rate limit of a session.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, specifiedRules, validate } from 'graphql'
import { brokenLimit, measureDocument } from '../server/graphql/limits.ts'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { schema } from '../server/schema.ts'
import { startChildServer } from '../tests/doubles/child-server.ts'
import { stopOnSignal } from '../tests/fixtures/database/stop-on-signal.ts'
import { fillPeople } from './fill/filled-people.ts'
import { forkBrowsers } from './load/polling-members.ts'
import { quantilesOf } from './measure/measurement.ts'

const seconds = Number(process.env.ATRIUM_BENCH_SECONDS ?? 5)
const peopleCount = Number(process.env.ATRIUM_BENCH_MEMBERS ?? 100)
const turns = Number(process.env.ATRIUM_BENCH_TURNS ?? 6)
const perSecond = 20
const attack = `{ __typename } fragment A on TradingAccount { ${'customer { _id } '.repeat(480)} }`
const ordinary =
  'query Page($page: Int) { balance_transactions(limit: 25, page: $page, withCount: true) { _id ticket type amount state created_at currency } }'

function measure(text: string): string | null {
  const measures = measureDocument({ document: parse(text), schema, variables: {} })
  return measures ? brokenLimit(measures) : 'depth'
}

function timed(what: string, once: () => unknown): void {
  const tookMs: number[] = []
  for (let turn = 0; turn < 220; turn += 1) {
    const began = performance.now()
    once()
    // The first runs compile.
    if (turn >= 20) tookMs.push(performance.now() - began)
  }
  const [p50, p95] = [0.5, 0.95].map(quantilesOf(tookMs)).map((ms) => ms.toFixed(2))
  console.log(`  ${what.padEnd(44)} p50 ${p50} ms   p95 ${p95} ms`)
}

timed('an ordinary one parsed', () => parse(ordinary))
timed('an ordinary one parsed, measured, validated', () => [
  measure(ordinary),
  validate(schema, parse(ordinary), specifiedRules, { maxErrors: 20 }),
])
timed('the long one parsed, measured, refused', () => measure(attack))
timed('the long one parsed and validated, as before', () =>
  validate(schema, parse(attack), specifiedRules, { maxErrors: 20 }),
)

const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
const database = await stopOnSignal(startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres') }))
const browsers = forkBrowsers()
const agent = new Agent({ keepAlive: true })
try {
  const [people = [], attackers = []] = await fillPeople(database.url, folder, [
    { subdomain: 'bench', isDefault: true, peopleCount },
    { subdomain: 'noisy', peopleCount: 1 },
  ])
  const server = await startChildServer({ databaseUrl: database.url, dataDirectory: folder })
  try {
    const targets = [server.url]
    const poll = (forSeconds = seconds) => browsers.poll({ targets, people, seconds: forSeconds, logins: 0 })
    await browsers.press({ targets, people, seconds: 3, connections: 32 })
    await poll(10)
    const alone: number[] = []
    const beside: number[] = []
    for (let turn = 0; turn < turns; turn += 1) {
      alone.push(...(await poll()).tookMs)
      const stop = keepSending(server.url, attackers[0]?.token ?? '')
      beside.push(...(await poll()).tookMs)
      const answers = await stop()
      if (turn === 0) console.log(`  Answers to the long one: ${answers}`)
    }
    for (const [what, tookMs] of [
      ['alone', alone],
      ['beside it', beside],
    ] as const) {
      const [p50, p95, p99] = [0.5, 0.95, 0.99].map(quantilesOf(tookMs)).map((ms) => ms.toFixed(1))
      console.log(`  others ${what.padEnd(12)} p50 ${p50} ms   p95 ${p95} ms   p99 ${p99} ms`)
    }
  } finally {
    await server.stop()
  }
} finally {
  agent.destroy()
  browsers.stop()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Sends twenty a second, even if earlier ones are unanswered; the returned function stops and describes the answers. */
function keepSending(url: string, token: string): () => Promise<string> {
  const answers = new Map<number | string, number>()
  const underWay = new Set<Promise<void>>()
  const once = (): void => {
    const one = send(url, token).then((status) => void answers.set(status, (answers.get(status) ?? 0) + 1))
    underWay.add(one)
    void one.then(() => underWay.delete(one))
  }
  const clock = setInterval(once, 1_000 / perSecond)
  return async () => {
    clearInterval(clock)
    await Promise.all(underWay)
    return [...answers].map(([status, count]) => `${count} x ${status}`).join(', ')
  }
}

function send(url: string, token: string): Promise<number | string> {
  const text = JSON.stringify({ query: attack })
  const headers = {
    host: 'noisy.localhost',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  }
  return new Promise((resolve) => {
    const asked = request(`${url}/graph`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    asked.on('error', (problem: NodeJS.ErrnoException) => resolve(problem.code ?? 'error'))
    asked.end(text)
  })
}
