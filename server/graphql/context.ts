import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { openReads } from '../foundation/database/scoped-reads.ts'
import { onceProven, readsOfProof } from '../foundation/pending-proof.ts'

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

/** The reads of a document for a remembered member go with the repeated proof. */
export function makeContext(member: Member): GraphContext {
  const things = new Map<unknown, unknown>()
  const tx = readsOfProof(member) ?? openReads(member.context.database.pool, member).tx
  const context: GraphContext = {
    member,
    proven: () => onceProven(async () => member),
    read: (work) => work(tx),
    own<Thing>(make: (context: GraphContext) => Thing): Thing {
      if (!things.has(make)) things.set(make, make(context))
      return things.get(make) as Thing
    },
    counts: {},
  }
  return context
}
