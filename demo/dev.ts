/**
 * `npm run dev`: the web with hot reload, and a server that restarts on save. The database and the simulators keep
 * running; changes to them need a new start.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../server/config.ts'
import { notifyUrl } from '../server/payments/connections/urls.ts'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { prepare, stopOnSignals } from '../server/start.ts'
import { explainStart } from '../server/start-problem.ts'
import { openDevWeb } from '../web/dev-web.ts'
import { announce } from './announce.ts'
import { brokerage } from './harbour-markets.ts'
import { seedDemo } from './seed-brokerage.ts'
import { startSimulators } from './simulators.ts'

const startedAt = performance.now()
const root = fileURLToPath(new URL('../', import.meta.url))
const program = fileURLToPath(new URL('dev-server.ts', import.meta.url))
const say = (line: string): void => console.log(`  ${line}`)
const secondsSince = (moment: number): string => `${((performance.now() - moment) / 1000).toFixed(1)} s`

// Reports a fixable problem in one sentence.
process.once('uncaughtException', (problem) => {
  console.error(explainStart(problem) ?? problem)
  process.exit(1)
})

const config = readConfig({ ATRIUM_DEMO: 'true', LOG_LEVEL: 'warn', ...process.env })
if (config.production) throw new Error('NODE_ENV: the demo is not for production.')
const dataDirectory = join(config.dataDirectory, 'postgres')
const postgres = config.databaseUrl ? null : await startEmbeddedPostgres({ dataDirectory, log: say, keep: true })
const databaseUrl = config.databaseUrl ?? postgres?.url ?? ''
const tellsAt = notifyUrl(config, { subdomain: brokerage.subdomain, isDefault: true }, 'sdsystem')
const simulators = await startSimulators(join(config.dataDirectory, 'simulators'), tellsAt)
const { context, close } = await prepare({ ...config, databaseUrl }, { say })
await seedDemo(context, simulators)
await close()

let port = 0
const web = await openDevWeb({ host: config.host, port: config.port, portOfServer: () => port })
let standby: ChildProcess | undefined
let starting: ChildProcess | undefined
let current: ChildProcess | undefined
await replaceServer()
announce(config, { port: config.port, ready: `${secondsSince(startedAt)}, with hot reload` })

let waiting: NodeJS.Timeout | undefined
for (const folder of ['server', 'contract'])
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (!/\.(ts|sql)$/.test(file ?? '') || /\.test\.ts$/.test(file ?? '')) return
    clearTimeout(waiting)
    waiting = setTimeout(replaceServer, 50) // An editor saves in several steps.
  })

stopOnSignals(async () => {
  await web.close()
  standby?.kill('SIGKILL')
  starting?.kill('SIGKILL')
  if (current?.exitCode === null && current.kill()) await once(current, 'exit')
  await simulators.stop()
  await postgres?.stop()
})

/** Starts the next server beside the last, as in an upgrade: no request fails, and a server that does not start replaces nothing. */
async function replaceServer(): Promise<void> {
  const since = performance.now()
  starting?.kill('SIGKILL') // It started before the last save.
  const child = standby ?? standBy()
  standby = undefined
  starting = child
  child.send('start')
  const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (starting !== child) return
  starting = undefined
  standby = standBy()
  if (child.exitCode !== null) return
  if (current) say(`Server replaced after ${secondsSince(since)}`)
  current?.kill()
  port = Number(answer)
  current = child
}

function standBy(): ChildProcess {
  const env = {
    ...{ ATRIUM_DEMO: 'true', LOG_LEVEL: 'warn', ...process.env },
    ...{ DATABASE_URL: databaseUrl, ATRIUM_WEB_DIST: web.folder, HOST: '127.0.0.1', PORT: '0' },
    PUBLIC_URL: process.env.PUBLIC_URL ?? `http://${config.domain}:${config.port}`,
  }
  return fork(program, { env })
}
