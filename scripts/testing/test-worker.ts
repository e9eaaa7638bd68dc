import { describe, mock } from 'node:test'
import { pathToFileURL } from 'node:url'
import { becomeWorker, endJourneys, endWorker } from '../../tests/fixtures/end-of-worker.ts'
import { cpuMsOfChildren } from './process-times.ts'
import type { FromWorker, ToWorker } from './test-pool.ts'

const send = (message: FromWorker) => process.send?.(message)

function nextFile(): Promise<string | null> {
  return new Promise((found) => {
    process.once('message', (message) => found((message as ToWorker).file))
    send({ kind: 'next' })
  })
}

const environment = { ...process.env }

/** Reverts changes that a file made to the process, before the next file. */
function leaveAsFound() {
  mock.reset()
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
}

/** Object allocation, like most tests: a busy machine slows it down more than arithmetic. */
const probe = JSON.stringify(
  Array.from({ length: 4_000 }, (_, id) => ({ id, name: `member ${id}`, tags: ['a', `${id}`] })),
)
/** CPU milliseconds of the probe on the reference machine of docs/developers/testing.md. */
const probeReferenceMs = 4.6
let probedMs = 0
let probes = 0

/** How much slower than the reference machine this one has been so far: at least 1. */
function slownessSoFar(): number {
  const before = process.cpuUsage()
  for (let round = 0; round < 4; round++) JSON.parse(probe)
  const { user, system } = process.cpuUsage(before)
  probedMs += (user + system) / 1000
  probes += 1
  return Math.max(1, probedMs / probes / probeReferenceMs)
}

/**
 * Runs the pool's files one after another in one process: most of a small file's cost is the process and the shared
 * modules. Each file is a suite, so that its hooks run only around its own tests.
 */
// Playwright handles SIGTERM to close its browsers, and Node does not end a process with a handler.
process.once('SIGTERM', () => process.exit(1))

becomeWorker()
for (let file = await nextFile(); file !== null; file = await nextFile()) {
  const address = pathToFileURL(file).href
  if (!file.endsWith('.journey.ts')) await endJourneys()
  const [before, childrenBefore] = [process.cpuUsage(), cpuMsOfChildren()]
  await describe(file, async () => void (await import(address)))
  const { user, system } = process.cpuUsage(before)
  leaveAsFound()
  const cpuMs = (user + system) / 1000 + cpuMsOfChildren() - childrenBefore
  send({ kind: 'measured', file, cpuMs, slowness: slownessSoFar() })
}
await endWorker()
// A file with a failed set-up may have left servers open, which would keep this process alive.
process.exit()
