import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { readConfig } from '../../server/config.ts'
import type { Context } from '../../server/foundation/context.ts'
import { prepare, serve } from '../../server/start.ts'
import { holdPort } from '../../tests/doubles/child-server.ts'
import { freshDatabase } from '../../tests/fixtures/database/fresh-database.ts'
import { atEndOfJourneys, isWorker } from '../../tests/fixtures/end-of-worker.ts'
import { launchBrowser } from './browser.ts'
import { isChaotic, startChaos, takeCodeToUpgrade } from './chaos.ts'
import { resolveLocalhostNames } from './localhost-names.ts'
import type { OwnServerOptions } from './own-server.ts'
import { type OtherProcess, startOthers } from './several-processes.ts'

/** The server with a database and a browser. */
export type TestAppServer = {
  context: Context
  /** Of the default workspace. */
  url: string
  /** The shared browser of all visits; a new one after a crash, so that a crash fails only one journey. */
  openBrowser(): Promise<Browser>
  /** The other processes behind the balancer, if any. */
  processes: OtherProcess[]
  close(): Promise<void>
}

type Seed = (context: Context) => Promise<unknown>

/** Runs `seed` before the server accepts requests or runs sweeps. */
export async function startTestAppServer(options: OwnServerOptions, seed?: Seed): Promise<TestAppServer> {
  const { processes = Number(process.env.ATRIUM_TEST_PROCESSES ?? 1) } = options
  resolveLocalhostNames()
  // Reserves the port until the server listens on it, since simulators and other test apps could otherwise get it.
  const { port, release } = await holdPort()
  const environment = withPort(options.environment ?? {}, port)
  const folder = mkdtempSync(join(tmpdir(), 'atrium-test-app-'))
  const database = await freshDatabase()
  const config = readConfig({
    NODE_ENV: 'test',
    ATRIUM_DEMO: 'true',
    ATRIUM_DATA: folder,
    DATABASE_URL: database.ownerUrl,
    HOST: '127.0.0.1',
    PORT: String(processes > 1 ? 0 : port),
    LOG_LEVEL: 'fatal',
    ...environment,
  })
  const { context, close: closeContext } = await prepare(config)
  await seed?.(context)
  await release()
  const { app, stop } = await serve(context)
  const { port: ownPort } = app.server.address() as AddressInfo
  const shared = { ATRIUM_DATA: folder, DATABASE_URL: database.ownerUrl, ...environment, ...options.othersEnvironment }
  // Not if the journey controls its own processes.
  const isDisturbed = isChaotic && processes > 1 && options.processes === undefined
  const older = isDisturbed ? await takeCodeToUpgrade() : null
  const others = await startOthers({ port, ownPort, count: processes - 1, older }, shared)
  // Passkeys and links in mails use the public address, which is that of the balancer if there is one.
  context.config.port = port
  const chaos = isDisturbed && others ? startChaos(others) : null
  let browser = await launchBrowser(options.engine)
  return {
    context,
    url: config.publicUrl ?? `http://localhost:${port}`,
    async openBrowser() {
      if (!browser.isConnected()) browser = await launchBrowser(options.engine)
      return browser
    },
    processes: others?.processes ?? [],
    async close() {
      await browser.close()
      const problem = await chaos?.stop()
      await others?.close()
      await stop()
      await closeContext()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
      if (problem) throw problem
    },
  }
}

function withPort(environment: Record<string, string>, port: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [name, text.replace('{port}', `${port}`)]),
  )
}

let shared: Promise<TestAppServer> | null = null
let users = 0

/**
 * One server for all test apps of this process that need none of their own. A worker stops it after its last journey; a
 * journey that runs alone stops it with its last test app.
 */
export async function shareTestAppServer(): Promise<TestAppServer> {
  shared ??= startShared()
  const server = await shared
  users += 1
  return {
    ...server,
    async close() {
      users -= 1
      if (users === 0 && !isWorker()) await closeShared()
    },
  }
}

async function startShared(): Promise<TestAppServer> {
  try {
    const server = await startTestAppServer({})
    atEndOfJourneys(closeShared)
    return server
  } catch (problem) {
    // The next test app tries again and reports the problem itself.
    shared = null
    throw problem
  }
}

async function closeShared(): Promise<void> {
  const closing = await shared
  shared = null
  await closing?.close()
}
