import { termsHeader } from '@atrium/contract/terms/header.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { isApiHost } from '../workspaces/address.ts'
import { findAddresses } from '../workspaces/addresses.ts'

/** What the portal sends beside what any form could; the latter ones go with a file that is sent in parts. */
const requestHeaders =
  'authorization, content-type, last-event-id, tus-resumable, upload-length, upload-metadata, upload-offset'
/** What the portal reads of an answer beside its body. */
const ofParts = ['location', 'tus-resumable', 'upload-offset', 'upload-length']
const answerHeaders = ['x-app-version', 'x-request-id', 'retry-after', termsHeader, ...ofParts].join(', ')
const preflightSeconds = 600

/**
 * Where calls have a host of their own (`API_ORIGIN`), the portal of the same brokerage is told that it may call it. The
 * origin that is told is the configured one, never what the request says, and nobody else is told anything (decision 0019).
 */
export function allowOwnPortal(app: FastifyInstance, context: Context): void {
  app.addHook('onRequest', async ({ headers, method }, reply) => {
    if (!isApiHost(context.config, headers.host)) return
    reply.header('vary', 'Origin')
    if (headers.origin === undefined) return
    const addresses = await findAddresses(context, headers.host)
    if (headers.origin !== addresses?.portal) return
    reply.header('access-control-allow-origin', addresses.portal)
    reply.header('access-control-allow-credentials', 'true')
    reply.header('access-control-expose-headers', answerHeaders)
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return
    reply.header('access-control-allow-methods', 'GET, POST, HEAD, PATCH, DELETE')
    reply.header('access-control-allow-headers', requestHeaders)
    reply.header('access-control-max-age', String(preflightSeconds))
    return reply.code(204).send()
  })
}
