import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scopes } from '@atrium/contract/access/scopes.ts'
import type { Call } from '@atrium/contract/call.ts'
import { pdfFramePath } from '@atrium/contract/files/pdf-frame.ts'
import { formFramePath } from '@atrium/contract/forms/frame.ts'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from './foundation/context.ts'
import { refuseNotFound } from './foundation/errors.ts'
import { type PagePolicy, setPagePolicy, setPdfFramePolicy } from './http/secure-headers.ts'
import { escapeHtml } from './notifications/templates.ts'
import { listPageOrigins } from './payments/page-origins.ts'
import { serveAssets } from './web-builds/serving.ts'
import { isApiHost } from './workspaces/address.ts'
import { brandNameOf, findAddresses } from './workspaces/addresses.ts'

const demoBrand = fileURLToPath(new URL('../demo/brand/', import.meta.url))
const noncePlace = /__CSP_NONCE__/g

/** Path prefixes without pages, besides those of calls. */
const others = 'graph callbacks cp private brand assets desk/api healthz readyz metrics dev'.split(' ')

/** Paths of calls: an unknown one answers 404, never the page of an app. */
function pathsOf(calls: readonly Call[]): RegExp {
  const firstOf = (path: string) => path.split('/')[1] ?? ''
  const screens = new Set([
    'desk',
    ...[formFramePath, pdfFramePath].map(firstOf),
    ...Object.values(scopes).flatMap(({ routes }) => routes.map(firstOf)),
  ])
  const ofCalls = new Set(calls.map(({ path }) => firstOf(path))).difference(screens)
  return new RegExp(`^/(${[...ofCalls, ...others].join('|')})(/|\\?|$)`)
}

/** Serves the built web: immutable hashed assets, and one page for each app at every path of its router. */
export async function servePages(app: FastifyInstance, context: Context, calls: readonly Call[]): Promise<void> {
  const { config } = context
  const callPaths = pathsOf(calls)
  const readPage = (name: string, file = 'index.html') => readIfThere(join(config.webDirectory, name, file))
  const frame = readPage('viewer')
  await serveAssets(app, context)
  // The demo brokerage's logo; a real brokerage's is an uploaded file.
  if (config.demo) await app.register(fastifyStatic, { root: demoBrand, prefix: '/brand/', decorateReply: false })
  const portal = readPage('portal')
  const signIn = readPage('portal', 'sign-in.html')
  const form = readPage('viewer', 'form.html')
  const desk = readPage('desk')
  const send = async (request: FastifyRequest, reply: FastifyReply, page: string | null, policy: PagePolicy = {}) => {
    // The API host serves no pages: passkeys would not work on a portal there.
    const isNone = callPaths.test(request.url) || hidden.test(request.url)
    if (isNone || isApiHost(config, request.headers.host)) refuseNotFound()
    return sendPage(reply, page, { ...policy, api: await apiOfPage(context, request) })
  }
  const sendDesk = async (request: FastifyRequest, reply: FastifyReply) => {
    // Without a database the desk still opens, to show what is wrong.
    const brand = await brandNameOf(context, request.headers.host).catch(() => null)
    return send(request, reply, desk && wearBrand(deskPageOf(desk, request.url), brand), { framesOwn: true })
  }
  app.get('/desk', sendDesk)
  app.get('/desk/*', sendDesk)
  app.get(pdfFramePath, (request, reply) => {
    if (frame === null || isApiHost(config, request.headers.host)) refuseNotFound()
    const nonce = setPdfFramePolicy(reply)
    return reply.type('text/html; charset=utf-8').send(frame.replace(noncePlace, nonce))
  })
  // Crawlers have nothing to index at the desk or on the API host.
  app.get('/robots.txt', (request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nDisallow: ${isApiHost(config, request.headers.host) ? '/' : '/desk'}\n`),
  )
  app.get(formFramePath, async (request, reply) => {
    const page = form && wearBrand(form, await brandNameOf(context, request.headers.host))
    return send(request, reply, page, { isFramed: true })
  })
  app.get('/*', async (request, reply) => {
    if (isReturnInFrame(request)) return sendReturn(reply)
    if (portal === null || signIn === null) return send(request, reply, null)
    const { forms: formTargets, frames } = await listPageOrigins(context, request.headers.host)
    const isFraming = framing.test(request.url)
    const page = wearBrand(
      signingIn.test(request.url) ? signIn : frameOf(portal, request.url),
      await brandNameOf(context, request.headers.host),
    )
    return send(request, reply, page, { formTargets, ...(isFraming ? { frames } : { framesOwn: true }) })
  })
  app.register(async (returns) => {
    returns.removeAllContentTypeParsers()
    // Discards the body without trusting it; buffered, so that the size limit applies.
    returns.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, null))
    // Some payment pages return the member with a POST.
    returns.post('/deposit-processing/:order', { bodyLimit: 64 * 1024 }, async (request, reply) => {
      const { order } = request.params as { order: string }
      if (isReturnInFrame(request)) return sendReturn(reply)
      return reply.redirect(`/deposit-processing/${encodeURIComponent(order)}`, 303)
    })
  })
}

/** Scanners ask for hidden files (`/.env`) and report each that is answered; no screen begins with a dot. */
const hidden = /^[^?]*\/(\.|%2e)/i

/** Puts the brokerage's name into the page before any script runs. */
const wearBrand = (page: string, name: string | null): string => {
  const shown = name === null ? null : escapeHtml(name)
  return shown === null
    ? page
    : page.replace(/(?<=<title>|<p>|withdrawals at )(Atrium|Form)(?=<\/(title|p)>|\.")/g, () => shown)
}

/** The sign-in page has its own HTML, which loads less than the others. */
const signingIn = /^\/(login|forgot-password)\/?(\?|$)/

/** Pages without header and menu. */
const frameless = /^\/(login|forgot-password|reset-password|end-mails|second-factor|rpnpay-payment)(\/|\?|$)/

/** Other pages show the outline of the frame with their own heading, and preload their own files, before any script runs. */
function frameOf(page: string, url: string): string {
  const own = ownPartsOf(page, url)
  return frameless.test(url) ? own : own.replace('class="first-paint"', 'class="first-paint in-frame"')
}

/** Most pages of the desk show the brokerage's name alone. */
function deskPageOf(page: string, url: string): string {
  const own = ownPartsOf(page, url)
  return own.includes('<header data-page')
    ? own.replace('class="first-paint"', 'class="first-paint in-frame of-desk"')
    : own
}

/** Leaves out the parts of other pages. */
function ownPartsOf(page: string, url: string): string {
  const path = url.replace(/\/?(\?.*)?$/, '')
  const hasOtherHeading = /[?&]view=/.test(url)
  return page.replace(ofSinglePages, (part, ofFile?: string, ofHeading?: string) =>
    ofFile === path || (ofHeading === path && !hasOtherHeading) ? part : '',
  )
}

/** Preloads and headings of single pages (web/page-html.ts). */
const ofSinglePages = /<link [^>]*data-page="([^"]*)"[^>]*>\s*|<header data-page="([^"]*)">.*?<\/header>/g

/** The only page that embeds payment pages. */
const framing = /^\/rpnpay-payment\/?(\?|$)/

/** An embedded payment page redirects its own frame: the surrounding page sees that and follows. */
const isReturnInFrame = ({ url, headers }: FastifyRequest): boolean =>
  url.startsWith('/deposit-processing/') && headers['sec-fetch-dest'] === 'iframe'

function sendReturn(reply: FastifyReply): FastifyReply {
  reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'self'")
  reply.header('x-frame-options', 'SAMEORIGIN')
  return reply.type('text/html; charset=utf-8').send('<!doctype html><title>Back</title>')
}

/** CORS allows only the configured address of a brokerage, so pages at other addresses call their own host. */
async function apiOfPage(context: Context, { headers }: FastifyRequest): Promise<string | null> {
  if (!context.config.apiOrigin) return null
  const addresses = await findAddresses(context, headers.host)
  return addresses && new URL(addresses.portal).host === headers.host?.toLowerCase() ? addresses.api : null
}

const readIfThere = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null)

function sendPage(reply: FastifyReply, page: string | null, policy: PagePolicy): FastifyReply {
  if (page === null) refuseNotFound()
  const nonce = setPagePolicy(reply, policy)
  const completed = policy.api ? page.replace('<head>', `<head><meta name="api-origin" content="${policy.api}">`) : page
  return reply.type('text/html; charset=utf-8').send(completed.replace(noncePlace, nonce))
}
