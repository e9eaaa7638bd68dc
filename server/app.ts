import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController, type RouteOptions } from 'fastify'
import { domainMetrics, openCalls } from './domains.ts'
import type { Context } from './foundation/context.ts'
import { parseSpelled, rememberSpelling } from './foundation/json.ts'
import { openGraph } from './graph.ts'
import { allowOwnPortal } from './http/cross-origin.ts'
import { handleErrors, refuseUnreadable } from './http/error-handler.ts'
import { openHealth } from './http/health.ts'
import { closeConnectionsWhenLeaving } from './http/leaving.ts'
import { logRequests } from './http/log-requests.ts'
import { refuseTwoHosts } from './http/one-host.ts'
import { limitPace } from './http/pace.ts'
import { packAnswers } from './http/pack-answers.ts'
import { secureHeaders } from './http/secure-headers.ts'
import { traceRequests } from './http/trace-requests.ts'
import { takeUrlEncoded } from './http/url-encoded.ts'
import { openMetricsPage } from './metrics/page.ts'
import { collectCalls, refuseUndecided } from './money-decisions/at-start.ts'
import { moneyPolicies } from './money-policies.ts'
import { openDevMailbox } from './notifications/dev-mailbox-calls.ts'
import { servePages } from './pages.ts'

/** JSON bodies of our calls are small; uploads have their own limit (files/upload.ts). */
const bodyBytesMax = 256 * 1024

/** Told of every route as it is opened: tests that walk all of them need no list of their own. */
type Options = { onRoute?: (route: RouteOptions) => void }

/** The whole server as a function of what it stands on. Tests build the same one. */
export async function buildApp(context: Context, { onRoute }: Options = {}): Promise<FastifyInstance> {
  const { config } = context
  const log: FastifyBaseLogger = context.log
  const app = Fastify({
    loggerInstance: log,
    // The address of a request may hold a query with personal data in it, so our own line is written instead (below).
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // Only so many hops are believed: a forwarded address of anybody else's making gains nothing.
    trustProxy: (_address: string, hop: number) => hop < config.trustedProxies,
    bodyLimit: bodyBytesMax,
    // A 20 MB KYC document over a slow line takes minutes; headers that take longer than seconds are an attack.
    requestTimeout: 300_000,
    // Node looks for them every 30 s if it is not told: a header that never ends would then hold its place for 50 s.
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
  app.removeContentTypeParser('text/plain') // Nothing of ours is plain text; JSON sent as such dodges a preflight.
  traceRequests(app, config)
  logRequests(app, context)
  refuseTwoHosts(app)
  allowOwnPortal(app, context)
  limitPace(app, context)
  await app.register(cookie)
  await app.register(multipart)
  secureHeaders(app, context)
  packAnswers(app)
  closeConnectionsWhenLeaving(app)
  openHealth(app, context)
  openMetricsPage(app, context, domainMetrics)
  if (!config.roles.web) return app // Whoever runs it asks how it is; members and staff ask others.
  const calls = collectCalls(app)
  openCalls(app, context)
  refuseUndecided(calls, moneyPolicies)
  openGraph(app, context)
  openDevMailbox(app, context)
  await servePages(app, context, calls)
  return app
}

/** The framework's own parser, with what it refuses; beside its answer the text is kept, by which amounts are judged. */
function keepSpelling(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) =>
    parse(request, text, (problem, body) => {
      rememberSpelling(body, () => parseSpelled(text))
      done(problem, body)
    }),
  )
}
