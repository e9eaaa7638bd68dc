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

/** What a file has changed for the whole process is none of the next one's. */
function leaveAsFound() {
  mock.reset()
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
}

/** Objects made and thrown away, as in whatever is tested: a crowded machine slows that down more than it does arithmetic. */
const probe = JSON.stringify(
  Array.from({ length: 4_000 }, (_, id) => ({ id, name: `member ${id}`, tags: ['a', `${id}`] })),
)
/** What the probe takes of a core on the machine that the bounds of docs/developers/testing.md were set on. */
const probeReferenceMs = 4.6
let probedMs = 0
let probes = 0

/** How much longer than there this machine has taken for the same work so far: at least 1. */
function slownessSoFar(): number {
  const before = process.cpuUsage()
  for (let round = 0; round < 4; round++) JSON.parse(probe)
  const { user, system } = process.cpuUsage(before)
  probedMs += (user + system) / 1000
  probes += 1
  return Math.max(1, probedMs / probes / probeReferenceMs)
}

/**
 * Runs the files that the pool names, one after another, in this one process: most of what a small file costs is a process and
 * the modules that all of them load. Each file is a suite, so that its own hooks run around its own tests.
 */
// Playwright listens for it to close its browsers, and node ends no process that somebody listens in.
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
// A file whose set-up failed may have left servers open, which would keep this process for ever.
process.exit()
