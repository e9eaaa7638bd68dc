import { type ConcurrencyLimiter, makeConcurrencyLimiter } from '../foundation/concurrency-limiter.ts'

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

type Visits = Map<string, Promise<void>>
type Lane = { concurrencyLimiter: ConcurrencyLimiter; waiting: Visits; running: Visits }

/** What finds no place is left to the sweep, which visits again what is overdue. */
const waitingMax = 500

export function openLanes({ atOnce = 4 }: { atOnce?: number } = {}): Lanes {
  const lanes = new Map<string, Lane>()
  const stopping = new AbortController()
  const { signal } = stopping

  /** The same one again waits for itself first, and takes no place meanwhile. */
  async function enter(
    { concurrencyLimiter, waiting, running }: Lane,
    key: string,
    work: () => Promise<void>,
  ): Promise<void> {
    const before = running.get(key)
    if (before) await before
    if (signal.aborted) return
    let isBegun = false
    const run = async (): Promise<void> => {
      isBegun = true
      waiting.delete(key)
      const visit = work()
      // Whoever asked for it hears what went wrong; the next one only waits for its end.
      running.set(
        key,
        visit.catch(() => undefined),
      )
      await visit.finally(() => running.delete(key))
    }
    await concurrencyLimiter(run, { signal }).catch((problem) => {
      if (isBegun) throw problem
    })
  }

  return {
    visit(name, key, work) {
      const lane = lanes.get(name) ?? {
        concurrencyLimiter: makeConcurrencyLimiter(atOnce),
        waiting: new Map(),
        running: new Map(),
      }
      const already = lane.waiting.get(key)
      if (already) return already
      if (signal.aborted || lane.waiting.size >= waitingMax) return Promise.resolve()
      lanes.set(name, lane)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      lane.waiting.set(key, promise)
      const leave = (): void => {
        if (lane.waiting.size === 0 && lane.concurrencyLimiter.isIdle()) lanes.delete(name)
      }
      void enter(lane, key, work).then(resolve, reject).finally(leave)
      return promise
    },
    async stop() {
      stopping.abort()
      await Promise.all([...lanes.values()].flatMap(({ running }) => [...running.values()]))
    },
  }
}
