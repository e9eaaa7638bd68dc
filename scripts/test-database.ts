import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startEmbeddedPostgres } from '../server/foundation/embedded-postgres.ts'
import { FolderInUse } from '../server/foundation/folder-lock.ts'

const prefix = 'atrium-test-'
const sweptPrefix = `${prefix}swept-`
// The data of a test run is worth nothing after it: no waiting for the disk.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

/** One PostgreSQL for the whole run, or the one that the user names. */
export async function openTestDatabase(given: string | undefined, more: Record<string, string> = {}) {
  if (given) return { url: given, close: async () => undefined }
  await sweep()
  const folder = mkdtempSync(join(tmpdir(), prefix))
  chmodSync(folder, 0o711) // As root, the user that PostgreSQL runs as must pass.
  const options = { dataDirectory: folder, outside: [join(folder, 'outside')] }
  const server = await startEmbeddedPostgres({ ...options, settings: { ...settings, ...more } })
  const close = async () => {
    await server.stop()
    remove(folder)
  }
  return { url: server.url, close }
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
  const left = await startEmbeddedPostgres({ dataDirectory: folder, settings, adoptionMs: 1_000, lockPatienceMs: 0 })
  await left.stop()
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
