import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { youngGenerationArgs } from '../launch.js'

export type ToWorker = { file: string | null }
export type FromWorker =
  | { kind: 'next' }
  | { kind: 'alive' }
  | { kind: 'ended'; file: string; result: Result }
  | { kind: 'measured'; file: string; cpuMs: number; slowness: number; isSpent: boolean }

export type TestFile = {
  path: string
  /** Needs its own process: it kills, measures or changes it. */
  isAlone: boolean
  /** Awaited before the file starts. */
  prepare?(): Promise<void>
}

/** Work other than a test file that occupies a worker. */
export type Step = { run(): Promise<void> }

export type FileReport = Result & {
  file: string
  wallMs: number
  cpuMs: number
  /** The CPU time on this machine for work that takes 1 on the reference machine. */
  slowness: number
}

type Pool = {
  cwd: string
  env: NodeJS.ProcessEnv
  workers: number
  /** Called when a file ends. */
  onFile(report: FileReport): void
  /** Asked of the next file, and of a step without one; false stops the run after the running files. */
  mayBegin(file: string | undefined): boolean
  /** The workers' output, including failures. */
  output?: 'inherit' | 'ignore'
  /** Child processes, which an interruption must end. */
  running: Set<ChildProcess>
  /** How long a worker may be silent; by default as long as a test may take. */
  silentMsMax?: number
}

/** Runs in order and returns the files that did not start. Each worker reuses one process for many files. */
export async function runPool(work: readonly (TestFile | Step)[], pool: Pool): Promise<string[]> {
  const waiting = [...work]
  await Promise.all(Array.from({ length: pool.workers }, () => runWorker(waiting, pool)))
  return waiting.flatMap((each) => ('path' in each ? [each.path] : []))
}

async function runWorker(waiting: (TestFile | Step)[], pool: Pool): Promise<void> {
  let shared: Worker | null = null
  for (let next = waiting[0]; next; next = waiting[0]) {
    if (!pool.mayBegin('path' in next ? next.path : undefined)) break
    waiting.shift()
    if ('run' in next) {
      await next.run()
      continue
    }
    await next.prepare?.()
    const worker: Worker = next.isAlone || !shared?.isAlive() ? startWorker(pool) : shared
    const start = performance.now()
    const { result, cpuMs, slowness, isSpent } = await worker.run(next.path)
    pool.onFile({ ...judge(next.path, result), file: next.path, cpuMs, slowness, wallMs: performance.now() - start })
    if (next.isAlone || isSpent) await worker.end()
    if (!next.isAlone) shared = isSpent ? null : worker
  }
  await shared?.end()
}

function judge(file: string, result: Result): Result {
  const { passed, failed, skipped, reds } = result
  if (passed + failed + skipped > 0) return result
  return { ...result, failed: 1, reds: [...reds, `${file} has no test in it`] }
}

/** Per test; a file may take longer. */
const testMsMax = 300_000

/** Ends processes that an interruption leaves running; one that never yields does not even read a signal. */
export function interrupt(running: ReadonlySet<ChildProcess>, graceMs = 10_000): void {
  for (const child of running) child.kill('SIGTERM')
  setTimeout(() => {
    for (const child of running) child.kill('SIGKILL')
  }, graceMs).unref()
}

/** `isSpent`: the process should run no other file. */
type Ran = { result: Result; cpuMs: number; slowness: number; isSpent: boolean }
type Worker = { isAlive(): boolean; run(file: string): Promise<Ran>; end(): Promise<void> }

function startWorker({ cwd, env, running, output = 'inherit', silentMsMax = testMsMax }: Pool): Worker {
  const here = import.meta.dirname
  const flags = [
    ...youngGenerationArgs,
    `--test-reporter=${join(here, 'test-reporter.ts')}`,
    '--test-reporter-destination=stdout',
    `--test-timeout=${testMsMax}`,
  ]
  const child = spawn(process.execPath, [...flags, join(here, 'test-worker.ts')], {
    cwd,
    // Otherwise the worker would report to an outer test runner.
    env: { ...env, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', output, output, 'ipc'],
  })
  running.add(child)
  const exited = new Promise<void>((done) => child.once('close', () => done()))
  const silence = endWhenSilent(child, silentMsMax)
  void exited.then(() => {
    clearInterval(silence.watch)
    running.delete(child)
  })
  let isReady: Promise<void> = waitFor(child, exited, (message) => message.kind === 'next').then(() => undefined)
  return {
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async run(file) {
      await isReady
      const ran: Partial<Ran> = {}
      const ended = waitFor(child, exited, (message) => {
        if (message.kind === 'ended') ran.result = message.result
        if (message.kind === 'measured') {
          const { cpuMs, slowness, isSpent } = message
          Object.assign(ran, { cpuMs, slowness, isSpent })
        }
        return ran.result !== undefined && ran.cpuMs !== undefined
      })
      isReady = waitFor(child, exited, (message) => message.kind === 'next').then(() => undefined)
      if (child.connected) child.send({ file } satisfies ToWorker)
      await ended
      const end = silence.wasEnded() ? 'never yielded' : `ended (${child.exitCode ?? child.signalCode})`
      const died: Result = { passed: 0, failed: 1, skipped: 0, reds: [`${file}: its process ${end}`] }
      return { result: died, cpuMs: 0, slowness: 1, isSpent: false, ...ran }
    },
    async end() {
      await isReady
      if (child.connected) child.send({ file: null } satisfies ToWorker)
      await exited
    },
  }
}

/** A test that never yields holds its process for ever: no timer of the test runner in that process can end it. */
function endWhenSilent(child: ChildProcess, silentMsMax: number) {
  let heardAt = performance.now()
  let isEnded = false
  child.on('message', () => {
    heardAt = performance.now()
  })
  const watch = setInterval(() => {
    if (performance.now() - heardAt > silentMsMax) isEnded = child.kill('SIGKILL')
  }, 1_000)
  return { watch, wasEnded: () => isEnded }
}

/** Waits for a message that satisfies the condition, or for the end of the process. */
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

/** The counts of a run, and the failed tests by file, place, name and reason. */
export type Result = Counts & { reds: string[] }
