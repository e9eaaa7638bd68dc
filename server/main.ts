import { readConfig } from './config.ts'
import { prepare, serve, stopOnSignals } from './start.ts'

const config = readConfig(process.env)
const { ground, close } = await prepare(config)
const { stop } = await serve(ground)
stopOnSignals(async () => {
  await stop()
  await close()
})
ground.log.info({ port: config.port, roles: config.roles }, 'Atrium is up')
