import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '../server/config.ts'
import type { System } from '../server/foundation/actor.ts'
import { inTransaction } from '../server/foundation/database.ts'
import { startEmbeddedPostgres } from '../server/foundation/embedded-postgres.ts'
import { migrate } from '../server/foundation/migrate.ts'
import { hashPassword } from '../server/sessions/password.ts'
import { openSession } from '../server/sessions/session.ts'
import { prepare } from '../server/start.ts'
import { type ChildServer, startChildServer } from '../server/testing/child-server.ts'
import { addWorkspace } from '../server/testing/harbour.ts'
import { addPlatform } from '../server/testing/harbour-platforms.ts'
import { addProvider } from '../server/testing/payment-providers.ts'
import { forkBrowsers, type Kind, kinds, type Person, type Polled, password } from './polling-members.ts'
import { type Used, usedBy, usedByTree } from './process-figures.ts'

/**
 * `npm run bench:load`: members' pages poll processes that were started as an operator starts them, all on one database. Told of
 * one, two and three processes: answers by kind, the processor's and the memory's share of processes and database, what a
 * storm of sign-ins does to everybody else, and how much they answer at most. The baseline of the same run answers the same
 * requests with the same number of bytes, and knows nothing.
 */
const peopleCount = Number(process.env.ATRIUM_BENCH_MEMBERS ?? 250)
const seconds = Number(process.env.ATRIUM_BENCH_SECONDS ?? 60)
const processCounts = (process.env.ATRIUM_BENCH_PROCESSES ?? '1,2,3').split(',').map(Number)
const logins = Number(process.env.ATRIUM_BENCH_LOGINS ?? 200)
const pressSeconds = Number(process.env.ATRIUM_BENCH_PRESS_SECONDS ?? 15)
const lanes = 32

const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
const database = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres') })
const browsers = forkBrowsers()
try {
  const people = await fill()
  await tellBaseline(people)
  for (const count of processCounts) await tellOf(count, people)
} finally {
  browsers.stop()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function tellOf(count: number, people: readonly Person[]): Promise<void> {
  const servers: ChildServer[] = []
  for (let index = 0; index < count; index += 1)
    servers.push(await startChildServer({ databaseUrl: database.url, dataDirectory: folder }))
  const targets = servers.map(({ url }) => url)
  const used = (): (Used | undefined)[] => [
    ...servers.map(({ child }) => usedBy(child.pid ?? 0)),
    usedByTree(database.pid),
  ]
  try {
    console.log(`  ${count} ${count === 1 ? 'process' : 'processes'}, idle: ${describeMemory(used())}`)
    await browsers.press({ targets, people, seconds: 3, lanes })
    const before = used()
    const calm = await browsers.poll({ targets, people, seconds, logins: 0 })
    tellPolled(`    ${people.length} members poll for ${seconds} s`, calm)
    tellShare(people.length, seconds, before, used())
    const storm = await browsers.poll({ targets, people, seconds: Math.min(seconds, 30), logins })
    tellPolled(`    with ${logins} sign-ins at once`, storm)
    if (count === 1) for (const kind of kinds) await tellCost(kind, { targets, people }, used)
    const pressed = await browsers.press({ targets, people, seconds: pressSeconds, lanes })
    console.log(`    at most, ${lanes} lanes: ${describeKind(pressed.all)}   ${pressed.perSecond.toFixed(0)}/s`)
    tellFailed(pressed)
    console.log(`    after it: ${describeMemory(used())}`)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** What one answer of a kind costs the processor, here and in the database. */
async function tellCost(
  kind: string,
  asked: { targets: readonly string[]; people: readonly Person[] },
  used: () => (Used | undefined)[],
): Promise<void> {
  const before = used()
  const { all } = await browsers.press({ ...asked, seconds: Math.min(pressSeconds, 5), lanes: 4, kind })
  const after = used()
  const [ours = 0, database = 0] = after.map(
    (one, index) => (((one?.cpuSeconds ?? 0) - (before[index]?.cpuSeconds ?? 0)) * 1_000) / all.count,
  )
  console.log(
    `    a ${kind} costs us ${ours.toFixed(2)} ms, the database ${database.toFixed(2)} ms; p50 ${all.p50Ms.toFixed(1)} ms, 4 at a time`,
  )
}

function tellPolled(title: string, polled: Polled): void {
  console.log(`${title}: ${polled.perSecond.toFixed(0)} requests/s`)
  for (const kind of [...polled.kinds, polled.all]) console.log(`      ${describeKind(kind)}`)
  tellFailed(polled)
}

function tellFailed({ failed }: Polled): void {
  for (const [what, count] of Object.entries(failed)) console.log(`      not answered as asked: ${count} x ${what}`)
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

/** Cores of the processes together, cores of the database, and how many such members one core of each would carry. */
function tellShare(
  members: number,
  took: number,
  before: readonly (Used | undefined)[],
  after: readonly (Used | undefined)[],
): void {
  const cores = after.map((used, index) => ((used?.cpuSeconds ?? 0) - (before[index]?.cpuSeconds ?? 0)) / took)
  const ofDatabase = cores.pop() ?? 0
  const ofProcesses = cores.reduce((sum, one) => sum + one, 0)
  console.log(
    `      processes ${ofProcesses.toFixed(2)} cores, database ${ofDatabase.toFixed(2)}: ${(members / ofProcesses).toFixed(0)} members a core of ours, ${(members / ofDatabase).toFixed(0)} a core of the database`,
  )
}

/** The same browsers before something that answers at once: what of the figures is theirs and the machine's. */
async function tellBaseline(people: readonly Person[]): Promise<void> {
  const answer = JSON.stringify({ status: 'ok', terms: [], digest: 'x'.repeat(64), filling: 'x'.repeat(200) })
  const bare = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer))
  })
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
  const targets = [`http://127.0.0.1:${(bare.address() as AddressInfo).port}`]
  tellPolled(
    '  Baseline: answers at once',
    await browsers.poll({ targets, people, seconds: Math.min(seconds, 20), logins: 0 }),
  )
  const pressed = await browsers.press({ targets, people, seconds: Math.min(pressSeconds, 10), lanes })
  console.log(`    at most, ${lanes} lanes: ${describeKind(pressed.all)}   ${pressed.perSecond.toFixed(0)}/s`)
  bare.closeAllConnections()
  bare.close()
}

/** Members with four accounts and some movements each; a deposit of each waits for its provider. */
async function fill(): Promise<Person[]> {
  await migrate(database.url)
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'fatal', DATABASE_URL: database.url, ATRIUM_DATA: folder })
  const { ground, close } = await prepare(config)
  try {
    const system = await addWorkspace(ground, { subdomain: 'bench', isDefault: true })
    const platformId = await addPlatform(system)
    const providerId = await addProvider(system, 'safecharge', {})
    await fillRows(system, { platformId, providerId })
    return await openSessions(system)
  } finally {
    await close()
  }
}

type Filled = { platformId: string; providerId: string }

async function fillRows(system: System, { platformId, providerId }: Filled): Promise<void> {
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  await owner.query(
    `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, created_at)
     select $1, gen_random_uuid(), (100000 + n)::text, 'Member', n::text, 'bench' || n || '@bench.test', $2, now()
     from generate_series(1, $3::int) n`,
    [system.workspaceId, await hashPassword(password), peopleCount],
  )
  await owner.query(
    `insert into trading_accounts (workspace_id, account_id, member_id, platform_id, platform_login, live_account, group_name,
       leverage, currency, balance, created_at)
     select $1, gen_random_uuid(), member_id, $2, (700000 + row_number() over ())::text, n < 4, 'real', 100, 'USD', 1000, now()
     from members cross join generate_series(1, 4) n where workspace_id = $1`,
    [system.workspaceId, platformId],
  )
  await owner.query(
    `insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency, state,
       source, payment_method, comment, platform_ticket, created_at)
     select $1, gen_random_uuid(), 1000 + row_number() over (), member_id, account_id, (array['deposit', 'withdrawal'])[1 + n % 2],
       (1 + n % 9000)::numeric / 100, 'USD', 'approved', 'client', 'manual', 'Transfer ' || n, row_number() over (), now() - n * interval '1 minute'
     from trading_accounts cross join generate_series(1, 10) n where workspace_id = $1 and live_account`,
    [system.workspaceId],
  )
  // Nobody at a provider knows of them, and no job looks before the bench is over.
  await owner.query(
    `with movement as (
       insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency, state,
         source, payment_method, destination, created_at)
       select $1, gen_random_uuid(), 5000000 + row_number() over (), member_id, account_id, 'deposit', 250, 'USD', 'pending', 'client',
         'psp:safecharge', 'psp:safecharge', now()
       from (select distinct on (member_id) member_id, account_id from trading_accounts where workspace_id = $1 and live_account) one
       returning workspace_id, transaction_id, member_id, account_id, ticket)
     insert into deposit_orders (workspace_id, order_id, member_id, account_id, provider_id, transaction_id, attempt, amount, fee,
       charge, currency, state, next_look_at, expires_at, created_at)
     select workspace_id, gen_random_uuid(), member_id, account_id, $2, transaction_id, 'bench-' || ticket, 250, 0, 250, 'USD',
       'created', now() + interval '1 day', now() + interval '1 day', now() from movement`,
    [system.workspaceId, providerId],
  )
  await owner.query(`update deposit_orders set state = 'handed_over', hand_off = '{}' where workspace_id = $1`, [
    system.workspaceId,
  ])
  await owner.query('analyze')
  await owner.end()
}

async function openSessions(system: System): Promise<Person[]> {
  const members = await inTransaction(system, (tx) =>
    tx
      .selectFrom('members')
      .innerJoin('deposit_orders', (join) =>
        join
          .onRef('deposit_orders.workspace_id', '=', 'members.workspace_id')
          .onRef('deposit_orders.member_id', '=', 'members.member_id'),
      )
      .select(['members.member_id', 'members.email', 'deposit_orders.order_id'])
      .where('members.workspace_id', '=', system.workspaceId)
      .execute(),
  )
  return inTransaction(system, async (tx) => {
    const people: Person[] = []
    for (const [index, { member_id: id, email, order_id: order }] of members.entries()) {
      const { token } = await openSession(tx, system, { kind: 'member', id }, { address: null, userAgent: 'bench' })
      people.push({ token, email: email ?? '', order, isActive: index % 2 === 0, waitsForDeposit: index % 10 === 0 })
    }
    return people
  })
}
