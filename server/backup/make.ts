import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { FileStore } from '../files/store.ts'
import { takeBackupTurn } from '../foundation/database/backup-turn.ts'
import { copyJobsOut } from '../queue/unfinished-jobs.ts'
import { type Archive, keepParts, keepSealed } from './archive.ts'
import { withConnection } from './connection.ts'
import {
  type Contents,
  type FileEntry,
  fileListName,
  fileName,
  filePrefix,
  jobsName,
  keepContents,
  readFileList,
  tableName,
} from './contents.ts'
import { forEachParallel } from './for-each-parallel.ts'
import { noteBackup } from './note.ts'
import { BackupProblem } from './problem.ts'
import {
  archiveName,
  fileColumns,
  listMigrations,
  listTables,
  listWorkspaceIds,
  quoted,
  scopeTo,
  type Table,
} from './tables.ts'

const filesAtOnce = 4
const absentMax = 1_000

export type MadeBackup = {
  backup: string
  rows: number
  /** Size of the tables before compression. */
  bytes: number
  files: number
  files_copied: number
  /** Keys named in the database but missing in the store, or with the wrong hash. */
  files_lost: string[]
  /** Whether the end was recorded in the database, for monitoring of the backup age. */
  noted: boolean
}

type Source = { databaseUrl: string; files: FileStore; now: Date }

/**
 * Backs up one snapshot: the tables in one transaction, then the files they name. Files are immutable and shared by all
 * backups, so existing ones are skipped and an interrupted run resumes.
 */
export function makeBackup(archive: Archive, source: Source): Promise<MadeBackup> {
  return withConnection(source.databaseUrl, 'atrium backup', async (client) => {
    await holdBackupLock(client)
    const contents = await keepTables(archive, client, source.now)
    const copied = await keepFiles(archive, source.files, readFileList(archive, contents))
    const lost = await stillNamed(client, copied.absent)
    const absent = [...copied.absent, ...copied.changed]
    // The lock lasts as long as the connection: without it a concurrent clearing may have removed files of this backup.
    await client.query('select 1')
    await keepContents(archive, { ...contents, files: { ...contents.files, absent } })
    const noted = await noteBackup(client, contents.backup)
    const rows = contents.tables.flatMap((table) => Object.values(table.rows)).reduce((sum, each) => sum + each, 0)
    const bytes = contents.tables.reduce((sum, table) => sum + table.bytes, 0)
    const files_lost = [...lost, ...copied.changed]
    const { backup, files } = contents
    return { backup, rows, bytes, files: files.count, files_copied: copied.count, files_lost, noted }
  })
}

/** Held as long as this connection. A second backup gives way, and so does a clearing. */
export async function holdBackupLock(client: pg.Client): Promise<void> {
  if (!(await takeBackupTurn(client))) throw new BackupProblem('Another backup of this database is in progress.')
}

async function keepTables(archive: Archive, client: pg.Client, now: Date): Promise<Contents> {
  const backup = `${now.toISOString().replace(/[-:]/g, '').slice(0, 15).toLowerCase()}-${randomBytes(3).toString('hex')}`
  await client.query('begin isolation level repeatable read')
  await client.query(`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`)
  const workspaces = await listWorkspaceIds(client)
  const migrations = await listMigrations(client)
  const tables: Contents['tables'] = []
  for (const table of await listTables(client)) {
    const rows: Record<string, number> = {}
    const written = await keepParts(
      archive,
      tableName(backup, archiveName(table.name)),
      copyOut(client, table, workspaces, rows),
    )
    tables.push({ ...table, rows, ...written })
  }
  const count = await collectFileNames(client, workspaces)
  const list = client.query(
    copyTo(`copy (select digest, key, coalesce(sha256, '') from backup_files order by digest) to stdout`),
  )
  const files = { count, absent: [], ...(await keepParts(archive, fileListName(backup), list)) }
  const jobs = await keepJobs(archive, client, backup)
  await client.query('commit')
  return { format: 1, backup, made_at: now.toISOString(), migrations, tables, files, jobs }
}

/** Of the same snapshot as the rows that they are about. */
async function keepJobs(archive: Archive, client: pg.Client, backup: string): Promise<NonNullable<Contents['jobs']>> {
  let count = 0
  const bytes = copyJobsOut(client, (jobs) => {
    count = jobs
  })
  const kept = await keepParts(archive, jobsName(backup), bytes)
  return { count, ...kept }
}

/** The rows of one table, workspace by workspace; adds the row counts to `rows`. */
export async function* copyOut(
  client: pg.Client,
  { name, columns }: Table,
  workspaces: readonly string[],
  rows: Record<string, number>,
): AsyncGenerator<Buffer> {
  for (const workspace of workspaces) {
    await scopeTo(client, workspace)
    const chosen = `select ${columns.map(quoted).join(', ')} from ${quoted(name)} where workspace_id = '${workspace}'`
    const stream = client.query(copyTo(`copy (${chosen}) to stdout`))
    for await (const piece of stream) yield piece
    if (stream.rowCount > 0) rows[workspace] = stream.rowCount
  }
}

/** Uses a temporary table, so that PostgreSQL sorts the names. */
async function collectFileNames(client: pg.Client, workspaces: readonly string[]): Promise<number> {
  await client.query('create temp table backup_files (digest text, key text, sha256 text) on commit drop')
  for (const workspace of workspaces) {
    await scopeTo(client, workspace)
    for (const { table, key, sha256 } of fileColumns)
      await client.query(
        `insert into backup_files
         select encode(sha256(convert_to(${key}, 'UTF8')), 'hex'), ${key}, ${sha256 ? `encode(${sha256}, 'hex')` : 'null'}
         from ${table} where workspace_id = $1 and ${key} is not null`,
        [workspace],
      )
  }
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from backup_files')
  return rows[0]?.count ?? 0
}

type Copied = { count: number; absent: string[]; changed: string[] }

async function keepFiles(archive: Archive, files: FileStore, list: AsyncIterable<FileEntry>): Promise<Copied> {
  const copied: Copied = { count: 0, absent: [], changed: [] }
  await forEachParallel(missingFrom(archive, list), filesAtOnce, async (entry) => {
    const content = await files.read(entry.key)
    if (!content) {
      copied.absent.push(entry.key)
      if (copied.absent.length > absentMax)
        throw new BackupProblem(
          `More than ${absentMax} files of the database are missing in the store. Check that it is the right store.`,
        )
      return
    }
    try {
      await keepSealed(archive, fileName(archive, entry.digest), expecting(content, entry.sha256))
      copied.count += 1
    } catch (problem) {
      if (!(problem instanceof OtherContent)) throw problem
      copied.changed.push(entry.key)
    }
  })
  return copied
}

class OtherContent extends Error {}

/**
 * Fails at the end of content with the wrong hash, so that it never gets its name in the archive: otherwise later
 * backups would skip it, not report it, and never store the right content.
 */
async function* expecting(content: AsyncIterable<Buffer>, sha256: string | null): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  yield* hashing(content, hash)
  if (sha256 !== null && hash.digest('hex') !== sha256)
    throw new OtherContent('A file differs from its database record')
}

/** Files missing in the archive. The list is sorted, so existing ones are listed one prefix at a time. */
async function* missingFrom(archive: Archive, list: AsyncIterable<FileEntry>): AsyncGenerator<FileEntry> {
  let prefix = ''
  let there = new Set<string>()
  for await (const entry of list) {
    const needed = filePrefix(archive, entry.digest)
    if (needed !== prefix) {
      there = new Set()
      for await (const { key } of archive.store.list(needed)) there.add(key)
      prefix = needed
    }
    if (!there.has(fileName(archive, entry.digest))) yield entry
  }
}

export async function* hashing(
  source: AsyncIterable<Buffer>,
  hash: { update(bytes: Buffer): unknown },
): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    hash.update(piece)
    yield piece
  }
}

/** A missing file whose row was deleted during the backup is not reported. */
async function stillNamed(client: pg.Client, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const named = new Set<string>()
  await client.query('begin read only')
  for (const workspace of await listWorkspaceIds(client)) {
    await scopeTo(client, workspace)
    for (const { table, key } of fileColumns) {
      const { rows } = await client.query<{ key: string }>(
        `select ${key} as key from ${table} where workspace_id = $1 and ${key} = any ($2)`,
        [workspace, keys],
      )
      for (const row of rows) named.add(row.key)
    }
  }
  await client.query('commit')
  return keys.filter((key) => named.has(key))
}
