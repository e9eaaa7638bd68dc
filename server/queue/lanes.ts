import { asPartOfThis } from '../observability/under-way.ts'

/**
 * One lane for each platform or payment provider: so many visits at a time, its others behind them. Whoever hangs fills its
 * own lane and nobody else's, and no worker of the job queue stands still for it.
 */
export type Lanes = {
  /** Settles with the visit. One that waits already is not taken in twice; one that is under way comes again after it. */
  visit(lane: string, key: string, work: () => Promise<void>): Promise<void>
  /** Takes nothing in any more, forgets what waits, and settles when what is under way has ended. */
  stop(): Promise<void>
}

type Visit = { work: () => Promise<void>; done: PromiseWithResolvers<void> }
type Lane = { waiting: Map<string, Visit>; running: Map<string, Promise<void>> }

/** What finds no place is left to the sweep, which visits again what is overdue. */
const waitingMax = 500

export function openLanes({ atOnce = 4 }: { atOnce?: number } = {}): Lanes {
  const lanes = new Map<string, Lane>()
  let isStopped = false

  function advance(name: string, lane: Lane): void {
    for (const [key, visit] of lane.waiting) {
      if (lane.running.size >= atOnce) return
      if (lane.running.has(key)) continue
      lane.waiting.delete(key)
      const running = visit.work().then(visit.done.resolve, visit.done.reject)
      lane.running.set(key, running)
      void running.then(() => {
        lane.running.delete(key)
        advance(name, lane)
      })
    }
    if (lane.running.size === 0) lanes.delete(name)
  }

  return {
    visit(name, key, work) {
      const lane: Lane = lanes.get(name) ?? { waiting: new Map(), running: new Map() }
      const waiting = lane.waiting.get(key)
      if (waiting) return waiting.done.promise
      if (isStopped || lane.waiting.size >= waitingMax) return Promise.resolve()
      const done = Promise.withResolvers<void>()
      lanes.set(name, lane)
      // Whoever ends makes room for it, and it is none of theirs.
      lane.waiting.set(key, { work: asPartOfThis(work), done })
      advance(name, lane)
      return done.promise
    },
    async stop() {
      isStopped = true
      const running = [...lanes.values()].flatMap((lane) => {
        for (const { done } of lane.waiting.values()) done.resolve()
        lane.waiting.clear()
        return [...lane.running.values()]
      })
      await Promise.all(running)
    },
  }
}
