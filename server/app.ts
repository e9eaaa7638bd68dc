import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController, type RouteOptions } from 'fastify'
import { domainMetrics, openCalls } from './domains.ts'
import type { Context } from './foundation/context.ts'
import { parseSpelled, refuseDeep, rememberNumberTexts } from './foundation/json.ts'
import { openGraph } from './graph.ts'
import { allowOwnPortal } from './http/cross-origin.ts'
import { closeConnectionsWhileDraining } from './http/draining.ts'
import { handleErrors, refuseUnreadable } from './http/error-handler.ts'
import { openHealth } from './http/health.ts'
import { logRequests } from './http/log-requests.ts'
import { refuseTwoHosts } from './http/one-host.ts'
import { packAnswers } from './http/pack-answers.ts'
import { secureHeaders } from './http/secure-headers.ts'
import { limitSessionRate } from './http/session-rate-limit.ts'
import { traceRequests } from './http/trace-requests.ts'
import { takeUrlEncoded } from './http/url-encoded.ts'
import { openMetricsPage } from './metrics/page.ts'
import { collectCalls, refuseUndecided } from './money-decisions/at-start.ts'
import { moneyPolicies } from './money-policies.ts'
import { openDevMailbox } from './notifications/dev-mailbox-calls.ts'
import { RequestLog } from './observability/request-log.ts'
import { servePages } from './pages.ts'

/** JSON bodies of our calls are small; uploads have their own limit (files/upload.ts). */
const bodyBytesMax = 256 * 1024

/** Called for every registered route, so that tests can walk all of them without a list. */
type Options = { onRoute?: (route: RouteOptions) => void }

/** Builds the whole server from its context. Tests build the same one. */
export async function buildApp(context: Context, { onRoute }: Options = {}): Promise<FastifyInstance> {
  const { config } = context
  const log: FastifyBaseLogger = context.log
  const app = Fastify({
    loggerInstance: log,
    // A request's URL may hold a query with personal data, so the server writes its own log line instead (below).
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    childLoggerFactory: (logger, bindings, options) => new RequestLog(logger, bindings, options),
    // Trusts only this many hops, so that a forged forwarded address gains nothing.
    trustProxy: (_address: string, hop: number) => hop < config.trustedProxies,
    bodyLimit: bodyBytesMax,
    // A 20 MB KYC document over a slow line takes minutes; headers that take longer than 20 s are treated as an attack.
    requestTimeout: 300_000,
    // Node checks every 30 s by default, so that unfinished headers could hold a connection for 50 s.
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    connectionTimeout: 120_000,
    routerOptions: { maxParamLength: 300 },
    return503OnClosing: true,
    frameworkErrors: refuseUnreadable,
  })
  if (onRoute) app.addHook('onRoute', onRoute)
  handleErrors(app)
  keepSpelling(app)
  takeUrlEncoded(app)
  app.removeContentTypeParser('text/plain') // No call takes plain text, and JSON sent as text avoids a CORS preflight.
  traceRequests(app, config)
  logRequests(app, context)
  secureHeaders(app, context)
  refuseTwoHosts(app)
  allowOwnPortal(app, context)
  await app.register(cookie)
  limitSessionRate(app, context)
  await app.register(multipart)
  packAnswers(app)
  closeConnectionsWhileDraining(app)
  openHealth(app, context)
  openMetricsPage(app, context, domainMetrics)
  if (!config.roles.web) return app // Operators ask this process for its health; members and staff use others.
  const calls = collectCalls(app)
  openCalls(app, context, calls)
  refuseUndecided(calls, moneyPolicies)
  openGraph(app, context)
  openDevMailbox(app, context)
  await servePages(app, context, calls)
  return app
}

/** Fastify's own JSON parser with its refusals. Also remembers the text, since amounts are checked as they were written. */
function keepSpelling(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    try {
      refuseDeep(text)
    } catch (problem) {
      return done(Object.assign(problem as Error, { statusCode: 400 }))
    }
    return parse(request, text, (problem, body) => {
      rememberNumberTexts(body, () => parseSpelled(text))
      done(problem, body)
    })
  })
}
