import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../foundation/context.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether browsers reach this installation over TLS, possibly through a proxy that terminates it. */
    isBehindTls: boolean
  }
}

/** Browser features that none of our pages use. */
const unusedPowers =
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()'

/** The headers of every answer: no page may frame, open or embed it, and browsers guess no types. */
export function bareHeaders({ isBehindTls }: Pick<FastifyInstance, 'isBehindTls'>): Record<string, string> {
  return {
    // Answers hold money or KYC data unless they set their own caching (hashed assets do).
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': unusedPowers,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
    ...(isBehindTls && { 'strict-transport-security': `max-age=${hstsSeconds}; includeSubDomains` }),
  }
}

const hstsSeconds = 31_536_000

/** Sets them on every answer, errors included. Pages set their own content policy with a fresh nonce (pages.ts). */
export function secureHeaders(app: FastifyInstance, context: Context): void {
  const { production, publicUrl } = context.config
  app.decorate('isBehindTls', production || publicUrl?.startsWith('https:') === true)
  const headers = bareHeaders(app)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

export type PagePolicy = {
  /** Frames our own pages: the desk's PDFs (`setPdfFramePolicy`), and in the portal a standalone form. */
  framesOwn?: boolean
  /** The page of that form: only our own pages may frame it. No other page with a session can be framed. */
  isFramed?: boolean
  /** The API origin that the page calls and loads pictures from, if it is not the page's own. */
  api?: string | null
  /** Further form targets beside the page's own origin: pages of payment providers. */
  formTargets?: readonly string[]
  /** Origins that the page may frame beside the return page: payment pages, on the one page that shows them. */
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
 * For the page that renders PDFs of unknown origin: sandboxed without an origin and without network access, and only our own pages may
 * frame it. The same applies when it is opened by itself.
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
