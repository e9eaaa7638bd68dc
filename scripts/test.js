import { launch, main } from './launch.js'
import { setUp } from './setup.js'

await main(async (args) => {
  await setUp({ build: false }) // The web build is a separate check, so that its failure does not hide the others.
  return launch(['scripts/testing/test-all.ts', ...args])
})
