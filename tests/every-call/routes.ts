import type { Call } from '@atrium/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../server/app.ts'
import type { Context } from '../../server/foundation/context.ts'
import type { CallFacts } from '../../server/http/call-facts.ts'

/**
 * A registered route; the last three describe it if it was opened as a call of the contract. `isEarly` is absent for a call that
 * streams its answer.
 */
export type LiveRoute = {
  name: string
  method: string
  url: string
  call: Call | null
  facts: CallFacts
  isEarly: boolean | undefined
}

/** The whole server with its route table, so that tests over all routes include new ones automatically. */
export async function openWithRoutes(context: Context): Promise<{ app: FastifyInstance; routes: LiveRoute[] }> {
  const routes: LiveRoute[] = []
  const app = await buildApp(context, {
    onRoute: ({ method, url, config }) => {
      for (const each of [method].flat()) {
        const { call = null, facts = {}, isEarly } = (config ?? {}) as Partial<LiveRoute>
        routes.push({ name: `${each} ${url}`, method: each, url, call, facts, isEarly })
      }
    },
  })
  await app.ready()
  return { app, routes }
}
