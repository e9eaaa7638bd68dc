import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../foundation/context.ts'
import { isDraining } from './draining.ts'

const forWatchers = { config: { isForWatchers: true } }

/** `/healthz`: the process answers. `/readyz`: it can work, so a load balancer may send it requests. */
export function openHealth(app: FastifyInstance, context: Context): void {
  app.get('/healthz', forWatchers, async () => ({ status: 'ok' }))
  app.get('/readyz', forWatchers, async (_request, reply) => {
    if (isDraining(app))
      return reply.code(503).send({ status: 'error', code: 'unavailable', error: 'This process is shutting down.' })
    try {
      await sql`select 1`.execute(context.database.kysely)
      return { status: 'ok' }
    } catch {
      return reply.code(503).send({ status: 'error', code: 'unavailable', error: 'The database does not answer.' })
    }
  })
}
