import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '../server/config.ts'
import { type System, systemActor } from '../server/foundation/actor.ts'
import { audit } from '../server/foundation/audit.ts'
import { inTransaction } from '../server/foundation/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { migrate } from '../server/foundation/migrate.ts'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { prepare } from '../server/start.ts'
import { findWorkspace } from '../server/workspaces/workspace.ts'
import { describeFigures, type Figures, measure } from './figures.ts'
import { fillBrokerage } from './fill.ts'

/**
 * `npm run bench -- audit`: what linking the audit log costs, as transactions that write one entry each, with the chain
 * and without it in turns in the same run, for one writer, for four and for sixteen of one brokerage (decision 0018).
 */
const writers = [1, 4, 16]
const entries = Number(process.env.ATRIUM_BENCH_ENTRIES ?? 1_500)
const rounds = Number(process.env.ATRIUM_BENCH_ROUNDS ?? 3)

const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
const server = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres') })
try {
  await run(server.url)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function run(ownerUrl: string): Promise<void> {
  await migrate(ownerUrl)
  await fillBrokerage(ownerUrl, 'no password')
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'fatal', DATABASE_URL: ownerUrl, ATRIUM_DATA: folder })
  const { ground, close } = await prepare(config)
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const system = (await findWorkspace(ground, undefined)) ?? systemActor(ground, '')
  for (const lanes of writers) {
    const bare: Figures[] = []
    const linked: Figures[] = []
    for (let round = 0; round < rounds; round += 1) {
      await owner.query('alter table audit_log disable trigger link_audit_entry')
      bare.push(await measure(lanes, entries, () => write(system)))
      await owner.query('alter table audit_log enable trigger link_audit_entry')
      linked.push(await measure(lanes, entries, () => write(system)))
    }
    console.log(describeFigures(`${lanes} writers, entries alone`, middle(bare)))
    console.log(describeFigures(`${lanes} writers, entries and links`, middle(linked), middle(bare)))
  }
  await owner.end()
  await close()
}

function write(system: System): Promise<void> {
  const entry = { action: 'bench.written', subject: { kind: 'bench', id: newId() }, after: { amount: '10.00' } }
  return inTransaction(system, (tx) => audit(tx, system, entry))
}

function middle(figures: Figures[]): Figures {
  const sorted = figures.toSorted((left, right) => left.perSecond - right.perSecond)
  const found = sorted[Math.floor(sorted.length / 2)]
  if (!found) throw new Error('Nothing was measured.')
  return found
}
