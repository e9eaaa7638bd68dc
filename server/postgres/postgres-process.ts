import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export type Postmaster = { pid: number; port: number }

/** PostgreSQL shows it in the title of each of its processes: how we recognise ours after the program was killed. */
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

/** Commands are readable for everybody where the working directory is not: containers give root no ptrace. */
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
    // A path may have spaces: the postmaster's ends where its first option begins.
    const words = command.startsWith('postgres:') ? [command] : command.split(/ (?=-)/)
    return { pid: Number(pid), words }
  })
}

function readIfThere(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // Ended while we were looking.
  }
}

/** The living postmaster of this cluster, whoever started it. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const noted = readNote(cluster)
  if (process.platform === 'win32') return noted && isAlive(noted.pid) ? noted : undefined
  const found = clusterProcesses(cluster).find(({ isPostmaster }) => isPostmaster)
  if (!found) return undefined
  // Without a matching note it cannot be talked to (port 0), only stopped.
  return { pid: found.pid, port: noted?.pid === found.pid ? noted.port : 0 }
}

function readNote(cluster: string): Postmaster | undefined {
  const lines = readIfThere(join(cluster, 'postmaster.pid')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid > 0 && port > 0 ? { pid, port } : undefined
}

/**
 * PostgreSQL clears its own note of a dead process and checks its shared memory while at it, so that note is left to
 * it. It refuses to start, however, over an empty note or one whose number now belongs to some other process.
 */
export function clearStaleNote(cluster: string) {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readIfThere(file).split('\n')[0])
  if (!(pid > 0) || exists(pid)) rmSync(file, { force: true })
}

/** Fast shutdown, then immediate, then by force. PostgreSQL recovers from each of them. */
export async function stopPostmaster(pid: number, { patienceMs = 30_000 } = {}) {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!send(pid, signal)) return
    if (await isTrueWithin(patienceMs, () => !isAlive(pid))) return
  }
  throw new Error(`The PostgreSQL process ${pid} does not end, not even by SIGKILL.`)
}

/** Backends of a killed postmaster end by themselves unless they are deep in a query; no new one may start beside them. */
export async function endOrphanedBackends(cluster: string, { patienceMs }: { patienceMs: number }) {
  const anyLeft = () => clusterProcesses(cluster).length > 0
  for (const signal of [undefined, 'SIGQUIT', 'SIGKILL'] as const) {
    if (signal) for (const { pid } of clusterProcesses(cluster)) send(pid, signal)
    if (await isTrueWithin(patienceMs, () => !anyLeft())) return
  }
  throw new Error(`Processes of an earlier PostgreSQL in ${cluster} do not end.`)
}

export async function isTrueWithin(limitMs: number, condition: () => boolean | Promise<boolean>) {
  const until = performance.now() + limitMs
  while (!(await condition())) {
    if (performance.now() > until) return false
    await delay(20)
  }
  return true
}

/** A zombie is dead: in a container nobody may ever collect it. */
export function isAlive(pid: number) {
  return exists(pid) && !/^State:\s+Z/m.test(readIfThere(`/proc/${pid}/status`))
}

function exists(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' // Somebody else's.
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
