import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../foundation/embedded-postgres.ts'
import { migrate, migrationFiles } from '../foundation/migrate.ts'
import { addProgramRole, programLogin } from '../foundation/program-login.ts'
import { startPooler } from './pooler.ts'

export type FreshDatabase = { ownerUrl: string; programUrl: string; isPooled?: boolean; drop(): Promise<void> }

type Cluster = { url: string; stop(): Promise<void> }

const templateLock = 5_318_009

/**
 * A database of this test file's own, migrated, empty. The test run names a server in ATRIUM_TEST_DATABASE_URL; a file run
 * by itself starts one. Copies come from a migrated template, which takes a tenth of a second.
 */
export async function freshDatabase({ isDirect = false } = {}): Promise<FreshDatabase> {
  const cluster = await openCluster()
  const admin = new pg.Client({ connectionString: cluster.url })
  await admin.connect()
  const name = `atrium_test_${randomBytes(8).toString('hex')}`
  await admin.query('select pg_advisory_lock($1)', [templateLock])
  const template = await ensureTemplate(admin, cluster.url)
  await admin.query(`create database ${name} template ${template} strategy file_copy`)
  await admin.end()
  const ownerUrl = withDatabase(cluster.url, name)
  const programUrl = await addProgramRole(ownerUrl)
  const { ATRIUM_TEST_POOLER: executable } = process.env
  const pooler = executable && !isDirect ? await startPooler(executable, programUrl) : null
  const drop = async (): Promise<void> => {
    await pooler?.stop()
    await dropDatabase(cluster, name)
  }
  return { ownerUrl, programUrl: pooler?.url ?? programUrl, isPooled: pooler !== null, drop }
}

/** Named after the migrations' content, so that an edited migration gets a template of its own. */
async function ensureTemplate(admin: pg.Client, clusterUrl: string): Promise<string> {
  const hash = createHash('sha256')
  for (const file of migrationFiles()) hash.update(readFileSync(new URL(`../migrations/${file}`, import.meta.url)))
  hash.update(readFileSync(new URL('../foundation/migrate.ts', import.meta.url)))
  hash.update(readFileSync(new URL('../foundation/jobs.ts', import.meta.url)))
  const name = `atrium_template_${hash.digest('hex').slice(0, 16)}`
  const found = await admin.query('select 1 from pg_database where datname = $1', [name])
  if (found.rowCount === 0) {
    // Under another name until it is whole: a run that is ended half way leaves nothing that looks ready.
    const draft = `${name}_${randomBytes(4).toString('hex')}`
    await admin.query(`create database ${draft}`)
    await migrate(withDatabase(clusterUrl, draft))
    await admin.query(`alter database ${draft} rename to ${name}`)
  }
  return name
}

async function dropDatabase(cluster: Cluster, name: string): Promise<void> {
  const admin = new pg.Client({ connectionString: cluster.url })
  await admin.connect()
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.query(`drop role if exists ${programLogin(name)}`)
  await admin.end()
  await cluster.stop()
}

async function openCluster(): Promise<Cluster> {
  const given = process.env.ATRIUM_TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'atrium-test-'))
  chmodSync(folder, 0o711) // As root, the user that PostgreSQL runs as must pass, or the data goes elsewhere.
  const server = await startEmbeddedPostgres({ dataDirectory: folder, settings: { fsync: 'off' } })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}
