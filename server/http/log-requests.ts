import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { type LogContext, withLogContext } from '../observability/log-context.ts'

const idsOf = new WeakMap<FastifyRequest, LogContext>()

/**
 * Logs one line per request: route, status and duration, and nothing of the request's content. This line and all later ones carry the
 * request's id, and the ids of workspace and person once they are known (authenticate.ts).
 */
export function logRequests(app: FastifyInstance, { log, metrics }: Context): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const ids = { reqId: request.id }
    idsOf.set(request, ids)
    withLogContext(ids, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const ms = Math.round(reply.elapsedTime)
    metrics.answered(request.method, route, reply.statusCode, reply.elapsedTime)
    // Not the request's logger, which would be made for this line alone: its id is among those of the context.
    const write = () => log.info({ method: request.method, route, status: reply.statusCode, ms }, 'request')
    // The response ends in an event of the connection, outside the request's async context.
    withLogContext(idsOf.get(request) ?? { reqId: request.id }, write)
    done()
  })
}

/** Adds ids to every further log line of this request; ids mean nothing without the database. */
export function nameInLog(request: FastifyRequest, ids: Pick<LogContext, 'workspace' | 'member' | 'staff'>): void {
  Object.assign(idsOf.get(request) ?? {}, ids)
}
