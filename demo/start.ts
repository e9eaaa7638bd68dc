/** `npm start`: database, demo brokerage, simulators and server in one process tree that ends together. */

import { join } from 'node:path'
import { readConfig } from '../server/config.ts'
import { notifyUrl } from '../server/payments/connections/urls.ts'
import { prepare, serve, stopOnSignals } from '../server/start.ts'
import { explainStart } from '../server/start-problem.ts'
import { announce } from './announce.ts'
import { brokerage } from './harbour-markets.ts'
import { seedDemo } from './seed-brokerage.ts'
import { startSimulators } from './simulators.ts'

const startedAt = performance.now()
const print = (what: string): void => console.log(`  ${what}`)

try {
  await start()
} catch (problem) {
  console.error(`\n  ${explain(problem)}\n`)
  process.exit(1)
}

async function start(): Promise<void> {
  const config = readConfig({ ATRIUM_DEMO: 'true', LOG_LEVEL: 'warn', ...process.env })
  if (config.production) throw new Error('The configuration is not valid:\n  NODE_ENV: the demo is not for production.')
  const undo: (() => Promise<void>)[] = []
  // Stops in reverse order, also after a partial start: leftovers would block the next one.
  const stop = async (): Promise<void> => {
    for (const each of undo.reverse()) await each()
  }
  try {
    const { context, close } = await prepare(config, { print })
    undo.push(close)
    const webhookUrl = notifyUrl(config, { subdomain: brokerage.subdomain, isDefault: true }, 'sdsystem')
    const simulators = await startSimulators(join(config.dataDirectory, 'simulators'), webhookUrl)
    undo.push(simulators.stop)
    print('Database and trading platform simulator are up.')
    if ((await seedDemo(context, simulators)) === 'seeded') print('Demo brokerage Harbour Markets made.')
    const serving = await serve(context)
    undo.push(serving.stop)
    stopOnSignals(stop)
    const address = serving.app.server.address()
    const port = typeof address === 'object' && address ? address.port : config.port
    announce(config, { port, ready: `${((performance.now() - startedAt) / 1000).toFixed(1)} s` })
  } catch (problem) {
    await stop()
    throw problem
  }
}

/** One sentence for a fixable problem; a stack trace only for an unexpected one. */
function explain(problem: unknown): string {
  return explainStart(problem) ?? (problem instanceof Error ? (problem.stack ?? problem.message) : String(problem))
}
