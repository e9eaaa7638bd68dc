import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export type Postmaster = { pid: number; port: number }

/** PostgreSQL shows it in each process title, which identifies ours after the program was killed. */
export function clusterName(cluster: string) {
  return `atrium-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`
}

type ClusterProcess = { pid: number; isPostmaster: boolean }

export function clusterProcesses(cluster: string): ClusterProcess[] {
  const name = clusterName(cluster)
  return listCommands()
    .filter(({ words }) => words.some((word) => word.includes(name)))
    .map(({ pid, words: [program = ''] }) => ({
      pid,
      isPostmaster: basename(program) === 'postgres',
      isBackend: program.startsWith('postgres:'),
    }))
    .filter(({ isPostmaster, isBackend }) => isPostmaster || isBackend)
}

/** Command lines are readable for all users where the working directory is not: containers give root no ptrace. */
function listCommands(): { pid: number; words: string[] }[] {
  if (process.platform === 'win32') return []
  if (process.platform !== 'linux') return listCommandsByPs()
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => ({ pid: Number(entry), words: readIfThere(`/proc/${entry}/cmdline`).split('\0') }))
}

function listCommandsByPs() {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [, pid, command = ''] = /^\s*(\d+) (.*)$/.exec(line) ?? []
    // A path may contain spaces: the postmaster's ends where its first option begins.
    const words = command.startsWith('postgres:') ? [command] : command.split(/ (?=-)/)
    return { pid: Number(pid), words }
  })
}

function readIfThere(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // The process ended meanwhile.
  }
}

/** The running postmaster of this cluster, regardless of who started it. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const noted = readNote(cluster)
  if (process.platform === 'win32') return noted && isAlive(noted.pid) ? noted : undefined
  const found = clusterProcesses(cluster).find(({ isPostmaster }) => isPostmaster)
  if (!found) return undefined
  // Without a matching PID file its port is unknown (0), so it can only be stopped.
  return { pid: found.pid, port: noted?.pid === found.pid ? noted.port : 0 }
}

function readNote(cluster: string): Postmaster | undefined {
  const lines = readIfThere(join(cluster, 'postmaster.pid')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid > 0 && port > 0 ? { pid, port } : undefined
}

/**
 * PostgreSQL removes the PID file of a dead process and then checks its shared memory, so that file is left to it. But
 * it refuses to start over an empty file or one whose id now belongs to another process.
 */
export function clearStaleNote(cluster: string) {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readIfThere(file).split('\n')[0])
  if (!(pid > 0) || exists(pid)) rmSync(file, { force: true })
}

/** Fast shutdown, then immediate, then SIGKILL. PostgreSQL recovers from each of them. */
export async function stopPostmaster(pid: number, { patienceMs = 30_000 } = {}) {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!send(pid, signal)) return
    if (await becomesTrueWithin(patienceMs, () => !isAlive(pid))) return
  }
  throw new Error(`The PostgreSQL process ${pid} does not stop, not even with SIGKILL.`)
}

/** Backends of a killed postmaster end by themselves unless busy in a query; no new server may start beside them. */
export async function endOrphanedBackends(cluster: string, { patienceMs }: { patienceMs: number }) {
  const anyLeft = () => clusterProcesses(cluster).length > 0
  for (const signal of [undefined, 'SIGQUIT', 'SIGKILL'] as const) {
    if (signal) for (const { pid } of clusterProcesses(cluster)) send(pid, signal)
    if (await becomesTrueWithin(patienceMs, () => !anyLeft())) return
  }
  throw new Error(`Processes of an earlier PostgreSQL in ${cluster} do not stop.`)
}

export async function becomesTrueWithin(limitMs: number, condition: () => boolean | Promise<boolean>) {
  const until = performance.now() + limitMs
  while (!(await condition())) {
    if (performance.now() > until) return false
    await delay(20)
  }
  return true
}

/** Treats a zombie as dead, because in a container it may never be reaped. */
export function isAlive(pid: number) {
  return exists(pid) && !/^State:\s+Z/m.test(readIfThere(`/proc/${pid}/status`))
}

function exists(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' // A process of another user.
  }
}

function send(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false // Already gone.
  }
}
