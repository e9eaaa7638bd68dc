import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import type { Context } from '../server/foundation/context.ts'
import { migrate } from '../server/foundation/database/migrate.ts'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { prepare } from '../server/start.ts'
import { stopOnSignal } from '../tests/fixtures/database/stop-on-signal.ts'

export type BenchSetup = { context: Context; ownerUrl: string; databasePid: number }

/** Runs `work` with a context on a temporary database. */
export async function onFixture(
  work: (setup: BenchSetup) => Promise<void>,
  settings: Record<string, string> = {},
  environment: Record<string, string> = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
  const server = await stopOnSignal(startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), settings }))
  try {
    await migrate(server.url)
    const usual = { NODE_ENV: 'test', LOG_LEVEL: 'fatal', CALLS_PER_MINUTE: '0' }
    const places = { DATABASE_URL: server.url, ATRIUM_DATA: folder }
    const config = readConfig({ ...usual, ...places, ...environment })
    const { context, close } = await prepare(config)
    try {
      await work({ context, ownerUrl: server.url, databasePid: server.pid })
    } finally {
      await close()
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Listens on a free local port; returns the address. */
export async function listen(app: Awaited<ReturnType<typeof buildApp>>): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  if (!address || typeof address === 'string') throw new Error('No port.')
  return `http://127.0.0.1:${address.port}`
}
