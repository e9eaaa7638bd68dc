import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { FileStore } from '../files/store.ts'
import { migrate, migrationFiles } from '../foundation/database/migrate.ts'
import { copyJobsIn } from '../queue/unfinished-jobs.ts'
import { type Archive, keep, readParts, readSealed } from './archive.ts'
import { withConnection } from './connection.ts'
import { type Contents, fileName, jobsName, readFileList, tableName } from './contents.ts'
import { forEachParallel } from './for-each-parallel.ts'
import { listGuards, listIndexes, listKeys, refuseOtherPrograms } from './guards.ts'
import { addMoment, closeLinks, endSessions } from './mark-restored.ts'
import { BackupProblem } from './problem.ts'
import { archiveName, listMigrations, listTables, quoted, type Table } from './tables.ts'

const filesAtOnce = 4

type Ways = { programDatabaseUrl?: string | null; directDatabaseUrl?: string | null }
/** `now` is the restore time, which the program reads later (`funding/crediting/restore-moment.ts`). */
type Place = { databaseUrl: string; files: FileStore; now?: Date } & Ways

/**
 * Restores a backup into an empty database and the file store: migrates to the version of the backup, loads it in one
 * transaction, then migrates to this version. Files come first, since a file without a row is swept later, but a row
 * without its file is a loss.
 */
export async function restoreBackup(archive: Archive, contents: Contents, place: Place): Promise<void> {
  refuseNewerBackup(contents)
  const directUrl = place.directDatabaseUrl ?? place.databaseUrl
  await withConnection(directUrl, 'atrium restore', async (client) => {
    await refuseOtherPrograms(client)
    await refuseFilled(client)
    await migrate(place.databaseUrl, { ...place, only: contents.migrations.map(({ name }) => name) })
    await refuseOtherSchema(client, contents)
    await putFiles(archive, contents, place)
    await putTables(archive, contents, client, place.now ?? new Date())
  })
  await migrate(place.databaseUrl, place)
}

function refuseNewerBackup({ backup, migrations }: Contents): void {
  const known = new Set(migrationFiles())
  const unknown = migrations.find(({ name }) => !known.has(name))
  if (unknown)
    throw new BackupProblem(
      `${backup} was made by a newer version, which knows ${unknown.name}: restore it with that one.`,
    )
}

async function refuseFilled(client: pg.Client): Promise<void> {
  for (const { name } of await listTables(client)) {
    await client.query('begin')
    try {
      // Otherwise row security hides all rows from the owner, and every database looks empty.
      await client.query(`alter table ${quoted(name)} no force row level security`)
      const { rowCount } = await client.query(`select from ${quoted(name)} limit 1`)
      if (rowCount) throw new BackupProblem('This database is not empty. A backup can only be restored to a new one.')
    } finally {
      await client.query('rollback')
    }
  }
}

async function refuseOtherSchema(client: pg.Client, { migrations }: Contents): Promise<void> {
  const found = new Map((await listMigrations(client)).map(({ name, sha256 }) => [name, sha256]))
  const other = migrations.find(({ name, sha256 }) => found.get(name) !== sha256)
  if (other) throw new BackupProblem(`The migration ${other.name} differs from the one at the time of the backup.`)
  if (found.size > migrations.length)
    throw new BackupProblem(
      'This database was already migrated to a newer version than the backup. Use a new, empty database.',
    )
}

async function putFiles(archive: Archive, contents: Contents, { files }: Place): Promise<void> {
  const lost = new Set(contents.files.absent)
  await forEachParallel(readFileList(archive, contents), filesAtOnce, async ({ digest, key }) => {
    const there = await files.read(key, { from: 0, to: 0 })
    if (there) {
      there.destroy()
      return
    }
    const content = await readSealed(archive, fileName(archive, digest))
    if (content) return keep(files, key, content, archive.spool)
    if (!lost.has(key)) throw new BackupProblem(`The file ${digest} is missing.`)
  })
}

async function putTables(archive: Archive, contents: Contents, client: pg.Client, now: Date): Promise<void> {
  await client.query('begin')
  try {
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    await client.query(`set local lock_timeout = '10s'; set local maintenance_work_mem = '256MB'`)
    const keys = await listKeys(client)
    const indexes = await listIndexes(client)
    const guards = await listGuards(client)
    const tables = await listTables(client)
    for (const statement of [...guards.before, ...keys.before, ...indexes.before]) await client.query(statement)
    for (const table of contents.tables) await putTable(archive, contents, client, known(table, tables))
    await putJobs(archive, contents, client)
    await client.query(endSessions)
    await client.query(closeLinks)
    // In the same transaction as the rows, so that a restore that stops before its last migrations cannot pay again.
    await client.query(addMoment)
    await client.query('update workspaces set restored_at = $1', [now])
    for (const statement of [...indexes.after, ...keys.after, ...guards.after]) await client.query(statement)
    await client.query('commit')
  } catch (problem) {
    // After a lost connection the rollback fails too; the original error matters.
    await client.query('rollback').catch(() => undefined)
    throw problem
  }
  await client.query('analyze')
}

async function putJobs(archive: Archive, { backup, jobs }: Contents, client: pg.Client): Promise<void> {
  if (!jobs) return
  const found = await copyJobsIn(client, readParts(archive, jobsName(backup), jobs.parts))
  if (found !== jobs.count)
    throw new BackupProblem(`The backup has ${found} jobs, and ${jobs.count} were counted into it.`)
}

type BackedUpTable = Contents['tables'][number]

function known(table: BackedUpTable, tables: readonly Table[]): BackedUpTable {
  const there = tables.find(({ name }) => name === table.name)
  const unknown = table.columns.find((column) => !there?.columns.includes(column))
  if (!there || unknown)
    throw new BackupProblem(`The backup has ${table.name} ${unknown ?? ''}, which this database does not have.`)
  return table
}

async function putTable(
  archive: Archive,
  { backup }: Contents,
  client: pg.Client,
  table: BackedUpTable,
): Promise<void> {
  const into = client.query(copyFrom(`copy ${quoted(table.name)} (${table.columns.map(quoted).join(', ')}) from stdin`))
  const bytes = readParts(archive, tableName(backup, archiveName(table.name)), table.parts)
  await pipeline(Readable.from(bytes, { objectMode: false }), into)
  const due = Object.values(table.rows).reduce((sum, each) => sum + each, 0)
  if (into.rowCount !== due)
    throw new BackupProblem(`${table.name} has ${into.rowCount} rows in the backup, and ${due} were counted into it.`)
}
