import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { repository, setUp } from '../scripts/setup.js'
import { judgeRatios, type Measured, readBands, takeMeasured } from './ratios.ts'

/**
 * `npm run bench` runs the short set within ten minutes and fails for each ratio that leaves its band in bench/ratios.json;
 * `npm run bench -- NAME` runs one, with what else it takes behind its name; `-- --list` says which there are.
 */
type Bench = { says: string; load(): Promise<unknown>; isBuilt?: boolean }

const benches: Record<string, Bench> = {
  'read-path': {
    says: "the transactions list and the accounts overview beside PostGraphile, Fastify and pg, and the same SQL bare; '--only ours' for a quick look",
    load: () => import('./read-path.ts'),
  },
  'sign-in': {
    says: 'sign-ins against the bare hash, and queries beside a storm of them',
    load: () => import('./sign-in.ts'),
  },
  'sign-in-timing': {
    says: 'whether the time of an answer tells who is a member',
    load: () => import('./sign-in-timing.ts'),
  },
  uploads: {
    says: 'papers of 20 MB, whole and in parts, one and twenty at once: memory and MB/s against a plain copy',
    load: () => import('./uploads.ts'),
  },
  transactions: {
    says: 'the page of transactions with each filter while the table grows, against the smallest size and bare SQL',
    load: () => import('./transactions.ts'),
  },
  web: {
    says: 'pages as a phone loads them, by Lighthouse: speed, room held, bytes and requests',
    load: () => import('./web.ts'),
    isBuilt: true,
  },
  tickets: {
    says: "a member's lists of tickets and the desk's board while the tickets grow",
    load: () => import('./tickets.ts'),
  },
  requests: {
    says: "a member's requests, the desk's board, types, forms and answers while the requests grow",
    load: () => import('./requests.ts'),
  },
  capacity: {
    says: 'the lists while a brokerage grows to a million members, and what a row takes on disk (10 GB)',
    load: () => import('./capacity.ts'),
  },
  load: {
    says: "250 members' pages on one, two and three processes: answers, processor, memory, a storm of sign-ins",
    load: () => import('./load.ts'),
  },
  'page-calls': {
    says: "what a member's page asks for, recorded from a browser for 'load'",
    load: () => import('./page-calls.ts'),
    isBuilt: true,
  },
  noisy: { says: 'one brokerage beside another that asks ten times its pace', load: () => import('./noisy-tenant.ts') },
  slow: {
    says: "members' pages beside a thousand callers that end nothing or read nothing",
    load: () => import('./slow-clients.ts'),
  },
  soak: {
    says: "members' pages poll for an hour: whether memory and open files grow",
    load: () => import('./soak.ts'),
  },
  recovery: {
    says: 'processes and the database stopped, killed and full: how long nobody is answered',
    load: () => import('./recovery.ts'),
  },
  hanging: {
    says: "everybody else's calls while one of two platforms hangs",
    load: () => import('./load/hanging-platform.ts'),
  },
  'hanging-others': {
    says: 'the same for the payment provider, the mail server and the storage of files',
    load: () => import('./hanging-others.ts'),
  },
  deposits: {
    says: 'a hundred deposits a second against the bare rows, then a burst of a thousand notifications',
    load: () => import('./deposits.ts'),
  },
  jobs: { says: 'what a job of each kind takes, beside one that does nothing', load: () => import('./jobs.ts') },
  books: {
    says: 'a round through the books of a hundred and of four hundred thousand transactions, beside one statement',
    load: () => import('./books.ts'),
  },
  audit: {
    says: 'the chain of the audit log with one, four and sixteen writers, against entries alone',
    load: () => import('./audit-chain.ts'),
  },
  trades: {
    says: 'an account of 100,000 deals: first page, pages, sums, the table and memory',
    load: () => import('./trade-history.ts'),
  },
  live: {
    says: 'how long after a tick members know of it, against bare streams',
    load: () => import('./live-figures.ts'),
  },
  documents: {
    says: 'a query that is long where nothing reads it, against an ordinary one',
    load: () => import('./unread-documents.ts'),
  },
  forms: {
    says: 'a key pressed and answers checked on 20, 200 and 300 fields, against copying them',
    load: () => import('./forms.ts'),
  },
  'form-typing': {
    says: 'the same in a browser, until the page is drawn, against bare inputs',
    load: () => import('./form-typing.ts'),
    isBuilt: true,
  },
  backup: {
    says: 'a backup and its restore in MB/s, beside COPY, pg_dump and pg_restore',
    load: () => import('./backup.ts'),
  },
}

const shortSet = [['read-path'], ['sign-in'], ['uploads'], ['transactions']]

const [name, ...rest] = process.argv.slice(2)
if (name !== '--list') await setUp({ build: false, root: join(repository, 'bench'), say: console.error })
if (name === undefined) await runShortSet()
else if (name === '--list')
  for (const [each, { says }] of Object.entries(benches)) console.log(`${each.padEnd(15)} ${says}`)
else await runOne(name)

async function runOne(named: string): Promise<void> {
  const bench = benches[named]
  if (!bench) throw new Error(`There is no bench ${named}: ${Object.keys(benches).join(', ')}`)
  if (bench.isBuilt) await setUp({ build: true, say: console.error })
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...rest) // What is behind the name is the bench's own.
  const [load = 0] = loadavg()
  if (load > availableParallelism() / 2)
    console.log(`  The machine is busy (load ${load.toFixed(1)}): bands hold on one that is not`)
  await bench.load()
  reportJudged(takeMeasured())
  if (process.env.ATRIUM_BENCH_IN_SET) process.send?.(takeMeasured())
}

/** Each in a process of its own: what one leaves in memory is not the next one's. */
async function runShortSet(): Promise<void> {
  const began = performance.now()
  const measured: Measured[] = []
  for (const args of shortSet) {
    console.log(args.join(' '))
    const child = fork(import.meta.filename, args, { env: { ...process.env, ATRIUM_BENCH_IN_SET: 'yes' } })
    child.on('message', (told: Measured[]) => measured.push(...told))
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
