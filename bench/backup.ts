/**
 * `npm run bench -- backup`: backup and restore in MB/s of table data, in turns with COPY through the same driver (no
 * compression, encryption or storage), and with pg_dump and pg_restore if they are installed and support this database.
 * `ATRIUM_BENCH_DATABASE_URL` names an empty database to fill instead of a new one, for example on an older server when
 * only older tools are available.
 */

import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Contents, chooseBackup } from '../server/backup/contents.ts'
import { copyOut, makeBackup } from '../server/backup/make.ts'
import { restoreBackup } from '../server/backup/restore.ts'
import { makeBackupKey } from '../server/backup/sealing.ts'
import { listTables, listWorkspaceIds } from '../server/backup/tables.ts'
import { openFolderStore } from '../server/files/store.ts'
import { migrate } from '../server/foundation/database/migrate.ts'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { stopOnSignal } from '../tests/fixtures/database/stop-on-signal.ts'
import { fillBrokerage } from './fill/fill.ts'

const rounds = Number(process.env.ATRIUM_BENCH_ROUNDS ?? 3)
const fileCount = 200
const fileBytes = 1_000_000

const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
const given = process.env.ATRIUM_BENCH_DATABASE_URL
const server = given
  ? { url: given, stop: async () => undefined }
  : await stopOnSignal(startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres') }))
try {
  await run(server.url)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function run(databaseUrl: string): Promise<void> {
  await migrate(databaseUrl)
  await fillBrokerage(databaseUrl, 'no password')
  const files = openFolderStore(join(folder, 'files'))
  await fillFiles(databaseUrl, files)
  const tools = findTools(databaseUrl)
  for (let round = 1; round <= rounds; round += 1) {
    const place = join(folder, `backups-${round}`)
    const archive = {
      store: openFolderStore(place),
      key: makeBackupKey('a key of this bench alone, 0123456789'),
      spool: join(folder, 'spool'),
    }
    const baseline = await timed(() => copyEverything(databaseUrl))
    const made = await timed(() => makeBackup(archive, { databaseUrl, files, now: new Date() }))
    const again = await timed(() => makeBackup(archive, { databaseUrl, files, now: new Date() }))
    const contents = await chooseBackup(archive, made.result.backup)
    const megabytes = made.result.bytes / 1e6
    const fileMegabytes = (fileCount * fileBytes) / 1e6
    console.log(
      `round ${round}: ${megabytes.toFixed(0)} MB in tables (${made.result.rows} rows), ${fileMegabytes} MB in files`,
    )
    report('COPY, bare', baseline.seconds, megabytes)
    report('backup, tables and files', made.seconds, megabytes + fileMegabytes)
    report('backup, files already stored', again.seconds, megabytes)
    const put = await timed(() => restoreInto(databaseUrl, contents, archive, round))
    report('restore, tables and files', put.seconds, megabytes + fileMegabytes)
    const bareTables = await timed(() => restoreInto(databaseUrl, withoutFiles(contents), archive, round + 100))
    report('restore, tables', bareTables.seconds, megabytes)
    if (tools) await beside(tools, databaseUrl, round, megabytes)
    rmSync(place, { recursive: true, force: true })
  }
  console.log(`memory at the end: ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`)
}

function withoutFiles(contents: Contents): Contents {
  return { ...contents, files: { ...contents.files, parts: 0 } }
}

/** Incompressible bytes, like those of images. */
async function fillFiles(databaseUrl: string, files: ReturnType<typeof openFolderStore>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ key: string }>(
    `insert into media (workspace_id, media_id, member_id, purpose, kind, name, extension, content_type, size_bytes, sha256,
       storage_key, created_at)
     select workspace_id, id, member_id, 'receipt', 'file', 'a.pdf', 'pdf', 'application/pdf', ${fileBytes}, sha256(''),
       workspace_id || '/' || id, now()
     from (select *, gen_random_uuid() as id from members limit ${fileCount}) each returning storage_key as key`,
  )
  await client.end()
  for (const { key } of rows) await files.write(key, randomBytes(fileBytes))
}

async function copyEverything(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  const workspaces = await listWorkspaceIds(client)
  for (const table of await listTables(client)) for await (const _ of copyOut(client, table, workspaces, {}));
  await client.end()
}

type Archive = Parameters<typeof restoreBackup>[0]

async function restoreInto(databaseUrl: string, contents: Contents, archive: Archive, round: number): Promise<void> {
  const name = `restored_${round}`
  await onServer(databaseUrl, `create database ${name}`)
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  const files = openFolderStore(join(folder, name))
  await restoreBackup(archive, contents, { databaseUrl: url.toString(), files })
  await onServer(databaseUrl, `drop database ${name} with (force)`)
  rmSync(join(folder, name), { recursive: true, force: true })
}

async function onServer(databaseUrl: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(text)
  await client.end()
}

type Tools = { dump: string; restore: string; compress: string; label: string }

/** Null if pg_dump is older than the server, which it cannot read. */
function findTools(databaseUrl: string): Tools | null {
  const [dump, restore] = [process.env.PG_DUMP ?? 'pg_dump', process.env.PG_RESTORE ?? 'pg_restore']
  try {
    execFileSync(dump, ['--schema-only', '--table', 'workspaces', databaseUrl], { stdio: 'ignore' })
    const major = Number(/\d+/.exec(execFileSync(dump, ['--version'], { encoding: 'utf8' }))?.[0])
    // Before version 16, pg_dump accepts only a gzip level.
    return major < 16
      ? { dump, restore, compress: '1', label: 'gzip' }
      : { dump, restore, compress: 'zstd:3', label: 'zstd' }
  } catch {
    console.log('pg_dump is missing or older than the database: compared with the bare COPY only')
    return null
  }
}

async function beside(
  { dump, restore, compress, label }: Tools,
  databaseUrl: string,
  round: number,
  megabytes: number,
): Promise<void> {
  mkdirSync(join(folder, 'dumps'), { recursive: true })
  const path = join(folder, 'dumps', `${round}.dump`)
  const run = promisify(execFile)
  const dumped = await timed(() =>
    run(dump, ['--format', 'custom', '--compress', compress, '--file', path, databaseUrl]),
  )
  report(`pg_dump, tables, ${label} (${(statSync(path).size / 1e6).toFixed(0)} MB)`, dumped.seconds, megabytes)
  const name = `dumped_${round}`
  await onServer(databaseUrl, `create database ${name}`)
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  const restored = await timed(() => run(restore, ['--exit-on-error', '--dbname', url.toString(), path]))
  report('pg_restore, tables', restored.seconds, megabytes)
  await onServer(databaseUrl, `drop database ${name} with (force)`)
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const started = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - started) / 1000 }
}

function report(what: string, seconds: number, megabytes: number): void {
  console.log(
    `  ${what.padEnd(40)}   ${seconds.toFixed(2).padStart(7)} s   ${(megabytes / seconds).toFixed(1).padStart(7)} MB/s`,
  )
}
