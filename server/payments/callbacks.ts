import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { System } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { type Counted, type Limit, networkOf, takeTry } from '../foundation/rate-limit.ts'
import { proveWorkspace } from '../http/authenticate.ts'
import { clientAddress } from '../http/client-address.ts'
import { describeProblem } from '../observability/log.ts'
import { PaymentProblem, type RawWebhookEvent } from '../payment-providers/contract.ts'
import type { WebhookEventReading } from '../payment-providers/coverage.ts'
import { findAdapter } from '../payment-providers/registry.ts'
import { provingHeaders, storedHeaders } from '../payment-providers/webhook-headers.ts'
import { connectProvider, findProvider, type ProviderRow } from './connections/provider.ts'
import { isKnown, keepWebhookEvent } from './webhook-event.ts'

/** Providers send a few kilobytes. */
const bodyBytesMax = 64 * 1024

/**
 * The callback URL of providers: the host identifies the workspace, the path the provider. A message is stored before
 * it is answered, so that OK always means stored; a job processes it.
 */
export function openCallbacks(app: FastifyInstance, context: Context): void {
  app.register(async (callbacks) => {
    callbacks.removeAllContentTypeParsers()
    callbacks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    callbacks.route({
      method: ['GET', 'POST'],
      url: '/callbacks/payments/:provider',
      bodyLimit: bodyBytesMax,
      handler: (request, reply) => receive(context, request, reply),
    })
  })
}

async function receive(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const system = await proveWorkspace(context, request)
  const { provider: uid } = request.params as { provider: string }
  if (!findAdapter(uid)) refuseNotFound()
  const provider = await inTransaction(system, (tx) => findProvider(tx, system, uid))
  if (!provider) refuseNotFound()
  const address = clientAddress(request) ?? ''
  const received = {
    method: request.method === 'HEAD' ? 'GET' : request.method,
    query: request.url.split('?').slice(1).join('?'),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    headers: provingHeaders(request.headers),
    address,
  }
  const read = await tryToRead(system, provider, received)
  if (!read?.isGenuine) await takeTry(system, ...(await limitOf(system, provider, read, address)))
  const seen = {
    // A message that is unreadable now may become readable.
    isFromElsewhere: read === null || (!read.isGenuine && read.why === 'another_sender'),
    isHint: read?.unverifiedCallback !== undefined,
    isSigned: read !== null && (read.isGenuine || read.why === 'unverified'),
  }
  const headers = { ...storedHeaders(request.headers), address }
  await keepWebhookEvent(system, provider, received, headers, seen)
  // A job reads it once staff have fixed the settings; until then the provider is expected to resend it.
  if (!read) refuse('unavailable', 'This cannot be read at the moment.')
  return reply.code(read.answer.status).header('content-type', read.answer.contentType).send(read.answer.body)
}

/**
 * Limits unproven messages, which are stored for later inspection, so that they cannot fill the disk. Proven messages
 * are unlimited.
 */
const unproven: Limit = { name: 'unproven-notifications', triesMax: 600, windowSeconds: 3_600 }

/** One order causes few messages. A provider's server sends those of many orders, so these are counted per order. */
const unverified: Limit = { name: 'unverified-notifications', triesMax: 600, windowSeconds: 3_600 }

async function limitOf(
  system: System,
  { provider_id }: ProviderRow,
  read: WebhookEventReading | null,
  address: string,
): Promise<Counted> {
  // Without a signature too: our order numbers cannot be guessed.
  const unverifiedCallback = read && !read.isGenuine ? read.unverifiedCallback : undefined
  const isOurs =
    unverifiedCallback !== undefined &&
    (await inTransaction(system, (tx) => isKnown(tx, system, provider_id, unverifiedCallback)))
  if (unverifiedCallback && isOurs)
    return [
      unverified,
      `${provider_id} ${unverifiedCallback.kind} ${unverifiedCallback.attempt ?? unverifiedCallback.reference}`,
    ]
  return [unproven, `${provider_id} ${networkOf(address)}`]
}

async function tryToRead(
  system: System,
  provider: ProviderRow,
  received: RawWebhookEvent,
): Promise<WebhookEventReading | null> {
  try {
    return (await connectProvider(system, provider)).readWebhookEvent(received)
  } catch (problem) {
    const why = problem instanceof PaymentProblem ? 'a payment provider is misconfigured' : 'webhook event fault'
    system.context.log.error({ err: describeProblem(problem), provider: provider.app_uid }, why)
    return null
  }
}
