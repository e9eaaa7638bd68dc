import { limits } from '@atrium/contract/limits.ts'
import type { SearchGroup, SearchHit } from '@atrium/contract/search/calls.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { listing } from '../foundation/database/database.ts'
import { Refusal } from '../foundation/errors.ts'
import type { SearchSource } from './source.ts'

export type Found = { name: SearchGroup; hits: SearchHit[] }

/** The first few matches in each group of the member's own things. */
export async function searchOwn(member: Member, query: string, sources: readonly SearchSource[]): Promise<Found[]> {
  const open = sources.filter((source) => isOpenTo(member, source))
  return listing(member, async (tx) => {
    const found: Found[] = []
    for (const { group, find } of open) {
      const hits = (await find(tx, member, query)).slice(0, limits.searchHitsMax)
      if (hits.length > 0) found.push({ name: group, hits })
    }
    return found
  })
}

/** A closed scope is skipped instead of refusing the search. */
function isOpenTo(member: Member, { scope }: SearchSource): boolean {
  try {
    authorize(member, scope)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
