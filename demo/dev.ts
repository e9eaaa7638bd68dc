/**
 * `npm run dev`: the web with hot reload, and a server that restarts on save. The database and the simulators keep
 * running; changes to them need a new start.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../server/config.ts'
import { notifyUrl } from '../server/payments/connections/urls.ts'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { prepare, stopOnSignals } from '../server/start.ts'
import { explainStart } from '../server/start-problem.ts'
import { openDevWeb } from '../web/dev-web.ts'
import { announce } from './announce.ts'
import type { Message } from './dev-server.ts'
import { brokerage } from './harbour-markets.ts'
import { seedDemo } from './seed-brokerage.ts'
import { startSimulators } from './simulators.ts'

const startedAt = performance.now()
const root = fileURLToPath(new URL('../', import.meta.url))
const program = fileURLToPath(new URL('dev-server.ts', import.meta.url))
const print = (line: string): void => console.log(`  ${line}`)
const secondsSince = (moment: number): string => `${((performance.now() - moment) / 1000).toFixed(1)} s`

// Stops in reverse order, also after a partial start: leftovers would block the next one.
const undo: (() => Promise<unknown>)[] = []
const stop = async (): Promise<void> => {
  for (const each of undo.splice(0).reverse()) await each()
}
stopOnSignals(stop)

// Reports a fixable problem in one sentence.
process.once('uncaughtException', async (problem) => {
  console.error(explainStart(problem) ?? problem)
  await stop()
  process.exit(1)
})

const config = readConfig({ ATRIUM_DEMO: 'true', LOG_LEVEL: 'warn', ...process.env })
if (config.production) throw new Error('NODE_ENV: the demo is not for production.')
const dataDirectory = join(config.dataDirectory, 'postgres')
const ownDatabase = config.databaseUrl ? null : startEmbeddedPostgres({ dataDirectory, log: print, keep: true })
// Before it is up: it is a process of its own, which a signal in between would leave behind.
undo.push(async () => (await ownDatabase?.catch(() => null))?.stop())
const postgres = await ownDatabase
const databaseUrl = config.databaseUrl ?? postgres?.url ?? ''
const webhookUrl = notifyUrl(config, { subdomain: brokerage.subdomain, isDefault: true }, 'sdsystem')
const simulators = await startSimulators(join(config.dataDirectory, 'simulators'), webhookUrl)
undo.push(simulators.stop)
const { context, close } = await prepare({ ...config, databaseUrl }, { print })
await seedDemo(context, simulators)
const programUrl = context.database.pool.options.connectionString
await close()

/** What a start changes in the database comes from these folders. */
const migrating = /^server\/(migrations|queue|foundation\/database)\//
let migrationChanges = 0
let migratedChanges = 0
let waiting: NodeJS.Timeout | undefined
let isStopping = false
let port = 0
const web = await openDevWeb({ host: config.host, port: config.port, portOfServer: () => port })
const servers = new Set<ChildProcess>()
/** Servers for the next saves. The last loaded one is first, since V8 drops the code of one that waits for long. */
const standbys: ChildProcess[] = []
let starting: ChildProcess | undefined
let current: ChildProcess | undefined
undo.push(stopServers, web.close)
await replaceServer()
announce(config, { port: config.port, ready: `${secondsSince(startedAt)}, with hot reload` })

for (const folder of ['server', 'contract'])
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (!file || !/\.(ts|sql)$/.test(file) || /\.test\.ts$/.test(file)) return
    const changed = join(root, folder, file)
    if (migrating.test(relative(root, changed).replaceAll('\\', '/'))) migrationChanges += 1
    for (const child of standbys) tell(child, { changed })
    clearTimeout(waiting)
    waiting = setTimeout(replaceServer, 20) // An editor saves in several steps.
  })

/** Starts the next server beside the last, as in an upgrade: no request fails, and a server that does not start replaces nothing. */
async function replaceServer(): Promise<void> {
  const since = performance.now()
  starting?.kill('SIGKILL') // It started before the last save.
  const child = standbys.shift() ?? forkServer()
  starting = child
  const changes = migrationChanges
  tell(child, { programUrl: changes === migratedChanges ? programUrl : undefined })
  const answer = await portOf(child)
  if (answer !== null) migratedChanges = Math.max(migratedChanges, changes)
  if (starting !== child || isStopping) return
  starting = undefined
  standBy()
  if (answer === null) return
  if (current) print(`Server replaced after ${secondsSince(since)}`)
  current?.kill()
  port = answer
  current = child
}

/** Null when the server ends instead of starting. */
function portOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.on('message', (message) => typeof message === 'number' && resolve(message))
    child.once('exit', () => resolve(null))
  })
}

/** Two, so that a second save at once does not wait for modules either. One after the other, as loading takes a core. */
function standBy(): void {
  if (isStopping || standbys.length === 2) return
  const child = forkServer('--ahead')
  standbys.push(child)
  child.once('message', () => {
    if (standbys.includes(child)) standbys.unshift(...standbys.splice(standbys.indexOf(child), 1))
    standBy()
  })
}

function forkServer(...args: string[]): ChildProcess {
  const env = {
    ...{ ATRIUM_DEMO: 'true', LOG_LEVEL: 'warn', ...process.env },
    ...{ DATABASE_URL: databaseUrl, ATRIUM_WEB_DIST: web.folder, HOST: '127.0.0.1', PORT: '0' },
    PUBLIC_URL: process.env.PUBLIC_URL ?? `http://${config.domain}:${config.port}`,
  }
  // The function that strips types is experimental, and each server would print a warning.
  const child = fork(program, args, { env, execArgv: [...process.execArgv, '--disable-warning=ExperimentalWarning'] })
  servers.add(child)
  child.once('exit', () => {
    servers.delete(child)
    if (standbys.includes(child)) standbys.splice(standbys.indexOf(child), 1)
  })
  return child
}

/** A server that ended meanwhile is replaced by `exit`. */
function tell(child: ChildProcess, message: Message): void {
  child.send(message, () => undefined)
}

async function stopServers(): Promise<void> {
  isStopping = true
  clearTimeout(waiting)
  for (const child of servers) child.kill(standbys.includes(child) || child === starting ? 'SIGKILL' : 'SIGTERM')
  await Promise.all([...servers].map((child) => once(child, 'exit')))
}
