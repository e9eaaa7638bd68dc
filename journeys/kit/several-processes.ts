import { join } from 'node:path'
import { type Balancer, startBalancer } from '../../tests/doubles/balancer.ts'
import { type ChildServer, freePort, startChildServer } from '../../tests/doubles/child-server.ts'
import type { OlderCode } from '../../tests/upgrade/older-code.ts'

/** A separate server process that a journey may kill and restart. */
export type OtherProcess = {
  kill(): Promise<void>
  /** Requests shutdown and returns the exit code; 0 is success. */
  end(): Promise<number | null>
  start(): Promise<void>
}

type Others = { processes: OtherProcess[]; lost: readonly string[]; close(): Promise<void> }

/** Starts more processes of the same server on the same database and folder, and a balancer at `port` before all of them. */
export async function startOthers(
  { port, ownPort, count, older }: { port: number; ownPort: number; count: number; older: OlderCode | null },
  environment: Record<string, string> & { ATRIUM_DATA: string; DATABASE_URL: string },
): Promise<Others | null> {
  if (count < 1) return null
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const targets = [ownPort, ...ports].map((each) => `http://127.0.0.1:${each}`)
  const balancer: Balancer = await startBalancer(targets, port)
  const { ATRIUM_DATA: dataDirectory, DATABASE_URL: databaseUrl, ATRIUM_DOMAIN: domain = 'localhost' } = environment
  const own = {
    ATRIUM_DEMO: 'true',
    DRAIN_SECONDS: '3', // The balancer checks five times a second, and slows down on a busy machine.
    PUBLIC_URL: `http://${domain}:${port}`,
    ...environment,
  }
  const processes = ports.map((each) =>
    otherProcess({ port: each, dataDirectory, databaseUrl, environment: own }, older?.folder),
  )
  await Promise.all(processes.map((each) => each.start()))
  return {
    processes,
    lost: balancer.lost,
    async close() {
      await balancer.close()
      await Promise.all(processes.map((each) => each.kill()))
      older?.remove()
    },
  }
}

/** With a folder of older code, the first start runs that code and each restart runs the current one. */
function otherProcess(options: Parameters<typeof startChildServer>[0], olderFolder?: string): OtherProcess {
  let server: ChildServer | undefined
  let older = olderFolder && { program: join(olderFolder, 'server', 'main.ts') }
  return {
    async start() {
      server = await startChildServer({ ...options, ...older })
      older = undefined
    },
    async kill() {
      await server?.stop()
    },
    async end() {
      return (await server?.end()) ?? null
    },
  }
}
