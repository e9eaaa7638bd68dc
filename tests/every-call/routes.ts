import type { Call } from '@atrium/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../server/app.ts'
import type { Ground } from '../../server/foundation/ground.ts'

/** One route as the router has it; `call` where it was opened by the door. */
export type LiveRoute = { name: string; method: string; url: string; call: Call | null }

/** The whole server with the table of its routes: what walks them catches one that is added later without being told. */
export async function openWithRoutes(ground: Ground): Promise<{ app: FastifyInstance; routes: LiveRoute[] }> {
  const routes: LiveRoute[] = []
  const app = await buildApp(ground, {
    onRoute: ({ method, url, config }) => {
      for (const each of [method].flat()) {
        const call = (config as { call?: Call } | undefined)?.call ?? null
        routes.push({ name: `${each} ${url}`, method: each, url, call })
      }
    },
  })
  await app.ready()
  return { app, routes }
}
