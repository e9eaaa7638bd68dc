import { launch, main } from './launch.js'
import { setUp } from './setup.js'

/** glibc: freed memory stays with the process. Mapping it anew is expensive, above all on virtual machines. */
const keptMemory = { MALLOC_TRIM_THRESHOLD_: String(256 << 20), MALLOC_MMAP_THRESHOLD_: String(32 << 20) }

await main(async (args) => {
  await setUp({ build: false }) // The web build is a separate check, so that its failure does not hide the others.
  return launch(['scripts/testing/test-all.ts', ...args], { env: { ...keptMemory, ...process.env } })
})
