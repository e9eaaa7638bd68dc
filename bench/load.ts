/**
 * `npm run bench -- load`: members' pages poll one, two and three processes on one database, at the highest rate that
 * the specification allows a page and at the rate of today's pages (page-calls.json): the answers by kind, processor
 * and memory, the effect of a storm of sign-ins, and the maximum throughput. The baseline of the same run answers the
 * same requests with the same number of bytes and no work.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { type ChildServer, startChildServer } from '../tests/doubles/child-server.ts'
import { stopOnSignal } from '../tests/fixtures/database/stop-on-signal.ts'
import { fillPeople } from './fill/filled-people.ts'
import { forkBrowsers, type Kind, kinds, type Person, type Polled } from './load/polling-members.ts'
import { type Used, usedBy, usedByTree } from './load/process-usage.ts'

const peopleCount = Number(process.env.ATRIUM_BENCH_MEMBERS ?? 250)
const seconds = Number(process.env.ATRIUM_BENCH_SECONDS ?? 60)
const processCounts = (process.env.ATRIUM_BENCH_PROCESSES ?? '1,2,3').split(',').map(Number)
const logins = Number(process.env.ATRIUM_BENCH_LOGINS ?? 200)
const pressSeconds = Number(process.env.ATRIUM_BENCH_PRESS_SECONDS ?? 15)
const connections = 32
const idleSeconds = 15
/** Each sign-in comes from its own address, reported as by a load balancer. */
const environment = { TRUSTED_PROXIES: '1' }
const freshSeconds = Math.min(seconds, 30)

const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
const database = await stopOnSignal(startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres') }))
const browsers = forkBrowsers()
try {
  const [people = []] = await fillPeople(database.url, folder, [{ subdomain: 'bench', isDefault: true, peopleCount }])
  await reportBaseline(people)
  for (const count of processCounts) await reportOf(count, people)
} finally {
  browsers.stop()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function reportOf(count: number, people: readonly Person[]): Promise<void> {
  const servers: ChildServer[] = []
  for (let index = 0; index < count; index += 1)
    servers.push(await startChildServer({ databaseUrl: database.url, dataDirectory: folder, environment }))
  const targets = servers.map(({ url }) => url)
  const used = (): (Used | undefined)[] => [
    ...servers.map(({ child }) => usedBy(child.pid ?? 0)),
    usedByTree(database.pid),
  ]
  try {
    await reportIdle(count, used)
    await browsers.press({ targets, people, seconds: 3, connections })
    // A fresh process compiles code and plans statements while it answers, so it is reported separately.
    const fresh = await browsers.poll({ targets, people, seconds: freshSeconds, logins: 0 })
    reportPolled(`    ${people.length} members poll for the first ${freshSeconds} s`, { ...fresh, kinds: [] })
    await readLag(targets)
    const before = used()
    const from = performance.now()
    const calm = await browsers.poll({ targets, people, seconds, logins: 0 })
    reportPolled(`    ${people.length} members poll for ${seconds} s`, calm)
    reportShare(people.length, (performance.now() - from) / 1_000, before, used())
    console.log(`      ${describeLag(await readLag(targets))}`)
    const beforeToday = used()
    const fromToday = performance.now()
    const today = await browsers.poll({ targets, people, seconds, logins: 0, asToday: true })
    reportPolled(`    ${people.length} members have today's pages open for ${seconds} s`, today)
    reportShare(people.length, (performance.now() - fromToday) / 1_000, beforeToday, used())
    const storm = await browsers.poll({ targets, people, seconds: Math.min(seconds, 30), logins })
    reportPolled(`    with ${logins} sign-ins at once`, { ...storm, kinds: [...storm.kinds, storm.others] })
    console.log(`      ${describeLag(await readLag(targets))}`)
    if (count === 1) for (const kind of kinds) await reportCost(kind, { targets, people }, used)
    const pressed = await browsers.press({ targets, people, seconds: pressSeconds, connections })
    console.log(
      `    at most, ${connections} connections: ${describeKind(pressed.all)}   ${pressed.perSecond.toFixed(0)}/s`,
    )
    reportFailed(pressed)
    console.log(`    after it: ${describeMemory(used())}`)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** The p99 event loop delay of each process since the last reading. */
function readLag(targets: readonly string[]): Promise<number[]> {
  return Promise.all(
    targets.map(async (target) => {
      const text = await (await fetch(`${target}/metrics`)).text()
      return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]) * 1_000
    }),
  )
}

function describeLag(lagsMs: readonly number[]): string {
  return `event loop late by ${lagsMs.map((ms) => `${ms.toFixed(0)} ms`).join(', ')} at p99`
}

/** The load of idle processes: job polling and timers. */
async function reportIdle(count: number, used: () => (Used | undefined)[]): Promise<void> {
  await pause(3_000)
  const before = used()
  const from = performance.now()
  await pause(idleSeconds * 1_000)
  const { ours, ofDatabase } = coresOf(before, used(), (performance.now() - from) / 1_000)
  console.log(
    `  ${count} ${count === 1 ? 'process' : 'processes'}, idle: ${describeMemory(used())}; ${ours.toFixed(3)} cores of ours, ${ofDatabase.toFixed(3)} of the database`,
  )
}

/** Processor time of one answer of a kind, here and in the database. */
async function reportCost(
  kind: string,
  asked: { targets: readonly string[]; people: readonly Person[] },
  used: () => (Used | undefined)[],
): Promise<void> {
  const before = used()
  const { all } = await browsers.press({ ...asked, seconds: Math.min(pressSeconds, 5), connections: 4, kind })
  const after = used()
  const [ours = 0, database = 0] = after.map(
    (one, index) => (((one?.cpuSeconds ?? 0) - (before[index]?.cpuSeconds ?? 0)) * 1_000) / all.count,
  )
  console.log(
    `    a ${kind} costs us ${ours.toFixed(2)} ms, the database ${database.toFixed(2)} ms; p50 ${all.p50Ms.toFixed(1)} ms, 4 at a time`,
  )
}

function reportPolled(title: string, polled: Polled): void {
  console.log(`${title}: ${polled.perSecond.toFixed(0)} requests/s`)
  for (const kind of [...polled.kinds, polled.all]) console.log(`      ${describeKind(kind)}`)
  reportFailed(polled)
}

function reportFailed({ failed }: Polled): void {
  for (const [what, count] of Object.entries(failed)) console.log(`      unexpected answers: ${count} x ${what}`)
}

function describeKind({ kind, count, p50Ms, p95Ms, p99Ms }: Kind): string {
  const cells = [['p50', p50Ms] as const, ['p95', p95Ms] as const, ['p99', p99Ms] as const]
  return `${kind.padEnd(16)} ${String(count).padStart(6)}   ${cells.map(([name, ms]) => `${name} ${ms.toFixed(1).padStart(6)} ms`).join('   ')}`
}

function describeMemory(used: readonly (Used | undefined)[]): string {
  return used
    .map((one, index) => {
      const name = index === used.length - 1 ? 'database' : `process ${index + 1}`
      return one ? `${name} ${one.memoryMb.toFixed(0)} MB` : `${name} unknown`
    })
    .join(', ')
}

/** Cores of the processes and of the database, and the number of such members that one core of each would carry. */
function reportShare(
  members: number,
  took: number,
  before: readonly (Used | undefined)[],
  after: readonly (Used | undefined)[],
): void {
  const { ours, ofDatabase } = coresOf(before, after, took)
  console.log(
    `      processes ${ours.toFixed(2)} cores, database ${ofDatabase.toFixed(2)}: ${(members / ours).toFixed(0)} members a core of ours, ${(members / ofDatabase).toFixed(0)} a core of the database`,
  )
}

function coresOf(
  before: readonly (Used | undefined)[],
  after: readonly (Used | undefined)[],
  took: number,
): { ours: number; ofDatabase: number } {
  const cores = after.map((used, index) => ((used?.cpuSeconds ?? 0) - (before[index]?.cpuSeconds ?? 0)) / took)
  const ofDatabase = cores.pop() ?? 0
  return { ours: cores.reduce((sum, one) => sum + one, 0), ofDatabase }
}

/** The same browsers against a server that answers immediately: the share of the browsers and the machine in the results. */
async function reportBaseline(people: readonly Person[]): Promise<void> {
  const answer = JSON.stringify({ status: 'ok', terms: [], digest: 'x'.repeat(64), filling: 'x'.repeat(200) })
  const baseline = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer))
  })
  await new Promise<void>((resolve) => baseline.listen(0, '127.0.0.1', resolve))
  const targets = [`http://127.0.0.1:${(baseline.address() as AddressInfo).port}`]
  reportPolled(
    '  Baseline: answers at once',
    await browsers.poll({ targets, people, seconds: Math.min(seconds, 20), logins: 0 }),
  )
  const pressed = await browsers.press({ targets, people, seconds: Math.min(pressSeconds, 10), connections })
  console.log(
    `    at most, ${connections} connections: ${describeKind(pressed.all)}   ${pressed.perSecond.toFixed(0)}/s`,
  )
  baseline.closeAllConnections()
  baseline.close()
}
