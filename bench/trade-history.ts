/**
 * `npm run bench -- trades`: an account with 100,000 deals on a simulated MetaTrader 5 server (in its own process, called as often
 * as the adapter calls a real one). From the first request: the time to the first page and to the complete history, the memory
 * used for reading, and the cost of pages, sums and the table afterwards.
 */

import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import type { Context } from '../server/foundation/context.ts'
import { reading } from '../server/foundation/database/database.ts'
import { migrate } from '../server/foundation/database/migrate.ts'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { prepare } from '../server/start.ts'
import { tradeJobs } from '../server/trades/jobs.ts'
import type { TradeSeed } from '../simulators/metatrader/seeds.ts'
import { startMt5Simulator } from '../simulators/mt5/simulator.ts'
import { stopOnSignal } from '../tests/fixtures/database/stop-on-signal.ts'
import { addAccount, addPlatform } from '../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, openTestSession } from '../tests/fixtures/workspaces.ts'
import { describeMeasurement, measure } from './measure/measurement.ts'

const trades = Number(process.env.ATRIUM_BENCH_TRADES ?? 50_000)
const login = '700123'
const manager = { login: '1002', password: 'Bench-Manager-1' }
const dayMs = 86_400_000

if (process.argv[2] === 'platform') await actAsPlatform()
else await main()

async function actAsPlatform(): Promise<void> {
  const simulator = await startMt5Simulator({
    port: 0,
    stateFile: ':memory:',
    managers: [manager],
    timeZone: 'Europe/Athens',
    movingPrices: false,
  })
  const now = Date.now()
  const spanMs = 730 * dayMs
  const made = Array.from({ length: trades }, (_, index): TradeSeed => {
    const closedAtMs = now - Math.floor((index / trades) * spanMs)
    const symbol = ['EURUSD', 'GBPUSD', 'USDJPY', 'XAUUSD'][index % 4] ?? 'EURUSD'
    const side = index % 3 === 0 ? 'sell' : 'buy'
    const prices = { openPrice: '1.08000', closePrice: (1.07 + (index % 200) / 10_000).toFixed(5) }
    return {
      symbol,
      side,
      lots: '0.10',
      ...prices,
      openedAtMs: closedAtMs - 3_600_000,
      closedAtMs,
      commission: '-0.35',
    }
  })
  const account = { login, group: 'real\\standard-usd', name: 'Bench Member', leverage: 100, balance: '1000.00' }
  simulator.control.seedAccounts([{ ...account, registeredAtMs: now - 800 * dayMs, trades: made }])
  process.send?.(simulator.url)
}

async function main(): Promise<void> {
  console.log(`  Filling a simulated platform with ${2 * trades} deals`)
  const platform = fork(import.meta.filename, ['platform'])
  const url = await new Promise<string>((resolve) => platform.once('message', (message) => resolve(String(message))))
  const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
  const server = await stopOnSignal(startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres') }))
  try {
    await migrate(server.url)
    const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'warn', DATABASE_URL: server.url, ATRIUM_DATA: folder })
    const { context, close } = await prepare(config)
    try {
      await run(context, url)
    } finally {
      await close()
    }
  } finally {
    platform.kill()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(context: Context, baseUrl: string): Promise<void> {
  const system = await addWorkspace(context, { subdomain: 'bench', isDefault: true })
  const { memberId } = await addMember(system)
  const settings = { baseUrl, managerLogin: manager.login, timeZone: 'Europe/Athens', allowPlainHttp: true }
  const platformId = await addPlatform(system, {
    connection: { settings, secret: { managerPassword: manager.password } },
  })
  const accountId = await addAccount(system, { memberId, platformId, platform_login: login })
  const { token } = await openTestSession(system, { kind: 'member', id: memberId })
  const app = await buildApp(context)
  await app.ready()
  await context.jobs.start(tradeJobs(context))
  const ask = asker(app, token)
  const of = `trading_account: "${accountId}"`

  const memory = watchMemory()
  const started = performance.now()
  let firstPageMs = 0
  for (let isComplete = false; !isComplete; ) {
    const answer = await ask(`{ trade_history(${of}) { is_complete } trade_records(${of}, limit: 15) { _id } }`)
    if (firstPageMs === 0 && answer.trade_records.length === 15) firstPageMs = performance.now() - started
    isComplete = answer.trade_history.is_complete
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { count } = await reading(system, (tx) =>
    tx
      .selectFrom('trade_deals')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('workspace_id', '=', system.workspaceId)
      .executeTakeFirstOrThrow(),
  )
  console.log(`  First page after ${Math.round(firstPageMs)} ms, ${count} deals kept after ${seconds(started)} s`)
  console.log(`  Memory while reading: ${memory.stop()}`)

  const fields = '_id cmd entry symbol volume open_price close_price profit state_label timestamp'
  const documents = {
    'First page with count': `{ trade_records(${of}, limit: 15, withCount: true) { ${fields} } }`,
    'Page 6,000': `{ trade_records(${of}, limit: 15, page: 6000) { ${fields} } }`,
    'First page by profit': `{ trade_records(${of}, limit: 15, sort: "profit") { ${fields} } }`,
    'First page of one symbol, with count': `{ trade_records(${of}, symbol: "XAUUSD", limit: 15, withCount: true) { ${fields} } }`,
    'Sums of everything': `{ trade_totals(${of}) { count volume profit swap commission net } }`,
  }
  for (const [name, document] of Object.entries(documents)) {
    await ask(document)
    const measurement = await measure(1, 50, async () => {
      await ask(document)
    })
    console.log(describeMeasurement(name, measurement))
  }
  const writing = watchMemory()
  const begun = performance.now()
  const table = await app.inject({
    method: 'GET',
    url: `/members/trading-accounts/${accountId}/trades/table`,
    headers: { authorization: `Bearer ${token}` },
    payloadAsStream: true,
  })
  let bytes = 0
  for await (const chunk of table.stream()) bytes += (chunk as Buffer).length
  console.log(`  The table of all (${(bytes / 1e6).toFixed(1)} MB) in ${seconds(begun)} s, memory: ${writing.stop()}`)
  await app.close()
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}

type Asked = { trade_records: unknown[]; trade_history: { is_complete: boolean } }

function asker(app: Awaited<ReturnType<typeof buildApp>>, token: string) {
  return async (query: string): Promise<Asked> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'POST', url: '/graph', headers, payload: JSON.stringify({ query }) })
    const { data, errors } = answer.json<{ data: Asked; errors?: unknown }>()
    if (errors) throw new Error(answer.body)
    return data
  }
}

/** The peak heap above the heap after an initial garbage collection. */
function watchMemory() {
  globalThis.gc?.()
  const before = process.memoryUsage()
  let heap = 0
  let rss = 0
  const poll = (): void => {
    const now = process.memoryUsage()
    heap = Math.max(heap, now.heapUsed)
    rss = Math.max(rss, now.rss)
  }
  const timer = setInterval(poll, 20)
  return {
    stop(): string {
      clearInterval(timer)
      poll()
      globalThis.gc?.()
      const after = process.memoryUsage()
      const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
      return `heap at most +${mb(heap - before.heapUsed)}, left +${mb(after.heapUsed - before.heapUsed)}; rss +${mb(rss - before.rss)}`
    },
  }
}
