/**
 * `npm run bench -- read-path`: the queries of a member's browser for the transactions and the accounts, against PostGraphile,
 * against bare Fastify and pg, and against the same bare SQL, alone and behind HTTP; and the desk's list of deposits against its own
 * bare SQL behind HTTP. `-- read-path --only ours` skips the others;
 * `--rounds` and `--seconds` set the number of rounds and the length of each.
 */

import { parseArgs } from 'node:util'
import { buildApp } from '../server/app.ts'
import { type ChildServer, startChildServer } from '../tests/doubles/child-server.ts'
import { type BareSql, forkBareSql } from './baselines/sql.ts'
import { fillBrokerage, openDeskSessions, openSessions, size } from './fill/fill.ts'
import { type Asked, forkLoadGenerator, type LoadGenerator } from './load/load-generator.ts'
import { type Contestant, medianRatio, type Results, type Round, reportResults, runRounds } from './load/rounds.ts'
import { reportRatio } from './measure/ratios.ts'
import { type BenchSetup, onFixture } from './setup.ts'
import { onlyAsked, recordStatements } from './statements.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
  },
})
const isAlone = values.only === 'ours'
const connections = 16
const plan = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
const workspace = '00000000-0000-7000-8000-000000000001'

const transactions = `query { balance_transactions(limit: 15, page: 1, withCount: true) {
  _id ticket type amount status state payment_method platform_ticket created_at currency
  trading_account { _id platform_login currency live_account trading_platform { type } } } }`
const overview = `query { current_member { _id accounts(sync: false) {
  _id platform_login platform_type leverage group balance equity balance_as_of balance_is_live live_account currency status
  country country_alpha2 city enable_read_only archived deleted
  trading_platform { _id name type } trade_info { floating_pnl } } } }`
const ofPostgraphile = `query ($workspace: UUID!, $member: UUID!) {
  allBalanceTransactions(condition: { workspaceId: $workspace, memberId: $member }, first: 15,
      orderBy: [CREATED_AT_DESC, TRANSACTION_ID_DESC]) {
    totalCount
    nodes { transactionId ticket type amount state paymentMethod platformTicket createdAt currency
      tradingAccountByWorkspaceIdAndAccountIdAndMemberId { accountId platformLogin currency liveAccount
        tradingPlatformByWorkspaceIdAndPlatformId { type } } } } }`

await onFixture(async (setup) => {
  console.log(`  Filling ${size.transactions} transactions and ${size.accounts} accounts of ${size.members} members`)
  const { memberIds } = await fillBrokerage(setup.ownerUrl, 'none')
  const tokens = await openSessions(setup, memberIds)
  const generator = forkLoadGenerator()
  const stops: (() => unknown)[] = [generator.stop]
  const start = async (environment: Record<string, string>, program?: string): Promise<ChildServer> => {
    const place = { databaseUrl: setup.ownerUrl, dataDirectory: setup.context.config.dataDirectory }
    const server = await startChildServer({ ...place, roles: 'web', environment, ...(program && { program }) })
    stops.push(server.stop)
    return server
  }
  try {
    const ours = await start({ CALLS_PER_MINUTE: '0' })
    const asOurs = (document: string): Asked[] => tokens.map((token) => askOurs(document, token))
    const lists = [await contest(generator, 'ours', ours, asOurs(transactions))]
    const accounts = [await contest(generator, 'ours', ours, asOurs(overview))]
    const deskTokens = await openDeskSessions(setup, connections)
    const deposits = [await contest(generator, 'ours', ours, deskTokens.map(askDesk))]
    if (!isAlone) {
      lists.push(...(await startOthers(generator, start, memberIds)))
      const baseline = await startBare(setup, tokens, memberIds)
      stops.push(baseline.stop)
      accounts.push(bareLoop(baseline), bareServer(generator, baseline))
      const bareDesk = await startBareDesk(setup, deskTokens)
      stops.push(bareDesk.stop)
      deposits.push(bareServer(generator, bareDesk))
    }
    const databasePid = setup.databasePid
    const listed = await runRounds(lists, { ...plan, databasePid })
    reportResults('Transactions, a page of 15 with its count', listed)
    const shown = await runRounds(accounts, { ...plan, databasePid })
    reportResults('Accounts overview', shown)
    const queued = await runRounds(deposits, { ...plan, databasePid })
    reportResults("Desk's list of deposits, a page of 25 with its counts", queued)
    if (!isAlone) reportRatios(listed, shown, queued)
  } finally {
    for (const stop of stops) await stop()
  }
})

function askOurs(document: string, token: string): Asked {
  const path = `/graph?q=${Buffer.from(document).toString('base64url')}`
  return { method: 'GET', path, headers: { authorization: `Bearer ${token}` } }
}

function askDesk(token: string): Asked {
  return { path: '/desk/api/deposits?limit=25', headers: { authorization: `Bearer ${token}` } }
}

/** Checks the answer first, so that no contestant is measured with failing requests. */
async function contest(
  generator: LoadGenerator,
  name: string,
  { url, child }: ChildServer,
  requests: readonly Asked[],
): Promise<Contestant> {
  const first = requests[0]
  if (!first) throw new Error('There are no requests.')
  const { method = 'GET', headers = {}, body = null } = first
  const answer = await fetch(url + first.path, { method, headers, body })
  const text = await answer.text()
  if (answer.status !== 200 || text.includes('"errors"') || text.length < 1_000)
    throw new Error(`${name} answered ${answer.status} ${text.slice(0, 1_000)}`)
  return { name, pid: child.pid ?? 0, run: (seconds) => generator.order({ url, requests, connections, seconds }) }
}

type Start = (environment: Record<string, string>, program?: string) => Promise<ChildServer>

async function startOthers(generator: LoadGenerator, start: Start, memberIds: string[]): Promise<Contestant[]> {
  const environment = { NODE_ENV: 'production', GRAPHILE_ENV: 'production', BASELINE_CONNECTIONS: String(connections) }
  const graph = new URL('./baselines/postgraphile.ts', import.meta.url).pathname
  const route = new URL('./baselines/fastify.ts', import.meta.url).pathname
  const postgraphile = await start(environment, graph)
  const named = await start({ ...environment, BASELINE_NAMED: 'yes' }, route)
  const plain = await start(environment, route)
  const asGraph = memberIds.map((member) => ({
    method: 'POST' as const,
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: ofPostgraphile, variables: { workspace, member } }),
  }))
  const asRoute = memberIds.map((member) => ({ path: `/transactions?workspace=${workspace}&member=${member}` }))
  return [
    await contest(generator, 'PostGraphile', postgraphile, asGraph),
    await contest(generator, 'Fastify, named', named, asRoute),
    await contest(generator, 'Fastify, plain', plain, asRoute),
  ]
}

/** The SQL of the document beyond what every request runs, such as the session query. */
async function startBare({ context, ownerUrl }: BenchSetup, tokens: string[], memberIds: string[]) {
  // A memory of its own, so that the first request finds the workspace too, and no later one does.
  const app = await buildApp({ ...context })
  const ask = (document: string) => async (): Promise<void> => {
    const { path: url, headers = {} } = askOurs(document, tokens[0] ?? '')
    const { statusCode } = await app.inject({ url, headers })
    if (statusCode !== 200) throw new Error(`Answered ${statusCode}`)
  }
  const anything = ask('query { __typename }')
  // Twice, since the second request runs the repeated proof.
  const besides = await recordStatements(async () => {
    await anything()
    await anything()
  }).catch(() => [])
  const asked = onlyAsked(await recordStatements(ask(overview)), besides)
  await app.close()
  console.log(`  The accounts overview runs ${asked.length} statements of its own`)
  const of = (member: string) =>
    asked.map(({ text, values }) => ({ text, values: values.map((each) => (each === memberIds[0] ? member : each)) }))
  return forkBareSql({ databaseUrl: ownerUrl, connections, runs: memberIds.map(of) })
}

/** The SQL of the desk's list beyond the session proof, of which a signal of activity consists. */
async function startBareDesk({ context, ownerUrl }: BenchSetup, [token = '']: string[]) {
  const app = await buildApp({ ...context })
  const headers = { authorization: `Bearer ${token}` }
  const twice = (asked: { method: 'GET' | 'POST'; url: string; payload?: object }) => async (): Promise<void> => {
    for (let time = 0; time < 2; time += 1) {
      const { statusCode } = await app.inject({ ...asked, headers })
      if (statusCode !== 200) throw new Error(`Answered ${statusCode}`)
    }
  }
  const besides = await recordStatements(twice({ method: 'POST', url: '/desk/api/activity', payload: {} }))
  const recorded = await recordStatements(twice({ method: 'GET', url: askDesk(token).path }))
  await app.close()
  const asked = onlyAsked(recorded, besides)
  const one = asked.slice(0, asked.length / 2)
  console.log(`  The desk's list runs ${one.length} statements of its own`)
  return forkBareSql({ databaseUrl: ownerUrl, connections, runs: [one] })
}

function bareLoop({ pid, run }: BareSql): Contestant {
  return { name: 'the same SQL, bare, named', pid, run }
}

/** Its throughput is comparable with ours: the load generator takes its share of the processors beside both. */
function bareServer(generator: LoadGenerator, { pid, url }: BareSql): Contestant {
  const requests = [{ path: '/' }]
  const run = (seconds: number) => generator.order({ url, requests, connections, seconds })
  return { name: 'the same SQL behind HTTP, named', pid, run }
}

/** Processor time per request is the more stable measure: it hardly changes on a busy machine. */
function reportRatios(listed: Results, shown: Results, queued: Results): void {
  const of = ({ ownMs, databaseMs }: Round) => ownMs + databaseMs
  const compare = (what: string, results: Results, beside: string): void => {
    reportRatio(`${what} / ${beside}`, medianRatio(results, { beside }))
    reportRatio(`processor for ${what} / ${beside}`, medianRatio(results, { beside, of }))
  }
  for (const beside of ['PostGraphile', 'Fastify, named', 'Fastify, plain']) compare('transactions', listed, beside)
  for (const beside of ['the same SQL, bare, named', 'the same SQL behind HTTP, named'])
    compare('accounts', shown, beside)
  compare("the desk's list", queued, 'the same SQL behind HTTP, named')
}
