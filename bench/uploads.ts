import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { buildApp } from '../server/app.ts'
import { systemActor } from '../server/foundation/actor.ts'
import { inTransaction } from '../server/foundation/database.ts'
import { openSession } from '../server/sessions/session.ts'
import { connect } from './against-sql.ts'
import { listen, onStage } from './stage.ts'

/**
 * `npm run bench -- uploads`: papers of 20 MB that come one after another and twenty at once, sent by another process. What the
 * server's memory grows to above idle, and megabytes a second against a server that only copies the stream to a file.
 */
const sizeBytes = Number(process.env.ATRIUM_BENCH_BYTES ?? 20_000_000)
const atOnce = [1, 20]
const workspace = '00000000-0000-7000-8000-000000000001'

/** As the portal cuts what is larger than a megabyte. */
const partBytes = 2_000_000

type Load = { url: string; tokens: string[]; lanes: number; uploads: number; partBytes?: number }

await onStage(async ({ ground, ownerUrl }) => {
  const memberIds = await fillMembers(ownerUrl)
  const app = await buildApp(ground)
  const url = await listen(app)
  const system = systemActor(ground, workspace)
  const device = { address: null, userAgent: 'bench' }
  const tokens: string[] = []
  for (const id of memberIds)
    tokens.push((await inTransaction(system, (tx) => openSession(tx, system, { kind: 'member', id }, device))).token)
  const copying = createServer(async (request, response) => {
    await pipeline(request, createWriteStream(join(ground.config.dataDirectory, `copy-${Math.random()}`)))
    response.end('{}')
  })
  await new Promise<void>((resolve) => copying.listen(0, '127.0.0.1', resolve))
  const address = copying.address()
  const bareUrl = typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : ''

  await send({ url, tokens, lanes: 2, uploads: 4 })
  await send({ url: bareUrl, tokens, lanes: 2, uploads: 4 })
  for (const lanes of atOnce) {
    const uploads = Math.max(5, lanes)
    // Ours first: what the copy leaves behind would else be counted as idle.
    const ours = await send({ url, tokens, lanes, uploads })
    const parted = await send({ url, tokens, lanes, uploads, partBytes })
    const bare = await send({ url: bareUrl, tokens, lanes, uploads })
    const said = ({ perSecond, grownMb }: Sent) =>
      `${perSecond.toFixed(0)} MB/s (${(perSecond / bare.perSecond).toFixed(2)}), memory +${grownMb.toFixed(0)} MB`
    console.log(`  ${lanes} at once: whole ${said(ours)}; in parts ${said(parted)}; a plain copy ${said(bare)}`)
  }
  copying.close()
  await app.close()
})

async function fillMembers(ownerUrl: string): Promise<string[]> {
  const owner = await connect(ownerUrl)
  await owner.query(
    `insert into workspaces (workspace_id, subdomain, is_default, name) values ($1, 'bench', true, 'Bench')`,
    [workspace],
  )
  const found = await owner.query<{ id: string }>(
    `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, created_at)
     select $1, gen_random_uuid(), (100000 + n)::text, 'Member', n::text, 'bench' || n || '@bench.test', 'none', now()
     from generate_series(1, 40) n returning member_id as id`,
    [workspace],
  )
  await owner.end()
  return found.rows.map((row) => row.id)
}

type Sent = { perSecond: number; grownMb: number }

/** Idle is measured after what was before has been cleaned up, where the process may say so. */
async function send(load: Load): Promise<Sent> {
  globalThis.gc?.()
  const idle = process.memoryUsage().rss
  let peak = idle
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const from = performance.now()
  await runSender(load)
  const seconds = (performance.now() - from) / 1_000
  clearInterval(watching)
  return { perSecond: (load.uploads * sizeBytes) / 1e6 / seconds, grownMb: (peak - idle) / 1e6 }
}

function runSender(load: Load): Promise<void> {
  const sender = spawn(process.execPath, [fileURLToPath(new URL('./send-files.ts', import.meta.url))], {
    env: { ...process.env, LOAD: JSON.stringify({ ...load, sizeBytes }) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    sender.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`The sender ended with ${code}`))))
  })
}
