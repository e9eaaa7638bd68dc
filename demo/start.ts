import { join } from 'node:path'
import { readConfig } from '../server/config.ts'
import { prepare, serve, stopOnSignals } from '../server/start.ts'
import { demoPassword, signIns } from './harbour-markets.ts'
import { seedDemo } from './seed-brokerage.ts'
import { startSimulators } from './simulators.ts'

/** `npm start`: database, demo brokerage, simulators, server, in one process tree that ends as one. */
const startedAt = performance.now()
const isDev = process.argv.includes('--dev')
const say = (what: string): void => console.log(`  ${what}`)

const config = readConfig({ ATRIUM_DEMO: 'true', LOG_LEVEL: 'warn', ...process.env })
if (config.production) throw new Error('The demo does not run in production. Start server/main.ts instead.')
const [{ ground, close }, simulators] = await Promise.all([
  prepare(config, say),
  startSimulators(join(config.dataDirectory, 'simulators')),
])
say('Database and trading platform simulator are up.')
const { app, stop } = await open().catch(async (problem) => {
  // What was started must not outlive a start that failed: the next one would find it in its way.
  await close()
  await simulators.stop()
  throw problem
})

async function open() {
  const seeded = await seedDemo(ground, simulators)
  if (seeded === 'seeded') say('Demo brokerage Harbour Markets made.')
  return serve(ground)
}

stopOnSignals(async () => {
  await stop()
  await close()
  await simulators.stop()
})

const address = app.server.address()
const port = typeof address === 'object' && address ? address.port : config.port
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(`
  Atrium is ready after ${seconds} s${isDev ? ' (restarts on save)' : ''}: http://localhost:${port}

    Member        http://localhost:${port}/login   ${signIns.member}
    Second member                               ${signIns.second}
    New member                                  ${signIns.new}
    Desk          http://localhost:${port}/desk    ${signIns.staff}
    Password of each: ${demoPassword}

  Stop with Ctrl+C. Data stays in ${config.dataDirectory}.
`)
