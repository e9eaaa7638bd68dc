/**
 * `npm run bench -- jobs`: processor time per job of each kind, here and in the database, compared with a job that does
 * nothing. All jobs are queued before the first starts, and platform, mail server and scanner run in their own
 * processes, so that only the work of the jobs is counted.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { JobHandler, JobHandlers } from '../server/queue/jobs.ts'
import { startClamd } from '../simulators/clamd/server.ts'
import { startZotaSimulator } from '../simulators/zotapay/simulator.ts'
import { startMailServer } from '../tests/doubles/mail-server.ts'
import { connect } from './against-sql.ts'
import { type JobKind, type Others, openJobFixture } from './fill/job-fixture.ts'
import { jobKinds } from './fill/job-kinds.ts'
import { forkPlatforms } from './load/live-platforms.ts'
import { usedByTree } from './load/process-usage.ts'
import { type BenchSetup, onFixture } from './setup.ts'

const count = Number(process.env.ATRIUM_BENCH_JOBS ?? 400)
/** Jobs that run before measuring starts, for compilation and planning. */
const warmUp = 60
/** Part of a job kind's name; other kinds are skipped. */
const only = process.env.ATRIUM_BENCH_ONLY ?? ''

if (process.argv[2] === 'beside') await actBeside()
else await main()

type Beside = { environment: Record<string, string>; zota: Record<string, string> }

async function actBeside(): Promise<void> {
  const { url } = await startMailServer()
  const { host, port } = (await startClamd()).address
  const keys = { merchantId: 'ZM1', secretKey: 'zota-secret-0001' }
  const zota = await startZotaSimulator({ ...keys, endpoints: { 402334: 'USD' }, payoutEndpoints: { 402434: 'USD' } })
  const environment = { SMTP_URL: url, CLAMD_ADDRESS: `${host}:${port}` }
  process.send?.({ environment, zota: zota.settings } satisfies Beside)
}

async function main(): Promise<void> {
  const beside = fork(import.meta.filename, ['beside'])
  const [{ environment, zota }] = (await once(beside, 'message')) as [Beside]
  const platforms = await forkPlatforms(1, warmUp + count)
  try {
    for (const kind of jobKinds.filter(({ name }) => name.includes(only)))
      await onFixture(
        (setup) => reportOf(kind, { ...setup, platformUrl: platforms.urls[0] ?? '', zota }),
        {},
        environment,
      )
  } finally {
    platforms.stop()
    beside.kill()
  }
}

type Around = BenchSetup & Others

async function reportOf(kind: JobKind, { context, ownerUrl, databasePid, ...others }: Around): Promise<void> {
  const owner = await connect(ownerUrl)
  const fixture = await openJobFixture(context, others)
  const leave = async (few: number): Promise<void> => {
    const since = performance.now()
    for (let left = Number.POSITIVE_INFINITY; left > few; await pause(20)) {
      const { rows } = await owner.query<{ count: number }>(`select count(*)::int as count from ${kind.left}`)
      left = rows[0]?.count ?? 0
      if (performance.now() - since > 60_000) throw new Error(`${kind.name}: ${left} were not completed.`)
    }
  }
  await kind.prepare(fixture, warmUp + count)
  const gate = makeGate(warmUp)
  await context.jobs.start(gate.before(kind.handlers(context)))
  await leave(count)
  // Gives the planner current statistics and keeps autoanalyze out of the measurement.
  await owner.query('analyze')
  const before = { ours: process.cpuUsage(), database: usedByTree(databasePid)?.cpuSeconds ?? 0, at: performance.now() }
  gate.open()
  await leave(0)
  const { user, system } = process.cpuUsage(before.ours)
  const ofDatabase = (usedByTree(databasePid)?.cpuSeconds ?? 0) - before.database
  const seconds = (performance.now() - before.at) / 1_000
  console.log(
    `  ${kind.name.padEnd(36)} us ${((user + system) / 1_000 / count).toFixed(2).padStart(6)} ms, the database ${((ofDatabase * 1_000) / count).toFixed(2).padStart(6)} ms; ${(count / seconds).toFixed(0)} a second`,
  )
  await owner.end()
}

/** Lets `first` jobs through, and the rest once it is opened. */
function makeGate(first: number) {
  let left = first
  const opened = Promise.withResolvers<void>()
  const through =
    (handler: JobHandler): JobHandler =>
    async (data) => {
      left -= 1
      if (left < 0) await opened.promise
      await handler(data)
    }
  return {
    before: (handlers: JobHandlers): JobHandlers =>
      Object.fromEntries(Object.entries(handlers).map(([queue, handler]) => [queue, through(handler)])),
    open: () => opened.resolve(),
  }
}
