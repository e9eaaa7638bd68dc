import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

export type ToWorker = { file: string | null }
export type FromWorker =
  | { kind: 'next' }
  | { kind: 'ended'; file: string; result: Result }
  | { kind: 'measured'; file: string; cpuMs: number; slowness: number }

export type TestFile = {
  path: string
  /** In a process of its own: it kills processes, changes what all of a process share, or measures one. */
  isAlone: boolean
  /** What it needs, awaited before it begins. */
  prepare?(): Promise<void>
}

/** Work of another kind that takes a lane as a file does. */
export type Step = { run(): Promise<void> }

export type FileReport = Result & {
  file: string
  wallMs: number
  cpuMs: number
  /** What a core of this machine takes for what one of the reference machine does in 1. */
  slowness: number
}

type Pool = {
  cwd: string
  env: NodeJS.ProcessEnv
  lanes: number
  /** Called for each file as it ends. */
  onFile(report: FileReport): void
  /** False ends the run after the files that are under way. */
  mayBegin(): boolean
  /** What the workers write, failures among it. */
  output?: 'inherit' | 'ignore'
  /** For whoever has to end what runs. */
  running: Set<ChildProcess>
}

/** In their order; answers the files that were not begun. Each lane keeps one process for many files. */
export async function runPool(work: readonly (TestFile | Step)[], pool: Pool): Promise<string[]> {
  const waiting = [...work]
  await Promise.all(Array.from({ length: pool.lanes }, () => runLane(waiting, pool)))
  return waiting.flatMap((each) => ('path' in each ? [each.path] : []))
}

async function runLane(waiting: (TestFile | Step)[], pool: Pool): Promise<void> {
  let shared: Worker | null = null
  while (pool.mayBegin()) {
    const next = waiting.shift()
    if (!next) break
    if ('run' in next) {
      await next.run()
      continue
    }
    await next.prepare?.()
    const worker: Worker = next.isAlone || !shared?.isAlive() ? startWorker(pool) : shared
    const start = performance.now()
    const { result, cpuMs, slowness } = await worker.run(next.path)
    pool.onFile({ ...judge(next.path, result), file: next.path, cpuMs, slowness, wallMs: performance.now() - start })
    if (next.isAlone) await worker.end()
    else shared = worker
  }
  await shared?.end()
}

function judge(file: string, result: Result): Result {
  const { passed, failed, skipped, reds } = result
  if (passed + failed + skipped > 0) return result
  return { ...result, failed: 1, reds: [...reds, `${file} has no test in it`] }
}

const limit = '--test-timeout=300000' // Of each test; a file may take longer.

type Ran = { result: Result; cpuMs: number; slowness: number }
type Worker = { isAlive(): boolean; run(file: string): Promise<Ran>; end(): Promise<void> }

function startWorker({ cwd, env, running, output = 'inherit' }: Pool): Worker {
  const here = import.meta.dirname
  const flags = [`--test-reporter=${join(here, 'test-reporter.ts')}`, '--test-reporter-destination=stdout', limit]
  const child = spawn(process.execPath, [...flags, join(here, 'test-worker.ts')], {
    cwd,
    // A runner around this one would be reported to in its place.
    env: { ...env, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', output, output, 'ipc'],
  })
  running.add(child)
  const exited = new Promise<void>((done) => child.once('close', () => done()))
  void exited.then(() => running.delete(child))
  let isReady: Promise<void> = waitFor(child, exited, (message) => message.kind === 'next').then(() => undefined)
  return {
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async run(file) {
      await isReady
      const ran: Partial<Ran> = {}
      const ended = waitFor(child, exited, (message) => {
        if (message.kind === 'ended') ran.result = message.result
        if (message.kind === 'measured') Object.assign(ran, { cpuMs: message.cpuMs, slowness: message.slowness })
        return ran.result !== undefined && ran.cpuMs !== undefined
      })
      isReady = waitFor(child, exited, (message) => message.kind === 'next').then(() => undefined)
      if (child.connected) child.send({ file } satisfies ToWorker)
      await ended
      const died: Result = {
        passed: 0,
        failed: 1,
        skipped: 0,
        reds: [`${file}: its process ended (${child.exitCode ?? child.signalCode})`],
      }
      return { result: ran.result ?? died, cpuMs: ran.cpuMs ?? 0, slowness: ran.slowness ?? 1 }
    },
    async end() {
      await isReady
      if (child.connected) child.send({ file: null } satisfies ToWorker)
      await exited
    },
  }
}

/** Until a message satisfies, or the process has ended. */
function waitFor(
  child: ChildProcess,
  exited: Promise<void>,
  isEnough: (message: FromWorker) => boolean,
): Promise<void> {
  return new Promise((done) => {
    const stop = () => {
      child.off('message', read)
      done()
    }
    const read = (message: unknown) => {
      if (isEnough(message as FromWorker)) stop()
    }
    child.on('message', read)
    void exited.then(stop)
  })
}

export type Counts = { passed: number; failed: number; skipped: number }

/** The counts of a run, and the tests that failed by file, place, name and reason. */
export type Result = Counts & { reds: string[] }
