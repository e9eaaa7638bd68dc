import { join } from 'node:path'
import { type Balancer, startBalancer } from '../../tests/doubles/balancer.ts'
import { type ChildServer, freePort, startChildServer } from '../../tests/doubles/child-server.ts'
import type { OlderCode } from '../../tests/upgrade/older-code.ts'

/** A process of the server's own, which a journey may kill and start again. */
export type OtherProcess = {
  kill(): Promise<void>
  /** Asks it to end, and answers with what it did: 0 is well. */
  end(): Promise<number | null>
  start(): Promise<void>
}

type Others = { processes: OtherProcess[]; lost: readonly string[]; close(): Promise<void> }

/** More processes of the same server on the same database and folder, and a balancer at `port` before all of them. */
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
    DRAIN_SECONDS: '3', // The balancer looks five times a second, and a busy machine lets it wait.
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

/** With the folder of older code it is of that at first, and of this when it begins anew. */
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
