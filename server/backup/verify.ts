import { createHash } from 'node:crypto'
import type pg from 'pg'
import { verifyAudit } from '../audit-log/verify.ts'
import type { FileStore } from '../files/store.ts'
import { type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { compareLedger } from '../funding/ledger.ts'
import { type Archive, readParts, readSealed } from './archive.ts'
import { withConnection } from './connection.ts'
import { type Contents, type FileEntry, fileName, jobsName, readFileList, tableName } from './contents.ts'
import { forEachParallel } from './for-each-parallel.ts'
import { archiveName, listWorkspaceIds, quoted, scopeTo } from './tables.ts'

const filesAtOnce = 4
const reportedMax = 100

/** The compared counts and the findings, empty if everything is right. */
export type Verdict = { backup: string; rows: number; files: number; wrong: string[] }

type Source = { databaseUrl: string; context: Context }

/** Compares a database and a file store with a backup, and the ledger with itself and with the platforms. */
export async function verifyRestored(archive: Archive, contents: Contents, source: Source): Promise<Verdict> {
  const { context } = source
  const counted = await compareRows(contents, source.databaseUrl)
  const wrongFiles = await compareFiles(archive, contents, context.files)
  const wrongLedger = await verifyLedger(context)
  const wrong = [...counted.wrong, ...wrongFiles, ...wrongLedger].slice(0, reportedMax)
  return { backup: contents.backup, rows: counted.rows, files: contents.files.count, wrong }
}

function compareRows({ tables }: Contents, databaseUrl: string): Promise<{ rows: number; wrong: string[] }> {
  return withConnection(databaseUrl, 'atrium verify', async (client) => {
    await client.query('begin isolation level repeatable read read only')
    const workspacesInBackup = tables.flatMap((table) => Object.keys(table.rows))
    const workspaces = new Set([...workspacesInBackup, ...(await listWorkspaceIds(client))])
    const wrong: string[] = []
    let rows = 0
    for (const workspace of workspaces) {
      await scopeTo(client, workspace)
      for (const table of tables) {
        const due = table.rows[workspace] ?? 0
        const found = await countRows(client, table.name, workspace)
        rows += found
        if (found !== due) wrong.push(`${table.name} has ${found} rows of ${workspace}, and ${due} in the backup`)
      }
    }
    return { rows, wrong }
  })
}

async function countRows(client: pg.Client, table: string, workspace: string): Promise<number> {
  const text = `select count(*) as count from ${quoted(table)} where workspace_id = $1`
  const { rows } = await client.query<{ count: string }>(text, [workspace])
  return Number(rows[0]?.count)
}

async function compareFiles(archive: Archive, contents: Contents, files: FileStore): Promise<string[]> {
  const wrong: string[] = []
  await forEachParallel(readFileList(archive, contents), filesAtOnce, async (entry) => {
    const stored = await readSealed(archive, fileName(archive, entry.digest))
    const due = stored && (await hashOf(stored))
    const there = await files.read(entry.key)
    const found = there && (await hashOf(there))
    if (found === null) wrong.push(`the file ${entry.key} is not in the store`)
    else if (found !== due || (entry.sha256 !== null && entry.sha256 !== found))
      wrong.push(`the file ${entry.key} differs from the backup and the database`)
  })
  return wrong
}

async function verifyLedger(context: Context): Promise<string[]> {
  const wrong: string[] = []
  const { rows } = await context.database.pool.query<{ id: string }>('select list_workspace_ids() as id')
  for (const { id } of rows) {
    const system = systemActor(context, id)
    wrong.push(...(await checkLedger(system)))
    for (const { position, what } of (await verifyAudit(system)).findings)
      wrong.push(`the audit log of ${id}, ${position}: ${what}`)
  }
  return wrong
}

/** With another ATRIUM_SECRET_KEY no platform can be asked; the other checks still run. */
async function checkLedger(system: System): Promise<string[]> {
  const whose = `the ledger of ${system.workspaceId}`
  try {
    const { found, unread } = await compareLedger(system)
    const differences = found.map(({ kind, subject, detail }) => `${whose}: ${kind} ${subject} ${detail}`)
    const unasked = Map.groupBy(unread, ({ platform_id }) => platform_id)
    for (const [platform, { length }] of unasked)
      differences.push(`${whose} was not compared with platform ${platform}, which did not answer: accounts ${length}`)
    return differences
  } catch (problem) {
    return [`${whose} could not be compared: ${problem instanceof Error ? problem.message : problem}`]
  }
}

/** Checks that every object decrypts, is complete and has the stored counts. Needs neither database nor files. */
export async function checkBackup(archive: Archive, contents: Contents): Promise<Verdict> {
  const wrong: string[] = []
  let rows = 0
  for (const table of contents.tables) {
    const due = Object.values(table.rows).reduce((sum, each) => sum + each, 0)
    const found = await countLines(readParts(archive, tableName(contents.backup, archiveName(table.name)), table.parts))
    rows += found
    if (found !== due) wrong.push(`${table.name} has ${found} rows, and ${due} were counted`)
  }
  if (contents.jobs) {
    const { count, parts } = contents.jobs
    const found = await countLines(readParts(archive, jobsName(contents.backup), parts))
    if (found !== count) wrong.push(`${found} jobs, and ${count} were counted`)
  }
  const lost = new Set(contents.files.absent)
  await forEachParallel(readFileList(archive, contents), filesAtOnce, async (entry) => {
    if (lost.has(entry.key)) return
    const why = await verifyFile(archive, entry)
    if (why) wrong.push(why)
  })
  return { backup: contents.backup, rows, files: contents.files.count, wrong: wrong.slice(0, reportedMax) }
}

async function verifyFile(archive: Archive, { digest, key, sha256 }: FileEntry): Promise<string | null> {
  const stored = await readSealed(archive, fileName(archive, digest))
  if (!stored) return `the file ${key} is not in the backup`
  const found = await hashOf(stored)
  return sha256 === null || sha256 === found ? null : `the file ${key} differs from the database`
}

async function hashOf(source: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of source) hash.update(piece)
  return hash.digest('hex')
}

/** COPY writes one line per row and escapes line breaks in values. */
async function countLines(source: AsyncIterable<Buffer>): Promise<number> {
  let lines = 0
  for await (const piece of source) for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1
  return lines
}
