import { launch, main } from './launch.js'
import { setUp } from './setup.js'

await main(async (args) => {
  await setUp({ build: false }) // The web is built as a check of its own, so that a broken one does not hide the others.
  return launch(['scripts/testing/test-all.ts', ...args])
})
