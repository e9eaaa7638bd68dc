import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { keepRecent } from '../foundation/database/recent.ts'
import { answerOf } from './error-handler.ts'
import { isLeaving } from './leaving.ts'
import { bareHeaders } from './secure-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Asked by what watches this process, which is to hear how it is however often it asks. */
    isForWatchers?: boolean
  }
}

/** What may be asked at once: the calls of so long. Several pages that are opened together ask for some fifteen things each. */
const burstMs = 5_000
/** Whoever shows ever new tokens gets past it, and no further than the door. */
const sessionsMax = 50_000

/**
 * However often one session asks, it takes no more than its share of this process: what comes too soon is refused before
 * anything is looked up. What shows no session has limits of its own where it matters (rate-limit.ts).
 */
export function limitPace(app: FastifyInstance, { clock, config: { callsPerMinute } }: Context): void {
  if (callsPerMinute === null) return
  const buckets = new Buckets(60_000 / callsPerMinute)
  app.addHook('onRequest', (request, reply, done) => {
    const shown = request.routeOptions.config?.isForWatchers ? undefined : shownBy(request.headers)
    const waitMs = shown === undefined ? 0 : buckets.take(shown, clock.now().getTime())
    if (waitMs === 0) return done()
    refuseForNow(app, { request, reply, waitMs })
  })
}

/** Calls carry a bearer token; pictures and KYC documents are asked for with a cookie. */
const shownBy = ({ authorization, cookie }: IncomingHttpHeaders): string | undefined => authorization ?? cookie

type Refused = { request: FastifyRequest; reply: FastifyReply; waitMs: number }

/**
 * Past most of the framework: a thrown refusal costs the process twice as much, and whoever asks without end has this all the
 * time, while everybody else waits behind it.
 */
function refuseForNow(app: FastifyInstance, { request, reply, waitMs }: Refused): void {
  const body = JSON.stringify(answerOf(['too_many_requests', sessionTexts.tooManyCalls], request))
  reply.hijack()
  reply.raw.writeHead(429, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    ...bareHeaders(app),
    ...(isLeaving(app) && { connection: 'close' }),
    'retry-after': String(Math.ceil(waitMs / 1_000)),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  reply.raw.end(body)
}

/**
 * One bucket for each session, filled evenly: the calls of `burstMs` fit in, and one more for each `oneMs`. In windows that begin
 * anew, who asks without end would take all of a window's calls in its first moments, and everybody waited for those.
 */
class Buckets {
  /** Until when a session has had its share. */
  private readonly takenUntil = keepRecent<number>(sessionsMax)
  private readonly oneMs: number
  private readonly fullMs: number

  constructor(oneMs: number) {
    this.oneMs = oneMs
    this.fullMs = Math.ceil(burstMs / oneMs) * oneMs
  }

  /** 0 where there is room for one more call; or how long, in ms, until there is. */
  take(shown: string, now: number): number {
    const session = createHash('sha256').update(shown).digest('base64url')
    // A clock that was set back must not keep anybody out for longer than it takes to fill a bucket.
    const taken = Math.min(Math.max(this.takenUntil.find(session) ?? 0, now), now + this.fullMs)
    const overMs = Math.max(0, taken + this.oneMs - now - this.fullMs)
    this.takenUntil.keep(session, overMs > 0 ? taken : taken + this.oneMs)
    return overMs
  }
}
