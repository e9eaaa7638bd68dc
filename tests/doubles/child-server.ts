import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { youngGenerationArgs } from '../../scripts/launch.js'
import type { Failpoint } from '../../server/foundation/failpoint.ts'

export type ChildServer = {
  url: string
  child: ChildProcess
  exited: Promise<void>
  /** Kills the process, as in a power cut. */
  stop(): Promise<void>
  /** Requests shutdown and returns the exit code; 0 is success. */
  end(): Promise<number | null>
}

type Options = {
  /** Defaults to a free port. */
  port?: number
  /** Defaults to the embedded database in the data directory. */
  databaseUrl?: string
  dataDirectory: string
  failpoint?: Failpoint
  /** The test expects the process to die, maybe before it is ready, so nothing waits for readiness. */
  isDoomed?: boolean
  roles?: string
  environment?: Record<string, string>
  /** Limits the size of every file it writes, to simulate a full disk in the middle of a write. */
  fileSizeBytesMax?: number
  /** A TypeScript program to run instead of this server. */
  program?: string
  /** Receives each line of the process's standard output. */
  onLine?: (line: string) => void
}

const main = fileURLToPath(new URL('../../server/main.ts', import.meta.url))
const endWithLauncher = new URL('../../scripts/end-with-launcher.js', import.meta.url).href

/** The program as a separate process, so that a test can kill it as a power cut does. */
export async function startChildServer(options: Options): Promise<ChildServer> {
  const port = options.port ?? (await freePort())
  const [program, ...programArguments] = programOf(options)
  const child = spawn(program, programArguments, {
    stdio: ['ignore', options.onLine ? 'pipe' : 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'fatal',
      ATRIUM_DATA: options.dataDirectory,
      ATRIUM_ROLES: options.roles ?? 'web,jobs',
      DATABASE_URL: options.databaseUrl, // Undefined is not passed on.
      ATRIUM_FAILPOINT: options.failpoint ?? '',
      ...options.environment,
    },
  })
  child.channel?.unref()
  if (child.stdout && options.onLine) createInterface({ input: child.stdout }).on('line', options.onLine)
  const exited = once(child, 'exit').then(() => undefined)
  const url = `http://127.0.0.1:${port}`
  if (!options.isDoomed) await waitUntilReady(url, child)
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await exited
  }
  const end = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    await exited
    return child.exitCode
  }
  return { url, child, exited, stop, end }
}

/** Ends when its launcher is gone. The shell sets the limit in blocks of 512 bytes and then execs the program. */
function programOf({ fileSizeBytesMax, program: file = main }: Options): [string, ...string[]] {
  const program: [string, ...string[]] = [process.execPath, ...youngGenerationArgs, '--import', endWithLauncher, file]
  if (fileSizeBytesMax === undefined) return program
  return ['sh', '-c', `ulimit -f ${Math.floor(fileSizeBytesMax / 512)}; exec "$0" "$@"`, ...program]
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The server ended before it was ready.')
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.ok) return
    await pause(50)
  }
  child.kill('SIGKILL')
  throw new Error('The server did not become ready.')
}

/** Polls until the check holds; the limit is far beyond the usual time, so reaching it means that it never will. */
export async function eventually(what: string, check: () => Promise<boolean>, triesMax = 600): Promise<void> {
  for (let tries = 0; tries < triesMax; tries++) {
    if (await check()) return
    await pause(50)
  }
  throw new Error(`Timed out: ${what}`)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export async function freePort(): Promise<number> {
  const { port, release } = await holdPort()
  await release()
  return port
}

/**
 * Listens on a port below 32768, outside the range of outgoing connections: one of those could otherwise take the port
 * between its release and the next listen.
 */
async function listenBelowOutgoing(server: Server): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const isHeld = once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.listen(port, '127.0.0.1')
    if (await isHeld) return port
  }
  throw new Error('No free port.')
}

/** Reserves a port until it is released, for a caller that must name it long before listening. */
export async function holdPort(): Promise<{ port: number; release(): Promise<void> }> {
  const server = createServer((socket) => socket.destroy()).unref()
  const port = await listenBelowOutgoing(server)
  const release = async (): Promise<void> => {
    server.close()
    await once(server, 'close')
  }
  return { port, release }
}
