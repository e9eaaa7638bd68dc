import type { Member } from '../foundation/actor.ts'
import { openReads, type Tx } from '../foundation/database/database.ts'

type Work<Result> = (tx: Tx) => Promise<Result>
type Read = <Result>(work: Work<Result>) => Promise<Result>

/** What the resolvers of one document share. */
export type GraphContext = {
  member: Member
  /**
   * The same member, proven by now. `read` needs no more than `member`, since what it finds leaves only with the proof; whoever
   * writes or asks somebody outside waits for this first.
   */
  proven(): Promise<Member>
  /** Reads in the document's scope: whatever asks at about the same time costs one round trip together. */
  read: Read
  /** The one thing of its kind that this document has, such as a loader; made on first use. */
  own<Thing>(make: (context: GraphContext) => Thing): Thing
  /** Counts asked for with `withCount`, as `extra` carries them. */
  counts: Record<string, number>
}

/** Who was asked for is not found again as they were: what was read for them is thrown away. */
export class StaleProof extends Error {}

/** `isSame`: asks whether the member is found again as they were, in the first batch of reads; absent for one just proven. */
export function makeContext(member: Member, isSame?: (tx: Tx) => Promise<boolean>): GraphContext {
  const things = new Map<unknown, unknown>()
  const { tx, ahead } = openReads(member.context.database.pool, member)
  const proof = isSame?.(ahead)
  // Whoever waits for it is told; it may fail before anybody does.
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
