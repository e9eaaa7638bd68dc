import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const draining = new WeakSet<FastifyInstance>()

/** True once the process was asked to stop: it still answers, and load balancers are to send no more requests. */
export const isDraining = (app: FastifyInstance): boolean => draining.has(app)

/** Closes keep-alive connections, so that clients send their next request to another process. */
export function closeConnectionsWhileDraining(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining(app)) reply.header('connection', 'close')
    done()
  })
}

/**
 * Waits so that load balancers notice at `/readyz` that this process stops, and clients close their connections. Afterwards no
 * request needs to be refused.
 */
export async function drain(app: FastifyInstance, drainMs: number): Promise<void> {
  if (drainMs === 0) return
  draining.add(app)
  await delay(drainMs)
}
