import { context, type Span, SpanKind, trace } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { contextOf } from '../observability/trace-carrier.ts'
import { isTracing, markFailed } from '../observability/tracing.ts'

/**
 * Records each request as a span named after its route. Continues the caller's trace only behind trusted proxies, since anybody else
 * could join the traces of others.
 */
export function traceRequests(app: FastifyInstance, { trustedProxies }: Config): void {
  if (!isTracing()) return
  const tracer = trace.getTracer('atrium')
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const carried = trustedProxies > 0 ? request.headers.traceparent : undefined
    const route = request.routeOptions.url ?? 'unknown'
    const attributes = { 'http.request.method': request.method, 'http.route': route }
    const parent = contextOf(carried)
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
    spans.set(request, span)
    context.with(trace.setSpan(parent, span), done)
  })
  app.addHook('onError', async (request, _reply, problem) => {
    const span = spans.get(request)
    if (span && (problem.statusCode ?? 500) >= 500) markFailed(span, problem)
  })
  app.addHook('onResponse', async (request, reply) => {
    spans.get(request)?.setAttribute('http.response.status_code', reply.statusCode).end()
  })
}

/** Adds the workspace to the request's span once it is known. */
export function nameWorkspaceInTrace(workspaceId: string): void {
  if (isTracing()) trace.getActiveSpan()?.setAttribute('atrium.workspace', workspaceId)
}
