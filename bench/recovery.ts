import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../server/config.ts'
import { migrate } from '../server/foundation/migrate.ts'
import { prepare } from '../server/start.ts'
import { startBalancer } from '../server/testing/balancer.ts'
import { type ChildServer, eventually, freePort, startChildServer } from '../server/testing/child-server.ts'
import { addMember, addWorkspace, openTestSession } from '../server/testing/harbour.ts'
import { startRestartableDatabase } from '../server/testing/restartable-database.ts'
import { type Answered, startSteadyCallers } from '../server/testing/steady-callers.ts'

/**
 * `npm run bench:recovery`: two processes behind a balancer and one database, asked without a pause while a process is killed, ended
 * in order and started, and the database is stopped at once and killed. Told is how long nobody was answered, how many were
 * refused, and how long after the database was there again the first was answered.
 */
const rounds = Number(process.env.ATRIUM_BENCH_ROUNDS ?? 5)
const people = 16
const askEveryMs = 100

const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
const database = await startRestartableDatabase(join(folder, 'postgres'))
const ports = [await freePort(), await freePort()]
const balancer = await startBalancer(ports.map((port) => `http://127.0.0.1:${port}`))
let servers: ChildServer[] = []
try {
  await migrate(database.url)
  const tokens = await openSessions()
  servers = await Promise.all(ports.map(startServer))
  await tell(
    'A process of two is killed',
    tokens,
    async () => {
      await servers[0]?.stop()
      return performance.now()
    },
    restartFirst,
  )
  await tell(
    'A process of two is asked to end',
    tokens,
    async () => {
      servers[0]?.child.kill('SIGTERM')
      await servers[0]?.exited
      return performance.now()
    },
    restartFirst,
  )
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const)
    await tell(signal === 'SIGQUIT' ? 'The database stops at once' : 'The database is killed', tokens, async () => {
      await database.halt(signal)
      await database.start()
      return performance.now()
    })
} finally {
  await Promise.all(servers.map((server) => server.stop()))
  await balancer.close()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
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

/** `fail` answers the moment at which everything that answers requests could do so again. */
async function tell(what: string, tokens: readonly string[], fail: () => Promise<number>, mend?: () => Promise<void>) {
  console.log(`  ${what}, ${rounds} times`)
  for (let round = 0; round < rounds; round += 1) {
    const callers = startSteadyCallers(
      tokens.map((token) => ({ url: balancer.url, token })),
      askEveryMs,
    )
    const { answers } = callers
    const isAnswered = (since: number) => async () =>
      answers.filter(({ at, status }) => at > since && status === 200).length > people
    await eventually('all are answered', isAnswered(0))
    const failedAt = performance.now()
    const mendedAt = await fail()
    await eventually('all are answered again', isAnswered(mendedAt))
    await callers.stop()
    console.log(`      ${describeOutage(answers, failedAt, mendedAt)}`)
    await mend?.()
  }
}

/** From the fault on: the longest time in which nobody was answered, and those who were told no. */
function describeOutage(answers: readonly Answered[], failedAt: number, mendedAt: number): string {
  const good = [failedAt, ...answers.flatMap(({ at, status }) => (status === 200 && at > failedAt ? [at] : []))]
  const longest = Math.max(...good.slice(1).map((at, index) => at - (good[index] ?? 0)))
  const firstAfter = good.find((at) => at > mendedAt) ?? Number.NaN
  const refused = answers.filter(({ at, status }) => at > failedAt && status !== 200)
  const kinds = new Map<string, number>()
  for (const { status } of refused) kinds.set(String(status), (kinds.get(String(status)) ?? 0) + 1)
  const told = [...kinds].map(([status, count]) => `${count} x ${status}`).join(', ') || 'nobody'
  return `nobody answered for ${longest.toFixed(0)} ms; answered again ${(firstAfter - mendedAt).toFixed(0)} ms after it could be; refused: ${told}`
}

async function openSessions(): Promise<string[]> {
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'fatal', DATABASE_URL: database.url, ATRIUM_DATA: folder })
  const { ground, close } = await prepare(config)
  try {
    const system = await addWorkspace(ground, { subdomain: 'bench', isDefault: true })
    const opened: string[] = []
    for (let index = 0; index < people; index += 1) {
      const { memberId } = await addMember(system)
      opened.push((await openTestSession(system, { kind: 'member', id: memberId })).token)
    }
    return opened
  } finally {
    await close()
  }
}
