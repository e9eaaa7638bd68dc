/**
 * `npm run bench` runs the short set within ten minutes and fails for each ratio outside its band in bench/measure/ratios.json;
 * `npm run bench -- NAME` runs one bench with the arguments after its name; `-- --list` lists all.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { repository, setUp } from '../scripts/setup.js'
import { judgeRatios, type Measured, readBands, takeMeasured } from './measure/ratios.ts'

type Bench = { summary: string; load(): Promise<unknown>; isBuilt?: boolean }

const benches: Record<string, Bench> = {
  'read-path': {
    summary:
      "the transactions list and the accounts overview against PostGraphile, Fastify and pg, and bare SQL; '--only ours' for a quick look",
    load: () => import('./read-path.ts'),
  },
  'sign-in': {
    summary: 'sign-ins against the bare hash, and queries during a storm of sign-ins',
    load: () => import('./sign-in.ts'),
  },
  'sign-in-timing': {
    summary: 'whether response times reveal who is a member',
    load: () => import('./sign-in-timing.ts'),
  },
  uploads: {
    summary: 'uploads of 20 MB, whole and in parts, one and twenty in parallel: memory and MB/s against a plain copy',
    load: () => import('./uploads.ts'),
  },
  transactions: {
    summary: 'the transactions page with each filter as the table grows, against the smallest size and bare SQL',
    load: () => import('./transactions.ts'),
  },
  web: {
    summary: 'pages on a phone, by Lighthouse: speed, layout shift, bytes and requests',
    load: () => import('./web.ts'),
    isBuilt: true,
  },
  tickets: {
    summary: "a member's ticket lists and the desk's board as the tickets grow",
    load: () => import('./tickets.ts'),
  },
  requests: {
    summary: "a member's requests, the desk's board, types, forms and answers as the requests grow",
    load: () => import('./requests.ts'),
  },
  capacity: {
    summary: 'the lists as a brokerage grows to a million members, and the disk space of a row (10 GB)',
    load: () => import('./capacity.ts'),
  },
  load: {
    summary: "250 members' pages on one, two and three processes: answers, processor, memory, a storm of sign-ins",
    load: () => import('./load.ts'),
  },
  'page-calls': {
    summary: "the calls of a member's pages, recorded from a browser for 'load'",
    load: () => import('./page-calls.ts'),
    isBuilt: true,
  },
  noisy: {
    summary: 'one brokerage beside another that sends ten times its rate limit',
    load: () => import('./noisy-tenant.ts'),
  },
  slow: {
    summary: "members' pages with a thousand clients that send or read too slowly",
    load: () => import('./slow-clients.ts'),
  },
  soak: {
    summary: "members' pages poll for an hour: growth of memory and open files",
    load: () => import('./soak.ts'),
  },
  recovery: {
    summary: 'processes and the database stopped, killed and out of disk: length of the outage',
    load: () => import('./recovery.ts'),
  },
  hanging: {
    summary: 'unrelated calls while one of two platforms hangs',
    load: () => import('./load/hanging-platform.ts'),
  },
  'hanging-others': {
    summary: 'unrelated calls while the payment provider, the mail server or the file storage hangs',
    load: () => import('./hanging-others.ts'),
  },
  deposits: {
    summary: 'a hundred deposits a second against the bare rows, then a burst of a thousand webhooks',
    load: () => import('./deposits.ts'),
  },
  jobs: {
    summary: 'processor time of each kind of job, against one that does nothing',
    load: () => import('./jobs.ts'),
  },
  ledger: {
    summary: 'an internal ledger check of 100,000 and 400,000 transactions, against one statement',
    load: () => import('./ledger.ts'),
  },
  audit: {
    summary: 'the audit log chain with one, four and sixteen writers, against entries without a chain',
    load: () => import('./audit-chain.ts'),
  },
  trades: {
    summary: 'an account of 100,000 deals: first page, pages, sums, the table and memory',
    load: () => import('./trade-history.ts'),
  },
  live: {
    summary: 'the delay between a tick and its arrival at members, against bare streams',
    load: () => import('./live-account-metrics.ts'),
  },
  documents: {
    summary: 'a query with a long unused part, against an ordinary one',
    load: () => import('./unread-documents.ts'),
  },
  forms: {
    summary: 'a key press and the check of answers on 20, 200 and 300 fields, against copying the answers',
    load: () => import('./forms.ts'),
  },
  'form-typing': {
    summary: 'the same in a browser, until the page is drawn, against bare inputs',
    load: () => import('./form-typing.ts'),
    isBuilt: true,
  },
  backup: {
    summary: 'a backup and its restore in MB/s, against COPY, pg_dump and pg_restore',
    load: () => import('./backup.ts'),
  },
}

const shortSet = [['read-path'], ['sign-in'], ['uploads'], ['transactions']]

const [name, ...rest] = process.argv.slice(2)
if (name !== '--list') await setUp({ build: false, root: join(repository, 'bench'), print: console.error })
if (name === undefined) await runShortSet()
else if (name === '--list')
  for (const [each, { summary }] of Object.entries(benches)) console.log(`${each.padEnd(15)} ${summary}`)
else await runOne(name)

async function runOne(named: string): Promise<void> {
  const bench = benches[named]
  if (!bench) throw new Error(`There is no bench ${named}: ${Object.keys(benches).join(', ')}`)
  if (bench.isBuilt) await setUp({ build: true, print: console.error })
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...rest) // The arguments after the name belong to the bench.
  const [load = 0] = loadavg()
  if (load > availableParallelism() / 2)
    console.log(`  The machine is busy (load ${load.toFixed(1)}): the bands assume an idle one`)
  await bench.load()
  reportJudged(takeMeasured())
  if (process.env.ATRIUM_BENCH_IN_SET) process.send?.(takeMeasured())
}

/** Runs each bench in its own process, so that none inherits memory from another. */
async function runShortSet(): Promise<void> {
  const began = performance.now()
  const measured: Measured[] = []
  for (const args of shortSet) {
    console.log(args.join(' '))
    const child = fork(import.meta.filename, args, { env: { ...process.env, ATRIUM_BENCH_IN_SET: 'yes' } })
    child.on('message', (results: Measured[]) => measured.push(...results))
    const [code] = await once(child, 'exit')
    if (code !== 0) process.exitCode = 1
  }
  console.log(`All of them, in ${((performance.now() - began) / 60_000).toFixed(1)} minutes:`)
  reportJudged(measured)
}

function reportJudged(measured: readonly Measured[]): void {
  for (const { line, isInside } of judgeRatios(measured, readBands())) {
    console.log(`  ${line}`)
    if (!isInside) process.exitCode = 1
  }
}
