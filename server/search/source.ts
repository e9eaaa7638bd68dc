import type { Scope } from '@atrium/contract/access/scopes.ts'
import type { SearchGroup, SearchHit } from '@atrium/contract/search/calls.ts'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** One searchable kind of thing: the member's own, found by index in one or two statements. */
export type SearchSource = {
  group: SearchGroup
  /** Skipped where this scope is closed to the member. */
  scope: Scope
  find(tx: Tx, member: Member, query: string): Promise<SearchHit[]>
}
