import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { texts } from '@atrium/contract/texts.ts'
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import type { Clock } from './clock.ts'
import { Refusal } from './errors.ts'
import type { Ground } from './ground.ts'

/** What may be asked at once: the calls of so long. Several pages that are opened together ask for some fifteen things each. */
const burstMs = 5_000
/** Whoever shows ever new tokens gets past it, and no further than the door. */
const sessionsMax = 50_000

/**
 * However often one session asks, it takes no more than its share of this process: what comes too soon is refused before
 * anything is looked up. What shows no session has limits of its own where it matters (rate-limit.ts).
 */
export async function limitPace(app: FastifyInstance, { clock, config }: Ground): Promise<void> {
  if (config.callsPerMinute === null) return
  await app.register(rateLimit, {
    max: Math.ceil((config.callsPerMinute * burstMs) / 60_000),
    timeWindow: burstMs,
    store: bucketsBy(clock),
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

/**
 * One bucket for each session, filled evenly: `max` calls fit in, and one more for each `timeWindow / max`. In windows that begin
 * anew, who asks without end would take all of a window's calls in its first moments, and everybody waited for those.
 */
function bucketsBy(clock: Clock): FastifyRateLimitStoreCtor {
  return class Buckets implements FastifyRateLimitStore {
    /** Until when a session has had its share, the longest unused first. */
    private readonly takenUntil = new Map<string, number>()

    incr(
      session: string,
      answer: (error: Error | null, result: { current: number; ttl: number }) => void,
      windowMs: number,
      max: number,
    ): void {
      const now = clock.now().getTime()
      const oneMs = windowMs / max
      // A clock that was set back must not keep anybody out for longer than it takes to fill a bucket.
      const taken = Math.min(Math.max(this.takenUntil.get(session) ?? 0, now), now + windowMs)
      const overMs = taken + oneMs - now - windowMs
      this.takenUntil.delete(session)
      this.takenUntil.set(session, overMs > 0 ? taken : taken + oneMs)
      const [oldest] = this.takenUntil.keys()
      if (this.takenUntil.size > sessionsMax && oldest !== undefined) this.takenUntil.delete(oldest)
      answer(null, overMs > 0 ? { current: max + 1, ttl: overMs } : { current: 1, ttl: 0 })
    }

    child(): Buckets {
      return this
    }
  }
}
