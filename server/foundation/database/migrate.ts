import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { installJobs } from '../../queue/jobs.ts'
import { waitForBackups } from './backup-turn.ts'
import { ensureProgramRole } from './program-login.ts'

const folder = new URL('../../migrations/', import.meta.url)

/**
 * Shorter than the four seconds that a unit of work waits for a lock (scope.ts), so that units queued behind a
 * waiting migration are delayed but not refused.
 */
const lockTimeout = '3s'

/** The advisory lock of all migrating processes: the second waits and then has nothing to do. */
export const migrationLock = 5_318_008

/** `directDatabaseUrl`: the database itself, if the owner's URL is that of a pooler. */
type Ways = {
  programDatabaseUrl?: string | null
  directDatabaseUrl?: string | null
  /** Prints a message for the operator. */
  report?: (what: string) => void
  /** Applies only these migrations, for a restore that loads rows before the later ones. */
  only?: readonly string[]
}
type Migrated = { applied: string[]; programUrl: string }

/**
 * Migrates the database to this version and returns the URL of the program's role, which owns nothing and is subject to
 * row security. Safe to run in several processes concurrently.
 */
export async function migrate(
  ownerUrl: string,
  { programDatabaseUrl = null, directDatabaseUrl, only, report = () => undefined }: Ways = {},
): Promise<Migrated> {
  const directUrl = directDatabaseUrl ?? ownerUrl
  const client = new pg.Client({ connectionString: directUrl })
  // A process may wait here for hours. The statement under way reports a lost connection; without a listener the
  // process would crash before that.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await waitForBackups(client, { isDue: async () => (await pendingFiles(client, only)).length > 0, report })
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const programUrl = await ensureProgramRole(client, { ownerUrl, directUrl, given: programDatabaseUrl, report })
    const applied = await applyFiles(client, only)
    reportLater(await appliedFiles(client), report)
    await installJobs(directUrl)
    await grantJobs(client)
    return { applied, programUrl }
  } finally {
    await client.end()
  }
}

async function applyFiles(client: pg.Client, only?: readonly string[]): Promise<string[]> {
  await client.query(`create schema if not exists atrium_meta`)
  await client.query(`create table if not exists atrium_meta.migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
  const known = await appliedFiles(client)
  const applied: string[] = []
  for (const name of chosenFiles(only)) {
    const text = readFileSync(new URL(name, folder), 'utf8')
    const sha256 = createHash('sha256').update(text).digest('hex')
    const earlier = known.get(name)
    if (earlier === sha256) continue
    if (earlier !== undefined)
      throw new Error(`Migration ${name} was edited after it was applied: start the unchanged release.`)
    await applyFile(client, name, text, sha256)
    applied.push(name)
  }
  return applied
}

const chosenFiles = (only?: readonly string[]) => migrationFiles().filter((file) => !only || only.includes(file))

/** A release works on the database of the next one, so that it can be rolled back, but not on any later one. */
function reportLater(applied: Map<string, string>, report: (what: string) => void): void {
  const known = new Set(migrationFiles())
  const later = [...applied.keys()].filter((name) => !known.has(name)).sort()
  if (later.length > 0)
    report(
      `A newer version of Atrium has migrated this database (${later.at(-1)}): this is safe only as a rollback to the version just before, otherwise start the newer one.`,
    )
}

/** Names and hashes of the applied files. */
async function appliedFiles(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from atrium_meta.migrations',
  )
  return new Map(rows.map((row) => [row.name, row.sha256]))
}

async function pendingFiles(client: pg.Client, only?: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ is_new: boolean }>(
    `select to_regclass('atrium_meta.migrations') is null as is_new`,
  )
  if (rows[0]?.is_new) return chosenFiles(only)
  const known = await appliedFiles(client)
  return chosenFiles(only).filter((name) => !known.has(name))
}

async function applyFile(client: pg.Client, name: string, text: string, sha256: string): Promise<void> {
  await client.query('begin')
  try {
    // A migration gives way to a long reader, since everyone behind it in the lock queue would wait too.
    await client.query(`set local lock_timeout = '${lockTimeout}'`)
    await client.query(text)
    await client.query('insert into atrium_meta.migrations (name, sha256) values ($1, $2)', [name, sha256])
    await client.query('commit')
  } catch (problem) {
    // After a lost connection the rollback fails too, and the server has done it.
    await client.query('rollback').catch(() => undefined)
    throw new Error(`Migration ${name} failed, and nothing of it was kept.`, { cause: problem })
  }
}

export function migrationFiles(): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d{8}-\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
}

/** The owner owns the queue's tables; the program reads and writes their rows only. */
async function grantJobs(client: pg.Client): Promise<void> {
  await client.query('grant usage on schema pgboss to atrium_program')
  await client.query('grant select, insert, update, delete on all tables in schema pgboss to atrium_program')
  await client.query('grant usage on all sequences in schema pgboss to atrium_program')
  await client.query('grant execute on all functions in schema pgboss to atrium_program')
}
