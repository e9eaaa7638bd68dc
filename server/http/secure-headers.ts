import { randomBytes } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../foundation/context.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** People reach this installation over TLS, though what ends it may stand in front of us. */
    isBehindTls: boolean
  }
}

/** What a browser could let a page do and none of ours ever asks for. */
const unusedPowers =
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()'

/** For an answer that no hook sees: the same as `secureHeaders` gives every other one. */
export function bareHeaders({ isBehindTls }: Pick<FastifyInstance, 'isBehindTls'>): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': unusedPowers,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(isBehindTls && { 'strict-transport-security': `max-age=${hstsSeconds}; includeSubDomains` }),
  }
}

const hstsSeconds = 31_536_000

/** Headers on every answer, errors included. Pages set their own content policy with a fresh nonce (pages.ts). */
export function secureHeaders(app: FastifyInstance, context: Context): void {
  const { production, publicUrl } = context.config
  app.decorate('isBehindTls', production || publicUrl?.startsWith('https:') === true)
  app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    hsts: app.isBehindTls ? { maxAge: hstsSeconds, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', unusedPowers)
    // Answers are somebody's money or KYC documents unless they say otherwise (hashed assets do).
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}

export type PagePolicy = {
  /** Shows frames of ours: the desk's PDFs (`setPdfFramePolicy`), and in the portal a form by itself. */
  framesOwn?: boolean
  /** The page of that form: ours may frame it, and nobody else. No other page with a session in it lets itself be framed. */
  isFramed?: boolean
  /** The one origin that the page calls, and whose pictures it shows, when that is not its own. */
  api?: string | null
  /** Where forms may go beside the page's own origin: pages of payment providers. */
  formTargets?: readonly string[]
  /** What may stand in a frame of the page beside the way back to it: payment pages, on the one page that shows them. */
  frames?: readonly string[]
}

/** A page's policy: own scripts only, styles by nonce (Mantine writes one style element), nothing inline. */
export function setPagePolicy(
  reply: FastifyReply,
  { framesOwn = false, isFramed = false, api = null, formTargets = [], frames = [] }: PagePolicy = {},
): string {
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' blob: data:${api ? ` ${api}` : ''}`,
    "font-src 'self'",
    `connect-src ${api ?? "'self'"}`,
    ...(framesOwn ? ["frame-src 'self'"] : []),
    ...(frames.length > 0 ? [["frame-src 'self'", ...frames].join(' ')] : []),
    "manifest-src 'self'",
    "base-uri 'none'",
    ["form-action 'self'", ...formTargets].join(' '),
    `frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
  ]
  reply.header('content-security-policy', policy.join('; '))
  if (isFramed) reply.header('x-frame-options', 'SAMEORIGIN')
  return nonce
}

/**
 * The page that reads PDFs, which strangers wrote: a room without an origin, from which nothing can be fetched or sent, and
 * which only a page of ours may frame. Opened by itself it is as closed as in its frame.
 */
export function setPdfFramePolicy(reply: FastifyReply): string {
  const nonce = randomBytes(16).toString('base64')
  const inside = `default-src 'none'; script-src 'self'; style-src 'nonce-${nonce}'; font-src 'self'; base-uri 'none'`
  reply.header(
    'content-security-policy',
    `${inside}; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts`,
  )
  reply.header('x-frame-options', 'SAMEORIGIN')
  return nonce
}
