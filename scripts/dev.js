import { launch, main } from './launch.js'
import { setUp } from './setup.js'

await main(async (args) => {
  await setUp({ build: false })
  return launch(['demo/dev.ts', ...args])
})
