/**
 * `npm run bench -- ledger`: the cost of one internal ledger check of a brokerage whose transactions were all credited long ago. The
 * baseline of the same run is one statement that reads the same transactions with their intents and compares nothing.
 */

import { checkLedger } from '../server/funding/ledger.ts'
import { addAccount, addPlatform } from '../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace } from '../tests/fixtures/workspaces.ts'
import { connect } from './against-sql.ts'
import { usedByTree } from './load/process-usage.ts'
import { type BenchSetup, onFixture } from './setup.ts'

const counts = (process.env.ATRIUM_BENCH_TRANSACTIONS ?? '100000,400000').split(',').map(Number)
const accountsCount = 200
const rounds = 3

async function reportOf(count: number, { context, ownerUrl, databasePid }: BenchSetup): Promise<void> {
  const owner = await connect(ownerUrl)
  const system = await addWorkspace(context, { subdomain: 'bench', isDefault: true })
  const platformId = await addPlatform(system, { groups: [{ name: 'real', alias: 'Standard' }] })
  const { memberId } = await addMember(system)
  for (let index = 0; index < accountsCount; index += 1)
    await addAccount(system, { memberId, platformId, platform_login: String(700_000 + index) })
  await owner.query('set session_replication_role = replica')
  await owner.query(transactions, [count])
  await owner.query(intents)
  await owner.query('vacuum analyze')
  const baseline = await measure(databasePid, async () => void (await owner.query(readThem)))
  for (let round = 1; round <= rounds; round += 1) {
    const took = await measure(databasePid, async () => {
      const found = await checkLedger(system)
      if (found.length > 0) throw new Error(`${found.length} findings in a correct ledger.`)
    })
    console.log(
      `  ${count} transactions, round ${round}: ${took.ms.toFixed(0)} ms, us ${took.ours.toFixed(0)} ms, the database ${took.database.toFixed(0)} ms; ${(took.ms / baseline.ms).toFixed(2)} x reading all at once`,
    )
  }
  await owner.end()
}

/** At least a year old, some seconds apart. */
const transactions = `
  insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency, state,
    source, payment_method, platform_ticket, created_at, decided_at)
  select a.workspace_id, (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
    n, a.member_id, a.account_id, 'deposit', 100 + n % 900, 'USD', 'approved', 'client', 'wire', n::text,
    now() - interval '1 year' - n * interval '1 second', now() - interval '1 year' - n * interval '1 second'
  from generate_series(1, $1::int) as n
  join (select *, row_number() over (order by account_id) - 1 as place from trading_accounts) a on a.place = n % ${accountsCount}`
const intents = `
  insert into platform_intents (workspace_id, intent_id, kind, platform_id, platform_login, transaction_id, amount, currency, note, tag,
    state, next_step_at, ticket, created_at, done_at)
  select t.workspace_id, t.transaction_id, 'balance', a.platform_id, a.platform_login, t.transaction_id, t.amount, t.currency, 'Deposit',
    'A' || lpad(t.ticket::text, 16, '0'), 'done', t.created_at, t.platform_ticket, t.created_at, t.created_at
  from balance_transactions t join trading_accounts a using (workspace_id, account_id)`
const readThem = `
  select count(*) from balance_transactions t join platform_intents i using (workspace_id, transaction_id) where i.amount <> t.amount`

async function measure(databasePid: number, work: () => Promise<void>) {
  const ofDatabase = () => usedByTree(databasePid)?.cpuSeconds ?? 0
  const before = { cpu: process.cpuUsage(), database: ofDatabase(), at: performance.now() }
  await work()
  const { user, system } = process.cpuUsage(before.cpu)
  return {
    ms: performance.now() - before.at,
    ours: (user + system) / 1_000,
    database: (ofDatabase() - before.database) * 1_000,
  }
}

for (const count of counts) await onFixture((setup) => reportOf(count, setup))
