import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { systemActor } from '../server/foundation/actor.ts'
import { inTransaction } from '../server/foundation/database.ts'
import { startEmbeddedPostgres } from '../server/foundation/embedded-postgres.ts'
import { migrate } from '../server/foundation/migrate.ts'
import { hashPassword } from '../server/sessions/password.ts'
import { openSession } from '../server/sessions/session.ts'
import { prepare } from '../server/start.ts'
import { findWorkspace } from '../server/workspaces/workspace.ts'
import { describeFigures, measure } from './figures.ts'
import { fillBrokerage, size } from './fill.ts'

/**
 * `npm run bench`: the list of transactions as a member's browser asks for it, and the same SQL run bare through the driver
 * in the same run. The ratio is what counts: it says what tenancy, sessions, GraphQL and HTTP cost on top of the database.
 */
const connections = 16
const requests = Number(process.env.ATRIUM_BENCH_REQUESTS ?? 6_000)

const document = `query { balance_transactions(limit: 15, page: 1, withCount: true) {
  _id ticket type amount status state payment_method platform_ticket created_at currency
  trading_account { _id platform_login currency live_account trading_platform { type } } } }`

const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
const server = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres') })
try {
  await run(server.url)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function run(ownerUrl: string): Promise<void> {
  console.log(`  Filling ${size.transactions} transactions of ${size.members} members`)
  await migrate(ownerUrl)
  const { memberIds } = await fillBrokerage(ownerUrl, await hashPassword('Bench-2026'))
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'fatal', DATABASE_URL: ownerUrl, ATRIUM_DATA: folder })
  const { ground, close } = await prepare(config)
  const app = await buildApp(ground)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const system = (await findWorkspace(ground, undefined)) ?? systemActor(ground, '')
  const device = { address: null, userAgent: 'bench' }
  const tokens = await inTransaction(system, async (tx) => {
    const opened = []
    for (const id of memberIds) opened.push((await openSession(tx, system, { kind: 'member', id }, device)).token)
    return opened
  })

  const ask = asker(port)
  const statements = await recordStatements(ground.database.pool, () => ask(tokens[0] ?? ''))
  const bare = statements.filter(({ text }) => !/^(begin|commit|rollback)/i.test(text))
  console.log(`  One request runs ${statements.length} statements, ${bare.length} without begin, scope and commit`)

  const clients = await Promise.all(Array.from({ length: connections }, () => connect(ownerUrl)))
  await measure(connections, 1_000, (index) => ask(tokens[index % tokens.length] ?? ''))
  const viaDriver = await measure(connections, requests, async (index) => {
    const client = clients.pop()
    if (!client) throw new Error('More lanes than connections.')
    for (const { text, values } of bare) await client.query(text, forMember(values, index))
    clients.push(client)
  })
  const viaHttp = await measure(connections, requests, (index) => ask(tokens[index % tokens.length] ?? ''))
  console.log(describeFigures('The same SQL, bare, through the driver', viaDriver))
  console.log(describeFigures('GET /graph, balance_transactions', viaHttp, viaDriver))
  await Promise.all(clients.map((client) => client.end()))
  await app.close()
  await close()

  /** The recorded values belong to the first member; each run asks for another one, as the requests do. */
  function forMember(values: unknown[], index: number): unknown[] {
    const first = memberIds[0]
    return values.map((value) => (value === first ? memberIds[index % memberIds.length] : value))
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

type Statement = { text: string; values: unknown[] }

/** What one request sends to the database, in the order it sends it. */
async function recordStatements(pool: pg.Pool, work: () => Promise<void>): Promise<Statement[]> {
  const seen: Statement[] = []
  const original = pg.Client.prototype.query
  const recording = function (this: pg.Client, ...call: unknown[]) {
    const [text, values] = call
    if (typeof text === 'string') seen.push({ text, values: Array.isArray(values) ? values : [] })
    return Reflect.apply(original, this, call)
  }
  pg.Client.prototype.query = recording as typeof original
  try {
    await work()
  } finally {
    pg.Client.prototype.query = original
  }
  if (pool.totalCount === 0 || seen.length === 0) throw new Error('Nothing was recorded.')
  return seen
}

/** One keep-alive connection a lane, as browsers hold them. */
function asker(port: number): (token: string) => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const path = `/graph?q=${Buffer.from(document).toString('base64url')}`
  return (token) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      const sent = request({ host: '127.0.0.1', port, path, agent, headers }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => {
          const body = Buffer.concat(parts).toString()
          if (answer.statusCode !== 200 || body.includes('"errors"')) reject(new Error(`${answer.statusCode} ${body}`))
          else resolve()
        })
      })
      sent.on('error', reject)
      sent.end()
    })
}
