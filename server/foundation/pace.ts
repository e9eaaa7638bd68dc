import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { texts } from '@atrium/contract/texts.ts'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { Refusal } from './errors.ts'
import type { Ground } from './ground.ts'

const windowMs = 10_000
/** Whoever shows ever new tokens gets past it, and no further than the door. */
const sessionsMax = 50_000

/**
 * However often one session asks, it takes no more than its share of this process: what comes too soon is refused before
 * anything is looked up. What shows no session has limits of its own where it matters (rate-limit.ts).
 */
export async function limitPace(app: FastifyInstance, { config }: Ground): Promise<void> {
  if (config.callsPerMinute === null) return
  await app.register(rateLimit, {
    max: Math.ceil((config.callsPerMinute * windowMs) / 60_000),
    timeWindow: windowMs,
    cache: sessionsMax,
    allowList: (request) => shownBy(request.headers) === undefined,
    keyGenerator: ({ headers }) =>
      createHash('sha256')
        .update(shownBy(headers) ?? '')
        .digest('base64url'),
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    errorResponseBuilder: (_request, { ttl }) =>
      new Refusal('too_many_requests', texts.tooManyCalls, { retryAfterSeconds: Math.ceil(ttl / 1_000) }),
  })
}

/** Calls carry a bearer token; pictures and papers are asked for with a cookie. */
const shownBy = ({ authorization, cookie }: IncomingHttpHeaders): string | undefined => authorization ?? cookie
