/**
 * `npm run bench -- uploads`: KYC documents of 20 MB, one after another and twenty in parallel, whole and in parts, against a server
 * that only copies the stream to a file; and the server's peak memory above idle.
 */

import { execFile } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startChildServer } from '../tests/doubles/child-server.ts'
import { connect } from './against-sql.ts'
import { openSessions } from './fill/fill.ts'
import { peakMemory } from './load/process-usage.ts'
import { type Contestant, medianRatio, reportResults, runRounds } from './load/rounds.ts'
import { forkSender, type Load } from './load/send-files.ts'
import { reportRatio } from './measure/ratios.ts'
import { onFixture } from './setup.ts'

const sizeBytes = Number(process.env.ATRIUM_BENCH_BYTES ?? 20_000_000)
const rounds = Number(process.env.ATRIUM_BENCH_ROUNDS ?? 5)
const atOnce = [1, 20]
/** In each turn. */
const uploads = 20
const workspace = '00000000-0000-7000-8000-000000000001'

const plainCopy = 'a plain copy'
/** The bound for an upload that is kept: a stored file has a digest and survives a power cut. */
const durableCopy = 'a copy with digest and flush'

await onFixture(async (setup) => {
  const tokens = await openSessions(setup, await fillMembers(setup.ownerUrl))
  const dataDirectory = setup.context.config.dataDirectory
  const environment = { CALLS_PER_MINUTE: '0' }
  const ours = await startChildServer({ databaseUrl: setup.ownerUrl, dataDirectory, roles: 'web', environment })
  const copy = new URL('./baselines/copy.ts', import.meta.url).pathname
  const copying = await startChildServer({ dataDirectory, program: copy })
  const flushing = await startChildServer({ dataDirectory, program: copy, environment: { COPY: 'durable' } })
  const sender = forkSender()
  try {
    for (const connections of atOnce) {
      const load = { tokens, sizeBytes, connections, uploads }
      const contestant = (name: string, { url, child }: typeof ours, more: Partial<Load> = {}): Contestant => ({
        name,
        pid: child.pid ?? 0,
        run: () => sender.order({ ...load, ...more, url }),
      })
      const whole = contestant('ours', ours)
      const inParts = contestant('ours, in parts', ours, { inParts: true })
      const peak = peakMemory(whole.pid)
      const tidy = () => removeFiles(dataDirectory)
      const plan = { rounds, seconds: 0, databasePid: setup.databasePid, tidy }
      const copies = [contestant(plainCopy, copying), contestant(durableCopy, flushing)]
      const results = await runRounds([whole, inParts, ...copies], plan)
      reportResults(
        `Documents of ${sizeBytes / 1e6} MB, ${connections} at once; memory +${peak.grownMb().toFixed(0)} MB`,
        results,
      )
      const ending = `${connections} at once / ${plainCopy}`
      reportRatio(`uploads whole, ${ending}`, medianRatio(results, { beside: plainCopy }))
      reportRatio(`uploads in parts, ${ending}`, medianRatio(results, { name: inParts.name, beside: plainCopy }))
    }
  } finally {
    sender.stop()
    await copying.stop()
    await flushing.stop()
    await ours.stop()
  }
})

/** A plain copy leaves its files unflushed, and the system would write them in another contestant's turn. */
async function removeFiles(dataDirectory: string): Promise<void> {
  const left = (await readdir(dataDirectory)).filter((name) => name === 'files' || name.startsWith('copy-'))
  for (const name of left) await rm(join(dataDirectory, name), { recursive: true })
  await flushDisk(dataDirectory)
}

/** Only GNU's `sync` can flush one file system; others flush all, and a system without it flushes none. */
async function flushDisk(folder: string): Promise<void> {
  const run = promisify(execFile)
  await run('sync', ['-f', folder])
    .catch(() => run('sync'))
    .catch(() => undefined)
}

async function fillMembers(ownerUrl: string): Promise<string[]> {
  const owner = await connect(ownerUrl)
  await owner.query(
    `insert into workspaces (workspace_id, subdomain, is_default, name) values ($1, 'bench', true, 'Bench')`,
    [workspace],
  )
  const found = await owner.query<{ id: string }>(
    `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, created_at)
     select $1, gen_random_uuid(), (100000 + n)::text, 'Member', n::text, 'bench' || n || '@bench.test', 'none', now()
     from generate_series(1, 400) n returning member_id as id`,
    [workspace],
  )
  await owner.end()
  return found.rows.map((row) => row.id)
}
