import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../server/foundation/embedded-postgres.ts'
import { FolderInUse } from '../server/foundation/folder-lock.ts'

const prefix = 'atrium-test-'
// The data of a test run is worth nothing after it: no waiting for the disk.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

/** One PostgreSQL for the whole run, or the one that the user names. */
export async function openTestDatabase(given: string | undefined) {
  if (given) return { url: given, close: async () => undefined }
  await sweep()
  const folder = mkdtempSync(join(tmpdir(), prefix))
  chmodSync(folder, 0o711) // As root, the user that PostgreSQL runs as must pass.
  const server = await startEmbeddedPostgres({ dataDirectory: folder, settings, outside: [join(folder, 'outside')] })
  const close = async () => {
    await server.stop()
    // The server's last files may still be going.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { url: server.url, close }
}

/** Runs that were killed leave their server running: it is taken over, stopped and removed. */
async function sweep() {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(tmpdir(), name)
    try {
      const left = await startEmbeddedPostgres({
        dataDirectory: folder,
        settings,
        adoptionMs: 1_000,
        lockPatienceMs: 0,
      })
      await left.stop()
      rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      // Another run was at it in the same moment, and may still be.
      const isSwept = !existsSync(folder) || hasCode(error, ['ENOENT'])
      if (!isSwept && !(error instanceof FolderInUse) && !isForeign(error)) throw error
    }
  }
}

const isForeign = (error: unknown) => hasCode(error, ['EACCES', 'EPERM', 'ERR_SQLITE_ERROR'])

function hasCode(error: unknown, codes: string[]) {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
