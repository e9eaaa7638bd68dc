import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { System } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { type Limit, networkOf, takeTry } from '../foundation/rate-limit.ts'
import { proveWorkspace } from '../http/route.ts'
import { type IdentityReading, type RawNotification, VendorProblem } from '../identity-vendors/contract.ts'
import { findVendorAdapter } from '../identity-vendors/registry.ts'
import { connectVendor, findVendor, type VendorRow } from '../identity-vendors/vendors.ts'
import { describeProblem } from '../observability/log.ts'
import { keepIdentityNotification } from './identity-notification.ts'

/** A webhook is a kilobyte or two. */
const bodyBytesMax = 64 * 1024

/**
 * The address that a vendor speaks to: the host names the workspace, the path the vendor. Kept first and answered second, so
 * what was not kept is never answered OK; what comes of it, a job decides.
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

/** What proves nothing is kept for whoever asks later, and must not fill the disk. */
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
  if (!read.isGenuine) await takeTry(system, unproven, `${vendor.vendor_id} ${networkOf(request.ip)}`)
  await keepIdentityNotification(system, vendor, received, read)
  // Said again later by the vendor, when a person may have mended the secret.
  if (!read.isGenuine) refuse('unauthenticated', 'This is not signed as agreed.')
  return reply.code(200).send({ status: 'ok' })
}

const headerCharsMax = 200

/** Only what an adapter may ask for, and no cookies of anybody. */
function provingHeaders({ headers }: FastifyRequest): RawNotification['headers'] {
  const proving = Object.entries(headers).filter(([name]) => name.startsWith('x-payload-digest'))
  return Object.fromEntries(proving.map(([name, value]) => [name, String(value).slice(0, headerCharsMax)]))
}

function tryToRead(system: System, vendor: VendorRow, received: RawNotification): IdentityReading {
  try {
    return connectVendor(system, vendor).readNotification(received)
  } catch (problem) {
    if (!(problem instanceof VendorProblem)) throw problem
    system.context.log.error({ err: describeProblem(problem), vendor: vendor.app_uid }, 'a webhook cannot be read')
    return { isGenuine: false, why: 'forged' }
  }
}
