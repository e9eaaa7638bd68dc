import type { FastifyInstance } from 'fastify'
import { refuse } from '../foundation/errors.ts'

/**
 * The host says which brokerage a request is for. A request that names two could be one brokerage's to the proxy or cache
 * in front and another's here, so it is nobody's.
 */
export function refuseTwoHosts(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw, headers }) => {
    const isRepeated = raw.rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length > 1
    if (isRepeated || !isFor(raw.url ?? '', headers.host)) refuse('malformed', 'The request could not be read.')
  })
}

/** True for a path, and for a whole address of the same host. */
function isFor(target: string, host: string | undefined): boolean {
  if (target.startsWith('/') || target === '*') return true
  return URL.canParse(target) && new URL(target).host === host?.toLowerCase()
}
