import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const leaving = new WeakSet<FastifyInstance>()

/** True once the process was asked to end: it still answers whatever comes, and wants nothing new to be sent to it. */
export const isLeaving = (app: FastifyInstance): boolean => leaving.has(app)

/** Whoever keeps a connection for the next request is asked to make that one elsewhere. */
export function closeConnectionsWhenLeaving(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (isLeaving(app)) reply.header('connection', 'close')
  })
}

/**
 * For so long a balancer that looks at `/readyz` learns that this process is about to end, and whoever holds a connection lets go
 * of it. Then nobody is left to be refused.
 */
export async function leave(app: FastifyInstance, drainMs: number): Promise<void> {
  if (drainMs === 0) return
  leaving.add(app)
  await delay(drainMs)
}
