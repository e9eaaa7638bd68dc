import type { Scope } from '@atrium/contract/access/scopes.ts'
import type { SearchGroup, SearchHit } from '@atrium/contract/search/calls.ts'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** One kind of thing that can be found. What is found is the member's own, and in one or two statements by an index. */
export type SearchSource = {
  group: SearchGroup
  /** A member finds nothing of a scope that is closed to them. */
  scope: Scope
  find(tx: Tx, member: Member, query: string): Promise<SearchHit[]>
}
