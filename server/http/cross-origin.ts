import { termsHeader } from '@atrium/contract/terms/header.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { isApiHost } from '../workspaces/address.ts'
import { findAddresses } from '../workspaces/addresses.ts'

/** Request headers of the portal that need a preflight; the last ones belong to resumable uploads. */
const requestHeaders =
  'authorization, content-type, last-event-id, tus-resumable, upload-length, upload-metadata, upload-offset'
/** Response headers that the portal reads. */
const ofParts = ['location', 'tus-resumable', 'upload-offset', 'upload-length']
const answerHeaders = ['date', 'x-app-version', 'x-request-id', 'retry-after', termsHeader, ...ofParts].join(', ')
const preflightSeconds = 600

/**
 * With a separate API host (`API_ORIGIN`), allows the portal of the same brokerage to call it. The allowed origin is the configured
 * one, never the request's own, and other origins get no CORS headers (decision 0019).
 */
export function allowOwnPortal(app: FastifyInstance, context: Context): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isApiHost(context.config, request.headers.host)) return done()
    allow(request, reply).then((isAnswered) => isAnswered || done(), done)
  })

  /** True for a preflight, to which it sends the response. */
  async function allow({ headers, method }: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    reply.header('vary', 'Origin')
    if (headers.origin === undefined) return false
    const addresses = await findAddresses(context, headers.host)
    if (headers.origin !== addresses?.portal) return false
    reply.header('access-control-allow-origin', addresses.portal)
    reply.header('access-control-allow-credentials', 'true')
    reply.header('access-control-expose-headers', answerHeaders)
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false
    reply.header('access-control-allow-methods', 'GET, POST, HEAD, PATCH, DELETE')
    reply.header('access-control-allow-headers', requestHeaders)
    reply.header('access-control-max-age', String(preflightSeconds))
    reply.code(204).send()
    return true
  }
}
