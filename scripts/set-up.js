import { main } from './launch.js'
import { setUp } from './setup.js'

/** Installs, and builds the web: what a machine needs that only runs the server. */
await main(async () => {
  await setUp({ build: true })
  return 0
})
