/**
 * `npm run bench -- sign-in`: the cost of a sign-in against that of its hash, and the effect of a storm of sign-ins on an ordinary
 * call. sign-in-timing.ts measures whether response times reveal who is a member.
 */

import { availableParallelism } from 'node:os'
import { hashPassword } from '../server/sessions/passwords/password.ts'
import { startChildServer } from '../tests/doubles/child-server.ts'
import { forkBareHash } from './baselines/hash.ts'
import { fillBrokerage, openSessions, size } from './fill/fill.ts'
import { type Ask, expectStatus, makeAsk } from './load/asking.ts'
import { forkLoadGenerator } from './load/load-generator.ts'
import { medianRatio, reportResults, runRounds } from './load/rounds.ts'
import { describeMeasurement, type Measurement, measure } from './measure/measurement.ts'
import { reportRatio } from './measure/ratios.ts'
import { onFixture } from './setup.ts'

const password = 'Bench-2026'
const rounds = Number(process.env.ATRIUM_BENCH_ROUNDS ?? 5)
const queries = Number(process.env.ATRIUM_BENCH_REQUESTS ?? 1_500)
/** The server's own limit: one core remains free for other work. */
const workers = Math.max(1, availableParallelism() - 1)
const document = 'query { balance_transactions(limit: 15, page: 1) { _id ticket amount status } }'

await onFixture(async (setup) => {
  const { memberIds } = await fillBrokerage(setup.ownerUrl, await hashPassword(password), size.members)
  const [token = ''] = await openSessions(setup, memberIds)
  const generator = forkLoadGenerator()
  const baseline = forkBareHash()
  const server = await startChildServer({
    databaseUrl: setup.ownerUrl,
    dataDirectory: setup.context.config.dataDirectory,
    roles: 'web',
    environment: { CALLS_PER_MINUTE: '0', TRUSTED_PROXIES: '1' },
  })
  try {
    const { url, child } = server
    // More than a run reaches, and few enough that the first run makes every browser known.
    const requests = Array.from({ length: 1_000 }, (_, index) => signInOf(index))
    // Enough connections that one always waits for its hash while others are read, written and answered.
    const order = { url, requests, connections: 8 * workers }
    const ours = { name: 'ours', pid: child.pid ?? 0, run: (seconds: number) => generator.order({ ...order, seconds }) }
    const hashes = {
      name: 'argon2id, bare',
      pid: baseline.pid,
      run: (seconds: number) => baseline.order({ workers, seconds }),
    }
    const results = await runRounds([ours, hashes], { rounds, seconds: 4, databasePid: setup.databasePid })
    reportResults(`Sign-ins, ${workers} hashed at once`, results)
    reportRatio('sign-ins / bare argon2id', medianRatio(results, { beside: 'argon2id, bare' }))
    await storm(makeAsk(url), token)
  } finally {
    generator.stop()
    baseline.stop()
    await server.stop()
  }
})

/** Each sign-in has its own address, reported as by a load balancer, so that limits per network count it alone. */
function signInOf(index: number) {
  return {
    method: 'POST' as const,
    path: '/members/login',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.${index % 7}.${index % 250}.${index % 199}` },
    body: JSON.stringify({ email: `bench${1 + (index % size.members)}@bench.test`, password }),
  }
}

/** Keeps two hundred sign-ins in flight while the queries beside them run. */
async function storm(ask: Ask, token: string): Promise<void> {
  const query = `/graph?q=${Buffer.from(document).toString('base64url')}`
  const read = async (): Promise<void> =>
    expectStatus(200)(await ask({ path: query, headers: { authorization: `Bearer ${token}` } }))
  await measure(2, 300, read)
  const calm = await measure(2, queries, read)
  const answers = new Map<number, number>()
  let isOver = false
  let next = 0
  const browser = async (): Promise<void> => {
    while (!isOver) {
      next += 1
      const { status, retryAfter } = await ask(signInOf(next))
      if (status !== 200 && retryAfter === undefined) throw new Error(`${status} without a retry-after header`)
      answers.set(status, (answers.get(status) ?? 0) + 1)
      // A refused browser does not retry immediately.
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
  const browsers = Array.from({ length: 200 }, browser)
  const started = performance.now()
  const beside: Measurement = await measure(2, queries, read)
  const seconds = (performance.now() - started) / 1_000
  isOver = true
  await Promise.all(browsers)
  console.log(describeMeasurement('A query, alone', calm))
  console.log(describeMeasurement('A query, beside 200 signing in', beside, calm))
  const tally = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ')
  console.log(`  ${'Sign-ins meanwhile'.padEnd(44)}   ${tally} in ${seconds.toFixed(1)} s`)
}
