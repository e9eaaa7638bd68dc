import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { refuseNotFound } from './foundation/errors.ts'
import type { Ground } from './foundation/ground.ts'
import { type PagePolicy, setPagePolicy } from './foundation/secure-headers.ts'

const built = fileURLToPath(new URL('../web/dist/', import.meta.url))
const demoBrand = fileURLToPath(new URL('../demo/brand/', import.meta.url))
const noncePlace = /__CSP_NONCE__/g

/** Paths that belong to calls: an unknown one there is a 404 of ours, never the page of an app. */
const callPaths =
  /^\/(graph|members|users|user|media|customers|countries|tickets|clients|cp|private|brand|assets|desk\/api|healthz|readyz|dev)(\/|\?|$)/

/** Serves the built web: hashed assets for ever, and each app's one page for every path that its router knows. */
export async function servePages(app: FastifyInstance, { config }: Ground): Promise<void> {
  if (existsSync(join(built, 'assets'))) {
    const immutable = { maxAge: '365d', immutable: true, preCompressed: true }
    await app.register(fastifyStatic, { root: join(built, 'assets'), prefix: '/assets/', ...immutable })
  }
  // The demo brokerage's logo; a real one's is a file of its workspace.
  if (config.demo) await app.register(fastifyStatic, { root: demoBrand, prefix: '/brand/', decorateReply: false })
  const portal = readPage('portal')
  const desk = readPage('desk')
  const sendDesk = (reply: FastifyReply) => sendPage(reply, desk, { framesBlobs: true })
  app.get('/desk', (_request, reply) => sendDesk(reply))
  app.get('/desk/*', (request, reply) => (callPaths.test(request.url) ? refuseNotFound() : sendDesk(reply)))
  app.get('/*', (request, reply) => (callPaths.test(request.url) ? refuseNotFound() : sendPage(reply, portal)))
}

function readPage(name: 'portal' | 'desk'): string | null {
  const path = join(built, name, 'index.html')
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

function sendPage(reply: FastifyReply, page: string | null, policy: PagePolicy = {}): FastifyReply {
  if (page === null) refuseNotFound()
  const nonce = setPagePolicy(reply, policy)
  return reply.type('text/html; charset=utf-8').send(page.replace(noncePlace, nonce))
}
