import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pointAtPayments } from '../../demo/seed-payments.ts'
import { demoBridgeToken, demoManager, demoTimeZone } from '../../demo/simulators.ts'
import { readConfig } from '../../server/config.ts'
import { type System, systemActor } from '../../server/foundation/actor.ts'
import type { Context } from '../../server/foundation/context.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { listWorkspaces } from '../../server/foundation/database/every-workspace.ts'
import { prepare } from '../../server/start.ts'
import { connectMt4Control } from '../../simulators/mt4/control-client.ts'
import { startMt4Simulator } from '../../simulators/mt4/simulator.ts'
import { connectMt5Control } from '../../simulators/mt5/control-client.ts'
import { startMt5Simulator } from '../../simulators/mt5/simulator.ts'
import { startPaymentSimulators } from '../../simulators/payments/start-simulators.ts'
import { type ChildServer, freePort, startChildServer } from '../doubles/child-server.ts'
import { freshDatabase, withDatabase } from '../fixtures/database/fresh-database.ts'
import { commitBefore, takeOlderCode } from './older-code.ts'

export type Version = 'before' | 'now'

/** The demo brokerage created by the previous version, on simulated platforms that both versions use. */
export type TwoVersions = {
  commit: string
  /** The folder of each version's contract. */
  contracts: Record<Version, string>
  /** The last migration of each version. */
  migrations: Record<Version, string>
  /** Starts another process beside the running ones. */
  start(version: Version, roles: string): Promise<ChildServer>
  /** All log entries of a version's processes at level warning or above. */
  warnings(version: Version): Logged[]
  /** This version's context in the test's own process, available once one of its processes has started. */
  openContext(): Promise<{ context: Context; system: System }>
  platform: Awaited<ReturnType<typeof startMt5Simulator>>['control']
  close(): Promise<void>
}

export type Logged = { level: number; msg: string } & Record<string, unknown>
const warning = 40

export async function openTwoVersions(): Promise<TwoVersions> {
  const commit = commitBefore()
  assert.ok(
    commit,
    'The code of the previous version comes from the git history, which is missing here: make a full clone',
  )
  const older = await takeOlderCode(commit)
  const folder = mkdtempSync(join(tmpdir(), 'atrium-versions-'))
  const cluster = await freshDatabase({ isDirect: true })
  const databaseUrl = await addEmptyDatabase(cluster.ownerUrl)
  const logged: Record<Version, Logged[]> = { before: [], now: [] }
  const running: ChildServer[] = []
  const undo: (() => Promise<unknown>)[] = [cluster.drop]
  const ports = { mt5: await freePort(), mt4: await freePort() }

  async function start(version: Version, program: string, roles: string, environment = {}): Promise<ChildServer> {
    const server = await startChildServer({
      ...{ databaseUrl, dataDirectory: folder, roles },
      ...(version === 'before' && { program: join(older.folder, program) }),
      environment: { ATRIUM_DEMO: 'true', LOG_LEVEL: 'warn', DRAIN_SECONDS: '1', ...environment },
      onLine: (line) => line.startsWith('{') && logged[version].push(JSON.parse(line) as Logged),
    })
    running.push(server)
    return server
  }

  // A first start on an empty database, with its platforms on the ports that ours will use.
  const simulatorPorts = { ATRIUM_SIMULATOR_MT5_PORT: `${ports.mt5}`, ATRIUM_SIMULATOR_MT4_PORT: `${ports.mt4}` }
  const first = await start('before', 'demo/start.ts', 'web,jobs', simulatorPorts)
  assert.equal(await first.end(), 0)
  logged.before.splice(0) // Its platforms stop before it does, which it logs.

  const state = (name: string) => join(folder, 'simulators', `${name}.sqlite`)
  const usual = { timeZone: demoTimeZone, movingPrices: false }
  const mt5 = await startMt5Simulator({ ...usual, port: ports.mt5, stateFile: state('mt5'), managers: [demoManager] })
  const mt4 = await startMt4Simulator({ ...usual, port: ports.mt4, stateFile: state('mt4'), token: demoBridgeToken })
  const payments = await startPaymentSimulators()
  undo.push(mt5.stop, mt4.stop, payments.stop)

  return {
    commit,
    contracts: {
      before: join(older.folder, 'contract'),
      now: fileURLToPath(new URL('../../contract', import.meta.url)),
    },
    migrations: { before: lastOf(older.folder), now: lastOf(fileURLToPath(new URL('../../', import.meta.url))) },
    platform: mt5.control,
    start: (version, roles) => start(version, 'server/main.ts', roles),
    warnings: (version) => logged[version].filter(({ level }) => level >= warning),
    async openContext() {
      const environment = { NODE_ENV: 'test', ATRIUM_DEMO: 'true', LOG_LEVEL: 'fatal' }
      const { context, close } = await prepare(
        readConfig({ ...environment, ATRIUM_DATA: folder, DATABASE_URL: databaseUrl }),
      )
      undo.push(close)
      const [workspace] = await listWorkspaces(context)
      assert.ok(workspace)
      const system = systemActor(context, workspace.workspaceId)
      const mt5Endpoints = { mt5Url: mt5.url, mt5: connectMt5Control(mt5.controlUrl) }
      const mt4Endpoints = { mt4Url: mt4.url, mt4: connectMt4Control(mt4.controlUrl) }
      const simulators = { ...mt5Endpoints, ...mt4Endpoints, payments: payments.settings, stop: async () => undefined }
      await inTransaction(system, (tx) => pointAtPayments(tx, system, simulators))
      return { context, system }
    },
    async close() {
      for (const process of running) await process.stop()
      for (const each of undo.reverse()) await each()
      older.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const lastOf = (folder: string): string =>
  readdirSync(join(folder, 'server', 'migrations'))
    .filter((name) => /^\d.*\.sql$/.test(name))
    .toSorted()
    .at(-1) ?? ''

async function addEmptyDatabase(ownerUrl: string): Promise<string> {
  const name = `atrium_before_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return withDatabase(ownerUrl, name)
}
