import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import type { DomainMetrics } from './domain-metrics.ts'
import { openOperatingMetrics } from './operating-metrics.ts'

/**
 * `/metrics` in the Prometheus text format, for requests with METRICS_TOKEN; others get a 404, since the metrics are
 * confidential. Without a configured token it is open outside production only.
 */
export function openMetricsPage(app: FastifyInstance, context: Context, domains: readonly DomainMetrics[]): void {
  const operating = openOperatingMetrics(context, domains)
  app.get('/metrics', { config: { isForWatchers: true } }, async (request, reply) => {
    if (!isWelcome(context, request)) refuseNotFound()
    const { registry } = context.metrics
    reply.header('cache-control', 'no-store')
    return reply.type(registry.contentType).send(`${await registry.metrics()}${await operating.metrics()}`)
  })
}

function isWelcome({ config }: Context, { headers }: FastifyRequest): boolean {
  if (config.metricsToken === null) return !config.production
  const shown = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(shown), digest(config.metricsToken))
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
