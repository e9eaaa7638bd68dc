import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { System } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { type Limit, networkOf, takeTry } from '../foundation/rate-limit.ts'
import { proveWorkspace } from '../http/authenticate.ts'
import { clientAddress } from '../http/client-address.ts'
import { type IdentityReading, type RawWebhookEvent, VendorProblem } from '../identity-vendors/contract.ts'
import { findVendorAdapter } from '../identity-vendors/registry.ts'
import { connectVendor, findVendor, type VendorRow } from '../identity-vendors/vendors.ts'
import { describeProblem } from '../observability/log.ts'
import { keepIdentityWebhookEvent } from './identity-webhook-event.ts'

/** Webhooks are one or two kilobytes. */
const bodyBytesMax = 64 * 1024

/**
 * The webhook address of an identity vendor: the host names the workspace, the path the vendor. Stores the webhook before it answers,
 * so that an OK always means stored; a job processes it.
 */
export function openIdentityCallbacks(app: FastifyInstance, context: Context): void {
  app.register(async (callbacks) => {
    callbacks.removeAllContentTypeParsers()
    callbacks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    callbacks.post('/callbacks/identity/:vendor', { bodyLimit: bodyBytesMax }, (request, reply) =>
      receive(context, request, reply),
    )
  })
}

/** Webhooks that fail verification are stored for later diagnosis; the limit protects the disk. */
const unproven: Limit = { name: 'unproven-identity-notifications', triesMax: 600, windowSeconds: 3_600 }

async function receive(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const system = await proveWorkspace(context, request)
  const { vendor: uid } = request.params as { vendor: string }
  if (!findVendorAdapter(uid)) refuseNotFound()
  const vendor = await reading(system, (tx) => findVendor(tx, system, uid))
  if (!vendor) refuseNotFound()
  const received = {
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    headers: provingHeaders(request),
  }
  const read = tryToRead(system, vendor, received)
  if (!read.isGenuine) await takeTry(system, unproven, `${vendor.vendor_id} ${networkOf(clientAddress(request))}`)
  await keepIdentityWebhookEvent(system, vendor, received, read)
  if (!read.isGenuine) system.context.metrics.unprovenIdentity(vendor.app_uid, read.why)
  // Signed, so the vendor sends a message that we cannot read, and its checks get no outcome until an operator acts.
  if (!read.isGenuine && read.why === 'unreadable')
    system.context.log.error({ vendor: vendor.app_uid }, 'a signed webhook event cannot be read')
  // The vendor sends it again, by when an operator may have corrected the secret.
  if (!read.isGenuine) refuse('unauthenticated', 'The signature is missing or wrong.')
  return reply.code(200).send({ status: 'ok' })
}

const headerCharsMax = 200

/** Only the headers that an adapter may read, and no cookies. */
function provingHeaders({ headers }: FastifyRequest): RawWebhookEvent['headers'] {
  const proving = Object.entries(headers).filter(([name]) => name.startsWith('x-payload-digest'))
  return Object.fromEntries(proving.map(([name, value]) => [name, String(value).slice(0, headerCharsMax)]))
}

function tryToRead(system: System, vendor: VendorRow, received: RawWebhookEvent): IdentityReading {
  try {
    return connectVendor(system, vendor).readWebhookEvent(received)
  } catch (problem) {
    if (!(problem instanceof VendorProblem)) throw problem
    system.context.log.error(
      { err: describeProblem(problem), vendor: vendor.app_uid },
      'a webhook event cannot be read',
    )
    return { isGenuine: false, why: 'forged' }
  }
}
