/**
 * `npm run bench -- recovery`: the length of the outage and the refused requests while, under constant load on two
 * processes behind a balancer, a process is killed, stopped gracefully and started, the database is stopped immediately
 * and killed, and the disk of an embedded database is full. It also reports the time until another process takes a job
 * of a killed one.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../server/foundation/database/migrate.ts'
import { openDatabase } from '../server/foundation/database/pool.ts'
import { newId } from '../server/foundation/ids.ts'
import { openMetrics } from '../server/metrics/metrics.ts'
import { makeLog } from '../server/observability/log.ts'
import { findRunningPostgres } from '../server/postgres/embedded-postgres.ts'
import { openJobs, type Queue } from '../server/queue/jobs.ts'
import { startBalancer } from '../tests/doubles/balancer.ts'
import { type ChildServer, eventually, freePort, startChildServer } from '../tests/doubles/child-server.ts'
import { canFailFsync, failFsync } from '../tests/doubles/failing-fsync.ts'
import { startHangingWorker } from '../tests/doubles/hanging-worker.ts'
import { startRestartableDatabase } from '../tests/doubles/restartable-database.ts'
import { type Answered, countLost, openCallerSessions, startSteadyCallers } from '../tests/fixtures/steady-callers.ts'

const rounds = Number(process.env.ATRIUM_BENCH_ROUNDS ?? 5)
const people = 16
const askEveryMs = 100
const fullMs = 5_000

const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
const database = await startRestartableDatabase(join(folder, 'postgres'))
const ports = [await freePort(), await freePort()]
const balancer = await startBalancer(ports.map((port) => `http://127.0.0.1:${port}`))
let servers: ChildServer[] = []
try {
  const { programUrl } = await migrate(database.url)
  await reportLeftJobs(programUrl)
  const tokens = await openCallerSessions({ DATABASE_URL: database.url, ATRIUM_DATA: folder }, people)
  servers = await Promise.all(ports.map(startServer))
  await report(
    'One of two processes is killed',
    tokens,
    async () => {
      await servers[0]?.stop()
      return performance.now()
    },
    restartFirst,
  )
  await report(
    'One of two processes shuts down',
    tokens,
    async () => {
      servers[0]?.child.kill('SIGTERM')
      await servers[0]?.exited
      return performance.now()
    },
    restartFirst,
  )
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const)
    await report(
      signal === 'SIGQUIT' ? 'The database stops immediately' : 'The database is killed',
      tokens,
      async () => {
        await database.halt(signal)
        await database.start()
        return performance.now()
      },
    )
} finally {
  await Promise.all(servers.map((server) => server.stop()))
  await balancer.close()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
if (canFailFsync()) await reportFullDisk()
else console.log('  Full disk of the database: skipped, since it needs strace and the right to trace')

/** Runs before the server starts, which would process such jobs too. */
async function reportLeftJobs(programUrl: string): Promise<void> {
  const queue: Queue = 'files.scan'
  console.log(`  A process that has a job is killed, ${rounds} times`)
  const { kysely, close } = openDatabase(programUrl)
  for (let round = 0; round < rounds; round += 1) {
    const jobs = await openJobs(programUrl, { log: makeLog('fatal'), metrics: openMetrics() })
    const worker = startHangingWorker(programUrl, queue)
    await jobs.enqueue(kysely, queue, { workspaceId: newId(), id: newId() })
    await worker.hasTaken
    const taken = Promise.withResolvers<number>()
    await jobs.start({ [queue]: async () => taken.resolve(performance.now()) })
    const killedAt = performance.now()
    await worker.kill()
    console.log(`      another process took the job ${((await taken.promise) - killedAt).toFixed(0)} ms later`)
    await jobs.stop()
  }
  await close()
}

function startServer(port: number | undefined): Promise<ChildServer> {
  return startChildServer({
    databaseUrl: database.url,
    dataDirectory: folder,
    environment: { DRAIN_SECONDS: '1' },
    ...(port === undefined ? {} : { port }),
  })
}

async function restartFirst(): Promise<void> {
  const began = performance.now()
  servers[0] = await startServer(ports[0])
  console.log(`      a process is ready ${(performance.now() - began).toFixed(0)} ms after its start`)
}

/** `fail` returns the moment at which everything needed to answer requests is up again. */
async function report(
  what: string,
  tokens: readonly string[],
  fail: () => Promise<number>,
  mend?: (answers: readonly Answered[]) => Promise<void>,
  url = balancer.url,
) {
  console.log(`  ${what}, ${rounds} times`)
  for (let round = 0; round < rounds; round += 1) {
    const callers = startSteadyCallers(
      tokens.map((token) => ({ url, token })),
      askEveryMs,
    )
    const { answers } = callers
    const isAnswered = (since: number) => async () =>
      answers.filter(({ at, status }) => at > since && status === 200).length > people
    await eventually('all requests are answered', isAnswered(0))
    const failedAt = performance.now()
    const mendedAt = await fail()
    await eventually('all requests are answered again', isAnswered(mendedAt))
    await callers.stop()
    console.log(`      ${describeOutage(answers, failedAt, mendedAt)}`)
    await mend?.(answers)
  }
}

/** From the fault on: the longest time without an answer, and the refused requests. */
function describeOutage(answers: readonly Answered[], failedAt: number, mendedAt: number): string {
  const good = [failedAt, ...answers.flatMap(({ at, status }) => (status === 200 && at > failedAt ? [at] : []))]
  const longest = Math.max(...good.slice(1).map((at, index) => at - (good[index] ?? 0)))
  const firstAfter = good.find((at) => at > mendedAt) ?? Number.NaN
  const refused = answers.filter(({ at, status }) => at > failedAt && status !== 200)
  const kinds = new Map<string, number>()
  for (const { status, code = 'without a code' } of refused)
    kinds.set(`${status} ${code}`, (kinds.get(`${status} ${code}`) ?? 0) + 1)
  const refusals = [...kinds].map(([status, count]) => `${count} x ${status}`).join(', ') || 'none'
  const [outage, delay] = [longest.toFixed(0), (firstAfter - mendedAt).toFixed(0)]
  return `no answer for ${outage} ms; the first one ${delay} ms after everything was up; refused: ${refusals}`
}

/** The process runs the embedded database, as on a single-machine installation, and nobody restarts either. */
async function reportFullDisk(): Promise<void> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
  const tokens = await openCallerSessions({ ATRIUM_DATA: dataDirectory }, people)
  const server = await startChildServer({ dataDirectory })
  const postgres = join(dataDirectory, 'postgres')
  try {
    const fail = async (): Promise<number> => {
      const full = failFsync(postgres)
      await new Promise((resolve) => setTimeout(resolve, fullMs))
      await full.stop()
      return performance.now()
    }
    const count = async (answers: readonly Answered[]): Promise<void> => {
      const url = findRunningPostgres(postgres) ?? ''
      const acknowledged = answers.filter(({ token }) => token !== undefined).length
      const lost = await countLost(url, answers)
      const [tables, differing] = await countDiffering(url)
      console.log(
        `      lost: ${lost} of ${acknowledged} acknowledged writes; ${differing} of ${tables} tables differ from their keys`,
      )
    }
    await report(`The disk of the database is full for ${fullMs / 1_000} s`, tokens, fail, count, server.url)
    if (server.child.exitCode !== null) console.log('      the process has ended')
  } finally {
    server.child.kill('SIGTERM') // Also ends its database.
    await server.exited
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

/** A partial write leaves rows without their key, or keys without their row. */
async function countDiffering(url: string): Promise<[tables: number, differing: number]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string; key: string }>(
    `select c.oid::regclass::text as name, a.attname as key from pg_class c
       join pg_index i on i.indrelid = c.oid and i.indisprimary
       join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  )
  let differing = 0
  for (const { name, key } of rows) {
    const count = async (kind: 'seq' | 'index'): Promise<string> => {
      const isSequential = kind === 'seq' ? 'on' : 'off'
      const isIndexed = kind === 'seq' ? 'off' : 'on'
      await client.query(
        `set enable_seqscan = ${isSequential}; set enable_indexscan = ${isIndexed}; set enable_indexonlyscan = ${isIndexed}; set enable_bitmapscan = off`,
      )
      const counted = await client.query<{ count: string }>(
        `select count(*) from (select ${key} from ${name} order by ${key}) one`,
      )
      return counted.rows[0]?.count ?? ''
    }
    if ((await count('seq')) !== (await count('index'))) differing += 1
  }
  await client.end()
  return [rows.length, differing]
}
