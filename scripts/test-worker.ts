import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { FromWorker, ToWorker } from './test-pool.ts'

/**
 * Runs the files that the pool names, one after another, in this one process: most of what a small file costs is a process and
 * the modules that all of them load. Each file is a suite, so that its own hooks run around its own tests.
 */
const mostMs = 15 * 60_000 // Of a whole file; each test of it may use it up, as none of them alone should.

const send = (message: FromWorker) => process.send?.(message)

function nextFile(): Promise<string | null> {
  return new Promise((found) => {
    process.once('message', (message) => found((message as ToWorker).file))
    send({ kind: 'next' })
  })
}

for (let file = await nextFile(); file !== null; file = await nextFile()) {
  const address = pathToFileURL(file).href
  const before = process.cpuUsage()
  await describe(file, { timeout: mostMs }, async () => void (await import(address)))
  const { user, system } = process.cpuUsage(before)
  send({ kind: 'measured', file, cpuMs: (user + system) / 1000 })
}
process.disconnect()
