/** `npm start`: database, demo brokerage, simulators and server in one process tree that ends together. */

import { join } from 'node:path'
import { readConfig } from '../server/config.ts'
import { notifyUrl } from '../server/payments/connections/urls.ts'
import { collectOpened, prepare, refuseTakenPort, serve, stopOnSignals } from '../server/start.ts'
import { explainStart } from '../server/start-problem.ts'
import { announce } from './announce.ts'
import { brokerage } from './harbour-markets.ts'
import { seedDemo } from './seed-brokerage.ts'
import { startSimulators } from './simulators.ts'

const startedAt = performance.now()
const print = (what: string): void => console.log(`  ${what}`)

const opened = collectOpened()
const isStopping = stopOnSignals(opened.close)

try {
  await start()
} catch (problem) {
  // After a signal the start fails because of it, and the signal's own stop ends the process.
  if (isStopping()) await new Promise(() => undefined)
  console.error(`\n  ${explain(problem)}\n`)
  await opened.close().catch(() => undefined)
  process.exit(1)
}

async function start(): Promise<void> {
  const config = readConfig({ ATRIUM_DEMO: 'true', LOG_LEVEL: 'warn', ...process.env })
  if (config.production) throw new Error('The configuration is not valid:\n  NODE_ENV: the demo is not for production.')
  await refuseTakenPort(config)
  const { context } = await prepare(config, { print, opened })
  const webhookUrl = notifyUrl(config, { subdomain: brokerage.subdomain, isDefault: true }, 'sdsystem')
  const simulators = await startSimulators(join(config.dataDirectory, 'simulators'), webhookUrl)
  opened.add(simulators.stop)
  print('Database and trading platform simulator are up.')
  if ((await seedDemo(context, simulators)) === 'seeded') print('Demo brokerage Harbour Markets made.')
  const serving = await serve(context)
  opened.add(serving.stop)
  const address = serving.app.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  announce(config, { port, ready: `${((performance.now() - startedAt) / 1000).toFixed(1)} s` })
}

/** One sentence for a fixable problem; a stack trace only for an unexpected one. */
function explain(problem: unknown): string {
  return explainStart(problem) ?? (problem instanceof Error ? (problem.stack ?? problem.message) : String(problem))
}
