import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { FolderInUse, lockFolder } from '../../server/postgres/folder-lock.ts'
import { isClusterThere } from '../../server/postgres/postgres-location.ts'
import { findPostmaster } from '../../server/postgres/postgres-process.ts'
import { startTestCluster } from '../../tests/fixtures/database/test-cluster.ts'

const prefix = 'atrium-test-'
const sweptPrefix = `${prefix}swept-`
/** Explains to the user why the tests cannot run. */
export class RunProblem extends Error {}

export type TestRun = {
  /** The URL of the run's PostgreSQL; empty without one. */
  url: string
  /** The folder for temporary files of the tests. */
  temporary: string
  close(): Promise<void>
}

/** Creates one folder for everything a run makes, removed at its end, and one PostgreSQL unless the user names one. */
export async function openTestRun({
  given,
  settings,
  isNeeded,
}: {
  given: string | undefined
  settings: Record<string, string>
  isNeeded: boolean
}): Promise<TestRun> {
  await sweep()
  const folder = mkdtempSync(join(tmpdir(), prefix))
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  for (const each of [folder, temporary]) chmodSync(each, 0o711) // When run as root, the user of PostgreSQL needs access.
  const server = given || !isNeeded ? null : await startDatabase(folder, settings)
  const lock = server ? null : lockFolder(folder)
  const close = async () => {
    await server?.stop()
    lock?.release()
    remove(folder)
  }
  return { url: given ?? server?.url ?? '', temporary, close }
}

async function startDatabase(folder: string, settings: Record<string, string>) {
  try {
    return await startTestCluster(folder, settings)
  } catch (cause) {
    remove(folder)
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new RunProblem(`There is no database for the tests. ${reason}\nAnother one can be named in DATABASE_URL.`, {
      cause,
    })
  }
}

/** The time that a run may need between creating and locking its folder. */
const youngMs = 60_000

/**
 * Killed runs leave their server running: this takes it over, stops it and removes its folder. Several runs may do so
 * concurrently while others start and end: a new folder belongs to a run that has not locked it yet, and a folder that
 * is partly removed or renamed is left to the process that removes it.
 */
export async function sweep(parent = tmpdir()) {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(parent, name)
    try {
      if (name.startsWith(sweptPrefix)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      else if (Date.now() - statSync(folder).mtimeMs > youngMs) await sweepOne(folder)
    } catch (error) {
      const isSwept = !existsSync(folder) || hasCode(error, ['ENOENT', 'ENOTEMPTY'])
      if (!isSwept && !(error instanceof FolderInUse) && !isForeign(error)) throw error
    }
  }
}

async function sweepOne(folder: string) {
  const isElsewhere = existsSync(join(folder, 'place'))
  if (isClusterThere(folder) && (isElsewhere || findPostmaster(join(folder, 'cluster')))) {
    const settings = { fsync: 'off' }
    const left = await startEmbeddedPostgres({ dataDirectory: folder, settings, adoptionMs: 1_000, lockPatienceMs: 0 })
    await left.stop()
  } else lockFolder(folder).release()
  remove(folder)
}

/** Renames first: a partly removed folder would look like one of a killed run. */
function remove(folder: string) {
  const swept = join(dirname(folder), `${sweptPrefix}${randomUUID()}`)
  try {
    renameSync(folder, swept)
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return // Another run was quicker.
    throw error
  }
  // The server may still be removing its last files.
  rmSync(swept, { recursive: true, force: true, maxRetries: 5 })
}

const isForeign = (error: unknown) => hasCode(error, ['EACCES', 'EPERM', 'ERR_SQLITE_ERROR'])

function hasCode(error: unknown, codes: string[]) {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
