import { main } from './launch.js'
import { setUp } from './setup.js'

/** Installs the packages and builds the web: all that a machine needs to run the server. */
await main(async () => {
  await setUp({ build: true })
  return 0
})
