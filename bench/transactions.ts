/**
 * `npm run bench -- transactions`: the transactions page with each filter and with its count, in tables of different
 * sizes that are queried in turn, compared with the smallest and with the same bare SQL.
 * `ATRIUM_BENCH_TRANSACTIONS=10000,1000000,10000000` sets the sizes.
 */

import type pg from 'pg'
import { buildApp } from '../server/app.ts'
import { systemActor } from '../server/foundation/actor.ts'
import { inTransaction } from '../server/foundation/database/database.ts'
import { openSession } from '../server/sessions/session.ts'
import { asker, connect, measureBesideSql } from './against-sql.ts'
import { dropIndexes, fillWorkspace } from './fill/fill.ts'
import { type Measurement, measure, medianOf } from './measure/measurement.ts'
import { reportRatio } from './measure/ratios.ts'
import { listen, onFixture } from './setup.ts'

const sizes = (process.env.ATRIUM_BENCH_TRANSACTIONS ?? '10000,1000000').split(',').map(Number)
const requests = Number(process.env.ATRIUM_BENCH_REQUESTS ?? 80)
const rounds = Number(process.env.ATRIUM_BENCH_ROUNDS ?? 5)
const connections = 2
/** Rows of the measured member; every other member has a hundred. */
const ownRows = 2_000
const rowsPerMember = 100
const chunk = 500_000

const workspace = '00000000-0000-7000-8000-000000000001'
const memberId = '00000000-0000-7000-8000-000000000002'
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

/** One database per size, side by side, so that all sizes are measured within the same seconds. */
type SizedDatabase = { size: number; ownerUrl: string; askFor(document: string): () => Promise<void> }

await onSizes([...sizes], [])

function onSizes([size, ...rest]: number[], filled: SizedDatabase[]): Promise<void> {
  if (size === undefined) return compareSizes(filled)
  return onFixture(async ({ context, ownerUrl }) => {
    const owner = await connect(ownerUrl)
    await fillPeople(owner, size)
    await fillTransactions(owner, size)
    await owner.end()
    const app = await buildApp(context)
    const url = await listen(app)
    const system = systemActor(context, workspace)
    const device = { address: null, userAgent: 'bench' }
    const { token } = await inTransaction(system, (tx) =>
      openSession(tx, system, { kind: 'member', id: memberId }, device),
    )
    const askFor = (document: string) => {
      const ask = asker(url, document)
      return () => ask(token)
    }
    await onSizes(rest, [...filled, { size, ownerUrl, askFor }])
    await app.close()
  })
}

async function compareSizes(databases: readonly SizedDatabase[]): Promise<void> {
  let dearest = 0
  for (const [name, document] of Object.entries(documents)) {
    const all = databases.map(({ size, askFor }) => ({ size, ask: askFor(document), measured: [] as Measurement[] }))
    for (const { ask } of all) await measure(connections, requests, ask)
    for (let round = 0; round < rounds; round += 1)
      for (const { ask, measured } of round % 2 ? all.toReversed() : all)
        measured.push(await measure(connections, requests, ask))
    const [smallest, largest] = [all[0]?.measured ?? [], all.at(-1)?.measured ?? []]
    const ratio = medianOf(largest.map(({ p95Ms }, round) => p95Ms / (smallest[round]?.p95Ms ?? Number.NaN)))
    dearest = Math.max(dearest, ratio)
    const cells = all.map(
      ({ size, measured }) => `${size}: p50 ${of(measured, 'p50Ms')}, p95 ${of(measured, 'p95Ms')} ms`,
    )
    const beside = await besideSql(databases.at(-1), document)
    console.log(`    ${[name.padEnd(20), ...cells, `${ratio.toFixed(2)} x p95`, beside].join('   ')}`)
  }
  reportRatio('transactions, p95 at the largest / smallest size', dearest)
}

function of(measured: readonly Measurement[], key: 'p50Ms' | 'p95Ms'): string {
  const median = medianOf(measured.map((each) => each[key]))
  return median.toFixed(2).padStart(6)
}

async function besideSql(database: SizedDatabase | undefined, document: string): Promise<string> {
  if (!database) return ''
  const { ownerUrl, askFor } = database
  const { viaDriver, viaHttp } = await measureBesideSql({ ownerUrl, connections, requests }, askFor(document))
  return `${(viaHttp.p50Ms / viaDriver.p50Ms).toFixed(2)} x p50 of bare SQL`
}

async function fillPeople(owner: pg.Client, size: number): Promise<void> {
  const members = Math.ceil(size / rowsPerMember)
  await fillWorkspace(owner, workspace)
  await owner.query(
    `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, created_at)
     select $1, case n when 0 then $2::uuid else gen_random_uuid() end, (100000 + n)::text, 'Member', n::text, 'bench' || n || '@bench.test', 'none', now()
     from generate_series(0, $3::int) n`,
    [workspace, memberId, members],
  )
  await owner.query(
    `insert into trading_accounts (workspace_id, account_id, member_id, platform_id, platform_login, live_account, group_name,
       leverage, currency, balance, created_at)
     select $1, case member_id when $2::uuid then $3::uuid else gen_random_uuid() end, member_id, $1,
       (700000 + customer_number::int - 100000)::text, true, 'real', 100, 'USD', 1000, now()
     from members where workspace_id = $1`,
    [workspace, memberId, account],
  )
  await owner.query(`create table bench_people as select member_id, account_id, row_number() over (order by platform_login::int) - 1 as place
    from trading_accounts where workspace_id = '${workspace}'`)
  await owner.query('create unique index on bench_people (place)')
  await owner.query('analyze')
}

/**
 * In bulk and without triggers, since filling is not measured; ids ascend, and the first rows belong to the measured
 * member.
 */
async function fillTransactions(owner: pg.Client, to: number): Promise<void> {
  await owner.query('set session_replication_role = replica')
  const indexes = await dropIndexes(owner)
  for (let start = 0; start < to; start += chunk)
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
}
