import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { during, type UnderWay } from '../observability/under-way.ts'

const idsOf = new WeakMap<FastifyRequest, UnderWay>()

/**
 * One line a request: route, status and duration, and nothing of what was asked. It and all that is logged below it carry the
 * request's id, and those of workspace and person as soon as they are known (door.ts).
 */
export function logRequests(app: FastifyInstance, { metrics }: Context): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const ids = { reqId: request.id }
    idsOf.set(request, ids)
    during(ids, done)
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const ms = Math.round(reply.elapsedTime)
    metrics.answered(request.method, route, reply.statusCode, reply.elapsedTime)
    const tell = () => request.log.info({ method: request.method, route, status: reply.statusCode, ms }, 'request')
    // Its end is an event of the connection, which knows other requests too.
    during(idsOf.get(request) ?? {}, tell)
  })
}

/** On every line about this request from here on: ids that say nothing to whoever has the log alone. */
export function nameInLog(request: FastifyRequest, ids: Pick<UnderWay, 'workspace' | 'member' | 'staff'>): void {
  Object.assign(idsOf.get(request) ?? {}, ids)
}
