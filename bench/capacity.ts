/**
 * `npm run bench -- capacity`: the most used lists while one brokerage grows to a million members with ten transactions
 * each, and the disk space of a row of each table, extrapolated to a hundred million rows. `-- capacity --members
 * 10000,100000,1000000 --each 10` sets sizes and transactions; the largest needs about 10 GB of disk.
 */

import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { asker } from './against-sql.ts'
import { describeExtrapolation, readSizes } from './fill/capacity-sizes.ts'
import { dropIndexes } from './fill/fill.ts'
import { fillPastTriggers, type ListFixture, memberId, onBrokerage, readDesk, workspace } from './growing-lists.ts'
import { type Measurement, measure } from './measure/measurement.ts'

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '10000,100000,1000000' },
    each: { type: 'string', default: '10' },
  },
})
const sizes = values.members.split(',').map(Number)
const each = Number(values.each)
const chunk = 500_000
const askers = 100
const connections = 2
const requests = Number(process.env.ATRIUM_BENCH_REQUESTS ?? 200)

const transactions = `query { balance_transactions(limit: 15, page: 1, withCount: true) {
  _id ticket type amount status state payment_method platform_ticket created_at currency
  trading_account { _id platform_login currency live_account trading_platform { type } } } }`
const accounts = `query { current_member { _id accounts(sync: false) { _id platform_login balance currency status } } }`

const settings = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '1GB' },
  ...{ shared_buffers: '512MB', maintenance_work_mem: '256MB' },
}
const features = { dashboard: true, accounts: true, deposits: true, balance_transactions: true }

await onBrokerage({ features, members: 0, settings }, async (fixture) => {
  const smallest = new Map<string, Measurement>()
  let filled = 0
  for (const size of sizes) {
    const begun = performance.now()
    await fillPastTriggers(fixture.owner, () => fillBrokerage(fixture.owner, { from: filled, to: size }))
    filled = size
    console.log(`  ${size} members, ${size * each} transactions, ${await describeDisk(fixture.owner)}`)
    console.log(`    filled in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
    for (const [name, run] of Object.entries(await askLists(fixture)))
      await reportList(fixture, { name, run, smallest }).catch((problem) =>
        console.log(`    ${name.padEnd(34)} ${problem}`),
      )
  }
  describeExtrapolation(await readSizes(fixture.owner))
})

type List = { name: string; run: () => Promise<void>; smallest: Map<string, Measurement> }

/** Reports database pages beside the time: their number does not depend on the machine or its load. */
async function reportList({ owner }: ListFixture, { name, run, smallest }: List): Promise<void> {
  await measure(connections, 20, run)
  const before = await readPages(owner)
  const measurement = await measure(connections, requests, run)
  const pages = ((await readPages(owner)) - before) / requests
  const first = smallest.get(name) ?? measurement
  smallest.set(name, first)
  const cells = [
    name.padEnd(34),
    `p50 ${measurement.p50Ms.toFixed(1).padStart(7)} ms`,
    `p95 ${measurement.p95Ms.toFixed(1).padStart(7)} ms`,
    `${(measurement.p50Ms / first.p50Ms).toFixed(2)} x p50 of ${sizes[0]}`,
    `${pages.toFixed(0).padStart(7)} pages`,
  ]
  console.log(`    ${cells.join('   ')}`)
}

/** Waits because a backend reports its reads up to a second after it becomes idle. */
async function readPages(owner: pg.Client): Promise<number> {
  await setTimeout(1_500)
  const { rows } = await owner.query<{ pages: string }>(
    `select blks_hit + blks_read as pages from pg_stat_database where datname = current_database()`,
  )
  return Number(rows[0]?.pages)
}

async function describeDisk(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ size: string }>(
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  )
  return `${rows[0]?.size} on disk`
}

/** Asks for another member each time: a single one would be read from memory only. */
async function askLists(begun: ListFixture): Promise<Record<string, () => Promise<void>>> {
  const { url, owner, tokenOf } = begun
  // Filling takes longer than the idle timeout of a session.
  const fixture = { ...begun, deskToken: await tokenOf('staff', begun.staffId) }
  const { rows } = await owner.query<{ id: string; last_name: string; number: string }>(
    `select member_id as id, last_name, customer_number as number from members
     where customer_number in (select (100000 + (n * greatest(1, (select count(*) from members) / $1::int)))::text from generate_series(0, $1::int - 1) n)`,
    [askers],
  )
  const tokens = await Promise.all(rows.map(({ id }) => tokenOf('member', id)))
  let turn = 0
  const next = () => (turn += 1)
  const token = () => tokens[next() % tokens.length] ?? ''
  const person = () => rows[next() % rows.length] ?? { last_name: '', number: '' }
  const [askTransactions, askAccounts] = [asker(url, transactions), asker(url, accounts)]
  return {
    'a member: transactions': () => askTransactions(token()),
    'a member: accounts': () => askAccounts(token()),
    'a member: dashboard': () => readDashboard(url, token()),
    'desk: members': () => readDesk(fixture, 'members'),
    'desk: members by name': () => readDesk(fixture, 'members?order=name'),
    'desk: members by surname': () => readDesk(fixture, `members?q=${person().last_name}`),
    'desk: members by two first letters': () => readDesk(fixture, `members?q=${person().last_name.slice(0, 2)}`),
    'desk: members by number': () => readDesk(fixture, `members?q=${person().number}`),
    'desk: pending deposits': () => readDesk(fixture, 'deposits?state=pending'),
    'desk: deposits, newest': () => readDesk(fixture, 'deposits?order=newest'),
    'desk: deposits of a surname': () => readDesk(fixture, `deposits?q=${person().last_name}`),
    'desk: start of a table export': () => beginTable(fixture, 'deposits/table?state=approved'),
  }
}

async function readDashboard(url: string, token: string): Promise<void> {
  const answer = await fetch(`${url}/members/dashboard`, { headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Error(`The dashboard answered ${answer.status}`)
  await answer.arrayBuffer()
}

/** Reads the head and the first rows, then aborts. */
async function beginTable({ url, deskToken }: ListFixture, path: string): Promise<void> {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${deskToken}` }
  const answer = await fetch(`${url}/desk/api/${path}`, { headers, signal: leaving.signal })
  if (answer.status !== 200 || !answer.body) throw new Error(`The table answered ${answer.status}`)
  let bytes = 0
  for await (const part of answer.body) {
    bytes += part.length
    if (bytes > 2_000) break
  }
  leaving.abort()
}

/** In bulk and without triggers; the search words of members are written as the trigger would write them. */
async function fillBrokerage(owner: pg.Client, { from, to }: { from: number; to: number }): Promise<void> {
  if (from === 0) await prepareNames(owner)
  await owner.query(
    `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, emails, password_hash, status,
       documents_status, created_at)
     select $1, bench_id('1', n), (100000 + n)::text, initcap(syllable(n) || syllable(n / 7)),
       initcap(syllable(n / 3) || syllable(n / 271)), 'm' || n || '@bench.test', array['m' || n || '@bench.test'], repeat('x', 97),
       (array['active', 'active', 'active', 'locked'])[1 + n % 4], (array['approved', 'approved', 'pending'])[1 + n % 3],
       now() - interval '1 minute' * ($3::int - n)
     from generate_series(greatest($2::int, 1), $3::int - 1) n`,
    [workspace, from, to],
  )
  const isNew = 'customer_number::int - 100000 >= greatest($1::int, 1)'
  await owner.query(
    `insert into member_words (workspace_id, member_id, word)
     select workspace_id, member_id, word from members, words_of_member(members) as word where ${isNew}`,
    [from],
  )
  await owner.query(
    `insert into trading_accounts (workspace_id, account_id, member_id, platform_id, platform_login, live_account, group_name,
       leverage, currency, balance, created_at)
     select workspace_id, bench_id('2', customer_number::int - 100000), member_id, workspace_id,
       (5000000 + customer_number::int)::text, true, 'real', 100, 'USD', 1000, created_at
     from members where ${isNew} or $1 = 0`,
    [from],
  )
  await fillTransactions(owner, { from, to })
}

/** Ascending ids like the production ids, and about eight thousand surnames. */
async function prepareNames(owner: pg.Client): Promise<void> {
  await owner.query(`create function bench_id(kind text, n bigint) returns uuid language sql immutable
    return (case when kind = '1' and n = 0 then '${memberId}' else '01900000-0000-7' || kind || '00-8000-' || lpad(to_hex(n), 12, '0') end)::uuid`)
  await owner.query(`create function syllable(n bigint) returns text language sql immutable
    return substr('bcdfghjklmnprstvwz', 1 + (n % 18)::int, 1) || substr('aeiou', 1 + (n / 18 % 5)::int, 1)`)
  await owner.query(
    `insert into trading_platforms (workspace_id, platform_id, type, name, created_at) values ($1, $1, 'mt5', 'Bench MT5', now())`,
    [workspace],
  )
}

/** Spreads the rows of one member over the table, as years of use would. */
async function fillTransactions(owner: pg.Client, { from, to }: { from: number; to: number }): Promise<void> {
  const indexes = await dropIndexes(owner)
  for (let start = from * each; start < to * each; start += chunk)
    await owner.query(
      `insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency, state,
         source, payment_method, destination, comment, platform_ticket, rejection_reason, decided_at, created_at)
       select $1, bench_id('3', n), n, bench_id('1', place), bench_id('2', place), (array['deposit', 'deposit', 'withdrawal'])[1 + n % 3],
         (1 + n % 9000)::numeric / 100, 'USD', state, 'client', (array['manual', 'psp:zotapay'])[1 + n / 3 % 2],
         (array['Bank', 'psp:zotapay'])[1 + n / 3 % 2], 'Transfer ' || n, case state when 'approved' then n::text end,
         case state when 'rejected' then 'other' end, case state when 'pending' then null else at + interval '1 hour' end, at
       from generate_series($2::bigint, $3::bigint - 1) n
       cross join lateral (select $4::bigint + n % $5::bigint as place) whose
       cross join lateral (select case when n % 2000 = 0 then 'pending' when n % 20 = 1 then 'rejected' else 'approved' end as state,
         now() - interval '15 seconds' * ($6::bigint - n) as at) how`,
      [workspace, start, Math.min(to * each, start + chunk), from, to - from, Math.max(...sizes) * each],
    )
  for (const index of indexes) await owner.query(index)
}
