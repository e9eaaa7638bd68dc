import type { Call } from '@atrium/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../server/app.ts'
import type { Context } from '../../server/foundation/context.ts'
import type { CallFacts } from '../../server/http/call-facts.ts'

/** One route as the router has it; `call` and what it says about itself where it was opened by the door. */
export type LiveRoute = { name: string; method: string; url: string; call: Call | null; facts: CallFacts }

/** The whole server with the table of its routes: what walks them catches one that is added later without being told. */
export async function openWithRoutes(context: Context): Promise<{ app: FastifyInstance; routes: LiveRoute[] }> {
  const routes: LiveRoute[] = []
  const app = await buildApp(context, {
    onRoute: ({ method, url, config }) => {
      for (const each of [method].flat()) {
        const { call = null, facts = {} } = (config ?? {}) as { call?: Call; facts?: CallFacts }
        routes.push({ name: `${each} ${url}`, method: each, url, call, facts })
      }
    },
  })
  await app.ready()
  return { app, routes }
}
