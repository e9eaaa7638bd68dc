import { launch, main } from './launch.js'
import { setUp } from './setup.js'

await main(async (args) => {
  await setUp({ build: true })
  return launch(['scripts/test-all.ts', ...args])
})
