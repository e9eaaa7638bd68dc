import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { locateCluster, outsideFolders } from '../../server/postgres/postgres-location.ts'
import { clusterProcesses } from '../../server/postgres/postgres-process.ts'

const inject = ['-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:error=ENOSPC']

export const canFailFsync = (): boolean =>
  spawnSync('strace', ['-qq', '-o', '/dev/null', ...inject, 'true'], { stdio: 'ignore' }).status === 0

/**
 * Makes fsync fail in the program's own PostgreSQL until stopped, including processes started meanwhile. The postmaster is
 * excluded: it writes nothing, and a traced one may miss the exit of a child.
 */
export function failFsync(dataDirectory: string): { stop(): Promise<void> } {
  const cluster = join(locateCluster(dataDirectory, outsideFolders).place, 'cluster')
  const tracers: ChildProcess[] = []
  const follow = (): void => {
    for (const { pid } of clusterProcesses(cluster).filter((one) => !one.isPostmaster && !isTraced(one.pid)))
      tracers.push(spawn('strace', ['-qq', '-o', '/dev/null', ...inject, '-p', String(pid)], { stdio: 'ignore' }))
  }
  follow()
  const following = setInterval(follow, 20)
  return {
    async stop() {
      clearInterval(following)
      const running = tracers.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      const ended = Promise.all(running.map((tracer) => once(tracer, 'exit')))
      for (const tracer of running) tracer.kill('SIGINT')
      await ended
    },
  }
}

function isTraced(pid: number): boolean {
  try {
    return !/^TracerPid:\s+0$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true // Ended meanwhile.
  }
}
