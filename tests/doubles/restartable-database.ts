import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { becomesTrueWithin, isAlive } from '../../server/postgres/postgres-process.ts'

export type RestartableDatabase = {
  /** Stays the same across restarts. */
  url: string
  /** Kills the server without a clean shutdown; SIGQUIT is PostgreSQL's immediate shutdown. */
  halt(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** Resolves when it has recovered and accepts connections. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** A separate database whose address survives restarts, like a managed one. */
export async function startRestartableDatabase(dataDirectory: string): Promise<RestartableDatabase> {
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDirectory })
  const relay = await startRelay(() => server.port)
  const address = new URL(server.url)
  address.port = String(relay.port)
  return {
    url: address.href,
    async halt(signal) {
      process.kill(server.pid, signal)
      const isGone = await becomesTrueWithin(30_000, () => !isAlive(server.pid))
      if (!isGone) throw new Error('The database did not stop.')
    },
    async start() {
      await server.stop() // Releases the folder; the process is already gone.
      server = await startEmbeddedPostgres({ dataDirectory })
    },
    async stop() {
      await relay.close()
      await server.stop()
    },
  }
}

/** Relays data both ways to the server's current port. Closes the connection if nothing listens there. */
async function startRelay(portNow: () => number): Promise<{ port: number; close(): Promise<void> }> {
  const open = new Set<Socket>()
  const relay = createServer((caller) => {
    const other = connect(portNow(), '127.0.0.1')
    for (const [from, to] of [
      [caller, other],
      [other, caller],
    ] as const) {
      open.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  return {
    port: (relay.address() as AddressInfo).port,
    async close() {
      for (const socket of open) socket.destroy()
      relay.close()
      await once(relay, 'close')
    },
  }
}
