import type { FastifyInstance } from 'fastify'
import { refuse } from '../foundation/errors.ts'

/**
 * The host decides the brokerage. Refuses a request that names two hosts, which a proxy or cache could assign to one brokerage and
 * this server to another.
 */
export function refuseTwoHosts(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, headers }, _reply, done) => {
    const isRepeated = raw.rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length > 1
    if (isRepeated || !isFor(raw.url ?? '', headers.host)) refuse('malformed', 'The request could not be read.')
    done()
  })
}

/** True for a path, and for a full URL with the same host. */
function isFor(target: string, host: string | undefined): boolean {
  if (target.startsWith('/') || target === '*') return true
  return URL.canParse(target) && new URL(target).host === host?.toLowerCase()
}
