import { type Config, readConfig } from './config.ts'
import { version } from './foundation/version.ts'

const config = readOrEnd()
// After the settings: whoever got one wrong is told at once.
const { prepare, serve, stopOnSignals } = await import('./start.ts')
const { ground, close } = await prepare(config)
const { stop } = await serve(ground)
stopOnSignals(async () => {
  await stop()
  await close()
})
ground.log.info({ version, port: config.port, roles: config.roles }, 'Atrium is up')

/** What is to be set is for a person to read, and a stack is in the way. */
function readOrEnd(): Config {
  try {
    return readConfig(process.env)
  } catch (problem) {
    process.stderr.write(`${problem instanceof Error ? problem.message : problem}\n`)
    process.exit(1)
  }
}
