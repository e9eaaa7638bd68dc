import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { systemActor } from '../server/foundation/actor.ts'
import { inTransaction } from '../server/foundation/database.ts'
import { startEmbeddedPostgres } from '../server/foundation/embedded-postgres.ts'
import { migrate } from '../server/foundation/migrate.ts'
import { hashPassword, passwordCost } from '../server/sessions/password.ts'
import { openSession } from '../server/sessions/session.ts'
import { prepare } from '../server/start.ts'
import { findWorkspace } from '../server/workspaces/workspace.ts'
import { describeFigures, type Figures, measure } from './figures.ts'
import { fillBrokerage } from './fill.ts'
import { type Answer, type Ask, plantQuery, timeSignIns } from './sign-in-timing.ts'

/**
 * `npm run bench -- sign-in`, three questions with one answer each:
 * what a sign-in costs beside the hash that it is made of, what an ordinary call feels of a storm of them, and whether the
 * time that an answer takes tells a known address from an unknown one (with `--timing` the last one alone, with
 * `--refused` of the answers beyond a limit alone; sign-in-timing.ts).
 */
const password = 'Bench-2026'
const signIns = Number(process.env.ATRIUM_BENCH_SIGN_INS ?? 300)
const document = 'query { balance_transactions(limit: 15, page: 1) { _id ticket amount status } }'

const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
const server = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres') })
try {
  await run(server.url)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function run(ownerUrl: string): Promise<void> {
  await migrate(ownerUrl)
  const { memberIds } = await fillBrokerage(ownerUrl, await hashPassword(password))
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: ownerUrl,
    ATRIUM_DATA: folder,
    TRUSTED_PROXIES: '1',
    CALLS_PER_MINUTE: '0', // What refuses is the sign-in's own limit, not the pace of a cookie.
  })
  const { ground, close } = await prepare(config)
  // Tries are limited by time; the bench passes it, so that what is measured is looked at and not refused.
  let passedMs = 0
  const clock = { now: () => new Date(Date.now() + passedMs) }
  const app = await buildApp({ ...ground, clock })
  plantQuery(app, { ...ground, clock })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  const ask = asker(typeof address === 'object' && address ? address.port : 0)
  const system = (await findWorkspace(ground, undefined)) ?? systemActor(ground, '')
  const token = async (): Promise<string> => {
    const person = { kind: 'member', id: memberIds[0] ?? '' } as const
    const opened = await inTransaction(system, (tx) =>
      openSession(tx, { ...system, ground: { ...ground, clock } }, person, { address: null, userAgent: 'bench' }),
    )
    return opened.token
  }
  const signIn = (index: number, at = index) =>
    ask(
      'POST',
      '/members/login',
      { email: `bench${1 + (index % 5_000)}@bench.test`, password },
      { 'x-forwarded-for': `10.1.${at % 250}.${at % 199}` },
    )

  if (!process.argv.includes('--timing')) {
    await signInAgainstHash(signIn)
    await storm(signIn, ask, await token())
  }
  const passDay = () => {
    passedMs += 24 * 3_600_000
  }
  const isHeld = await timeSignIns({ ask, ownerUrl, passDay, onlyRefused: process.argv.includes('--refused') })
  await app.close()
  await close()
  if (!isHeld) process.exitCode = 1
}

async function signInAgainstHash(signIn: (index: number) => Promise<Answer>): Promise<void> {
  await measure(4, 20, async (index) => void (await signIn(index)))
  const bare = await measure(4, signIns, async () => void (await hash(password, passwordCost)))
  const whole = await measure(4, signIns, async (index) => expect200(await signIn(index)))
  console.log(describeFigures('argon2id, bare, 4 at once', bare))
  console.log(describeFigures('POST /members/login, 4 at once', whole, bare))
}

/** Two hundred at once, again and again, for as long as the queries beside them take. */
async function storm(signIn: (index: number, at?: number) => Promise<Answer>, ask: Ask, token: string): Promise<void> {
  const query = `/graph?q=${Buffer.from(document).toString('base64url')}`
  const read = async (): Promise<void> =>
    expect200(await ask('GET', query, undefined, { authorization: `Bearer ${token}` }))
  await measure(2, 300, read)
  const calm = await measure(2, 1_500, read)
  const answers = new Map<number, number>()
  let isOver = false
  let next = 0
  const lane = async (): Promise<void> => {
    while (!isOver) {
      next += 1
      const { status, retryAfter } = await signIn(next)
      if (status !== 200 && retryAfter === undefined) throw new Error(`${status} does not say when to come again`)
      answers.set(status, (answers.get(status) ?? 0) + 1)
      // A browser that was told to come again does not come in the same breath.
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
  const lanes = Array.from({ length: 200 }, lane)
  const started = performance.now()
  const beside: Figures = await measure(2, 1_500, read)
  const seconds = (performance.now() - started) / 1_000
  isOver = true
  await Promise.all(lanes)
  console.log(describeFigures('A query, alone', calm))
  console.log(describeFigures('A query, beside 200 signing in', beside, calm))
  const tally = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ')
  console.log(`  ${'Of the sign-ins meanwhile'.padEnd(44)}   ${tally} in ${seconds.toFixed(1)} s`)
}

function expect200({ status }: Answer): void {
  if (status !== 200) throw new Error(`Answered ${status}`)
}

function asker(port: number): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 300 })
  return (method, path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const asked = {
        host: '127.0.0.1',
        port,
        path,
        method,
        agent,
        headers: { 'content-type': 'application/json', ...headers },
      }
      const sent = request(asked, (answer) => {
        answer.resume()
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }))
      })
      sent.on('error', reject)
      sent.end(body ? JSON.stringify(body) : undefined)
    })
}
