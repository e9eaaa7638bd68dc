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
/** Why nothing can be run, in a sentence for whoever wanted to. */
export class RunProblem extends Error {}

export type TestRun = {
  /** Of the PostgreSQL for the whole run, where there is one. */
  url: string
  /** Whatever the tests put into a folder for the time of the run. */
  temporary: string
  close(): Promise<void>
}

/** One folder for whatever a run makes, gone with it, and one PostgreSQL, or the one that the user names. */
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
  for (const each of [folder, temporary]) chmodSync(each, 0o711) // As root, the user that PostgreSQL runs as must pass.
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

/** How long a run may need from making its folder to holding it. */
const youngMs = 60_000

/**
 * Runs that were killed leave their server running: it is taken over, stopped and removed. Several runs may be at it in the
 * same moment, while others begin and end: a folder that was just made belongs to a run that does not hold it yet, and
 * whoever finds one half gone, or renamed away, leaves it to whoever is removing it.
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

/** Renamed first: a folder that goes piece by piece would be taken for one that a killed run left behind. */
function remove(folder: string) {
  const swept = join(dirname(folder), `${sweptPrefix}${randomUUID()}`)
  try {
    renameSync(folder, swept)
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return // Another run was quicker.
    throw error
  }
  // The server's last files may still be going.
  rmSync(swept, { recursive: true, force: true, maxRetries: 5 })
}

const isForeign = (error: unknown) => hasCode(error, ['EACCES', 'EPERM', 'ERR_SQLITE_ERROR'])

function hasCode(error: unknown, codes: string[]) {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
