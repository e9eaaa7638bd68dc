import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { openReads } from '../foundation/database/scoped-reads.ts'

type Work<Result> = (tx: Tx) => Promise<Result>
type Read = <Result>(work: Work<Result>) => Promise<Result>

/** Shared by the resolvers of one document. */
export type GraphContext = {
  member: Member
  /**
   * The member once proven. `read` needs only `member`, since its results are not sent without the proof; resolvers that write or call
   * an external system wait for this first.
   */
  proven(): Promise<Member>
  /** Reads in the document's scope: reads requested at about the same time share one round trip. */
  read: Read
  /** An object of which a document has one, such as a loader; created on first use. */
  own<Thing>(make: (context: GraphContext) => Thing): Thing
  /** Counts requested with `withCount`, which `extra` returns. */
  counts: Record<string, number>
}

/** The remembered member has changed or is gone: everything read for them is discarded. */
export class StaleProof extends Error {}

/** `isSame`: checks in the first batch of reads that the member is unchanged; absent for a member just proven. */
export function makeContext(member: Member, isSame?: (tx: Tx) => Promise<boolean>): GraphContext {
  const things = new Map<unknown, unknown>()
  const { tx, ahead } = openReads(member.context.database.pool, member)
  const proof = isSame?.(ahead)
  // Prevents an unhandled rejection before anybody awaits it.
  proof?.catch(() => undefined)
  const context: GraphContext = {
    member,
    async proven() {
      if (proof && !(await proof)) throw new StaleProof()
      return member
    },
    read: (work) => work(tx),
    own<Thing>(make: (context: GraphContext) => Thing): Thing {
      if (!things.has(make)) things.set(make, make(context))
      return things.get(make) as Thing
    },
    counts: {},
  }
  return context
}
