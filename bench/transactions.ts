import type pg from 'pg'
import { buildApp } from '../server/app.ts'
import { systemActor } from '../server/foundation/actor.ts'
import { inTransaction } from '../server/foundation/database.ts'
import { openSession } from '../server/sessions/session.ts'
import { asker, connect, measureBesideSql } from './against-sql.ts'
import type { Figures } from './figures.ts'
import { dropPlainIndexes, fillWorkspace } from './fill.ts'
import { listen, onStage } from './stage.ts'

/**
 * `npm run bench -- transactions`: the page of transactions with each of its filters and with its count, while the table
 * grows. The p95 of each size stands beside that of the smallest, and beside the same SQL run bare at the same size.
 * `ATRIUM_BENCH_TRANSACTIONS=10000,1000000,10000000` names the sizes.
 */
const sizes = (process.env.ATRIUM_BENCH_TRANSACTIONS ?? '10000,1000000').split(',').map(Number)
const requests = Number(process.env.ATRIUM_BENCH_REQUESTS ?? 300)
const lanes = 2
/** Of the member who looks; everybody else has a hundred. */
const ownRows = 2_000
const rowsPerMember = 100
const chunk = 500_000

const workspace = '00000000-0000-7000-8000-000000000001'
const looker = '00000000-0000-7000-8000-000000000002'
const account = '00000000-0000-7000-8000-000000000003'

const fields = `_id ticket type amount currency status state source comment origin payment_method destination fee
  platform_ticket created_at timeline { at event by note } attachments { media_type created_at }
  trading_account { _id platform_login live_account platform_type }`
const page = (args: string) =>
  `query { balance_transactions(limit: 15, page: 1, withCount: true${args}) { ${fields} } }`

const documents: Record<string, string> = {
  'no filter': page(''),
  'a ticket': page(', ticket: "1500"'),
  'an account': page(`, trading_account: "${account}"`),
  'an account number': page(', account_number: "700000"'),
  deposits: page(', type: "deposit"'),
  pending: page(', status: "pending"'),
  rejected: page(', status: "rejected"'),
  'a destination': page(', destination: "zotapay"'),
  'an amount': page(', amount: "12.34"'),
  'an amount nobody has': page(', amount: "98765.43"'),
  'one month': page(
    `, created_at_from: ${Date.now() - 60 * 86_400_000}, created_at_to: ${Date.now() - 30 * 86_400_000}`,
  ),
  'the last page': page('').replace('page: 1', `page: ${Math.floor(ownRows / 15)}`),
}

await onStage(async ({ ground, ownerUrl }) => {
  const owner = await connect(ownerUrl)
  await fillPeople(owner)
  const app = await buildApp(ground)
  const url = await listen(app)
  const system = systemActor(ground, workspace)
  const device = { address: null, userAgent: 'bench' }
  const { token } = await inTransaction(system, (tx) => openSession(tx, system, { kind: 'member', id: looker }, device))
  const first = new Map<string, Figures>()
  let rows = 0
  for (const size of sizes) {
    rows = await fillTransactions(owner, { from: rows, to: size })
    const rssBefore = process.memoryUsage.rss()
    const disk = await owner.query<{ size: string }>(
      `select pg_size_pretty(pg_database_size(current_database())) as size`,
    )
    console.log(`  ${size} transactions, ${disk.rows[0]?.size}`)
    for (const [name, document] of Object.entries(documents)) {
      const ask = asker(url, document)
      const { viaDriver, viaHttp } = await measureBesideSql({ ownerUrl, lanes, requests }, () => ask(token))
      first.set(name, first.get(name) ?? viaHttp)
      describe(name, viaHttp, { viaDriver, smallest: first.get(name) ?? viaHttp })
    }
    const grown = (process.memoryUsage.rss() - rssBefore) / 1e6
    console.log(
      `  The server's memory: ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB, ${grown.toFixed(0)} MB more than before`,
    )
  }
  await app.close()
  await owner.end()
})

function describe(
  name: string,
  figures: Figures,
  { viaDriver, smallest }: Record<'viaDriver' | 'smallest', Figures>,
): void {
  const cells = [
    name.padEnd(24),
    `p50 ${figures.p50Ms.toFixed(2).padStart(7)} ms`,
    `p95 ${figures.p95Ms.toFixed(2).padStart(7)} ms`,
    `${(figures.p95Ms / smallest.p95Ms).toFixed(2)} x p95 of ${sizes[0]}`,
    `${(figures.p50Ms / viaDriver.p50Ms).toFixed(2)} x p50 of bare SQL`,
  ]
  console.log(`    ${cells.join('   ')}`)
}

async function fillPeople(owner: pg.Client): Promise<void> {
  const members = Math.ceil(Math.max(...sizes) / rowsPerMember)
  await fillWorkspace(owner, workspace)
  await owner.query(
    `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, created_at)
     select $1, case n when 0 then $2::uuid else gen_random_uuid() end, (100000 + n)::text, 'Member', n::text, 'bench' || n || '@bench.test', 'none', now()
     from generate_series(0, $3::int) n`,
    [workspace, looker, members],
  )
  await owner.query(
    `insert into trading_accounts (workspace_id, account_id, member_id, platform_id, platform_login, live_account, group_name,
       leverage, currency, balance, created_at)
     select $1, case member_id when $2::uuid then $3::uuid else gen_random_uuid() end, member_id, $1,
       (700000 + customer_number::int - 100000)::text, true, 'real', 100, 'USD', 1000, now()
     from members where workspace_id = $1`,
    [workspace, looker, account],
  )
  await owner.query(`create table bench_people as select member_id, account_id, row_number() over (order by platform_login::int) - 1 as place
    from trading_accounts where workspace_id = '${workspace}'`)
  await owner.query('create unique index on bench_people (place)')
  await owner.query('analyze')
}

/** In bulk and past triggers: building the table is not what is measured. The first rows are the looker's own. Ids rise as ours do. */
async function fillTransactions(owner: pg.Client, { from, to }: { from: number; to: number }): Promise<number> {
  await owner.query('set session_replication_role = replica')
  const indexes = await dropPlainIndexes(owner)
  for (let start = from; start < to; start += chunk)
    await owner.query(
      `insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency, state,
         source, payment_method, destination, comment, platform_ticket, rejection_reason, created_at)
       select $1, lpad(to_hex(n), 32, '0')::uuid, n, p.member_id, p.account_id, (array['deposit', 'withdrawal'])[1 + n % 2],
         (1 + n % 9000)::numeric / 100, 'USD', (array['approved', 'approved', 'approved', 'pending', 'rejected'])[1 + n / 2 % 5], 'client',
         (array['manual', 'psp:zotapay'])[1 + n / 3 % 2], (array['Bank', 'psp:zotapay'])[1 + n / 3 % 2], 'Transfer ' || n,
         n::text, 'other', now() - n % 500000 * interval '1 minute'
       from generate_series($2::bigint + 1, $3::bigint) n
       join bench_people p on p.place = case when n <= $4 then 0 else 1 + n / $5 end`,
      [workspace, start, Math.min(to, start + chunk), ownRows, rowsPerMember],
    )
  await owner.query('set session_replication_role = origin')
  for (const index of indexes) await owner.query(index)
  await owner.query('vacuum analyze balance_transactions')
  return to
}
