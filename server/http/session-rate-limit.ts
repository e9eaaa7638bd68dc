import { hash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { keepRecent } from '../foundation/database/recent.ts'
import { fileCookies, readFileCookies } from '../sessions/cookies.ts'
import { bearerOf } from './authenticate.ts'
import { isDraining } from './draining.ts'
import { answerOf } from './error-handler.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For monitoring, which is never rate limited. */
    isForWatchers?: boolean
    /** For files, which both cookies prove as well as a bearer token. */
    isForFiles?: boolean
  }
}

/** The burst, as the calls of this time. Several pages opened together make some fifteen calls each. */
const burstMs = 5_000
/** A client with ever new tokens evades the limit, but fails authentication. */
const sessionsMax = 50_000

/**
 * Limits the rate of one session in this process; refuses before any lookup. Requests without a session have their own limits where
 * needed (rate-limit.ts).
 */
export function limitSessionRate(app: FastifyInstance, { clock, config: { callsPerMinute } }: Context): void {
  if (callsPerMinute === null) return
  const buckets = new Buckets(60_000 / callsPerMinute)
  app.addHook('onRequest', (request, reply, done) => {
    const now = clock.now().getTime()
    const waitMs = Math.max(0, ...tokensOf(request).map((token) => buckets.take(token, now)))
    if (waitMs === 0) return done()
    refuseForNow(app, { request, reply, waitMs })
  })
}

/**
 * The tokens that can prove this request, exactly as they are proven: anything else beside them, such as another cookie, would give
 * one session a new bucket each time. Browsers send the cookies with calls too, which only the bearer token proves.
 */
function tokensOf(request: FastifyRequest): string[] {
  const { isForWatchers, isForFiles } = request.routeOptions.config ?? {}
  if (isForWatchers) return []
  const bearer = bearerOf(request)
  if (bearer && !isForFiles) return [bearer]
  const cookies = Object.values(fileCookies).flatMap((cookie) => readFileCookies(request, cookie))
  return bearer ? [bearer, ...cookies] : cookies
}

type Refused = { request: FastifyRequest; reply: FastifyReply; waitMs: number }

/**
 * Bypasses most of the framework: a thrown refusal costs twice as much, and a flood of refused requests delays everybody else.
 */
function refuseForNow(app: FastifyInstance, { request, reply, waitMs }: Refused): void {
  const body = JSON.stringify(answerOf(['too_many_requests', sessionTexts.tooManyCalls], request))
  reply.hijack()
  reply.raw.writeHead(429, {
    ...(reply.getHeaders() as OutgoingHttpHeaders), // secureHeaders has set them.
    ...(isDraining(app) && { connection: 'close' }),
    'retry-after': String(Math.ceil(waitMs / 1_000)),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  reply.raw.end(body)
}

/**
 * One token bucket per session: it holds the calls of `burstMs` and refills one call per `oneMs`. With fixed windows, a flood would
 * use up each window at its start and delay everybody.
 */
class Buckets {
  /** The time until which a session has used its share. */
  private readonly takenUntil = keepRecent<number>(sessionsMax)
  private readonly oneMs: number
  private readonly fullMs: number

  constructor(oneMs: number) {
    this.oneMs = oneMs
    this.fullMs = Math.ceil(burstMs / oneMs) * oneMs
  }

  /** Takes one call and returns 0, or the time in ms until there is room for one. */
  take(shown: string, now: number): number {
    const session = hash('sha256', shown, 'base64url')
    // If the clock is set back, no session waits longer than a bucket takes to fill.
    const taken = Math.min(Math.max(this.takenUntil.find(session) ?? 0, now), now + this.fullMs)
    const overMs = Math.max(0, taken + this.oneMs - now - this.fullMs)
    this.takenUntil.keep(session, overMs > 0 ? taken : taken + this.oneMs)
    return overMs
  }
}
