/**
 * `npm run bench -- deposits`: a minute of a hundred deposits a second over HTTP, compared with the bare statements of as many;
 * then a burst of a thousand webhooks, counted at the end, with the time until each is processed.
 */

import { Agent, request } from 'node:http'
import type pg from 'pg'
import { buildApp } from '../server/app.ts'
import type { System } from '../server/foundation/actor.ts'
import { paymentJobs } from '../server/payments/jobs.ts'
import { makeUniqueToken } from '../server/sessions/unique-token.ts'
import { startSafechargeSimulator } from '../simulators/safecharge/simulator.ts'
import { addProvider } from '../tests/fixtures/payments/payment-providers.ts'
import { addAccount, addPlatform } from '../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, memberActor, openTestSession } from '../tests/fixtures/workspaces.ts'
import { connect } from './against-sql.ts'
import { describeMeasurement, measure, quantilesOf } from './measure/measurement.ts'
import { listen, onFixture } from './setup.ts'

const perSecond = Number(process.env.ATRIUM_BENCH_DEPOSITS ?? 100)
const seconds = Number(process.env.ATRIUM_BENCH_SECONDS ?? 60)
const burst = 1_000
/** Enough people that nobody reaches the rate limit for deposits. */
const people = 200
const connections = 4
/** The number of sequential deposits before the minute. */
const apart = 500
/** Events still unprocessed after this time count as lost. */
const patienceMs = 300_000

type Person = { token: string; memberId: string; accountId: string; makeToken(): Promise<string> }
type Started = { status: number; body: { order?: string; form_data?: { fields: { name: string; value: string }[] } } }

await onFixture(async ({ context, ownerUrl }) => {
  const system = await addWorkspace(context, { subdomain: 'bench', isDefault: true })
  const secrets = { merchantId: '1000000001', siteId: '200001', secretKey: 'safecharge-secret-0001' }
  const simulator = await startSafechargeSimulator(secrets)
  const providerId = await addProvider(system, 'safecharge', simulator.settings)
  const members = await makePeople(system)
  const app = await buildApp(context)
  const url = await listen(app)
  context.config.port = Number(new URL(url).port)
  const owner = await connect(ownerUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })

  async function start(index: number, token?: string): Promise<Started> {
    const person = members[index % people] as Person
    const body = {
      ...{ trading_account: person.accountId, amount: '250.00', payment_method: 'safecharge', country: 'MT' },
      ...{ city: 'Valletta', address_line_1: '1 Harbour Road', phone: '+35621000000', email: 'mara@example.com' },
      ...{ token_key: 'transaction_deposit', nonce_token: token ?? (await person.makeToken()) },
    }
    const path = `${url}/customers/trading-accounts/start-deposit`
    return post(agent, path, JSON.stringify(body), {
      authorization: `Bearer ${person.token}`,
      'content-type': 'application/json',
    })
  }

  const count = perSecond * seconds
  await measure(connections, 100, async (index) => void (await start(index)))
  const clients = await Promise.all(Array.from({ length: connections }, () => connect(ownerUrl)))
  const baseline = await measure(connections, apart, async (index) => {
    const client = clients.pop()
    if (!client) throw new Error('More connections than clients.')
    await insertBare(client, system, members[index % people] as Person, { providerId, index })
    clients.push(client)
  })
  await Promise.all(clients.map((client) => client.end()))
  // A browser fetches its idempotency key when the form opens, before it is submitted.
  const tokens = await makeTokens(members, count + apart)
  const alone = await measure(
    connections,
    apart,
    async (index) => void (await start(count + index, tokens[count + index])),
  )
  console.log(describeMeasurement('The rows of a deposit, bare', baseline))
  console.log(describeMeasurement('POST start-deposit, 4 at a time', alone, baseline))
  await atRate(count, (index) => start(index, tokens[index]))

  const orders: string[] = []
  while (orders.length < burst) {
    const { body } = await start(orders.length)
    const fields = body.form_data?.fields ?? []
    await simulator.post(fields)
    orders.push(fields.find(({ name }) => name === 'merchant_unique_id')?.value ?? '')
  }
  await context.jobs.start(paymentJobs(context))
  const began = performance.now()
  const answered = await measure(32, burst, async (index) => {
    const webhookEvent = simulator.webhookEventOf(orders[index] ?? '', { status: 'APPROVED' })
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status } = await post(agent, `${url}/callbacks/payments/safecharge`, webhookEvent, type)
    if (status !== 200) throw new Error(`A webhook event was answered with ${status}.`)
  })
  console.log(describeMeasurement(`${burst} webhook events, 32 at a time`, answered))
  await reportOfDrain(owner, { began, orders })
  await app.close()
  await owner.end()
  await simulator.stop()
  agent.destroy()
})

/** Checks that no webhook event is lost; lists the orders that are not paid with the reason. */
async function reportOfDrain(owner: pg.Client, { began, orders }: { began: number; orders: string[] }): Promise<void> {
  const countOf = async (sql: string, values: unknown[] = []): Promise<number> =>
    (await owner.query<{ count: number }>(sql, values)).rows[0]?.count ?? 0
  let left = burst
  while (left > 0 && performance.now() - began < patienceMs) {
    left = await countOf(`select count(*)::int as count from payment_notifications where verdict = 'unread'`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const took = ((performance.now() - began) / 1000).toFixed(1)
  const stored = await countOf('select count(*)::int as count from payment_notifications')
  const paid = await countOf(
    `select count(*)::int as count from deposit_orders where state = 'paid' and attempt = any($1)`,
    [orders],
  )
  console.log(`  ${stored} of ${burst} stored, ${left} unread ${took} s after the first one, ${paid} orders paid`)
  const others = await owner.query<{ state: string; why: string | null; count: number }>(
    `select state, staff_reason as why, count(*)::int as count from deposit_orders where attempt = any($1) and state <> 'paid' group by 1, 2`,
    [orders],
  )
  for (const { state, why, count } of others.rows) console.log(`    ${count} ${state}: ${why}`)
}

async function makePeople(system: System): Promise<Person[]> {
  const platformId = await addPlatform(system)
  const made: Person[] = []
  for (let index = 0; index < people; index++) {
    const { memberId } = await addMember(system, { documents_status: 'approved' })
    const accountId = await addAccount(system, { memberId, platformId })
    const { token } = await openTestSession(system, { kind: 'member', id: memberId })
    const member = await memberActor(system, memberId)
    made.push({ token, memberId, accountId, makeToken: () => makeUniqueToken(member, 'transaction_deposit') })
  }
  return made
}

async function makeTokens(members: Person[], count: number): Promise<string[]> {
  const tokens: string[] = []
  await measure(connections, count, async (index) => {
    tokens[index] = await (members[index % people] as Person).makeToken()
  })
  return tokens
}

/** Sends each request at its scheduled time, regardless of earlier ones, and reports the delay. */
async function atRate(count: number, start: (index: number) => Promise<Started>): Promise<void> {
  const took: number[] = []
  const problems: string[] = []
  const began = performance.now()
  const underWay: Promise<void>[] = []
  for (let index = 0; index < count; index++) {
    const dueIn = began + (index * 1000) / perSecond - performance.now()
    if (dueIn > 0) await new Promise((resolve) => setTimeout(resolve, dueIn))
    const sentAt = performance.now()
    const one = start(index).then(({ status, body }) => {
      took.push(performance.now() - sentAt)
      if (status !== 200) problems.push(`${status} ${JSON.stringify(body)}`)
    })
    underWay.push(one.catch((problem) => void problems.push(String(problem))))
  }
  await Promise.all(underWay)
  const lasted = (performance.now() - began) / 1000
  const quantile = quantilesOf(took)
  const at = (share: number) => quantile(share).toFixed(0)
  console.log(
    `  ${count} deposits in ${lasted.toFixed(1)} s (${(count / lasted).toFixed(0)} a second), ${problems.length} errors, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`,
  )
  for (const problem of new Set(problems.slice(0, 5))) console.log(`    ${problem}`)
}

type Numbers = { providerId: string; index: number }

/** The rows of a started deposit, in one transaction without any other work. */
async function insertBare(
  owner: pg.Client,
  system: System,
  { memberId, accountId }: Person,
  { providerId, index }: Numbers,
) {
  const ids = [system.workspaceId, memberId, accountId, providerId, 5_000_000 + index].map((value) => `'${value}'`)
  const [workspace, member, account, provider, ticket] = ids
  const attempt = `bare-${String(index).padStart(12, '0')}`
  await owner.query(`with transaction as (
      insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency, state, source, payment_method, destination, created_at)
      values (${workspace}, gen_random_uuid(), ${ticket}, ${member}, ${account}, 'deposit', 250, 'USD', 'pending', 'client', 'psp:safecharge', 'psp:safecharge', now())
      returning transaction_id)
    insert into deposit_orders (workspace_id, order_id, member_id, account_id, provider_id, transaction_id, attempt, amount, fee, charge, currency, state, next_look_at, expires_at, created_at)
    select ${workspace}, gen_random_uuid(), ${member}, ${account}, ${provider}, transaction_id, '${attempt}', 250, 0, 250, 'USD', 'created', now(), now(), now() from transaction`)
  await owner.query(
    `update deposit_orders set state = 'handed_over', hand_off = '{}' where workspace_id = ${workspace} and attempt = '${attempt}'`,
  )
}

function post(agent: Agent, url: string, body: string, headers: Record<string, string>): Promise<Started> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString()
          const isJson = String(answer.headers['content-type']).includes('json')
          resolve({ status: answer.statusCode ?? 0, body: isJson ? (JSON.parse(text) as Started['body']) : {} })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
