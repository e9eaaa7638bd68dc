import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { becomeWorker, endJourneys, endWorker } from '../../tests/fixtures/end-of-worker.ts'
import { type Used, usedSoFar } from './process-times.ts'
import type { FromWorker, ToWorker } from './test-pool.ts'
import { hadUncaughtError, importTestRunner, track, whileTracking } from './test-tracking.ts'

const { describe, mock } = await importTestRunner()

const send = (message: FromWorker) => process.send?.(message)

function nextFile(): Promise<string | null> {
  return new Promise((found) => {
    process.once('message', (message) => found((message as ToWorker).file))
    send({ kind: 'next' })
  })
}

const environment = { ...process.env }
const globalOf = (name: string) => Object.getOwnPropertyDescriptor(globalThis, name)
/** Modules stay loaded, and some of them share a global with such a name or a symbol. */
const isOfModule = (name: string) => name.startsWith('__')
const globals = new Map(Object.getOwnPropertyNames(globalThis).map((name) => [name, globalOf(name)]))

/** Reverts changes that a file made to the process, before the next file. */
async function leaveAsFound() {
  mock.reset()
  // React reads `window` again after a root is unmounted.
  for (let turn = 0; turn < 2; turn++) await new Promise((done) => setImmediate(done))
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!globals.has(name) && !isOfModule(name)) Reflect.deleteProperty(globalThis, name)
  for (const [name, before] of globals)
    if (before && !isDeepStrictEqual(before, globalOf(name))) Object.defineProperty(globalThis, name, before)
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
}

/** Object allocation, like most tests: a busy machine slows it down more than arithmetic. */
const probe = JSON.stringify(
  Array.from({ length: 4_000 }, (_, id) => ({ id, name: `member ${id}`, tags: ['a', `${id}`] })),
)
/** CPU milliseconds of the probe on the reference machine of docs/developers/testing.md. */
const probeReferenceMs = 4.6
/** A virtual machine may take fifty times as long for a page fault, and a program that starts has some 50,000 of them. */
const pageFaultReferenceMs = 0.001
const pageBytes = 4_096
const mappedBytes = 8_388_608
const probed = { rounds: 0, parsingMs: 0, pages: 0, mappingMs: 0 }

function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Measures again after each file, since the speed of a machine varies. */
function probeMachine(): { slowness: number; pageFaultMs: number } {
  // One that may be resized is mapped anew, not taken from freed memory.
  const memory = new Uint8Array(new ArrayBuffer(mappedBytes, { maxByteLength: mappedBytes }))
  probed.parsingMs += cpuMsOf(() => {
    for (let round = 0; round < 4; round++) JSON.parse(probe)
  })
  probed.mappingMs += cpuMsOf(() => {
    for (let at = 0; at < memory.length; at += pageBytes) memory[at] = 1
  })
  probed.rounds += 1
  probed.pages += memory.length / pageBytes
  const { rounds, parsingMs, pages, mappingMs } = probed
  return { slowness: Math.max(1, parsingMs / rounds / probeReferenceMs), pageFaultMs: mappingMs / pages }
}

/** How much longer the work took than it takes on the reference machine: at least 1. */
function slownessOf({ cpuMs, pageFaults }: Used): number {
  const { slowness, pageFaultMs } = probeMachine()
  const pagingMs = Math.min(0.8 * cpuMs, pageFaults * Math.max(0, pageFaultMs - pageFaultReferenceMs))
  return (cpuMs * slowness) / Math.max(1, cpuMs - pagingMs)
}

/**
 * Runs the pool's files one after another in one process: most of a small file's cost is the process and the shared
 * modules. Each file is a suite, so that its hooks run only around its own tests.
 */
// Playwright handles SIGTERM to close its browsers, and Node does not end a process with a handler.
process.once('SIGTERM', () => process.exit(1))

/** Tells the pool that the process still yields. */
setInterval(() => send({ kind: 'alive' }), 1_000).unref()

becomeWorker()
for (let file = await nextFile(); file !== null; file = await nextFile()) {
  const address = pathToFileURL(file).href
  if (!file.endsWith('.journey.ts')) await endJourneys()
  const before = usedSoFar()
  track()
  await describe(file, () => whileTracking(() => import(address)))
  const after = usedSoFar()
  await leaveAsFound()
  const used = { cpuMs: after.cpuMs - before.cpuMs, pageFaults: after.pageFaults - before.pageFaults }
  const isSpent = hadUncaughtError()
  send({ kind: 'measured', file, cpuMs: used.cpuMs, slowness: slownessOf(used), isSpent })
}
await endWorker()
// A file with a failed set-up may have left servers open, which would keep this process alive.
process.exit()
