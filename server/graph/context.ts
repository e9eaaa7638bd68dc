import type { Member } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database.ts'

type Work<Result> = (tx: Tx) => Promise<Result>
type Read = <Result>(work: Work<Result>) => Promise<Result>

/** What the resolvers of one document share. */
export type GraphContext = {
  member: Member
  /** Reads in the document's shared scope: whatever asks at about the same time costs one begin and one commit together. */
  read: Read
  /** The one thing of its kind that this document has, such as a loader; made on first use. */
  own<Thing>(make: (context: GraphContext) => Thing): Thing
  /** Counts asked for with `withCount`, as `extra` carries them. */
  counts: Record<string, number>
}

export function makeContext(member: Member): GraphContext {
  const things = new Map<unknown, unknown>()
  const context: GraphContext = {
    member,
    read: sharedReads(member),
    own<Thing>(make: (context: GraphContext) => Thing): Thing {
      if (!things.has(make)) things.set(make, make(context))
      return things.get(make) as Thing
    },
    counts: {},
  }
  return context
}

type Waiting = { run(tx: Tx): Promise<void>; fail(problem: unknown): void }

/**
 * One scoped transaction serves all reads that are asked for while it lasts. It ends when nobody has asked for more, so
 * no connection is held while something outside (a trading platform) is waited for.
 */
function sharedReads(member: Member): Read {
  const queue: Waiting[] = []
  let isOpen = false

  async function serve(): Promise<void> {
    isOpen = true
    try {
      await reading(member, async (tx) => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          await next.run(tx)
          // Resolvers that waited for this answer get to ask their own questions before the scope is closed.
          await new Promise((resolve) => setImmediate(resolve))
        }
      })
    } catch (problem) {
      for (const waiting of queue.splice(0)) waiting.fail(problem)
    } finally {
      isOpen = false
      if (queue.length > 0) void serve()
    }
  }

  return (work) =>
    new Promise((resolve, reject) => {
      const run = async (tx: Tx): Promise<void> => {
        try {
          resolve(await work(tx))
        } catch (problem) {
          reject(problem)
          // The database takes nothing more in a transaction that failed: those behind fail with it.
          throw problem
        }
      }
      queue.push({ run, fail: reject })
      if (!isOpen) void serve()
    })
}
