import { search } from '@atrium/contract/search/calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open } from '../http/route.ts'
import { searchOwn } from './search.ts'
import type { SearchSource } from './source.ts'

export function openSearchCalls(app: FastifyInstance, context: Context, sources: readonly SearchSource[]): void {
  open(app, context, search, {
    scopes: ['all'],
    handler: async (member, { q }) => ({ groups: await searchOwn(member, q, sources) }),
  })
}
