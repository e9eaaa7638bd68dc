import { search } from '@atrium/contract/search.ts'
import type { FastifyInstance } from 'fastify'
import { open } from '../foundation/door.ts'
import type { Ground } from '../foundation/ground.ts'
import { searchOwn } from './search.ts'

export function openSearchCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, search, async (member, { q }) => ({ groups: await searchOwn(member, q) }))
}
