/**
 * `npm run bench -- live`: the delay between a platform tick and its arrival at a member, and the calls to the
 * platforms, while a growing number of members watch their balances on one process. The baseline of the same run keeps
 * the same streams, writes the same text once a second, and uses no database, sessions or platforms.
 */

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { watchAccountMetrics } from '@atrium/contract/accounts/live-metrics.ts'
import pg from 'pg'
import { buildApp } from '../server/app.ts'
import type { System } from '../server/foundation/actor.ts'
import { inTransaction } from '../server/foundation/database/database.ts'
import { openSession } from '../server/sessions/session.ts'
import { addPlatform } from '../tests/fixtures/trading/platforms.ts'
import { addWorkspace } from '../tests/fixtures/workspaces.ts'
import { forkMembers, type Members, type Watching } from './load/live-members.ts'
import { firstLogin, forkPlatforms, manager, type Platforms } from './load/live-platforms.ts'
import type { Tick } from './measure/measurement.ts'
import { listen, onFixture } from './setup.ts'

const steps = (process.env.ATRIUM_BENCH_WATCHERS ?? '500,1000,2000,3000,4000').split(',').map(Number)
const most = Math.max(...steps)
const platformCount = 4
const settleMs = 4_000
const measureMs = Number(process.env.ATRIUM_BENCH_MS ?? 11_000)
const enoughMs = 1_000

await onFixture(async ({ context, ownerUrl }) => {
  console.log(`  ${most} members with an open position each, on ${platformCount} simulated platforms`)
  const platforms = await forkPlatforms(platformCount, Math.ceil(most / platformCount))
  const members = forkMembers()
  try {
    const system = await addWorkspace(context, { subdomain: 'bench', isDefault: true })
    const tokens = await fill(system, ownerUrl, platforms)
    const app = await buildApp(context)
    const url = (await listen(app)) + watchAccountMetrics.path
    const bare = await startBare(platforms)
    for (const count of steps) {
      const watching = tokens.slice(0, count)
      const baseline = await step({ url: bare.url, platforms, members }, watching)
      const writes = await countWrites(ownerUrl)
      const live = await step({ url, platforms, members }, watching)
      const written = (await countWrites(ownerUrl)) - writes
      console.log(describe(count, live, baseline))
      console.log(`           ${perSecond(written, live.tookMs + settleMs)} rows written/s`)
      if (live.p50Ms > enoughMs) break
    }
    bare.stop()
    await app.close()
  } finally {
    platforms.stop()
    members.stop()
  }
})

type Step = Watching & { calls: number; tookMs: number; cpuShare: number }

async function step(on: { url: string; platforms: Platforms; members: Members }, tokens: string[]): Promise<Step> {
  const { url, platforms, members } = on
  await members.watch(url, tokens)
  await pause(settleMs)
  await members.forget()
  await platforms.take()
  const started = performance.now()
  const cpu = process.cpuUsage()
  await pause(measureMs)
  const tookMs = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  const { ticks, calls } = await platforms.take()
  // Leaves the last ticks time to arrive.
  await pause(2_500)
  const watching = await members.judge(ticks)
  await members.leave()
  await pause(500)
  return { ...watching, calls, tookMs, cpuShare: (user + system) / 1_000 / tookMs }
}

function describe(count: number, live: Step, bare: Step): string {
  const cells = [
    `${String(count).padStart(6)} watch`,
    `p50 ${live.p50Ms.toFixed(0).padStart(5)} ms`,
    `p99 ${live.p99Ms.toFixed(0).padStart(5)} ms`,
    `${perSecond(live.calls, live.tookMs).padStart(5)} calls/s`,
    `processor ${(live.cpuShare * 100).toFixed(0).padStart(3)} %`,
    `unseen ${live.unseen}`,
    `bare: p50 ${bare.p50Ms.toFixed(0)} p99 ${bare.p99Ms.toFixed(0)} ms, ${(bare.cpuShare * 100).toFixed(0)} %`,
    `${(live.p50Ms / bare.p50Ms).toFixed(2)} x p50`,
  ]
  return `  ${cells.join('   ')}`
}

function perSecond(count: number, ms: number): string {
  return (count / (ms / 1_000)).toFixed(1)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Rows changed in the account tables, over all transactions so far. */
async function countWrites(ownerUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const found = await client.query<{ written: string }>(
    `select sum(n_tup_ins + n_tup_upd)::text as written from pg_stat_user_tables where relname like '%account%'`,
  )
  await client.end()
  return Number(found.rows[0]?.written ?? 0)
}

/** Creates members with one account and one session each, spread over the platforms. */
async function fill(system: System, ownerUrl: string, { urls }: Platforms): Promise<string[]> {
  const platformIds: string[] = []
  for (const baseUrl of urls) {
    const settings = { baseUrl, managerLogin: manager.login, timeZone: 'Europe/Athens', allowPlainHttp: true }
    const connection = { settings, secret: { managerPassword: manager.password } }
    platformIds.push(await addPlatform(system, { name: baseUrl, connection }))
  }
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(
    `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, created_at)
     select $1, gen_random_uuid(), (100000 + n)::text, 'Member', n::text, 'bench' || n || '@bench.test', 'none', now()
     from generate_series(0, $2::int - 1) n`,
    [system.workspaceId, most],
  )
  await client.query(
    `insert into trading_accounts (workspace_id, account_id, member_id, platform_id, platform_login, live_account, group_name,
       leverage, currency, created_at)
     select $1, gen_random_uuid(), member_id, ($2::uuid[])[1 + place % $3], ($4 + place / $3)::text, true,
       'real\\standard-usd', 100, 'USD', now()
     from (select member_id, (row_number() over (order by customer_number))::int - 1 as place from members
       where workspace_id = $1) as numbered`,
    [system.workspaceId, platformIds, platformIds.length, firstLogin],
  )
  await client.query('analyze')
  const found = await client.query<{ id: string }>('select member_id as id from members order by customer_number')
  await client.end()
  const device = { address: null, userAgent: 'bench' }
  return inTransaction(system, async (tx) => {
    const tokens: string[] = []
    for (const { id } of found.rows) tokens.push((await openSession(tx, system, { kind: 'member', id }, device)).token)
    return tokens
  })
}

/** Only the streams: the cost of sending one message a second to each. */
async function startBare(platforms: Platforms): Promise<{ url: string; stop(): void }> {
  const open = new Set<ServerResponse>()
  let latest: Tick = { number: 0, at: 0 }
  platforms.onTick((tick) => {
    latest = tick
  })
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('retry: 3000\n\n')
    open.add(response)
    response.on('close', () => open.delete(response))
  })
  const timer = setInterval(() => {
    for (const response of open) response.write(`event: figures\ndata: ${JSON.stringify(eventOf(latest))}\n\n`)
  }, 1_000)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    stop() {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The same length as the server's message about one account. */
function eventOf({ number }: Tick) {
  const money = '100000.00'
  const metrics = { balance: money, equity: money, credit: '0.00', floating_pnl: `${number}.00`, margin: '1000.00' }
  const rest = { margin_free: money, margin_level: '10000.00', leverage: 100, balance_as_of: Date.now() }
  const _id = '01234567-89ab-7def-8123-456789abcdef'
  return { accounts: [{ _id, ...metrics, ...rest, balance_is_live: true }], gone: [] }
}
