import { randomBytes } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Ground } from './ground.ts'

/** Headers on every answer, errors included. Pages set their own content policy with a fresh nonce (pages.ts). */
export function secureHeaders(app: FastifyInstance, ground: Ground): void {
  app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    hsts: ground.config.production ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onSend', async (_request, reply) => {
    // Answers are somebody's money or papers unless they say otherwise (hashed assets do).
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}

/**
 * `framesBlobs` for the desk alone, where a PDF receipt is read in place: the page frames bytes that it fetched itself and
 * named application/pdf, so that no browser takes them for a page.
 */
export type PagePolicy = { framesBlobs?: boolean }

/** A page's policy: own scripts only, styles by nonce (Mantine writes one style element), nothing inline. */
export function setPagePolicy(reply: FastifyReply, { framesBlobs = false }: PagePolicy = {}): string {
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    ...(framesBlobs ? ['frame-src blob:'] : []),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  reply.header('content-security-policy', policy.join('; '))
  return nonce
}
