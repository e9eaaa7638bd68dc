import { type ConcurrencyLimiter, makeConcurrencyLimiter } from '../foundation/concurrency-limiter.ts'

/**
 * One lane per platform or payment provider, with limited concurrency and a queue. A hanging one fills its own lane
 * only, and blocks no worker of the job queue.
 */
export type Lanes = {
  /** Settles with the task. Joins a waiting task with the same key; runs after a running one. */
  visit(lane: string, key: string, work: () => Promise<void>): Promise<void>
  /** Accepts no more tasks, drops waiting ones, and settles when running ones have ended. */
  stop(): Promise<void>
}

type Visits = Map<string, Promise<void>>
type Lane = { concurrencyLimiter: ConcurrencyLimiter; waiting: Visits; running: Visits }

/** Tasks over the limit are dropped; the sweep schedules overdue ones again. */
const waitingMax = 500

export function openLanes({ atOnce = 4 }: { atOnce?: number } = {}): Lanes {
  const lanes = new Map<string, Lane>()
  const stopping = new AbortController()
  const { signal } = stopping

  /** Waits for a running task with the same key first, without taking a slot. */
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
      // The caller gets the error; the next task only waits for the end.
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
