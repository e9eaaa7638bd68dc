/**
 * `npm run bench -- hanging-others`: the time of unrelated calls while the payment provider, the mail server or the file storage
 * hangs and members keep paying, receiving mail and uploading, compared with the time just before.
 * `npm run bench -- hanging` does the same for a platform.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../server/config.ts'
import { inTransaction } from '../server/foundation/database/database.ts'
import { migrate } from '../server/foundation/database/migrate.ts'
import { newId } from '../server/foundation/ids.ts'
import { sendMail } from '../server/notifications/mail.ts'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { prepare } from '../server/start.ts'
import { startZotaSimulator } from '../simulators/zotapay/simulator.ts'
import { startStorage } from '../tests/doubles/bucket.ts'
import { startChildServer } from '../tests/doubles/child-server.ts'
import { startMailServer } from '../tests/doubles/mail-server.ts'
import { openMuteProxy } from '../tests/doubles/mute-proxy.ts'
import { stopOnSignal } from '../tests/fixtures/database/stop-on-signal.ts'
import { addProvider } from '../tests/fixtures/payments/payment-providers.ts'
import { addAccount, addPlatform } from '../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, openTestSession } from '../tests/fixtures/workspaces.ts'
import { describeMeasurement, type Measurement, measure, middleOf } from './measure/measurement.ts'

const rounds = 3
const requests = Number(process.env.ATRIUM_BENCH_REQUESTS ?? 1_200)
const peopleCount = 40
const connections = 4
const stuckConnections = 8
/** Longer than any timeout of an external call, so that no call is pending when a round begins. */
const waitedForMs = 45_000

type Person = { token: string; accountId: string; memberId: string; email: string }
type Case = { name: string; hang(is: boolean): void; work(person: Person): Promise<string> }

const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
const database = await stopOnSignal(startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres') }))
const storage = await startStorage()
const storageProxy = await openMuteProxy(storage.bucket.endpoint ?? '')
const mail = await startMailServer()
const zota = await startZotaSimulator({
  merchantId: 'ZM1',
  secretKey: 'zota-bench-secret',
  endpoints: { '402334': 'USD' },
})
const providerProxy = await openMuteProxy(zota.settings.baseUrl ?? '')
const outside = {
  SMTP_URL: mail.url,
  S3_BUCKET: storage.bucket.name,
  S3_ENDPOINT: storageProxy.url,
  S3_REGION: storage.bucket.region,
  S3_ACCESS_KEY_ID: storage.bucket.accessKeyId ?? '',
  S3_SECRET_ACCESS_KEY: storage.bucket.secretAccessKey ?? '',
}
await migrate(database.url)
const config = readConfig({
  ...{ NODE_ENV: 'test', LOG_LEVEL: 'fatal', DATABASE_URL: database.url, ATRIUM_DATA: folder },
  ...outside,
})
const { context, close } = await prepare(config)
const system = await addWorkspace(context, { subdomain: 'bench', isDefault: true })
const people = await fill()
const server = await startChildServer({ databaseUrl: database.url, dataDirectory: folder, environment: outside })
const cases: Case[] = [
  { name: 'the provider', hang: providerProxy.mute, work: pay },
  { name: 'the mail server', hang: (is) => mail.setBehaviour(is ? 'deaf-from-the-start' : 'accept'), work: write },
  { name: 'the storage', hang: storageProxy.mute, work: upload },
]
try {
  await measureOthers(200)
  for (const each of cases) await reportOf(each)
} finally {
  await server.stop()
  await close()
  for (const double of [storageProxy, providerProxy, mail]) double.close()
  await zota.stop()
  await storage.close()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Both halves of a round run the same load; only the answers of the external service differ. */
async function reportOf({ name, hang, work }: Case): Promise<void> {
  const alone: Measurement[] = []
  const calm: Measurement[] = []
  const beside: Measurement[] = []
  const answers = new Map<string, number>()
  await during(work, () => measureOthers(200), new Map())
  for (let round = 0; round < rounds; round++) {
    alone.push(await measureOthers(requests))
    calm.push(await during(work, () => measureOthers(requests), new Map()))
    hang(true)
    beside.push(await during(work, () => measureOthers(requests), answers))
    hang(false)
  }
  const [baseline, before, then] = [middleOf(alone), middleOf(calm), middleOf(beside)]
  console.log(describeMeasurement('Others, alone', baseline))
  console.log(describeMeasurement(`Others, ${name} answers`, before, baseline))
  console.log(describeMeasurement(`Others, ${name} hangs`, then, baseline))
  const against = ({ p99Ms }: Measurement): string => `${(then.p99Ms / p99Ms).toFixed(2)} x`
  console.log(
    `  ${'Their p99 against alone (bar 1.20)'.padEnd(44)}   ${against(baseline)}; against answering ${against(before)}`,
  )
  console.log(`  Its own callers were answered ${[...answers].map(([what, count]) => `${count} x ${what}`).join(', ')}`)
}

async function measureOthers(count: number): Promise<Measurement> {
  return measure(connections, count, async (index) => {
    const list = '{ balance_transactions(limit: 15, page: 1, withCount: true) { _id ticket amount } }'
    const accounts = '{ current_member { accounts(sync: false) { _id balance } } }'
    const document = Buffer.from(index % 2 ? list : accounts).toString('base64url')
    const answer = await ask(personAt(index), `/graph?q=${document}`)
    if (answer.status !== 200) throw new Error(`Answered ${answer.status}`)
    await answer.arrayBuffer()
  })
}

/** Some members keep calling the hanging service while other members are measured. */
async function during(
  work: Case['work'],
  measured: () => Promise<Measurement>,
  answers: Map<string, number>,
): Promise<Measurement> {
  let isOver = false
  const asking = Array.from({ length: stuckConnections }, async (_, connection) => {
    for (let index = connection; !isOver; index += stuckConnections) {
      const answer = await work(personAt(index))
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      await pause(200)
    }
  })
  const measurement = await measured()
  isOver = true
  await Promise.all(asking)
  return measurement
}

function personAt(index: number): Person {
  return people[index % people.length] as Person
}

function ask({ token }: Person, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...init.headers }
  return fetch(`${server.url}${path}`, { ...init, headers, signal: AbortSignal.timeout(waitedForMs) })
}

function post(person: Person, path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return ask(person, path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function said(answer: Response): Promise<string> {
  const { code } = (await answer.json()) as { code?: string }
  return code ? `${answer.status} ${code}` : String(answer.status)
}

async function pay(person: Person): Promise<string> {
  const token_key = 'transaction_deposit'
  const { token } = (await (await post(person, '/members/get-unique-token', { token_key })).json()) as { token: string }
  return said(
    await post(person, '/customers/trading-accounts/start-deposit', {
      ...{ trading_account: person.accountId, amount: '25.00', payment_method: 'zotapay', country: 'MT' },
      ...{ city: 'Valletta', address_line_1: '1 Harbour Road', phone: '+35621000000', email: person.email },
      ...{ token_key, nonce_token: token },
    }),
  )
}

/** A job sends the mail; the caller does not wait. */
async function write({ memberId, email }: Person): Promise<string> {
  const letter = { subject: 'Bench', heading: 'Bench', lines: ['For the bench'], footnote: 'That is all.' }
  await inTransaction(system, (tx) => sendMail(tx, system, { to: email, memberId, hasLink: false, letter }))
  return 'at once'
}

async function upload(person: Person): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob(['%PDF-1.7\n', newId(), '\n%%EOF\n']), 'document.pdf')
  return said(await ask(person, '/media/cp-upload-file?purpose=document', { method: 'POST', body: form }))
}

async function fill(): Promise<Person[]> {
  const platformId = await addPlatform(system)
  await addProvider(system, 'zotapay', { ...zota.settings, baseUrl: providerProxy.url })
  const filled: Person[] = []
  for (let place = 0; place < peopleCount; place++) {
    const { memberId, email } = await addMember(system, { documents_status: 'approved' })
    const accountId = await addAccount(system, { memberId, platformId, balance: '1000.00' })
    const { token } = await openTestSession(system, { kind: 'member', id: memberId })
    filled.push({ token, accountId, memberId, email })
  }
  return filled
}
